"""Every deck of the corpus in one table: worst error over its listed elastic modes, tolerance, judge.

``python tests/corpus/test_all_decks_table.py`` (with tests/ on the path) prints the table of docs/validation.md; the tests
hold the page to what is measured.
"""

from pathlib import Path

import numpy as np
import pytest
from support.corpus import needs_corpus, references
from support.deck_results import results

pytestmark = needs_corpus

PAGE = Path(__file__).parents[2] / "docs" / "validation.md"
DIGITS = 2e-6  # programs print seven digits; COUPMASS decks lose one

#: deck -> (tolerance, who wrote the list, remark or judge)
DECKS = {
    "beam_modes": (DIGITS, "Nastran", ""),
    "pn_mwe_s-solution_1": (DIGITS, "Simcenter Nastran", ""),
    "pn_mwe_s-sol_111": (DIGITS, "Simcenter Nastran", "five further lines are residual vectors"),
    "bah_plane": (DIGITS, "Nastran", "four further lines are unconverged Ritz values, above ours"),
    "Simple_Example": (
        DIGITS,
        "Nastran",
        "lumping of curved tet10 and five-point stiffness, both found from this list; scikit-fem gives our consistent "
        "frequencies to 1e-8",
    ),
    "plate_py": (
        DIGITS,
        "Nastran",
        "one number of CQUAD4 was found from this list; Rayleigh and Ritz put it up to 1.3 % low, our own shells up to 1.4 %",
    ),
    "random_test_bar_plus_tri": (
        DIGITS,
        "Nastran",
        "bending of CTRIA3 was found from this list; against scikit-fem it is up to 9.1 % off, our own shells up to 4.0 %",
    ),
    "0012_flutter": (DIGITS, "Nastran", ""),
    "004_72_bar_truss": (DIGITS, "MSC Nastran", ""),
    "003_svanberg_bar": (DIGITS, "MSC Nastran", ""),
    "noReduction": (DIGITS, "MSC Nastran", ""),
    "guyanReduction": (DIGITS, "MSC Nastran", "Guyan"),
    "dynamicReduction": (DIGITS, "MSC Nastran", "Craig-Bampton, fixed-interface modes too"),
    "cbSuper1Mode": (DIGITS, "MSC Nastran", "two superelements"),
    "cbSuper2Modes": (DIGITS, "MSC Nastran", "two superelements"),
    "cbSuper3Modes": (DIGITS, "MSC Nastran", "two superelements"),
    "nas2cam_extseout_full": (DIGITS, "NX Nastran", ""),
    "nas2cam_extseout_inboard": (DIGITS, "NX Nastran", "fixed-interface modes and residual vectors"),
    "nas2cam_extseout_outboard": (DIGITS, "NX Nastran", "fixed-interface modes and residual vectors"),
    "nas2cam_extseout_assemble": (DIGITS, "NX Nastran", "both components joined"),
    "01_FlexibleTip_sol103": (5e-4, "Nastran", "our own shells: 0.9 % in torsion"),
    "02_RigidTip_sol103": (5e-4, "Nastran", "our own shells: 0.9 % in torsion"),
    "test_1_test_case": (DIGITS, "Nastran", ""),
    "beam8f": (DIGITS, "CalculiX", ""),
    "beamf": (1e-6, "CalculiX", "C3D20R"),
    "dloadlin20f": (5e-5, "CalculiX", ""),
    "mass2": (1e-6, "CalculiX", "C3D20R"),
    "boxprofile": (
        0.15,
        "CalculiX",
        "bending within 3.7 %; torsion: its solid tube gives 388.9 Hz, ours 388, the expanded beam 446",
    ),
    "spring3": (DIGITS, "CalculiX", ""),
    "blockC3D4": (DIGITS, "Abaqus", ""),
    "blockC3D10": (DIGITS, "Abaqus", ""),
    "blockC3D20": (DIGITS, "Abaqus", ""),
    "CB-EXAMPLE-12": (DIGITS, "MYSTRAN", "modes with the SUPORT dofs held"),
    "BAR-CC-GIV": (DIGITS, "MYSTRAN", ""),
    "AQ3U2S004-GIV": (0.01, "MYSTRAN", "first mode within 0.5 % of Navier's solution"),
}


def worst(name: str) -> tuple[float, int]:
    """Largest relative error and the number of modes compared."""
    found, wanted = results(name)
    assert len(found) == len(wanted)
    return float(np.abs(found / wanted - 1).max()), len(wanted)


def shown(value: float) -> str:
    return f"{100 * value:.2g} %" if value >= 1e-3 else f"{value:.1e}"


def table() -> str:
    lines = ["| deck | program | modes | tolerance | worst error | remark, judge |", "|---|---|---|---|---|---|"]
    for name, (tolerance, program, remark) in DECKS.items():
        error, count = worst(name)
        lines.append(f"| {name} | {program} | {count} | {shown(tolerance)} | {shown(error)} | {remark} |")
    return "\n".join(lines)


def page_rows() -> dict[str, list[str]]:
    rows = [
        line.strip().strip("|").split("|") for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:2] == "| "
    ]
    return {row[0].strip(): [cell.strip() for cell in row] for row in rows if row[0].strip() in DECKS}


def test_no_deck_is_left_out():
    assert len(DECKS) == 35
    assert set(DECKS) == set(references())
    assert set(page_rows()) == set(DECKS)


@pytest.mark.parametrize("name", DECKS)
def test_the_page_shows_what_is_measured(name):
    """Within its tolerance, and the printed number is the measured one (within round-off of the solver)."""
    error, count = worst(name)
    tolerance, program, remark = DECKS[name]
    assert error < tolerance
    row = page_rows()[name]
    assert row[1:4] == [program, str(count), shown(tolerance)] and row[5] == remark
    printed = float(row[4].rstrip(" %")) * (0.01 if row[4].endswith("%") else 1.0)
    assert error == pytest.approx(printed, rel=0.06, abs=2e-8)


if __name__ == "__main__":
    print(table())
