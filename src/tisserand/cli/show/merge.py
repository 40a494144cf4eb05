"""``tisserand merge``."""

from __future__ import annotations

from tisserand.cli.screen import Screen
from tisserand.cli.show import montecarlo, sweep
from tisserand.studies.ensembles.samples import MonteCarloResult
from tisserand.studies.merge import MergeResult


def show(screen: Screen, result: MergeResult) -> None:
    if isinstance(result.whole, MonteCarloResult):
        montecarlo.show(screen, result.whole)
    else:
        sweep.show(screen, result.whole)
