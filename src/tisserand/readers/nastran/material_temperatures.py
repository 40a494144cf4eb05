"""MATT1, 2, 8, 9, 11 and the tables TABLEM1-4: material constants at the temperature that case control selects for materials."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.readers.nastran.boundary import missing_set
from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.draft import Draft

#: Card of the tables -> material card and how many of its constants, up to the density, have a table in the same field.
_CARDS = {
    "MATT1": ("MAT1", 4),
    "MATT2": ("MAT2", 7),
    "MATT8": ("MAT8", 7),
    "MATT9": ("MAT9", 22),
    "MATT11": ("MAT11", 10),
}
_TABLES = ("TABLEM1", "TABLEM2", "TABLEM3", "TABLEM4")
#: Cards beside TEMPD that state temperatures of a set.
_TEMPERATURES = ("TEMP", "TEMPP1", "TEMPRB", "TEMPP3", "TEMPF", "TEMPB3", "TEMPAX")


def apply_temperatures(draft: Draft) -> None:
    """Replace constants of materials by their values at the materials' temperature, before materials are read.

    A uniform temperature is applied; if it differs from point to point the tables are dropped.
    """
    cards = [card for card in _CARDS if draft.bulk.has(card)]
    for table in _TABLES:
        if draft.bulk.has(table):
            draft.unused[table] = "no constant of a material is taken from these tables"
    if not cards:
        return
    wanted = _selected(draft)
    if wanted is None:
        for card in cards:
            draft.unused[card] = "no temperature is selected, so the values of the material card hold"
        return
    known = _sets(draft)
    if wanted not in known:
        missing_set(draft, "TEMPERATURE", wanted, known)
        for card in cards:
            draft.unused[card] = f"there is no temperature of set {wanted}, so the values of the material card hold"
        return
    value = _uniform(draft, wanted)
    for card in cards:
        if value is None:
            draft.dropped[card] = f"material values at temperatures of set {wanted}, which differ from point to point"
        else:
            _evaluate(draft, card, value)
            draft.approximations[card] = f"values at the uniform temperature {value:g} of set {wanted}"


def _selected(draft: Draft) -> int | None:
    text = draft.selection.values.get("TEMPERATURE", "")
    kind, _, number = text.rpartition(")")
    if not number.strip().isdigit() or kind.startswith("(LOAD"):
        return None
    return int(number)


def _sets(draft: Draft) -> set[int]:
    """Temperature sets that the deck states."""
    stated = {row.integer(at) for row in draft.bulk.rows("TEMPD") for at in range(0, 8, 2) if row.text(at)}
    return stated | {row.integer(0) for card in _TEMPERATURES for row in draft.bulk.rows(card)}


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


def _evaluate(draft: Draft, card: str, temperature: float) -> None:
    material, count = _CARDS[card]
    tables = {row.integer(0): row for row in draft.bulk.rows(*_TABLES)}
    own = {row.integer(0): row for row in draft.bulk.rows(card)}
    rows = []
    for row in draft.bulk.rows(material):
        stated = own.get(row.integer(0))
        fields = list(row.fields) + [b""] * max(count + 1 - len(row.fields), 0)
        for at in range(1, count + 1):
            if stated is not None and (table := stated.integer(at, 0)):
                if table not in tables:
                    raise stated.error(at, "the table does not exist", found=table, expected="TABLEM1 to TABLEM4")
                draft.unused.pop(tables[table].card, None)
                fields[at] = repr(_value(tables[table], temperature, row.real(at, 1.0))).encode()
        rows.append(Row(material, fields, row.line, row.source))
    draft.bulk.batches.pop(material, None)
    draft.bulk.singles[material] = rows


def _value(row: Row, temperature: float, scale: float) -> float:
    """TABLEM1: y(T); TABLEM2: z y(T - x1); TABLEM3: z y((T - x1) / x2). TABLEM4: z times a power series.

    Linear, or in the logarithms that XAXIS and YAXIS of TABLEM1 ask for.
    """
    if row.card == "TABLEM4":
        return scale * _series(row, temperature)
    at = temperature
    if row.card == "TABLEM2":
        at = temperature - row.real(1, 0.0)
    elif row.card == "TABLEM3":
        at = (temperature - row.real(1, 0.0)) / row.real(2, 1.0)
    x, y = _points(row)
    logarithmic = [row.card == "TABLEM1" and row.word(k, "LINEAR") == "LOG" for k in (1, 2)]
    if (logarithmic[0] and min(x.min(), at) <= 0.0) or (logarithmic[1] and y.min() <= 0.0):
        raise row.error(8, "a table with logarithmic axes needs values above zero")
    if logarithmic[0]:
        x, at = np.log(x), float(np.log(at))
    y = np.log(y) if logarithmic[1] else y
    if row.word(2 if row.card == "TABLEM2" else 3) in ("1", "FLAT") or row.word(3) in ("1", "FLAT"):
        at = float(np.clip(at, x[0], x[-1]))
    value = _interpolated(row, x, y, at)
    value = float(np.exp(value)) if logarithmic[1] else value
    return value if row.card == "TABLEM1" else value * scale


def _points(row: Row) -> tuple[FloatArray, FloatArray]:
    """x, ascending, and y of a table that is stated in ascending or descending order; SKIP leaves a pair out, ENDT ends it."""
    xs, ys = [], []
    for k in range(8, len(row.fields), 2):
        pair = (row.word(k), row.word(k + 1))
        if "ENDT" in pair:
            break
        if "SKIP" not in pair and any(pair):
            xs.append(row.real(k))
            ys.append(row.real(k + 1))
    if not xs:
        raise row.error(8, "the table has no values")
    x, y = np.array(xs), np.array(ys)
    steps = np.diff(x)
    if (steps > 0.0).any() and (steps < 0.0).any():
        k = int(np.flatnonzero(np.sign(steps) == -np.sign(steps[steps != 0.0][0]))[0]) + 1
        raise row.error(None, "x of a table must ascend or descend", found=f"{x[k]:g} after {x[k - 1]:g}")
    return (x[::-1], y[::-1]) if (steps < 0.0).any() else (x, y)


def _interpolated(row: Row, x: FloatArray, y: FloatArray, at: float) -> float:
    """Linear between the points (x ascending), extrapolated beyond the ends; at a jump the mean of its two values."""
    if (here := np.flatnonzero(x == at)).size:
        return float(0.5 * (y[here[0]] + y[here[-1]]))
    if len(x) == 1:
        return float(y[0])
    low = int(np.clip(np.searchsorted(x, at) - 1, 0, len(x) - 2))
    if x[low + 1] == x[low]:
        raise row.error(None, "a table that jumps at its end cannot be extrapolated", found=f"two values at {x[low]:g}")
    return float(y[low] + (y[low + 1] - y[low]) * (at - x[low]) / (x[low + 1] - x[low]))


def _series(row: Row, temperature: float) -> float:
    """TABLEM4: the sum of a_i ((T - x1) / x2)^i, with T kept between x3 and x4 where they are stated."""
    low, high = row.real(3, -np.inf), row.real(4, np.inf)
    unit = row.real(2)
    if unit == 0.0:
        raise row.error(2, "the unit of the temperature is zero")
    words = [row.word(k) for k in range(8, len(row.fields))]
    count = words.index("ENDT") if "ENDT" in words else len(words)
    terms = [row.real(8 + k, 0.0) for k in range(count)]
    if not terms:
        raise row.error(8, "the table has no values")
    x = (min(max(temperature, low), high) - row.real(1, 0.0)) / unit
    return float(np.polynomial.polynomial.polyval(x, terms))
