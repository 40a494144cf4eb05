"""Acceptance by profile: criteria with value, limit, clause and verdict. Profiles are TOML files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tisserand.declarations import Declared, check, option, problem, read_declared
from tisserand.errors import FileError, InputError

Measure = Literal[
    "rigid_strain", "mass_balance", "mechanisms", "negative_mass", "mass_error", "epsilon", "rigid_modes", "rigid_frequency",
    "missed_modes", "eigenvalue_error", "effective_mass", "frame_residual", "identity_error", "dropped_cards",
    "approximated_cards", "unit_doubts", "failed_checks", "grounding", "rigid_mass_error", "negative_part",
    "reduced_mass_error", "reduced_frequency_error", "reduced_mac", "frequency_error", "mac", "cross_orthogonality",
    "off_diagonal", "unpaired_modes",
]  # fmt: skip
Source = Literal["as commonly used", "agreed for the project", "verified"]
Outcome = Literal["pass", "FAIL", "missing", "not applicable"]
PROFILES = Path(__file__).parent / "profiles"


class Criterion(Declared):
    """One criterion: a measure, its limit, the clause that requires it, and where the limit comes from."""

    measure: Measure = option(..., "what is measured")
    at_most: float | None = option(None, "upper limit")
    at_least: float | None = option(None, "lower limit")
    clause: str = option("", "clause or sentence that requires it")
    source: Source = option(
        "as commonly used", "where the limit comes from; 'verified': word for word in the clause named"
    )
    optional: bool = option(False, "missing evidence does not keep the model from being accepted")

    @check
    def _some_limit(self) -> None:
        if self.at_most is None and self.at_least is None:
            raise problem("at_most", "is missing", expected="at_most, at_least or both")

    @property
    def limit(self) -> str:
        """The limit in words."""
        low = "" if self.at_least is None else f">= {self.at_least:g}"
        high = "" if self.at_most is None else f"<= {self.at_most:g}"
        return " and ".join(word for word in (low, high) if word)

    def holds(self, value: float) -> bool:
        """Whether a value is within the limits; NaN is not."""
        below = self.at_most is None or value <= self.at_most
        return below and (self.at_least is None or value >= self.at_least) and value == value


class Profile(Declared):
    """Criteria that a model must meet."""

    title: str = option(..., "what the profile is for")
    mass: float | None = option(None, "stated mass of the model", unit="kg", above=0.0)
    criteria: tuple[Criterion, ...] = option(..., "criteria in the order of the table")

    @check
    def _some_criteria(self) -> None:
        if not self.criteria:
            raise problem("criteria", "is empty", expected="at least one criterion")


def profile_names() -> tuple[str, ...]:
    """Names of the profiles that come with the program."""
    return tuple(sorted(path.stem for path in PROFILES.glob("*.toml")))


def read_profile(name: str | Path) -> Profile:
    """A profile by name, or from a TOML file."""
    path = Path(name)
    if path.suffix.lower() == ".toml":
        return read_declared(Profile, path)
    if str(name) not in profile_names():
        expected = f"{', '.join(profile_names())}, or a TOML file"
        raise InputError("unknown profile", found=repr(str(name)), expected=expected)
    found = PROFILES / f"{name}.toml"
    if not found.exists():
        raise FileError(found, "is missing from this installation")
    return read_declared(Profile, found)


@dataclass(frozen=True)
class Measured:
    """A measured value, in words what it is of; ``value`` None where the question does not arise or evidence is missing."""

    value: float | None
    words: str = ""
    missing: bool = False


@dataclass(frozen=True)
class Judged:
    """One line of the table."""

    criterion: Criterion
    outcome: Outcome
    value: float | None
    words: str

    def as_dict(self) -> dict[str, Any]:
        """The same facts as plain data, for JSON."""
        c = self.criterion
        return {
            "measure": c.measure, "value": self.value, "at_most": c.at_most, "at_least": c.at_least, "clause": c.clause,
            "source": c.source, "outcome": self.outcome, "words": self.words,
        }  # fmt: skip


@dataclass(frozen=True)
class Acceptance:
    """All lines of a profile."""

    name: str
    title: str
    rows: tuple[Judged, ...]

    @property
    def accepted(self) -> bool:
        """True if nothing failed and no required evidence is missing."""
        return all(
            row.outcome in ("pass", "not applicable") or (row.outcome == "missing" and row.criterion.optional)
            for row in self.rows
        )


def judge(name: str, profile: Profile, found: Mapping[str, Measured]) -> Acceptance:
    """Compare measured values with the criteria of a profile."""
    rows = []
    for criterion in profile.criteria:
        measured = found.get(criterion.measure)
        if measured is None:
            rows.append(Judged(criterion, "missing", None, "not measured for this source"))
        elif measured.value is None:
            absent: Outcome = "missing" if measured.missing else "not applicable"
            rows.append(Judged(criterion, absent, None, measured.words))
        else:
            outcome: Outcome = "pass" if criterion.holds(measured.value) else "FAIL"
            rows.append(Judged(criterion, outcome, measured.value, measured.words))
    return Acceptance(name, profile.title, tuple(rows))
