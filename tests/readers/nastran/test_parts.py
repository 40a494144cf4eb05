"""Superelement parts joined to their main structure: the same matrices as the undivided deck, whatever their ids."""

import numpy as np
import pytest
from support.command import run

import tisserand as ts
from tisserand.assembly import assemble
from tisserand.errors import InputError, ModelError
from tisserand.modes import solve_modes
from tisserand.readers.nastran import read_nastran

HEAD = "SOL 103\nCEND\nSPC = 1\nBEGIN BULK\n"
CARDS = "PBAR,1,1,1.-4,1.-8,2.-8,2.-8\nMAT1,1,7.+10,,.33,2700.\n"
HALF = 4  # bars on each side
LENGTH = 0.25


def bars(first, count, point, element, axes=""):
    """Bars along x from position ``first``; points and elements are numbered from the given ids."""
    grids = "".join(
        f"GRID,{point + i},,{(first + i) * LENGTH},{0.01 * (first + i) ** 2},0.,{axes}\n" for i in range(count + 1)
    )
    return grids + "".join(f"CBAR,{element + i},1,{point + i},{point + i + 1},0.,0.,1.\n" for i in range(count))


def undivided(tmp_path):
    path = tmp_path / "whole.bdf"
    path.write_text(f"{HEAD}{bars(0, 2 * HALF, 1, 1)}{CARDS}SPC1,1,123456,1\nENDDATA\n")
    return read_nastran(path, "SI")


def divided(tmp_path, *, main=(1, 1), part=(1, 1), connect="", extra="", axes=""):
    """The inner half is the main structure, the outer one part 7; points and elements numbered from main and part."""
    path = tmp_path / "parts.bdf"
    path.write_text(
        f"{HEAD}{bars(0, HALF, *main)}{CARDS}SPC1,1,123456,1\n{connect}"
        f"BEGIN SUPER=7\n{bars(HALF, HALF, *part, axes)}{CARDS}{extra}ENDDATA\n"
    )
    return path


def frequencies(model, count=12):
    return solve_modes(assemble(model), count=count, full=True).frequencies_hz


SECONCT = f"SECONCT,7,0,,NO\n,100,{1 + HALF}\n"


@pytest.mark.parametrize(
    ("part", "connect"),
    [
        ((1, 1), ""),  # the same ids as the main structure's: found by place
        ((100, 100), ""),
        ((100, 100), f"SEBULK,7,PRIMARY,,MANUAL\n{SECONCT}"),
    ],
)
def test_whole_is_the_undivided_structure(tmp_path, part, connect):
    reference = undivided(tmp_path)
    path = divided(tmp_path, part=part, connect=connect)
    model = read_nastran(path, "SI")
    assert len(model.nodes) == len(reference.nodes) and sum(len(b) for b in model.elements) == 2 * HALF
    assert frequencies(model) == pytest.approx(frequencies(reference), rel=1e-9)
    ids = np.concatenate([block.ids for block in model.elements])
    assert len(np.unique(ids)) == len(ids)
    renumbered = any("are renumbered" in note for note in model.ledger.notes)
    assert renumbered == (part[0] == 1)


def test_manual_parts_that_nothing_connects_stay_apart(tmp_path):
    model = read_nastran(divided(tmp_path, part=(100, 100), connect="SEBULK,7,PRIMARY,,MANUAL\n"), "SI")
    assert len(model.nodes) == 2 * HALF + 2


def test_reduction_of_a_part_beside_an_unreduced_main_structure(tmp_path):
    """Static condensation without modal points overestimates; ten fixed-interface modes of the part are close, from above; the
    command reduces unless --full is given.
    """
    exact = frequencies(undivided(tmp_path), 4)
    points = "".join(f"QSET1,0,{9000 + i}\nSPOINT,{9000 + i}\n" for i in range(10))
    for extra, least, most in (("", 0.03, 0.4), (points, -1e-9, 2e-5)):
        path = divided(tmp_path, part=(1, 1), extra=extra)
        assert len(read_nastran(path, "SI").parts) == 2
        found = np.array(run("modes", path, "--units", "SI", "-n", 4, "--json").data["frequencies_hz"])
        assert (
            (found / exact - 1 > least).any() and (found / exact - 1 > -1e-9).all() and (found / exact - 1 < most).all()
        )
    full = run("modes", path, "--units", "SI", "-n", 4, "--full", "--json").data["frequencies_hz"]
    assert full == pytest.approx(exact, rel=1e-9)
    seen = run("modes", path, "--units", "SI", "-n", 4, "--frame", "buckens", "--json").data
    assert seen["frame"] == "buckens" and seen["frequencies_hz"] == pytest.approx(found, rel=1e-9)


def test_a_generous_qset_takes_all_modes_there_are(tmp_path):
    """More modal points than the part has modes: Nastran holds the surplus; all modes give the unreduced model, 1e-8."""
    path = divided(tmp_path, part=(100, 100), extra="SPOINT,901,THRU,990\nQSET1,0,901,THRU,990\n")
    found = solve_modes(assemble(read_nastran(path, "SI")), count=4)
    assert found.frequencies_hz[:4] == pytest.approx(frequencies(undivided(tmp_path), 4), rel=1e-8)
    assert any("all there are; QSET has 90 points" in note for note in found.notes), found.notes


def test_points_that_do_not_fit_are_refused(tmp_path):
    far = f"SEBULK,7,PRIMARY,,MANUAL\nSECONCT,7,0,,NO\n,101,{1 + HALF}\n"
    with pytest.raises(ModelError, match="do not coincide"):
        read_nastran(divided(tmp_path, part=(100, 100), connect=far), "SI")
    turned = "CORD2R,3,,0.,0.,0.,0.,0.,1.\n,0.,1.,0.\n"
    with pytest.raises(ModelError, match=f"different displacement axes in two parts.*node {1 + HALF}"):
        read_nastran(divided(tmp_path, part=(100, 100), extra=turned, axes="3"), "SI")


def test_superelements_let_go_in_mean_axes_are_the_vehicle_of_the_held_ones(tmp_path):
    """Craig-Bampton part, mounted at the root of the main structure: frequencies and damping of the held reduction to 1e-8."""
    path = divided(tmp_path, part=(100, 100), extra="SPOINT,901,THRU,908\nQSET1,0,901,THRU,908\n")
    model = assemble(read_nastran(path, "SI"))

    def on_bus(basis):
        mount = ts.MountedAppendage("a", ts.reduce(basis, attachment=1, damping=0.005), "bus")
        found = ts.system_modes(ts.Vehicle("v", (ts.Body("bus", 20.0, inertia=[3.0, 4.0, 5.0]),), appendages=(mount,)))
        return found.frequencies_hz[:4], found.damping_ratios[:4]

    hz, ratios = on_bus(solve_modes(model, count=6))
    got = on_bus(solve_modes(model, count=6, free=True, attachment=1, frame="tisserand"))
    assert got[0] == pytest.approx(hz, rel=1e-8) and got[1] == pytest.approx(ratios, rel=1e-8)
    with pytest.raises(InputError, match="does not keep all of the attachment"):
        solve_modes(model, count=3, free=True, attachment=103, frame="tisserand")
