"""MATT1 and the tables TABLEM1-3: constants of MAT1 at the temperature that case control selects for materials."""

from __future__ import annotations

import numpy as np

from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.draft import Draft

#: Field of MATT1 -> field of MAT1: E, G, NU, RHO.
_FIELDS = {1: 1, 2: 2, 3: 3, 4: 4}


def apply_temperatures(draft: Draft) -> None:
    """Replace fields of MAT1 by their values at the materials' temperature, before materials are read.

    A uniform temperature is applied; if it differs from point to point MATT1 is dropped, and MATT2, 8, 9 are always
    dropped.
    """
    cards = [card for card in ("MATT1", "MATT2", "MATT8", "MATT9") if draft.bulk.has(card)]
    if not cards:
        return
    wanted = _selected(draft)
    if wanted is None:
        for card in cards:
            draft.unused[card] = "no temperature is selected, so the values of the material card hold"
        return
    for card in cards:
        if card != "MATT1":
            draft.dropped[card] = "case control requests material values at a temperature"
    if "MATT1" not in cards:
        return
    value = _uniform(draft, wanted)
    if value is None:
        draft.dropped["MATT1"] = f"material values at temperatures of set {wanted}, which differ from point to point"
        return
    _evaluate(draft, value)
    draft.approximations["MATT1"] = f"values at the uniform temperature {value:g} of set {wanted}"


def _selected(draft: Draft) -> int | None:
    text = draft.selection.values.get("TEMPERATURE", "")
    kind, _, number = text.rpartition(")")
    if not number.strip().isdigit() or kind.startswith("(LOAD"):
        return None
    return int(number)


def _uniform(draft: Draft, wanted: int) -> float | None:
    """The temperature of all points by TEMPD and TEMP; None where it differs or is not stated."""
    values = np.full(len(draft.nodes), np.nan)
    for row in draft.bulk.rows("TEMPD"):
        for at in range(0, 8, 2):
            if row.text(at) and row.integer(at) == wanted:
                values[:] = row.real(at + 1)
    for row in draft.bulk.rows("TEMP"):
        if row.integer(0) == wanted:
            for at in range(1, 7, 2):
                if row.text(at):
                    values[draft.node(row, at)] = row.real(at + 1)
    if draft.nodes.scalar is not None:
        values = values[~draft.nodes.scalar]
    if not len(values) or np.isnan(values).any() or np.ptp(values) > 0.0:
        return None
    return float(values[0])


def _evaluate(draft: Draft, temperature: float) -> None:
    tables = {row.integer(0): row for row in draft.bulk.rows("TABLEM1", "TABLEM2", "TABLEM3")}
    own = {row.integer(0): row for row in draft.bulk.rows("MATT1")}
    rows = []
    for row in draft.bulk.rows("MAT1"):
        number = row.integer(0)
        fields = list(row.fields) + [b""] * max(5 - len(row.fields), 0)
        if number in own:
            for at, target in _FIELDS.items():
                table = own[number].integer(at, 0)
                if table:
                    if table not in tables:
                        raise own[number].error(
                            at, "the table does not exist", found=table, expected="TABLEM1 to TABLEM3"
                        )
                    scale = row.real(target, 1.0)
                    fields[target] = repr(_value(tables[table], temperature, scale)).encode()
        rows.append(Row("MAT1", fields, row.line, row.source))
    draft.bulk.batches.pop("MAT1", None)
    draft.bulk.singles["MAT1"] = rows


def _value(row: Row, temperature: float, scale: float) -> float:
    """TABLEM1: y(T); TABLEM2: z y(T - x1); TABLEM3: z y((T - x1) / x2); linear, and beyond its ends extrapolated."""
    at = temperature
    if row.card == "TABLEM2":
        at = temperature - row.real(1, 0.0)
    elif row.card == "TABLEM3":
        at = (temperature - row.real(1, 0.0)) / row.real(2, 1.0)
    xs, ys = [], []
    for k in range(8, len(row.fields), 2):
        if row.word(k) in ("", "ENDT") or row.word(k + 1) in ("SKIP",):
            continue
        xs.append(row.real(k))
        ys.append(row.real(k + 1))
    if not xs:
        raise row.error(8, "the table has no values")
    x, y = np.array(xs), np.array(ys)
    if len(x) == 1:
        value = float(y[0])
    else:
        low = int(np.clip(np.searchsorted(x, at) - 1, 0, len(x) - 2))
        value = float(y[low] + (y[low + 1] - y[low]) * (at - x[low]) / (x[low + 1] - x[low]))
    return value if row.card == "TABLEM1" else value * scale
