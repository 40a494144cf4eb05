"""The HDF5 record of a reduced appendage: written completely or not at all, read back identically.

No pickle: arrays, and JSON text for reports and provenance. See docs/record.md.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import h5py
import numpy as np

import tisserand
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record import record_layout as schema
from tisserand.appendage.record.array_sizes import Sizes
from tisserand.appendage.record.drawing_topology import Topology
from tisserand.appendage.record.json_data import plain
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.older_records import upgraded
from tisserand.appendage.record.record_layout import Field
from tisserand.appendage.record.reduced_appendage import FrameRecord, ReducedAppendage
from tisserand.appendage.record.source_file import read_sources, write_sources
from tisserand.appendage.record.turning_bodies import TurningBodies, no_bodies
from tisserand.appendage.sound_record import refuse_unsound
from tisserand.arguments import checked_arguments
from tisserand.errors import FileError, ModelError, RecordError
from tisserand.files import existing_file, sha256_of, storable
from tisserand.stored import broken_seal, create_hdf5, open_hdf5, refuse_broken
from tisserand.stored.fields import attribute, json_data, numbers, texts, whole_numbers

#: Arrays larger than this are compressed (shuffle, deflate 1) and carry a checksum, bytes.
_COMPRESS_ABOVE = 1 << 22


@checked_arguments
def save_record(appendage: ReducedAppendage, path: str | Path, *, overwrite: bool = True) -> Path:
    """Write an appendage to an HDF5 file atomically and return the path.

    Args:
        overwrite: replace a file that exists.
    """
    target = Path(path)
    with create_hdf5(target, overwrite=overwrite, track_order=True) as file:
        _write(file, appendage)
    return target


def shared_record(path: Path) -> ReducedAppendage:
    """The record of a file, read once as long as the content stays the same: samples of a study share it."""
    return _of_content(existing_file(path), sha256_of(path))


@lru_cache(maxsize=16)
def _of_content(path: Path, digest: str) -> ReducedAppendage:
    """Read a record; ``digest`` makes a changed file another one."""
    return load_record(path)


@checked_arguments
def load_record(path: str | Path) -> ReducedAppendage:
    """Read a record; truncated, changed and other files and newer schemas are refused with the reason.

    Args:
        path: of the HDF5 file.
    """
    source = existing_file(path)
    if not h5py.is_hdf5(source):
        raise RecordError(source, "is not an HDF5 file", expected=f"a {schema.FORMAT} (.h5)")
    with open_hdf5(source, RecordError) as file:
        _check_kind(source, file)
        try:
            record = _read(file)
        except ModelError as error:  # parts that do not fit one another
            facts = {"found": error.found, "expected": error.expected}
            raise RecordError(source, f"the record is invalid: {error.what}", **facts) from error
        version = attribute(file, "schema", int)
        frequencies = numbers(file, schema.FREQUENCIES.path, finite=False)
        broken = broken_seal(file)
    record = refuse_unsound(source, record if version == schema.SCHEMA_VERSION else upgraded(record, source))
    _refuse_other_frequencies(source, frequencies, record)
    refuse_broken(source, broken)
    return record


def is_record(path: str | Path) -> bool:
    """True if the file is an HDF5 record of a reduced appendage (of any schema)."""
    path = Path(path)
    if not path.is_file() or not h5py.is_hdf5(path):
        return False
    try:
        with open_hdf5(path) as file:
            return bool(file.attrs.get("format", "") == schema.FORMAT)
    except FileError:
        return False


def _check_kind(source: Path, file: h5py.File) -> None:
    stated = next((word for word in ("format", "kind") if word in file.attrs), None)
    found = "no format attribute" if stated is None else attribute(file, stated, str)
    if found != schema.FORMAT:
        raise RecordError(source, "is not a file of this kind", found=found, expected=schema.FORMAT)
    version = attribute(file, "schema", int)
    if version > schema.SCHEMA_VERSION:
        raise RecordError(
            source,
            "the record was written by a newer version of tisserand",
            found=f"schema {version} (tisserand {file.attrs.get('tisserand_version', 'unknown')})",
            expected=f"schema {schema.SCHEMA_VERSION} or older",
            advice="update tisserand",
        )
    if version < 1:
        raise RecordError(
            source, "the record has no valid schema number", found=version, expected=f"1 to {schema.SCHEMA_VERSION}"
        )
    if "complete" not in file.attrs or not attribute(file, "complete", bool):
        raise RecordError(source, "the record is incomplete", advice="write it again from its source")


# -- writing ------------------------------------------------------------------------------------------
def _write(file: h5py.File, appendage: ReducedAppendage) -> None:
    units = appendage.unit_system
    file.attrs["format"] = schema.FORMAT
    file.attrs["schema"] = schema.SCHEMA_VERSION
    file.attrs["tisserand_version"] = tisserand.__version__
    file.attrs["name"] = storable(appendage.name)
    file.attrs["unit_system"] = units
    file.attrs["axes"] = "body axes parallel to the basic axes of the source, at O (reference_point)"
    file.attrs["attachment"] = "" if appendage.attachment is None else appendage.attachment
    file.attrs["inertia_level"] = appendage.inertia_level
    file.attrs["supports"] = json.dumps(appendage.supports, ensure_ascii=False)
    file.attrs["rigid_body_modes"] = appendage.rigid_body_modes

    for word, field in schema.BODY.items():
        _put(file, field, getattr(appendage, word), units)
    for word, field in schema.INTEGRALS.items():
        _put(file, field, getattr(appendage.integrals, word), units)
    for word, field in schema.OPTIONAL_INTEGRALS.items():
        if getattr(appendage.integrals, word) is not None:
            _put(file, field, getattr(appendage.integrals, word), units)
    _put(file, schema.FREQUENCIES, appendage.frequencies_hz, units)
    for word, field in schema.NODES.items():
        _put(file, field, getattr(appendage.nodes, word), units)
    for word, field in schema.TOPOLOGY.items():
        _put(file, field, getattr(appendage.topology, word), units)
    for word, field in schema.OPTIONAL_NODES.items():
        if getattr(appendage.nodes, word) is not None:
            _put(file, field, getattr(appendage.nodes, word), units)
    for word, field in schema.OPTIONAL_TOPOLOGY.items():
        if len(getattr(appendage.topology, word)):
            _put(file, field, getattr(appendage.topology, word), units)
    if appendage.interfaces:
        for word, field in schema.INTERFACES.items():
            _put(file, field, np.array([getattr(i, word) for i in appendage.interfaces]), units)
        for place, (word, field) in enumerate(schema.OPTIONAL_INTERFACES.items()):
            if any(getattr(i, word) is not None for i in appendage.interfaces):
                _put(file, field, np.array([i.psi[place] for i in appendage.interfaces]), units)
    if len(appendage.bodies):
        for word, field in {**schema.BODIES, **schema.OPTIONAL_BODIES}.items():
            if getattr(appendage.bodies, word) is not None:
                _put(file, field, getattr(appendage.bodies, word), units)
    _put_strings(file, "interfaces/names", [i.name for i in appendage.interfaces], "interface")
    _put_strings(file, "modes/names", appendage.mode_names, "mode")
    _put_strings(file, "modes/kinds", appendage.mode_kinds, "mode")

    frame = file.create_group("frame")
    frame.attrs["name"], frame.attrs["meaning"] = appendage.frame.name, appendage.frame.meaning
    _put(file, schema.RESIDUALS, np.array(appendage.frame.residuals, dtype=float), units)
    _put_named(file, schema.FAMILY, appendage.geometric_stiffness, units)
    _put_named(file, schema.RECOVERY, appendage.recovery, units)
    for word in ("reports", "provenance"):
        text = json.dumps(plain(getattr(appendage, word)), ensure_ascii=False, allow_nan=False)
        file.create_dataset(word, data=text, dtype=h5py.string_dtype()).attrs["encoding"] = "JSON, UTF-8"
    write_sources(file, appendage.sources, "m" if units != "consistent" else "length (units of the source)")
    file.attrs["complete"] = True


def _describe(dataset: h5py.Dataset, field: Field, units: str) -> None:
    dataset.attrs["units"] = schema.unit_text(field, units)
    dataset.attrs["indices"] = field.indices
    dataset.attrs["meaning"] = field.meaning


def _put(group: h5py.Group, field: Field, value: Any, units: str, path: str | None = None) -> h5py.Dataset:
    array = np.asarray(value)
    options: dict[str, Any] = {}
    if array.nbytes > _COMPRESS_ABOVE:
        options = {"compression": "gzip", "compression_opts": 1, "shuffle": True, "fletcher32": True}
    dataset = group.create_dataset(path or field.path, data=array, **options)
    _describe(dataset, field, units)
    return dataset


def _put_strings(file: h5py.File, path: str, values: Any, indices: str) -> None:
    dataset = file.create_dataset(path, data=np.array(list(values), dtype=object), dtype=h5py.string_dtype())
    dataset.attrs["indices"] = indices


def _put_named(file: h5py.File, field: Field, matrices: Mapping[str, Any], units: str) -> None:
    """One dataset per name in order; the exact name is an attribute, since links may not hold a slash."""
    group = file.create_group(field.path, track_order=True)
    for number, (name, matrix) in enumerate(matrices.items()):
        link = name.replace("/", "|")
        if not link or link == "." or link in group:
            link = f"{link}#{number}"
        _put(group, field, matrix, units, link).attrs["name"] = name


# -- reading ------------------------------------------------------------------------------------------
class _Arrays:
    """Arrays of an open record by their fields; types, finite numbers and shapes are checked, faults name the array."""

    def __init__(self, file: h5py.File) -> None:
        self.file, self.sizes = file, Sizes()

    def one(self, field: Field, path: str | None = None) -> Any:
        place = path or field.path
        values = (whole_numbers if field.path in schema.WHOLE else numbers)(self.file, place)
        expected = self.sizes.fault(field, np.shape(values))
        if expected is not None:
            raise RecordError(
                self.file.filename,
                f"{place} has another shape",
                found=np.shape(values),
                expected=expected,
                advice="write it again from its source",
            )
        return values

    def all(self, needed: dict[str, Field], optional: dict[str, Field] | None = None) -> dict[str, Any]:
        """Arrays by word: all that are needed, and the optional ones that the file has."""
        present = {word: field for word, field in (optional or {}).items() if field.path in self.file}
        return {word: self.one(field) for word, field in {**needed, **present}.items()}

    def named(self, field: Field) -> dict[str, Any]:
        """Every array of a group, by the name that it states."""
        group = self.file.get(field.path)
        if not isinstance(group, h5py.Group):
            raise RecordError(self.file.filename, f"the group {field.path} is missing")
        found: dict[str, Any] = {}
        for link in group:
            name = attribute(group[link], "name", str)
            if name in found:
                raise RecordError(self.file.filename, f"{field.path} holds two arrays of one name", found=repr(name))
            found[name] = self.one(field, f"{field.path}/{link}")
        return found


def _read(file: h5py.File) -> ReducedAppendage:
    arrays = _Arrays(file)
    integrals = arrays.all(schema.INTEGRALS, schema.OPTIONAL_INTEGRALS)
    integrals["mass"] = float(integrals["mass"])
    names = texts(file, "interfaces/names")
    columns = arrays.all(schema.INTERFACES, schema.OPTIONAL_INTERFACES) if names else {}
    if names and len(columns["node_id"]) != len(names):
        raise RecordError(file.filename, "interfaces/names has another length", expected=len(columns["node_id"]))
    interfaces = tuple(
        Interface(
            name,
            int(columns["node_id"][i]),
            **{word: column[i] for word, column in columns.items() if word != "node_id"},
        )
        for i, name in enumerate(names)
    )
    bodies = "bodies" in file
    return ReducedAppendage(
        name=attribute(file, "name", str),
        integrals=ModalIntegrals(**integrals),
        nodes=NodeTable(**arrays.all(schema.NODES, schema.OPTIONAL_NODES)),
        frame=_frame(file, arrays),
        interfaces=interfaces,
        attachment=attribute(file, "attachment", str) or None,
        mode_names=texts(file, "modes/names"),
        mode_kinds=texts(file, "modes/kinds"),
        geometric_stiffness=arrays.named(schema.FAMILY),
        inertia_level=attribute(file, "inertia_level", str),
        topology=Topology(**arrays.all(schema.TOPOLOGY, schema.OPTIONAL_TOPOLOGY)),
        recovery=arrays.named(schema.RECOVERY),
        rigid_body_modes=attribute(file, "rigid_body_modes", int),
        unit_system=attribute(file, "unit_system", str),
        reports=json_data(file, "reports"),
        provenance=json_data(file, "provenance"),
        sources=read_sources(file),
        bodies=TurningBodies(**arrays.all(schema.BODIES, schema.OPTIONAL_BODIES))
        if bodies
        else no_bodies(len(integrals["modal_mass"])),
        **arrays.all(schema.BODY),
    )


def _refuse_other_frequencies(source: Path, stored: Any, record: ReducedAppendage) -> None:
    """Stored frequencies are for other tools; here they follow from stiffness and mass, and must be the same."""
    own = record.frequencies_hz
    if np.shape(stored) != own.shape or not np.allclose(stored, own, rtol=1e-6, atol=1e-6 * record.top_hz):
        raise RecordError(
            source,
            f"{schema.FREQUENCIES.path} are not those of stiffness and modal mass",
            found=np.ravel(stored)[:4].tolist(),
            expected=own[:4].tolist(),
            advice="write it again from its source",
        )


def _frame(file: h5py.File, arrays: _Arrays) -> FrameRecord:
    frame = file["frame"]
    known = np.size(numbers(file, schema.RESIDUALS.path)) > 0
    residuals = np.asarray(arrays.one(schema.RESIDUALS)) if known else np.zeros(0)
    return FrameRecord(attribute(frame, "name", str), attribute(frame, "meaning", str), tuple(residuals.tolist()))
