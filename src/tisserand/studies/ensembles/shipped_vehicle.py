"""A vehicle file that can travel: with the files that it names, to machines that do not have them."""

from __future__ import annotations

import hashlib
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tisserand.errors import TisserandError
from tisserand.files import sha256_of
from tisserand.multibody.vehicle_file import VehicleCase
from tisserand.studies.named_files import named_files
from tisserand.studies.vehicles import files_of_case, read_vehicle


@dataclass(frozen=True)
class Freight:
    """Files of a vehicle. place: absolute path of the vehicle file; content: bytes by absolute path; key: digest of all."""

    place: Path
    content: Mapping[Path, bytes]
    key: str


@dataclass(frozen=True)
class ShippedVehicle:
    """A vehicle file and the values that replace some of its own in every sample.

    path: of the file, as the user wrote it; freight: its files, once it is shipped.
    """

    path: Path
    overrides: Mapping[str, Any]
    freight: Freight | None = None

    def files(self) -> list[Path]:
        """The vehicle file, what it names, and the decks of its cases."""
        named = {file.resolve() for file in named_files(self.path)}
        cases = [file for file in named if file.suffix.lower() == ".toml" and file != self.path.resolve()]
        return sorted(named.union(*(files_of_case(case) for case in cases)))

    def digest(self) -> str:
        """SHA-256 over the content of all files."""
        return hashlib.sha256("".join(sha256_of(file) for file in self.files()).encode()).hexdigest()

    def shipped(self) -> ShippedVehicle:
        """With the content of its files."""
        content = {file: file.read_bytes() for file in self.files()}
        return replace(self, freight=Freight(self.path.resolve(), content, self.digest()))

    def read(self, values: Mapping[str, float]) -> VehicleCase:
        """The vehicle with the values of a sample; an error names the file as the sender knows it."""
        here = self.path if self.freight is None else _unloaded(self.freight)
        try:
            return read_vehicle(here, {**self.overrides, **values})
        except TisserandError as error:
            for one in (error, *error.others):
                if one.where is not None:
                    one.where = one.where.replace(str(here), str(self.path))
            raise


_lock = threading.Lock()
#: Vehicle files on this machine by the key of their freight, and the folders that hold them until this process ends.
_PLACES: dict[str, Path] = {}
_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []


def _unloaded(freight: Freight) -> Path:
    """The vehicle file on this machine: itself where all files are here with the same content, else a copy, made once."""
    with _lock:
        if freight.key not in _PLACES:
            present = all(file.is_file() and file.read_bytes() == held for file, held in freight.content.items())
            _PLACES[freight.key] = freight.place if present else _copied(freight)
        return _PLACES[freight.key]


def _copied(freight: Freight) -> Path:
    """A copy of all files, in the same folders as seen from each other."""
    folder = tempfile.TemporaryDirectory(prefix="tisserand-shipped-", ignore_cleanup_errors=True)
    _FOLDERS.append(folder)
    for file, content in freight.content.items():
        place = Path(folder.name) / file.relative_to(file.anchor)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return Path(folder.name) / freight.place.relative_to(freight.place.anchor)
