"""``[recovery]`` of a case: elements whose section forces or ply stresses the record shall give."""

from __future__ import annotations

from tisserand.appendage.recovery.ply_stresses import QUANTITIES
from tisserand.readers.case.types import RecoveryRule
from tisserand.schema import Table


def recovery_rules(case: Table) -> tuple[RecoveryRule, ...]:
    """Entries ``LABEL = place`` (section forces) or ``LABEL = { elements, plies }`` (ply values)."""
    parent = case.table("recovery", {})
    rules = []
    for label, value in parent.values.items():
        if isinstance(value, dict):
            entry = parent.table(label)
            plies = entry.words("plies", ())
            for word in plies:
                if word not in QUANTITIES:
                    raise entry.unknown("plies", word, QUANTITIES, "is no ply quantity")
            rules.append(RecoveryRule(entry.key, label, _elements(entry, "elements"), plies))
        else:
            rules.append(RecoveryRule(parent.path_of(label), label, _elements(parent, label)))
    return tuple(rules)


def _elements(table: Table, key: str) -> str | tuple[int, ...]:
    """The name of a set or physical group, or element ids."""
    value = table.raw(key)
    if isinstance(value, str) and value:
        return value
    ids = value if isinstance(value, list) else [value]
    if not ids or any(isinstance(item, bool) or not isinstance(item, int) for item in ids):
        raise table.error(key, "names no elements", found=repr(value), expected="a set or group, or element ids")
    return tuple(ids)
