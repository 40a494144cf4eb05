"""Samples as CSV tables, one row each."""

from __future__ import annotations

from collections.abc import Sequence

from tisserand.files import csv_name
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
        row += [f"{v:.10g}" for v in f] + [""] * (most - len(f)) + [f"{v:.6g}" for v in z] + [""] * (most - len(z))
        lines.append(",".join([*row, _quoted(s.failure)]))
    return "\n".join(lines) + "\n"


def flight_csv(keys: tuple[str, ...], samples: Sequence[Sample]) -> str:
    """Peaks, finals and balance of every run."""
    signals = sorted({name for s in samples if s.result for name in s.result["peak"]})
    head = [
        *keys,
        "complete",
        *(f"peak {n}" for n in signals),
        *(f"final {n}" for n in signals),
        "final_rate_rad_s",
        "energy_violation",
        "balanced",
        "failure",
    ]
    lines = [",".join(map(csv_name, head))]
    for s in samples:
        row = [f"{v:.10g}" for v in s.values.values()]
        if s.result is None:
            row += [""] * (len(head) - len(keys) - 1)
        else:
            r = s.result
            row += [
                str(r["complete"]).lower(),
                *(f"{r['peak'][n]:.8g}" for n in signals),
                *(f"{r['final'][n]:.8g}" for n in signals),
            ]
            row += [
                f"{r['final_rate']:.8g}",
                f"{r['balance']['worst']['energy']:.3g}",
                str(r["balance"]["held"]).lower(),
            ]
        lines.append(",".join([*row, _quoted(s.failure)]))
    return "\n".join(lines) + "\n"


def _quoted(text: str | None) -> str:
    return "" if text is None else '"' + text.replace('"', "'") + '"'
