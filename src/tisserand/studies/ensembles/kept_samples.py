"""A file of samples as they ended, one line of JSON each: what is done survives anything, and shards become one study again.

The first line says which study it is (its options, number of samples, and a digest of everything that settles the numbers). A
line that was cut off in the middle, by a full disk or a power cut, is dropped when the file is opened again.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np

from tisserand.errors import FileError
from tisserand.files import PLACED, existing_file, existing_folder, writing
from tisserand.studies.ensembles.work import Outcome

FORMAT = "tisserand samples"
VERSION = 1
#: What takes the histories of a sample, by its number, so that they are not held in memory.
Sink = Callable[[int, Mapping[str, Any]], None]


@dataclass(frozen=True)
class Plan:
    """A study of many samples, as the first line of a file states it.

    task: sweep or montecarlo; options: of the study, as JSON; count: of all samples; identity: digest of all that settles the
    numbers; units: of the outputs of its runs, by name.
    """

    task: str
    options: Mapping[str, Any]
    keys: tuple[str, ...]
    count: int
    identity: str
    units: Mapping[str, str] = field(default_factory=dict)

    def line(self) -> dict[str, Any]:
        head = {"format": FORMAT, "version": VERSION, "task": self.task, "count": self.count, "keys": list(self.keys)}
        return {**head, "identity": self.identity, "units": dict(self.units), "options": dict(self.options)}


@dataclass(frozen=True)
class Kept:
    """A file of samples: its plan, and values and outcome of each sample by number, from 0."""

    path: Path
    plan: Plan
    samples: dict[int, tuple[dict[str, float], Outcome]]
    size: int


def identity_of(task: str, options: Mapping[str, Any], files: str) -> str:
    """Digest of everything that settles the numbers of a study; files: digest of its files."""
    facts = json.dumps({"task": task, "options": options, "files": files}, sort_keys=True, default=str)
    return hashlib.sha256(facts.encode()).hexdigest()


def read_kept(path: str | Path, sink: Sink | None = None) -> Kept:
    """All whole lines of a file of samples; the histories of its runs go to ``sink``, or nowhere."""
    path = existing_file(path)
    with path.open("rb") as stream:
        plan = _plan(path, stream.readline())
        samples: dict[int, tuple[dict[str, float], Outcome]] = {}
        size = stream.tell()
        for number, line in enumerate(stream, start=2):
            if not line.endswith(b"\n"):
                break
            sample = _sample(path, number, line, plan)
            samples[sample[0]] = sample[1], without_histories(*sample[::2], sink)
            size += len(line)
    return Kept(path, plan, samples, size)


def _plan(path: Path, line: bytes) -> Plan:
    try:
        head = json.loads(line)
        if head["format"] != FORMAT or head["version"] != VERSION:
            raise ValueError
        units = {str(name): str(unit) for name, unit in head.get("units", {}).items()}
        return Plan(head["task"], head["options"], tuple(head["keys"]), int(head["count"]), head["identity"], units)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        expected = "the .jsonl file that sweep or montecarlo writes with --keep"
        raise FileError(path, "is not a file of samples", expected=expected) from None


def _sample(path: Path, number: int, line: bytes, plan: Plan) -> tuple[int, dict[str, float], Outcome]:
    try:
        data = json.loads(line, object_hook=_array_of)
        index, values = int(data["sample"]) - 1, {str(key): float(value) for key, value in data["values"].items()}
        outcome = data["failure"] if "failure" in data else data["result"]
        if not 0 <= index < plan.count or tuple(values) != plan.keys or not isinstance(outcome, dict | str):
            raise ValueError
        return index, values, outcome
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise FileError(path, "has a line that is not a sample", found=f"line {number}") from None


def without_histories(number: int, outcome: Outcome, sink: Sink | None) -> Outcome:
    """An outcome without its histories, which are given to ``sink``."""
    if isinstance(outcome, str) or "histories" not in outcome:
        return outcome
    if sink is not None:
        sink(number, outcome["histories"])
    return {key: value for key, value in outcome.items() if key != "histories"}


def _array_of(data: dict[str, Any]) -> Any:
    """Complex arrays are stored by their parts, real ones as their bytes."""
    if set(data) == {"f8"}:
        return np.frombuffer(base64.b64decode(data["f8"], validate=True), "<f8")
    return np.array(data["re"]) + 1j * np.array(data["im"]) if set(data) == {"re", "im"} else data


def _listed(value: Any) -> Any:
    """Arrays for JSON: real ones of one dimension as text of their bytes, which is short and exact."""
    if isinstance(value, np.ndarray) and np.iscomplexobj(value):
        return {"re": value.real.tolist(), "im": value.imag.tolist()}
    if isinstance(value, np.ndarray) and value.ndim == 1:
        return {"f8": base64.b64encode(np.asarray(value, "<f8").tobytes()).decode("ascii")}
    raise TypeError(type(value).__name__)


class Keeper:
    """A file of samples that is being written."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def keep(self, number: int, values: Mapping[str, float], outcome: Outcome) -> None:
        """Append a sample, so that it is in the file whatever happens next."""
        kind = "failure" if isinstance(outcome, str) else "result"
        line = json.dumps({"sample": number + 1, "values": dict(values), kind: outcome}, default=_listed)
        self._stream.write(line.encode() + b"\n")
        self._stream.flush()


@contextmanager
def keeping(
    path: Path | None, plan: Plan, resume: bool, sink: Sink | None = None
) -> Iterator[tuple[Keeper | None, dict[int, Any]]]:
    """Open a file of samples: the keeper, and what it holds already where the study is resumed; None without a path."""
    if path is None:
        yield None, {}
        return
    existing_folder(path)
    kept = _continued(path, plan, resume, sink)
    with writing(path):
        stream = path.open("r+b" if kept else "wb")
    try:
        with writing(path):
            if kept is None:
                stream.write(json.dumps(plan.line()).encode() + b"\n")
                stream.flush()
            else:
                stream.truncate(kept.size)
                stream.seek(0, os.SEEK_END)
        PLACED.append(path)
        yield Keeper(stream), {} if kept is None else kept.samples
    finally:
        stream.close()


def _continued(path: Path, plan: Plan, resume: bool, sink: Sink | None) -> Kept | None:
    """What a file holds of this study; a file with samples is continued or refused, never replaced."""
    if not path.is_file() or path.stat().st_size == 0:
        return None
    kept = read_kept(path, sink)
    if not resume and kept.samples:
        advice = "continue with --resume, or remove the file to begin again"
        raise FileError(path, f"holds {len(kept.samples)} samples of a study", advice=advice)
    if kept.plan.identity == plan.identity:
        return kept
    if kept.samples:
        raise FileError(
            path, "belongs to another study, or one of its files has changed since", expected="the same options and files",
            advice="choose another name, or remove the file",
        )  # fmt: skip
    return None


def together(kept: Iterable[Kept]) -> tuple[Plan, dict[int, tuple[dict[str, float], Outcome]]]:
    """The samples of several files of one study."""
    plan: Plan | None = None
    samples: dict[int, tuple[dict[str, float], Outcome]] = {}
    for one in kept:
        if plan is not None and one.plan.identity != plan.identity:
            raise FileError(one.path, "belongs to another study than the first file", expected="shards of one study")
        plan = one.plan
        samples.update(one.samples)
    assert plan is not None
    return plan, samples
