"""Samples as statistics see them: columns of measures, limits by name, and the summary of a Monte Carlo study."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import InputError
from tisserand.statistics.history_measures import MEASURE_UNITS, MEASURES
from tisserand.statistics.limits import Limit, limit_of
from tisserand.statistics.measure_expressions import Measure, measure
from tisserand.statistics.summary import Statistics, Table, summary
from tisserand.studies.ensembles.samples import Sample
from tisserand.studies.options import MonteCarloStudy
from tisserand.studies.values import keys_of

#: What is told of every mode of a sample.
MODE_MEASURES = ("hz", "damping", "mac")
MODE_UNITS = {"hz": "Hz", "damping": "-", "mac": "-"}


@lru_cache(maxsize=32)
def measures_of(
    texts: tuple[tuple[str, str], ...], outputs: tuple[str, ...], keys: tuple[str, ...]
) -> tuple[Measure, ...]:
    """The measures that a study states, (name, expression) each, checked; parsed once per process."""
    for name, _ in texts:
        if name in {f"{output}.{word}" for output in outputs for word in MEASURES}:
            raise InputError(f"measure {name}: is measured already", expected="another name")
    return tuple(measure(name, text, outputs, keys) for name, text in texts)


def stated_measures(study: MonteCarloStudy, outputs: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Name and expression of every measure of a study: those that it names, and the left sides of limits that are no names."""
    made = {name.strip(): text for name, text in study.measure.items()}
    standard = {f"{output}.{word}" for output in outputs for word in MEASURES}
    if not study.modes:
        for text in study.limit:
            name = limit_of(text).measure
            if name not in standard and name not in made:
                made[name] = name
    return tuple(made.items())


def limits_of(texts: Iterable[str], known: Sequence[str]) -> tuple[Limit, ...]:
    """The limits of a study, after checking that what they limit is measured."""
    made = tuple(map(limit_of, texts))
    for one in made:
        if one.measure not in known:
            raise InputError(
                f"limit: unknown measure {one.measure!r}", found=repr(one.text), expected=", ".join(known) or "none",
            )  # fmt: skip
    return made


def columns_of(samples: Sequence[Sample]) -> dict[str, FloatArray]:
    """(n,) values of every measure by name; NaN where a run failed or ended early."""
    good = [i for i, s in enumerate(samples) if s.result is not None and s.result["complete"]]
    names: dict[str, tuple[str, str]] = {}
    for i in good:
        result = samples[i].result or {}
        for word in (*MEASURES, *MODE_MEASURES):
            names.update({f"{output}.{word}": (word, output) for output in result.get(word, ())})
        names.update({name: ("measure", name) for name in result.get("measure", ())})
    order = sorted(names, key=lambda name: names[name][0] != "measure")
    if any(word in MODE_MEASURES for word, _ in names.values()):
        order = sorted(names, key=lambda name: (MODE_MEASURES.index(names[name][0]), int(names[name][1].split()[-1])))
    table = {name: np.full(len(samples), math.nan) for name in order}
    for i in good:
        result = samples[i].result or {}
        for name, (word, output) in names.items():
            table[name][i] = result[word].get(output, math.nan)
    return table


def unit_of_measure(name: str, units: Mapping[str, str]) -> str:
    """Unit of a measure of an output or a mode; of a user's expression none is known."""
    output, _, word = name.rpartition(".")
    if output.startswith("mode ") and word in MODE_UNITS and output not in units:
        return MODE_UNITS[word]
    if output in units and word in MEASURES:
        return MEASURE_UNITS.get(word, units[output])
    return ""


def table_of(study: MonteCarloStudy, samples: Sequence[Sample], units: Mapping[str, str], count: int) -> Table:
    """Samples as a table of keys and measures; keys that share a draw are one. count: of all samples of the study."""
    measures = columns_of(samples)
    keys = {
        group: np.array([s.values[keys_of(group)[0]] for s in samples], float)
        for group in study.vary
        if samples and len(samples[0].values)
    }
    independent = 2 * (count // (len(study.vary) + 2)) if study.sensitivity == "sobol" else None
    named = {name: unit_of_measure(name, units) for name in measures}
    return Table(np.array([s.number for s in samples]), keys, measures, named, independent)


def statistics_of(study: MonteCarloStudy, table: Table, whole: bool = True) -> Statistics | None:
    """Statistics of a table of samples; None for corners, which have no probabilities, and where no run is complete.

    whole: whether all samples are there, without which a Saltelli design has no indices.
    """
    if study.design == "corners" or not table.measures:
        return None
    limits = limits_of(study.limit, tuple(table.measures))
    levels = [round(p / 100.0, 12) for p in study.percentiles]
    made = summary(table, levels, study.confidence / 100.0, limits, study.sensitivity if whole else "regression")
    if not whole and study.sensitivity == "sobol":
        made = replace(made, sensitivity={})
    return replace(made, doubts=_doubts(study, made))


def _doubts(study: MonteCarloStudy, found: Statistics) -> tuple[str, ...]:
    """Measures of the user that are no number in some complete runs, and bounds of designs that are no random draws."""
    wanted = dict.fromkeys([*map(str.strip, study.measure), *(one.limit.measure for one in found.limits)])
    said = [
        f"{name} is not a number in {found.runs - found.of(name).runs} of {found.runs} runs; its statistics leave them out"
        for name in wanted
        if found.of(name).runs < found.runs
    ]
    if study.design != "random":
        said.append(f"bounds and probabilities hold for random draws; of a {study.design} design they are a guide only")
    return tuple(said)
