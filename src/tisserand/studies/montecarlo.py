"""Many runs of a vehicle with values drawn from laws, and what they tell: percentiles, limits, sensitivities, pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tisserand.errors import InputError, TisserandError
from tisserand.multibody.histories import arrow
from tisserand.multibody.measurements import unit_of
from tisserand.multibody.quantities import units_of
from tisserand.multibody.vehicle_file import VehicleCase
from tisserand.statistics.expressions import parsed
from tisserand.statistics.history_measures import MEASURES
from tisserand.statistics.measure_expressions import FUNCTIONS
from tisserand.statistics.order_statistics import runs_needed
from tisserand.statistics.summary import Table
from tisserand.studies.ensembles.campaign import Progress, gathered, refuse_unknown_keys
from tisserand.studies.ensembles.flights import Flights
from tisserand.studies.ensembles.histories import HistoryStore
from tisserand.studies.ensembles.measured import limits_of, measures_of, stated_measures, statistics_of, table_of
from tisserand.studies.ensembles.sample_values import values_of_samples
from tisserand.studies.ensembles.samples import MonteCarloResult, Sample
from tisserand.studies.ensembles.shipped_vehicle import ShippedVehicle
from tisserand.studies.ensembles.tables import save_flights
from tisserand.studies.ensembles.tracked_modes import TrackedModes
from tisserand.studies.options import MonteCarloStudy
from tisserand.studies.study_type import task
from tisserand.studies.values import keys_of
from tisserand.studies.vehicles import read_vehicle
from tisserand.views.ensemble_facts import EnsembleFacts
from tisserand.views.ensemble_picture import save_ensemble_picture
from tisserand.views.report.ensemble_page import save_ensemble_page


@task(MonteCarloStudy)
def montecarlo(study: MonteCarloStudy, progress: Progress | None = None) -> MonteCarloResult:
    """Simulate vehicles with values drawn at random; the same seed gives the same samples on any executor."""
    if study.output is not None and study.output.suffix.lower() == ".parquet":
        arrow()  # said before anything runs
    if study.cover is not None:
        study = study.model_copy(update={"count": runs_needed(study.cover / 100.0, study.confidence / 100.0)})
    keys = tuple(word for group in study.vary for word in keys_of(group))
    grid, redrawn = values_of_samples(study)
    refuse_unknown_keys(study, grid)
    vehicle = ShippedVehicle(study.vehicle, study.set)
    units = {} if study.modes else _output_units(study, grid[0])
    if study.modes:
        work: Flights | TrackedModes = TrackedModes.of(vehicle, study.closed_loop)
        threads: Callable[[], bool] = lambda: False  # noqa: E731
    else:
        stated = stated_measures(study, tuple(units))
        known = [*(f"{name}.{word}" for name in units for word in MEASURES), *(name for name, _ in stated)]
        measures_of(stated, tuple(units), keys)
        limits_of(study.limit, known)
        flights = work = Flights(vehicle, wants_histories(study), stated, tuple(units))
        threads = lambda: flights.in_threads(grid[0])  # noqa: E731
    store = HistoryStore()
    try:
        samples = gathered(
            study, work, grid, progress, in_threads=threads, sink=store.add, units=units,
            interrupted=lambda done: written(study, keys, done, store, units, len(grid)),
        )  # fmt: skip
        return replace(written(study, keys, samples, store, units, len(grid)), redrawn=redrawn)
    finally:
        store.close()


def wants_histories(study: MonteCarloStudy) -> bool:
    """Whether runs keep the histories of their outputs: for envelopes, or for a file."""
    return any(path is not None for path in (study.plot, study.report, study.histories)) and not study.modes


def _output_units(study: MonteCarloStudy, first: Mapping[str, float]) -> dict[str, str]:
    """Outputs of the vehicle with their units, as the file states it or, where that cannot be read, with the first sample."""
    try:
        case = read_vehicle(study.vehicle, study.set)
    except TisserandError as error:
        try:
            case = read_vehicle(study.vehicle, {**study.set, **first})
        except TisserandError:
            if study.measure or study.limit:
                raise error from None
            return {}
    return output_units_of(case)


def output_units_of(case: VehicleCase) -> dict[str, str]:
    """Unit of every output of a vehicle file by name."""
    signals = units_of(case.vehicle, loads=(), controllers=(), signals=case.sensors)["signals"]
    return {**signals, **{item.name: unit_of(item) for item in case.measurements}}


def written(
    study: MonteCarloStudy,
    keys: tuple[str, ...],
    samples: Sequence[Sample],
    store: HistoryStore,
    units: Mapping[str, str],
    count: int,
) -> MonteCarloResult:
    """The result of a study, with the files that it asks for. count: of all samples, of which some may be elsewhere."""
    result = MonteCarloResult(keys, tuple(samples))
    if not samples:
        return result
    paths: list[Any] = []
    table = table_of(study, samples, units, count)
    whole = study.shard is None
    if whole:
        result = replace(result, statistics=statistics_of(study, table, len(samples) == count))
    if study.output is not None:
        paths.append(save_flights(study.output, keys, samples, units))
    if study.histories is not None and len(store):
        held = {s.number - 1: s.values for s in samples}
        values = {key: [held[number][key] for number in store.numbers] for key in keys}
        paths.append(store.save(study.histories, values))
    if whole and (study.plot or study.report or study.histories):
        if not len(store) and any(s.result for s in samples) and not study.modes:
            raise InputError("the samples hold no histories", expected="a study, or shards, with --histories")
        sources = {} if study.modes else _sources(stated_measures(study, tuple(units)), _own(table), units)
        facts = EnsembleFacts(
            study.vehicle.stem, table, result.statistics, store.envelopes(), len(samples), result.failures, sources
        )
        if study.plot is not None:
            paths.append(save_ensemble_picture(facts, study.plot))
        if study.report is not None:
            rows = [[*s.values.values(), *_outcome(s)] for s in samples]
            paths.append(save_ensemble_page(facts, [*keys, "complete", "balanced"], rows, study.report))
    return replace(result, paths=tuple(paths))


def _own(table: Table) -> list[str]:
    """Measures that are expressions."""
    return [name for name in table.measures if not table.units[name]]


def _sources(measures: Sequence[tuple[str, str]], names: Iterable[str], units: Mapping[str, str]) -> dict[str, str]:
    """The first output in each measure of the user; those of limits are their own expressions."""
    found: dict[str, str] = {}
    for name, text in {**{name: name for name in names if "(" in name}, **dict(measures)}.items():
        outputs = [word for word in parsed(text, FUNCTIONS, comparisons=False).names if word in units]
        if outputs:
            found[name] = outputs[0]
    return found


def _outcome(sample: Sample) -> tuple[str, str]:
    """Whether a run is complete and balanced, in words."""
    if sample.result is None:
        return "failed", str(sample.failure)
    held = sample.result.get("balance", {"held": True})["held"]
    return "yes" if sample.result["complete"] else "no", "yes" if held else "no"
