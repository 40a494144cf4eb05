"""Corpus decks of solids and shells: frequencies of other codes from the same files.

Solids and shells of the same formulation agree to the digits printed. Shells of another formulation differ by mesh errors;
where they differ by more than 1 %, a closed form or a finer mesh says which side is right.
"""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from support.corpus import deck, needs_corpus, references

from tisserand.assembly.assemble import assemble
from tisserand.elements import shell_macneal
from tisserand.modes import solve_modes
from tisserand.readers.abaqus import read_abaqus
from tisserand.readers.nastran import read_nastran

pytestmark = needs_corpus


def found_and_reference(identifier, read, recipe=None, count=10, extra=0):
    """Elastic frequencies of ours and of the reference, Hz, in order."""
    entry = np.array(references()[identifier]["freqs_hz"], float)
    entry = entry[entry > 1e-4 * entry[-1]][:count]
    model = read(deck(identifier), units="consistent")
    found = np.array(solve_modes(assemble(model, recipe), count=len(entry) + extra).frequencies_hz)
    found = found[found > 1e-4 * entry[-1]]
    n = min(len(found) - extra, len(entry))
    return found[: n + extra], entry[:n]


@pytest.mark.parametrize(
    ("identifier", "recipe", "tolerance", "least"),
    [
        ("beam8f", None, 5e-7, 10),  # C3D8
        ("dloadlin20f", None, 1e-5, 10),  # C3D20
        ("blockC3D4", "lumped", 5e-8, 10),  # C3D4, Abaqus lumps its mass
        ("blockC3D10", None, 5e-8, 10),  # C3D10
        ("blockC3D20", None, 5e-8, 10),  # C3D20 of Abaqus
        ("beamf", None, 2e-3, 10),  # C3D20R: CalculiX integrates the mass differently
        ("mass2", None, 2e-3, 6),  # C3D20R with a point mass
    ],
)
def test_solids_of_the_same_formulation(identifier, recipe, tolerance, least):
    found, reference = found_and_reference(identifier, read_abaqus, recipe)
    assert len(found) >= least
    assert np.abs(found / reference - 1).max() < tolerance


def test_single_brick_with_a_spring():
    found, reference = found_and_reference("spring3", read_abaqus, count=1)
    assert found[0] == pytest.approx(reference[0], rel=1e-5)


def test_two_tetrahedra_with_nastrans_lumped_mass():
    """Two very flat ten-node tetrahedra, one of them curved: all ten modes to the digits printed.

    Nastran publishes neither its lumping nor its points; ``elements/solid_lumping.py`` states the rule that these ten
    frequencies gave. Each half of it is needed: four points instead of five, or the scaled diagonal instead of the rule,
    miss by far more than the digits.
    """
    found, reference = found_and_reference("Simple_Example", read_nastran)
    assert len(found) == 10
    assert np.abs(found / reference - 1).max() < 5e-7
    scaled, _ = found_and_reference("Simple_Example", read_nastran, "particles")
    assert np.abs(scaled / reference - 1).max() > 0.2
    model = read_nastran(deck("Simple_Example"), units="consistent")
    four = model.changed(sections=tuple(replace(section, integration="full") for section in model.sections))
    other = solve_modes(assemble(four), count=10).frequencies_hz
    assert np.abs(other / reference - 1).max() > 1e-3


def test_free_thick_plate():
    """plate_py: 20 x 10 CQUAD4 of t/h = 1.25, free: all four modes to the digits printed. Each part of the element is needed:
    the published epsilon, or curvatures without the incompatible modes, miss by more. (Which side is nearer to Rayleigh and
    Ritz: ``test_refined_limits.py``.)
    """
    found, reference = found_and_reference("plate_py", read_nastran)
    assert len(found) == 4
    assert np.abs(found / reference - 1).max() < 2e-7
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shell_macneal, "EPSILON", 0.04)
        assert np.abs(found_and_reference("plate_py", read_nastran)[0] / reference - 1).max() > 1e-5


def test_rigid_wing_on_springs():
    found, reference = found_and_reference("0012_flutter", read_nastran)
    assert len(found) == 2
    assert np.abs(found / reference - 1).max() < 1e-5


def test_bars_with_one_quad_and_one_triangle():
    """Seven nodes, six modes of bending and eleven in the plane: all to the printed digits. Which of Nastran's elements and
    our own is nearer to the limit: ``test_refined_limits.py``.
    """
    found, reference = found_and_reference("random_test_bar_plus_tri", read_nastran, count=17)
    assert len(found) == 17
    assert np.abs(found / reference - 1).max() < 2e-7


@pytest.mark.slow
@pytest.mark.parametrize("identifier", ["01_FlexibleTip_sol103", "02_RigidTip_sol103"])
def test_pazy_wing(identifier):
    """3050 nodes of shells (quads of any shape, triangles), beams and ties; no number was found from these decks. With our own
    shells (``flavor="mystran"``) the wings twist 0.9 % faster.
    """
    found, reference = found_and_reference(identifier, read_nastran)
    assert len(found) == 10
    assert np.abs(found / reference - 1).max() < 5e-4
    other, _ = found_and_reference(identifier, partial(read_nastran, flavor="mystran"))
    assert np.abs(other / reference - 1).max() < 0.0095


def test_simply_supported_plate_of_mystran_against_the_closed_form():
    """AQ3U2S004: a quarter of a thick plate, 4 x 4 elements with lumped mass. Within 1 % of MYSTRAN; the
    first mode within 0.5 % of Navier's solution (Mindlin, no rotary inertia).
    """
    found, reference = found_and_reference("AQ3U2S004-GIV", read_nastran)
    young, shear, nu, t, rho, side = 10.9e6, 4.19e6, 0.3, 0.2, 0.1 * 0.002591, 2.0
    d, s, c = young * t**3 / 12 / (1 - nu**2), 5 / 6 * shear * t, (1 - nu) / 2
    exact = []
    for m, n in ((1, 1), (1, 3), (3, 1), (3, 3)):
        p, q = m * np.pi / side, n * np.pi / side
        k = np.array(
            [
                [s * (p * p + q * q), s * p, s * q],
                [s * p, d * (p * p + c * q * q) + s, d * (1 + nu) / 2 * p * q],
                [s * q, d * (1 + nu) / 2 * p * q, d * (q * q + c * p * p) + s],
            ]
        )
        compliance = np.linalg.inv(k)[0, 0]
        exact.append(np.sqrt(1 / compliance / (rho * t)) / 2 / np.pi)
    assert np.abs(found / reference - 1).max() < 0.01
    assert np.abs(found / exact - 1)[0] < 0.005
    assert np.abs(found / exact - 1).max() < 0.065  # three half-waves on six elements with lumped mass
