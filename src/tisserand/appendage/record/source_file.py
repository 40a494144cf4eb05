"""The masses behind a record in its HDF5 file: group ``sources/<number>``, read back identically."""

from __future__ import annotations

import re
from re import Match
from typing import Any

import h5py
import numpy as np

from tisserand.appendage.record.mass_source import MassSource
from tisserand.errors import FileError, RecordError
from tisserand.model import StructuralModel
from tisserand.model.storage import from_plain, to_plain
from tisserand.stored import checked_sparse, parsing
from tisserand.stored.fields import attribute, json_data, numbers, text

GROUP = "sources"
_VECTORS = {
    "positions": ("m", "node, axis", "nodes in the source's basic coordinates"),
    "origin": ("m", "axis", "O in the source's basic coordinates"),
    "axes": ("", "record axis, source axis", "v_record = axes v_source"),
}
#: Keys of models in files of schema 1 that have another spelling now.
_FORMER_KEY = re.compile(r'"\w*(centre|fibre)\w*":')
#: Arrays larger than this are compressed, bytes.
_COMPRESS_ABOVE = 1 << 14


def write_sources(file: h5py.File, sources: tuple[MassSource, ...], length_unit: str) -> None:
    """Every source in a separate group; nothing where there is none."""
    for number, source in enumerate(sources):
        group = file.create_group(f"{GROUP}/{number}")
        group.attrs["recipe"], group.attrs["first_row"] = source.recipe, source.first_row
        for word, (unit, indices, meaning) in _VECTORS.items():
            dataset = _put(group, word, getattr(source, word))
            dataset.attrs["units"] = length_unit if unit == "m" else unit
            dataset.attrs["indices"], dataset.attrs["meaning"] = indices, meaning
        if source.structure is not None:
            content, arrays = to_plain(source.structure)
            group.create_dataset("model", data=content, dtype=h5py.string_dtype()).attrs["encoding"] = "JSON, UTF-8"
            for path, values in arrays.items():
                _put(group, f"arrays/{path}", values)
        if source.matrix is not None:
            matrix = source.matrix
            part = group.create_group("matrix")
            part.attrs["meaning"] = "mass over (node, component), compressed sparse rows, basic axes of the source"
            part.attrs["shape"] = matrix.shape
            for word in ("data", "indices", "indptr"):
                _put(part, word, getattr(matrix, word))


def read_sources(file: h5py.File) -> tuple[MassSource, ...]:
    """The sources of a record, none in files that have none."""
    if GROUP not in file:
        return ()
    return tuple(_read(file[GROUP][str(number)]) for number in range(len(file[GROUP])))


def _model(group: h5py.Group, arrays: dict[str, np.ndarray]) -> StructuralModel:
    """The structural model of a source; what its text lacks or states too much is damage of that text."""
    what = f"{group.name.strip('/')}/model does not hold a structural model"
    with parsing(group.file.filename, what, RecordError, advice="write it again from its source"):
        return from_plain(_FORMER_KEY.sub(_renamed, text(group, "model")), arrays)


def _renamed(key: Match[str]) -> str:
    """A key of schema 1 as it is spelled now."""
    return key.group(0).replace("centre", "center").replace("fibre", "fiber")


def _put(group: h5py.Group, path: str, values: Any) -> h5py.Dataset:
    array = np.asarray(values)
    options: dict[str, Any] = {}
    if array.nbytes > _COMPRESS_ABOVE:
        options = {"compression": "gzip", "compression_opts": 1, "shuffle": True, "fletcher32": True}
    return group.create_dataset(path, data=array, **options)


def _read(group: h5py.Group) -> MassSource:
    structure = matrix = None
    if "model" in group:
        arrays: dict[str, np.ndarray] = {}

        def collect(name: str, item: Any) -> None:
            if isinstance(item, h5py.Dataset):
                arrays[name] = item[()] if item.dtype.kind == "b" else numbers(group["arrays"], name)

        if "arrays" in group:
            group["arrays"].visititems(collect)
        json_data(group, "model")
        structure = _model(group, arrays)
    if "matrix" in group:
        part = group["matrix"]
        data, indices, pointers = (numbers(part, word) for word in ("data", "indices", "indptr"))
        try:
            matrix = checked_sparse(group.file.filename, part.name, data, indices, pointers, part.attrs["shape"])
        except FileError as error:
            raise RecordError(error.path, error.what, found=error.found, expected=error.expected) from None
    vectors = {word: numbers(group, word) for word in _VECTORS}
    return MassSource(
        vectors["positions"],
        attribute(group, "recipe", str),
        structure,
        matrix,
        vectors["origin"],
        vectors["axes"],
        attribute(group, "first_row", int),
    )
