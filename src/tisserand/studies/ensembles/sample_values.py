"""Values of every sample of a Monte Carlo study: drawn, related to those of the file, within requirements and physics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from tisserand.arrays import FloatArray
from tisserand.declarations import read_toml
from tisserand.declarations.common_values import inertia_matrix
from tisserand.declarations.paths import get_at, set_at, words_of_path
from tisserand.errors import InputError, TisserandError
from tisserand.multibody.inertia import checked_inertia
from tisserand.multibody.vehicle_file import VehicleFile
from tisserand.statistics.expressions import parsed
from tisserand.studies.ensembles.draws import drawn
from tisserand.studies.options import MonteCarloStudy
from tisserand.studies.values import MOST_VALUES, keys_of, parts_of_law


def values_of_samples(study: MonteCarloStudy) -> tuple[list[dict[str, float]], int]:
    """Values by key for every sample, and how many draws were replaced because they violated a requirement."""
    data = read_toml(study.vehicle)
    for key, value in study.set.items():
        set_at(VehicleFile, data, key, value, study.vehicle)
    saltelli = study.sensitivity == "sobol"
    if saltelli and (study.design == "corners" or study.correlate or study.require):
        raise InputError(
            "Sobol indices need independent keys: no corners, correlations or requirements",
            advice="use --sensitivity regression, or leave those out",
        )
    if saltelli and study.count * (len(study.vary) + 2) > MOST_VALUES:
        found = f"{study.count} x ({len(study.vary)} + 2)"
        raise InputError(
            "the design for Sobol indices has too many runs", found=found, expected=f"at most {MOST_VALUES}"
        )
    nominal = {
        word: _number(data, word, study) if parts_of_law(law)[0] else 0.0
        for group, law in study.vary.items()
        for word in keys_of(group)
    }

    def values(row: FloatArray) -> dict[str, float]:
        made: dict[str, float] = {}
        for (group, law), x in zip(study.vary.items(), row):
            relation, kind, _ = parts_of_law(law)
            for word in keys_of(group):
                value = nominal[word] * x if relation == "*" else nominal[word] + x
                made[word] = int(value) if kind == "integer" and not relation else float(value)
        return made

    accepted = None if saltelli else _acceptance(study, data, values)
    table, redrawn = drawn(study.vary, study.design, study.count, study.seed, study.correlate, accepted, saltelli)
    return [values(row) for row in table], redrawn


def _number(data: dict[str, Any], word: str, study: MonteCarloStudy) -> float:
    value = get_at(VehicleFile, data, word, study.vehicle)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(
            f"{word}: has no number in the file to which a law could be relative", where=str(study.vehicle),
            found=repr(value)[:60], expected="a number, or a law without * and +",
        )  # fmt: skip
    return float(value)


def _acceptance(
    study: MonteCarloStudy, data: dict[str, Any], values: Callable[[FloatArray], Mapping[str, float]]
) -> Callable[[FloatArray], bool] | None:
    """Whether a draw satisfies every requirement and leaves the inertias physical; None where nothing can be violated."""
    rules = [parsed(text) for text in study.require]
    named = {word for rule in rules for word in rule.names}
    varied = {path: word for group in study.vary for word in keys_of(group) if (path := words_of_path(word))}
    stated = {word: _number(data, word, study) for word in named if words_of_path(word) not in varied}
    bodies = {str(path[1]) for path in varied if path[0] == "bodies" and len(path) > 3 and path[2] == "inertia"}
    if not rules and not (bodies and study.design == "random"):
        return None

    def accepted(row: FloatArray) -> bool:
        made = values(row)
        seen = {word: made[varied[path]] for word in named if (path := words_of_path(word)) in varied}
        if not all(rule.value({**stated, **seen}) is True for rule in rules):
            return False
        return study.design != "random" or all(_physical(data, body, made, study) for body in bodies)

    return accepted


def _physical(data: dict[str, Any], body: str, values: Mapping[str, float], study: MonteCarloStudy) -> bool:
    """Whether principal inertias are positive and no one exceeds the sum of the others, as those of every mass are."""
    table = deepcopy(data)
    for word, value in values.items():
        set_at(VehicleFile, table, word, value, study.vehicle)
    found = table["bodies"][body]
    try:
        checked_inertia(inertia_matrix(found["inertia"]), float(found.get("mass", 0.0)), body)
    except TisserandError:
        return False
    return True
