"""Rows of CBARs as assembled Nastran decks, whole and with reductions of their own (ASET, QSET, superelement)."""

from functools import partial

from tisserand.assembly import assemble
from tisserand.modes import solve_modes
from tisserand.readers.nastran import read_nastran

BEAM = ["PBAR,1,1,1.-4,1.-8,3.-8,2.-8", "MAT1,1,7.+10,,0.3,2700."]


def bar(elements, first=1, start=0.0):
    """CBARs of 0.1 m in a row along x."""
    out = [f"GRID,{first + i},,{start + 0.1 * i:.3f},0.,0." for i in range(elements + 1)]
    return out + [f"CBAR,{first + i},1,{first + i},{first + i + 1},0.,0.,1." for i in range(elements)]


def deck(folder, lines, control=()):
    path = folder / "deck.bdf"
    path.write_text("\n".join(["SOL 103", "CEND", "SPC=1", *control, "BEGIN BULK", *lines, "ENDDATA", ""]))
    return assemble(read_nastran(path, "SI"))


def condensed(folder, **options):
    return partial(solve_modes, deck(folder, [*BEAM, *bar(20), "SPC1,1,123456,1", "ASET1,123,6,11,16,21"]), **options)


def component(folder, **options):
    """Craig-Bampton: a tip boundary and eight fixed-interface modes."""
    points = [line for i in range(8) for line in (f"SPOINT,{900 + i}", f"QSET1,0,{900 + i}")]
    return partial(
        solve_modes, deck(folder, [*BEAM, *bar(20), "SPC1,1,123456,1", "ASET1,123456,21", *points]), **options
    )


def superelement(folder, **options):
    """A part with six fixed-interface modes beside an unreduced main structure."""
    points = [line for i in range(6) for line in (f"SPOINT,{900 + i}", f"QSET1,0,{900 + i}")]
    part = ["BEGIN SUPER=7", *BEAM, *bar(10, 101, 1.0), *points]
    return partial(solve_modes, deck(folder, [*BEAM, *bar(10), "SPC1,1,123456,1", *part]), **options)
