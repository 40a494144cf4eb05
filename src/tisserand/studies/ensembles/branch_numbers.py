"""Modes of a sweep renumbered by shape: the same number is the same mode in every sample, also behind a crossing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tisserand.arrays import ComplexArray
from tisserand.statistics.mode_tracking import Branches, crossings, paired, tracked
from tisserand.studies.ensembles.samples import ModeCrossing, Sample

#: What a sample tells of its modes, one entry each.
_BY_MODE = ("frequencies_hz", "damping_ratios", "poles")


def numbered_by_shape(
    keys: Sequence[str], tied: Sequence[str], samples: Sequence[Sample], shapes: Sequence[Any]
) -> tuple[list[Sample], tuple[ModeCrossing, ...]]:
    """Samples with their modes in the order of branches, and the crossings; a mode that a sample does not have is None.

    tied: keys along which modes are followed, one sweep for every combination of the others. Sweeps after the first begin with
    the numbers of the first.
    """
    groups: dict[tuple[tuple[str, float], ...], list[int]] = {}
    for i, sample in enumerate(samples):
        if sample.result is not None:
            others = tuple((key, sample.values[key]) for key in keys if key not in tied)
            groups.setdefault(others, []).append(i)
    made, found = list(samples), list[ModeCrossing]()
    reference: tuple[Any, Any] | None = None
    for others, members in groups.items():
        members.sort(key=lambda i: samples[i].values[tied[0]])
        poles = [_poles(samples[i]) for i in members]
        own = [shapes[i] for i in members]
        branches = tracked([samples[i].values[tied[0]] for i in members], poles, own)
        rank = _rank(branches, poles[0], own[0], reference)
        reference = reference or (poles[0], own[0])
        for row, i in enumerate(members):
            made[i] = replace(samples[i], result=_renumbered(samples[i].result or {}, branches, row, rank))
        number = {branch: place + 1 for place, branch in enumerate(rank)}
        for one in crossings(branches):
            first, second = sorted(number[branch] for branch in one.branches)
            found.append(ModeCrossing((first, second), one.value, one.hz, one.likeness, dict(others)))
    return made, tuple(found)


def _poles(sample: Sample) -> ComplexArray:
    pairs = np.array((sample.result or {})["poles"], float).reshape(-1, 2)
    return np.asarray(pairs[:, 0] + 1j * pairs[:, 1])


def _rank(branches: Branches, poles: Any, shapes: Any, reference: tuple[Any, Any] | None) -> list[int]:
    """Branches in their order: those of the first sample by frequency, or as the reference has them, then the later ones."""
    count = branches.poles.shape[1]
    begun = [b for b in range(count) if branches.modes[0, b] >= 0]
    if reference is None:
        first = sorted(begun, key=lambda b: abs(branches.poles[0, b]))
    else:
        of_mode = {int(branches.modes[0, b]): b for b in begun}
        partner, _ = paired(*reference, poles, shapes)
        first = [of_mode[int(mode)] for mode in partner if mode >= 0]
    return [*first, *(b for b in range(count) if b not in first)]


def _renumbered(result: dict[str, Any], branches: Branches, row: int, rank: Sequence[int]) -> dict[str, Any]:
    modes = [int(branches.modes[row, b]) for b in rank]
    while modes and modes[-1] < 0:
        modes.pop()
    told = {word: [result[word][mode] if mode >= 0 else None for mode in modes] for word in _BY_MODE}
    mac = [float(branches.likeness[row, b]) for b in rank[: len(modes)]]
    return {**result, **told, "mac": [None if np.isnan(value) else value for value in mac]}
