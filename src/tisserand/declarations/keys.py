"""Places in a file, for mistakes that only show when its tables are put together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tisserand.declarations.faults import key_of
from tisserand.errors import CaseError, InputError, UnknownKeyError, nearest


@dataclass(frozen=True)
class Key:
    """A key path of a file. ``key.at("joints", "drive").error("is not ...")`` makes the error; raise it yourself."""

    file: Path
    path: tuple[str | int, ...] = ()

    def at(self, *words: str | int) -> Key:
        """A place inside this one."""
        return Key(self.file, (*self.path, *words))

    def __str__(self) -> str:
        return key_of(self.path)

    def error(
        self, what: str, *, found: object = None, expected: object = None, advice: str | None = None
    ) -> CaseError:
        """An error here."""
        return CaseError(self.file, str(self), what, found=found, expected=expected, advice=advice)

    def unknown(self, name: object, known: Iterable[str], what: str) -> UnknownKeyError:
        """An error for a name that refers to nothing, with the nearest known one suggested."""
        names = list(known)
        close = nearest(str(name), names)
        expected = "one of " + ", ".join(names) if names else None
        what = what if names else f"{what}: the file defines none"
        advice = f"did you mean {close!r}?" if close else None
        return UnknownKeyError(self.file, str(self), what, found=repr(name), expected=expected, advice=advice)

    @contextmanager
    def blamed(self, **parts: str) -> Iterator[None]:
        """Errors from inside get this file and key; ``parts`` maps words of their ``where`` to tables (``joint="joints"``)."""
        try:
            yield
        except CaseError:
            raise
        except InputError as error:
            word, _, name = (error.where or "").partition(" ")
            place = self.at(parts[word], name) if word in parts else self
            raise place.error(error.what, found=error.found, expected=error.expected, advice=error.advice) from error
        except OverflowError as error:
            raise self.error("holds a number that is too large to compute with") from error
