"""Results of tasks that a record keeps for its report: acceptance, responses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tisserand.appendage import load_record, save_record
from tisserand.appendage.record.json_data import plain


def add_report(record: Path, word: str, entry: Mapping[str, Any], same: Sequence[str]) -> Path:
    """Put an entry into a list of a record's reports, in the place of one whose ``same`` facts are equal."""
    kept = load_record(record)
    before = [one for one in kept.reports.get(word) or () if any(one.get(key) != entry[key] for key in same)]
    save_record(replace(kept, reports={**kept.reports, word: [*before, plain(dict(entry))]}), record)
    return record
