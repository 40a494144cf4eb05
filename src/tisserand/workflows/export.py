"""A record, out to another tool."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tisserand.appendage import load_record

if TYPE_CHECKING:
    from tisserand.exporters.registry import ExportResult


def export_record(
    record: str | Path,
    target: str,
    *,
    output: str | Path | None = None,
    strict: bool = False,
    force: bool = False,
) -> ExportResult:
    """Export the record at ``record``; ``output`` defaults to a name beside it."""
    from tisserand.exporters.registry import export_appendage, target_of

    chosen = target_of(target)
    path = Path(output) if output is not None else Path(record).with_suffix(chosen.suffix)
    return export_appendage(load_record(record), target, path, strict=strict, force=force)
