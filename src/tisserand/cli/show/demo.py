"""``tisserand demo``: it prints while it runs."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.studies.demo import DemoResult


def show(screen: Screen, result: DemoResult) -> None:
    """Nothing is left to print."""
