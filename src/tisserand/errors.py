"""One hierarchy of errors. Each contains facts and states them in one sentence.

``exit_code`` is what the command line returns: 1 a check failed, 2 bad input, 3 a solver failed. Messages name an option by its
flag (``--force``), which the command line prints; in Python the same message names the keyword (``force``).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Self


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word closest to a misspelled one, or None when nothing is close."""
    by_lower = {k.lower(): k for k in known}
    close = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    if close:
        return by_lower[close[0]]
    contained = [k for low, k in by_lower.items() if low in word.lower() or word.lower() in low]
    return contained[0] if contained and len(word) > 2 else None


def one_line(text: str) -> str:
    """Text of a file as it may be shown: line breaks, escape sequences of terminals and lone surrogates appear as codes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


_COMMAND = r"(?P<command>['`]tisserand [^'`]*['`])"
_VALUED = r"'--(?P<valued>[a-z][a-z-]*) (?P<value>[\w.-]+)'"
_QUOTES = "'\""
_CARD = r"(?:'[^']+'|\"[^\"]+\"|[A-Z]\w*)"
_CARDS = rf"--allow (?P<cards>{_CARD}(?: --allow {_CARD})*)"
_FLAG = r"(?<![\w-])--(?P<flag>[a-z][a-z-]*)"


def keyword_names(text: str) -> str:
    """A message with keywords in place of flags; commands stay.

    ``--force`` is 'force', ``'--mass lumped'`` is mass='lumped',
    ``--allow CBEND --allow CFLUID`` is allow=('CBEND', 'CFLUID').
    """

    def named(match: re.Match[str]) -> str:
        if match["command"]:
            return match["command"]
        if match["cards"]:
            return f"allow={tuple(card.strip(_QUOTES) for card in match['cards'].split(' --allow '))!r}"
        word = (match["flag"] or match["valued"]).replace("-", "_")
        return f"'{word}'" if match["flag"] else f"{word}={match['value']!r}"

    return re.sub(f"{_COMMAND}|{_VALUED}|{_CARDS}|{_FLAG}", named, text)


class TisserandError(Exception):
    """Base of every error raised on purpose.

    ``what`` is the plain statement; the keyword facts are kept as attributes and joined into one sentence.

    Attributes:
        where: file, line, id or part concerned.
        found: what was found.
        expected: what would be right.
        advice: what to do.
    """

    exit_code = 2
    #: Further mistakes of the same input, found in the same reading.
    others: tuple[TisserandError, ...] = ()

    def __init__(
        self,
        what: str,
        *,
        where: str | None = None,
        found: object = None,
        expected: object = None,
        advice: str | None = None,
    ) -> None:
        self.what, self.where = what, where
        self.found, self.expected, self.advice = found, expected, advice
        super().__init__(self.sentence())

    def __str__(self) -> str:
        return keyword_names(self.sentence())

    def sentence(self) -> str:
        """The whole message: ``where: what; found ..., expected ...; advice.``, then the other mistakes."""
        more = " ".join(f"Also: {other._sentence(None)}" for other in self.others)
        return f"{self._sentence(self.where)} {more}".rstrip()

    def with_others(self, others: Sequence[TisserandError]) -> Self:
        """The same error with further mistakes of the same input.

        Args:
            others: further errors of the same kind.
        """
        self.others = tuple(others)
        return self

    def _sentence(self, where: str | None) -> str:
        text = f"{where}: {self.what}" if where else self.what
        facts = []
        if self.found is not None:
            facts.append(f"found {self.found}")
        if self.expected is not None:
            facts.append(f"expected {self.expected}")
        if facts:
            text += "; " + ", ".join(facts)
        if self.advice:
            text += f"; {self.advice}"
        return one_line(text if text.endswith("?") else text.rstrip(".") + ".")

    def facts(self) -> dict[str, object]:
        """The same facts as data, for ``--json``."""
        found = None if self.found is None else str(self.found)
        expected = None if self.expected is None else str(self.expected)
        return {
            "error": type(self).__name__,
            "message": self.sentence(),
            "what": self.what,
            "where": self.where,
            "found": found,
            "expected": expected,
            "advice": self.advice,
            **({"others": [other.facts() for other in self.others]} if self.others else {}),
        }


# -- bad input (exit 2) -----------------------------------------------------------------------------
class InputError(TisserandError):
    """Invalid user input.

    Attributes:
        what: the plain statement.
        where: file, line, id or part concerned.
        found: what was found.
        expected: what would be right.
        advice: what to do.
    """


class ArgumentError(InputError, TypeError):
    """A function was called with an argument of the wrong type, an unknown one, or without one that it needs."""


class FileError(InputError):
    """A file is missing, empty, a directory, binary, truncated, or must not be overwritten."""

    def __init__(self, path: str | Path, what: str, **facts: object) -> None:
        self.path = Path(path)
        super().__init__(what, where=str(path), **facts)  # type: ignore[arg-type]


class ReadError(FileError):
    """A file's content is wrong at a known line, card and field."""

    def __init__(
        self,
        path: str | Path,
        line: int | None,
        what: str,
        *,
        card: str | None = None,
        field: str | int | None = None,
        **facts: object,
    ) -> None:
        self.line, self.card, self.field = line, card, field
        place = []
        if card:
            place.append(card)
        if field is not None:
            place.append(f"field {field}")
        prefix = " ".join(place)
        super().__init__(path, f"{prefix}: {what}" if prefix else what, **facts)
        if line is not None:
            self.where = f"{path}, line {line}"


