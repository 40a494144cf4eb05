"""Numbers of PARAM, from case control, the bulk data or the main structure, and those that scale whole matrices."""

from __future__ import annotations

from tisserand.errors import ReadError
from tisserand.model.ledger import ASSUMED
from tisserand.readers.nastran.draft import Draft
from tisserand.readers.nastran.numbers import real_of

#: PARAMs that multiply the matrices of all elements, and those that multiply matrices which case control adds by name.
_OF_ELEMENTS = {"CK1": "stiffness", "CM1": "mass", "CB1": "damping"}
OF_DIRECT = {"K2GG": "CK2", "M2GG": "CM2", "B2GG": "CB2"}


#: All that are read, here or where they apply.
_READ = {"WTMASS", "COUPMASS", "K6ROT", "AUTOSPC", "GRDPNT", "CTYPE", "NSEGS", *_OF_ELEMENTS, *OF_DIRECT.values()}
#: PARAMs that change stiffness or mass and are not applied, with the value at which they change nothing.
_OTHERWISE = {"SNORM": 20.0} | {
    f"CP{word}": -1.0 for word in ("BAR", "ROD", "TUBE", "QUAD1", "QUAD2", "TRIA1", "TRIA2", "QDPLT", "TRPLT", "TRBSC")
}
#: Names listed in one note.
_LISTED = 12


def account_for_parameters(draft: Draft) -> None:
    """Notes on PARAMs that are not used; scales of all element matrices are refused by name."""
    _refuse_scaled_elements(draft)
    stated = dict.fromkeys([*draft.parameters, *draft.selection.parameters])
    for name, same in _OTHERWISE.items():
        if name in stated and (value := number_parameter(draft, name, same)) != same:
            draft.notes.append(f"{ASSUMED}PARAM {name} {value:g} is not applied; the result is that of {same:g}")
    unused = [name for name in stated if name not in _READ and name not in _OTHERWISE]
    if unused:
        more = f" and {len(unused) - _LISTED} more" if len(unused) > _LISTED else ""
        draft.notes.append(f"not used: PARAM {', '.join(unused[:_LISTED])}{more}")


def _refuse_scaled_elements(draft: Draft) -> None:
    """CK1, CM1 and CB1 other than one change every element: refused by name."""
    for name, matrix in _OF_ELEMENTS.items():
        value = number_parameter(draft, name, 1.0)
        if value != 1.0:
            raise ReadError(
                draft.bulk.source.path, None, f"PARAM {name} multiplies the {matrix} of all elements, which is not supported",
                found=f"{value:g}", expected="1", advice="scale the material constants and masses of the deck instead",
            )  # fmt: skip


def number_parameter(draft: Draft, name: str, default: float) -> float:
    """A real PARAM: that of case control precedes that of the bulk data, and this that of the main structure."""
    own = draft.selection.parameters
    if name in own:
        value = real_of(own[name][0].encode())
        if value is None or (name == "WTMASS" and value <= 0.0):
            raise ReadError(
                draft.bulk.source.path, None, f"PARAM {name} of case control is not a valid number", found=own[name][0]
            )
        draft.notes.append(f"PARAM {name} {own[name][0]} of case control is applied")
        return value
    for row in draft.bulk.rows("PARAM"):
        if row.word(0) == name:
            value = row.real(1, default)
            if any(r.word(0) == name and r.real(1, default) != value for r in draft.bulk.rows("PARAM")):
                draft.notes.append(
                    f"{ASSUMED}PARAM {name} is stated more than once; the first value, {value:g}, is taken"
                )
            if name == "WTMASS" and value <= 0.0:
                raise row.error(1, "WTMASS must be positive", found=value)
            return value
    return float(draft.parameters[name][0].replace("D", "E")) if name in draft.parameters else default
