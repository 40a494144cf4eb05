"""Parameters of sections: added mass, symmetric laminates, stated shear stiffness; unknown ones are named."""

from __future__ import annotations

import numpy as np
import pytest
from support.command import run
from support.strangers import modes_hz

from tisserand.assembly import assemble


def strip(section, after=""):
    """A strip of ten S4, 1 x 0.1 m, clamped; SI."""
    nodes = "\n".join(f"{2 * k + c + 1},{0.1 * k},{0.1 * c},0." for k in range(11) for c in (0, 1))
    cells = "\n".join(f"{k + 1},{2 * k + 1},{2 * k + 3},{2 * k + 4},{2 * k + 2}" for k in range(10))
    material = (
        "*MATERIAL,NAME=M\n*ELASTIC\n7.E10,0.\n*DENSITY\n2700.\n*MATERIAL,NAME=F\n*ELASTIC\n7.E8,0.\n*DENSITY\n100."
    )
    return (
        f"*NODE\n{nodes}\n*ELEMENT,TYPE=S4,ELSET=E\n{cells}\n{material}\n{section}\n{after}\n"
        "*BOUNDARY\n1,ENCASTRE\n2,ENCASTRE\n*STEP\n*FREQUENCY\n2\n*END STEP\n"
    )


def test_density_of_a_shell_section_adds_mass_per_area(tmp_path):
    """5 kg/m² on 0.1 m² of a plate of 10 mm: 2.7 + 0.5 kg; bending frequencies fall by the root of the masses (to 1e-3)."""
    model, plain = modes_hz(tmp_path, "a.inp", strip("*SHELL SECTION,ELSET=E,MATERIAL=M\n.01"), 1, units="SI")
    heavy, found = modes_hz(
        tmp_path, "b.inp", strip("*SHELL SECTION,ELSET=E,MATERIAL=M,DENSITY=5.\n.01"), 1, units="SI"
    )
    assert assemble(model).mass_properties().mass == pytest.approx(2.7, rel=1e-12)
    assert assemble(heavy).mass_properties().mass == pytest.approx(3.2, rel=1e-12)
    assert found[0] / plain[0] == pytest.approx(np.sqrt(2.7 / 3.2), rel=1e-3)


def test_symmetric_laminates_repeat_their_layers(tmp_path):
    half = "*SHELL SECTION,ELSET=E,COMPOSITE{}\n.002,3,M,0.\n.003,3,F,0.{}"
    short = modes_hz(tmp_path, "a.inp", strip(half.format(",SYMMETRIC", "")), 2, units="SI")[1]
    whole = modes_hz(tmp_path, "b.inp", strip(half.format("", "\n.003,3,F,0.\n.002,3,M,0.")), 2, units="SI")[1]
    assert short == pytest.approx(whole, rel=1e-12)


def test_transverse_shear_stiffness_of_a_soft_core(tmp_path):
    """Timoshenko's cantilever with a stated shear stiffness K per width: 1 / f² = 1 / f_bending² + 1 / f_shear² within 2 %
    (Dunkerley bounds from below; f_shear = sqrt(K / m) / 4 L).
    """
    section, K = "*SHELL SECTION,ELSET=E,MATERIAL=M\n.01", 2.0e4
    stiff = modes_hz(tmp_path, "a.inp", strip(section), 1, units="SI")[1][0]
    soft = modes_hz(tmp_path, "b.inp", strip(section, f"*TRANSVERSE SHEAR STIFFNESS\n{K},{K},0."), 1, units="SI")[1][0]
    shear = np.sqrt(K / 27.0) / 4.0
    assert soft == pytest.approx(1.0 / np.sqrt(stiff**-2 + shear**-2), rel=0.02)


def test_a_parameter_that_means_nothing_is_told(tmp_path):
    model, _ = modes_hz(tmp_path, "a.inp", strip("*SHELL SECTION,ELSET=E,MATERIAL=M,FROB=2\n.01"), 1, units="SI")
    assert any("parameter FROB of *SHELL SECTION" in note for note in model.ledger.assumptions)


@pytest.mark.parametrize("keyword", ["*NGEN\n1,21,2", "*ELGEN,ELSET=E\n1,10,2,1", "*NCOPY,OLD SET=A,CHANGE NUMBER=9"])
def test_generated_meshes_are_refused_by_name(tmp_path, keyword):
    (tmp_path / "a.inp").write_text(strip("*SHELL SECTION,ELSET=E,MATERIAL=M\n.01", keyword))
    outcome = run("modes", tmp_path / "a.inp", "-u", "SI")
    assert outcome.exit_code == 1 and keyword.partition("\n")[0].partition(",")[0] in outcome.stderr