class CaseError(InputError):
    """A key of a TOML case is wrong; ``key`` is its full path such as ``bodies.bus.mass``."""

    def __init__(self, path: str | Path, key: str, what: str, **facts: object) -> None:
        self.path, self.key = Path(path), key
        super().__init__(f"{key}: {what}" if key else what, where=str(path), **facts)  # type: ignore[arg-type]


class UnknownKeyError(CaseError):
    """A key or name of a TOML case that means nothing there, whatever its value."""


class UnitsError(InputError):
    """Unit system unknown, missing, or implausible."""


class ModelError(InputError):
    """The structural model is wrong; ``ids`` names the elements, nodes or sets concerned."""

    def __init__(self, what: str, *, ids: Sequence[int | str] = (), **facts: object) -> None:
        self.ids = tuple(ids)
        super().__init__(what, **facts)  # type: ignore[arg-type]


class TooManyModesError(InputError):
    """More modes are requested than exist; ``most`` is how many there can be."""

    def __init__(self, what: str, *, most: int, **facts: object) -> None:
        self.most = most
        super().__init__(what, **facts)  # type: ignore[arg-type]


class InvertedCellError(ModelError):
    """A cell whose signed volume or area is not positive."""


class RecordError(FileError):
    """An HDF5 record is truncated, of another kind, or of a newer schema."""


class VehicleError(InputError):
    """A vehicle description is inconsistent (names, cycles, axes, inertias, loads)."""


# -- a check failed (exit 1) --------------------------------------------------------------------------
class CheckFailedError(TisserandError):
    """The input was understood but does not pass a check.

    Attributes:
        what: the plain statement.
        where: file, line, id or part concerned.
        found: what was found.
        expected: what would be right.
        advice: what to do.
    """

    exit_code = 1


class DroppedCardsError(CheckFailedError):
    """Cards that matter (stiffness, mass, constraint) could not be used."""


class MechanismError(CheckFailedError):
    """The structure moves without strain energy beyond its rigid-body motion."""

    def __init__(self, what: str, *, nodes: Sequence[int] = (), **facts: object) -> None:
        self.nodes = tuple(nodes)
        super().__init__(what, **facts)  # type: ignore[arg-type]


class IdentityError(CheckFailedError):
    """Numbers that must agree by theory do not."""


# -- a solver failed (exit 3) ---------------------------------------------------------------------------
class SolverError(TisserandError):
    """A numerical procedure did not deliver what it must prove.

    Attributes:
        where: file, line, id or part concerned.
        found: what was found.
        expected: what would be right.
        advice: what to do.
    """

    exit_code = 3


class SingularMatrixError(SolverError):
    """A matrix that must be factorized is singular."""


class MissedModesError(SolverError):
    """The Sturm count shows modes that the solver did not return."""


class NotConvergedError(SolverError):
    """An iteration ended before reaching its tolerance."""


class IntegrationError(SolverError):
    """Time integration had to stop."""
