"""One inspection of a file: its extension, its first bytes and what they indicate, each read once."""

from __future__ import annotations

import zipfile
from functools import cached_property
from pathlib import Path
from typing import Any

import h5py

from tisserand.errors import CaseError
from tisserand.files import existing_file, text_of, toml_of
from tisserand.readers.file_marks import signature
from tisserand.readers.op2 import holds_modes
from tisserand.readers.registry import FORMATS, format_of
from tisserand.stored import open_hdf5, parsing

HDF5_SUFFIXES = (".h5", ".hdf5")


class Look:
    """What can be known of a file without reading it as anything in particular."""

    def __init__(self, path: str | Path) -> None:
        self.path = existing_file(path)
        self.suffix = self.path.suffix.lower()

    @cached_property
    def head(self) -> bytes:
        """The first 64 KiB."""
        with self.path.open("rb") as stream:
            return stream.read(1 << 16)

    @cached_property
    def signature(self) -> str | None:
        """The result or matrix format that the first bytes show."""
        return signature(self.head)

    @cached_property
    def shows_nothing(self) -> bool:
        """Whether the content is that of no known format, so that the ending must decide."""
        return self.signature is None and not any(entry.shows_in(self.head) for entry in FORMATS)

    @cached_property
    def text(self) -> str:
        """The whole file as text."""
        return text_of(self.path)

    @cached_property
    def table(self) -> dict[str, Any] | None:
        """Content of a TOML file, whatever its ending; None for every other file and for broken TOML (its reader reports it)."""
        if self.suffix != ".toml" and not self.begins_as_toml:
            return None
        try:
            return toml_of(self.path, self.text)
        except CaseError:
            return None

    @cached_property
    def begins_as_toml(self) -> bool:
        """Whether a text begins with a table or a key of TOML."""
        return b"\0" not in self.head and format_of(self.path, "case").shows_in(self.head)

    @cached_property
    def begins_as_json(self) -> bool:
        """Whether a text begins with an object of JSON, or is named as JSON and begins with a list."""
        start = self.head.lstrip(b"\xef\xbb\xbf \t\r\n")
        return start.startswith(b"{") or (self.suffix == ".json" and start.startswith(b"["))

    @cached_property
    def hdf5(self) -> tuple[str | None, tuple[str, ...]] | None:
        """The attribute ``kind`` and the names at the root of an HDF5 file; None for every other file."""
        if self.suffix not in HDF5_SUFFIXES and not self.head.startswith(b"\x89HDF"):
            return None
        if not h5py.is_hdf5(self.path):
            return None
        with open_hdf5(self.path) as file:
            kind = file.attrs.get("kind")
            return kind if isinstance(kind, str | None) else "not stated as a text", tuple(file)

    @cached_property
    def op2_modes(self) -> bool:
        """Whether an OP2 file holds modes: eigenvalues, eigenvectors or a mass summary."""
        return holds_modes(self.path)

    @cached_property
    def archive(self) -> tuple[str, ...] | None:
        """Names inside a NumPy archive; None for every other file."""
        if self.signature != "npz" and not (self.suffix == ".npz" and self.shows_nothing):
            return None
        damaged = "is not a NumPy archive or is truncated"
        with parsing(self.path, damaged, expected="a .npz file"), zipfile.ZipFile(self.path) as archive:
            return tuple(archive.namelist())
