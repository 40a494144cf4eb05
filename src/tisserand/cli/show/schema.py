"""``tisserand schema``."""

from __future__ import annotations

import json

from tisserand.cli.screen import Screen
from tisserand.studies.schema import SchemaResult


def show(screen: Screen, result: SchemaResult) -> None:
    screen.verbatim(json.dumps(result.schema, indent=1, ensure_ascii=False))
