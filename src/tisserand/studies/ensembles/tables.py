"""Samples as tables, one row each: CSV, or Parquet."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tisserand.files import atomic_path, csv_name, write_text
from tisserand.multibody.histories import arrow
from tisserand.statistics.history_measures import MEASURES
from tisserand.studies.ensembles.measured import MODE_MEASURES
from tisserand.studies.ensembles.samples import Sample


def modes_csv(keys: tuple[str, ...], samples: Sequence[Sample]) -> str:
    """Frequencies and damping of every sample."""
    most = max((len(s.result["frequencies_hz"]) for s in samples if s.result), default=0)
    head = [*keys, *(f"mode_{i + 1}_hz" for i in range(most)), *(f"mode_{i + 1}_zeta" for i in range(most)), "failure"]
    lines = [",".join(head)]
    for s in samples:
        f = s.result["frequencies_hz"] if s.result else []
        z = s.result["damping_ratios"] if s.result else []
        row = [f"{v:.10g}" for v in s.values.values()]
        row += (
            [_cell(v, ".10g") for v in f]
            + [""] * (most - len(f))
            + [_cell(v, ".6g") for v in z]
            + [""] * (most - len(z))
        )
        lines.append(",".join([*row, _quoted(s.failure)]))
    return "\n".join(lines) + "\n"


def flight_columns(keys: tuple[str, ...], samples: Sequence[Sample]) -> dict[str, list[Any]]:
    """Values of keys, measures, balance and failure of every run, by name of the column; None where there is none."""
    results = [s.result or {} for s in samples]
    made: dict[str, list[Any]] = {key: [s.values[key] for s in samples] for key in keys}
    made["complete"] = [r.get("complete") for r in results]
    for word in (*MEASURES, *MODE_MEASURES, "measure"):
        names = dict.fromkeys(name for r in results for name in r.get(word, ()))
        for name in names:
            column = name if word == "measure" else f"{word} {name}"
            made[column] = [r.get(word, {}).get(name) for r in results]
    if any("balance" in r for r in results) or not any(results):
        made["final_rate_rad_s"] = [r.get("final_rate") for r in results]
        made["energy_violation"] = [r["balance"]["worst"]["energy"] if "balance" in r else None for r in results]
        made["balanced"] = [r["balance"]["held"] if "balance" in r else None for r in results]
    made["failure"] = [s.failure for s in samples]
    return made


def flight_csv(keys: tuple[str, ...], samples: Sequence[Sample]) -> str:
    """Every run as a row: keys, measures of its outputs, balance."""
    columns = flight_columns(keys, samples)
    lines = [",".join(map(csv_name, columns))]
    digits = {"energy_violation": ".3g", **dict.fromkeys(keys, ".10g")}
    texts = [[_cell(value, digits.get(name, ".8g")) for value in column] for name, column in columns.items()]
    return "\n".join([*lines, *(",".join(row) for row in zip(*texts))]) + "\n"


def save_flights(path: Path, keys: tuple[str, ...], samples: Sequence[Sample], units: Mapping[str, str]) -> Path:
    """The table of runs as CSV, or as Parquet with typed columns, numbers of samples, and units of the outputs."""
    if path.suffix.lower() == ".csv":
        return write_text(path, flight_csv(keys, samples))
    pyarrow, parquet = arrow()
    columns = {"sample": [s.number for s in samples], **flight_columns(keys, samples)}
    types = {
        "sample": pyarrow.int64(),
        "complete": pyarrow.bool_(),
        "balanced": pyarrow.bool_(),
        "failure": pyarrow.string(),
    }
    arrays = [pyarrow.array(column, types.get(name, pyarrow.float64())) for name, column in columns.items()]
    table = pyarrow.Table.from_arrays(arrays, names=list(columns)).replace_schema_metadata(
        {"units": json.dumps(dict(units))}
    )
    with atomic_path(path) as temporary:
        parquet.write_table(table, temporary)
    return path


def _cell(value: Any, digits: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return _quoted(value) if isinstance(value, str) else format(value, digits)


def _quoted(text: str | None) -> str:
    return "" if text is None else '"' + text.replace('"', "'") + '"'
