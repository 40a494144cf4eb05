"""``tisserand study``: what each of its tasks prints."""

from __future__ import annotations

from importlib import import_module

from tisserand.cli.screen import Screen
from tisserand.studies.study_file import StudyFileResult


def show(screen: Screen, result: StudyFileResult) -> None:
    for name, part in result.results:
        import_module(f"tisserand.cli.show.{name.replace('-', '_')}").show(screen, part)
