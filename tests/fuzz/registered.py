"""Every reader that any registry of the package names, found by looking: a new one is fuzzed without being added here."""

import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from support.corpus import shared

import tisserand.readers

#: Largest sample that is mutated, bytes.
LARGEST = 150_000


@dataclass(frozen=True)
class Reader:
    """An entry of a registry: its name, file endings, signs in the first bytes, and what loads it."""

    name: str
    endings: tuple[str, ...]
    signs: tuple[str, ...]
    load: Callable[[], Callable[..., Any]]

    def read(self, path: Path) -> None:
        """Read a file as the registry's own function does, in SI where the reader asks for units."""
        function = self.load()
        units = {"units": "SI"} if "units" in inspect.signature(function).parameters else {}
        function(path, **units)


def readers() -> Iterator[Reader]:
    """The entries of all modules named ``registry`` under ``tisserand.readers``, and the kinds of the studies."""
    from tisserand.studies.kinds import KINDS

    names = [m.name for m in pkgutil.walk_packages(tisserand.readers.__path__, "tisserand.readers.")]
    tables = [vars(import_module(name)).values() for name in names if name.rpartition(".")[2] == "registry"]
    seen = set()
    for table in [*tables, [KINDS]]:
        for value in table:
            for entry in value if isinstance(value, list | tuple) else ():
                if hasattr(entry, "reader") and hasattr(entry, "load") and entry.name not in seen:
                    seen.add(entry.name)
                    endings = getattr(entry, "extensions", None) or entry.files.replace("/", " ").split()
                    yield Reader(entry.name, tuple(endings), getattr(entry, "signs", ()), entry.load)


def samples(reader: Reader, served: set[str]) -> Iterator[tuple[str, bytes]]:
    """Name and content of files to start from: real ones of the corpus for endings that nothing serves yet, else its signs."""
    found = False
    for ending in reader.endings:
        if ending.lower() not in served:
            for path in real(ending)[:1]:
                found = True
                yield path.name, path.read_bytes()
    if not found and not served & {ending.lower() for ending in reader.endings}:
        signs = "\n".join(reader.signs).encode()
        yield f"sample{reader.endings[0]}", signs + b"\n1 2 3\n4.0 5.0\n"


def real(ending: str, largest: int = LARGEST) -> list[Path]:
    """Files of the corpus with that ending, smallest first; none where there is no corpus."""
    folder = shared()
    if folder is None:
        return []
    found = [path for path in (folder / "corpus").rglob("*") if path.suffix.lower() == ending and path.is_file()]
    return sorted((p for p in found if 0 < p.stat().st_size <= largest), key=lambda p: (p.stat().st_size, p.name))
