"""Cards that may state an id only once: two of them with different values are an error, equal ones count once."""

from __future__ import annotations

from tisserand.readers.nastran.cards import Bulk

#: Properties whose readers take the last card of an id, with the fields of one property: those of a whole card, or of each
#: of several on one card.
_FIELDS: dict[str, int | None] = {
    **dict.fromkeys(("PBUSH", "PBUSH1D", "PGAP", "PBEND", "PELBOW", "PFAST", "PWELD", "CYSYM")),
    **dict.fromkeys(("PELAS", "PVISC"), 4),
    **dict.fromkeys(("PMASS", "PDAMP"), 2),
}


def refuse_restated(bulk: Bulk) -> None:
    """Raise where a property, or the defaults of grid points, are stated twice with different data."""
    for card, width in _FIELDS.items():
        known: dict[bytes, list[bytes]] = {}
        for row in bulk.rows(card):
            step = width or max(len(row), 1)
            for at in range(0, len(row), step):
                own = row.fields[at + 1 : at + step]
                while own and not own[-1]:
                    own = own[:-1]
                if row.text(at) and known.setdefault(row.text(at), own) != own:
                    raise row.error(at, "the property is defined twice with different data", found=row.word(at))
    rows = list(bulk.rows("GRDSET"))
    for row in rows[1:]:
        if row.fields != rows[0].fields:
            raise row.error(None, "the defaults of grid points are stated twice with different data")
