"""The HDF5 record of a reduced appendage: written whole or not at all, read back identically.

No pickle: arrays, and JSON text for reports and provenance. See docs/record.md.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import h5py
import numpy as np

import tisserand
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record import record_layout as schema
from tisserand.appendage.record.drawing_topology import Topology
from tisserand.appendage.record.json_data import plain
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.older_records import upgraded
from tisserand.appendage.record.record_layout import Field
from tisserand.appendage.record.reduced_appendage import FrameRecord, ReducedAppendage
from tisserand.appendage.record.source_file import read_sources, write_sources
from tisserand.appendage.record.turning_bodies import TurningBodies, no_bodies
from tisserand.appendage.sound_record import refuse_unsound
from tisserand.errors import FileError, RecordError
from tisserand.files import existing_file
from tisserand.stored import create_hdf5, open_hdf5

#: Arrays larger than this are compressed (shuffle, deflate 1) and carry a checksum, bytes.
_COMPRESS_ABOVE = 1 << 22


def save_record(appendage: ReducedAppendage, path: str | Path, *, overwrite: bool = True) -> Path:
    """Write an appendage to an HDF5 file atomically and return the path.

    Args:
        overwrite: replace a file that exists.
    """
    target = Path(path)
    with create_hdf5(target, overwrite=overwrite, track_order=True) as file:
        _write(file, appendage)
    return target


def load_record(path: str | Path) -> ReducedAppendage:
    """Read a record; truncated files, other files and newer schemas are refused with the reason.

    Args:
        path: of the HDF5 file.
    """
    source = existing_file(path)
    if not h5py.is_hdf5(source):
        raise RecordError(source, "is not an HDF5 file", expected=f"a {schema.FORMAT} (.h5)")
    with open_hdf5(source, RecordError) as file:
        _check_kind(source, file)
        record = _read(file)
        version = int(file.attrs["schema"])
    return refuse_unsound(source, record if version == schema.SCHEMA_VERSION else upgraded(record, source))


def is_record(path: str | Path) -> bool:
    """True if the file is an HDF5 record of a reduced appendage (of any schema)."""
    path = Path(path)
    if not path.is_file() or not h5py.is_hdf5(path):
        return False
    try:
        with open_hdf5(path) as file:
            return bool(_text(file.attrs.get("format", "")) == schema.FORMAT)
    except FileError:
        return False


def _check_kind(source: Path, file: h5py.File) -> None:
    found = _text(file.attrs.get("format", ""))
    if found != schema.FORMAT:
        raise RecordError(
            source, "is not a file of this kind", found=found or "no format attribute", expected=schema.FORMAT
        )
    version = int(file.attrs.get("schema", 0))
    if version > schema.SCHEMA_VERSION:
        raise RecordError(
            source,
            "the record was written by a newer version of tisserand",
            found=f"schema {version} (tisserand {_text(file.attrs.get('tisserand_version', 'unknown'))})",
            expected=f"schema {schema.SCHEMA_VERSION} or older",
            advice="update tisserand",
        )
    if version < 1:
        raise RecordError(
            source, "the record has no valid schema number", found=version, expected=f"1 to {schema.SCHEMA_VERSION}"
        )
    if not bool(file.attrs.get("complete", False)):
        raise RecordError(source, "the record is incomplete", advice="write it again from its source")


# -- writing ------------------------------------------------------------------------------------------
def _write(file: h5py.File, appendage: ReducedAppendage) -> None:
    units = appendage.unit_system
    file.attrs["format"] = schema.FORMAT
    file.attrs["schema"] = schema.SCHEMA_VERSION
    file.attrs["tisserand_version"] = tisserand.__version__
    file.attrs["name"] = appendage.name
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
def _text(value: Any) -> str:
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def _strings(file: h5py.File, path: str) -> tuple[str, ...]:
    return tuple(_text(value) for value in file[path][()])


def _named(file: h5py.File, path: str) -> dict[str, Any]:
    return {_text(data.attrs["name"]): data[()] for data in file[path].values()}


def _read(file: h5py.File) -> ReducedAppendage:
    integrals = _fields(file, schema.INTEGRALS, schema.OPTIONAL_INTEGRALS)
    integrals["mass"] = float(integrals["mass"])
    names = _strings(file, "interfaces/names")
    columns = _fields(file, schema.INTERFACES, schema.OPTIONAL_INTERFACES) if names else {}
    interfaces = tuple(
        Interface(
            name,
            int(columns["node_id"][i]),
            **{word: column[i] for word, column in columns.items() if word != "node_id"},
        )
        for i, name in enumerate(names)
    )
    frame = file["frame"]
    residuals = tuple(float(value) for value in file[schema.RESIDUALS.path][()])
    return ReducedAppendage(
        name=_text(file.attrs["name"]),
        integrals=ModalIntegrals(**integrals),
        nodes=NodeTable(**_fields(file, schema.NODES, schema.OPTIONAL_NODES)),
        frame=FrameRecord(_text(frame.attrs["name"]), _text(frame.attrs["meaning"]), residuals),
        interfaces=interfaces,
        attachment=_text(file.attrs["attachment"]) or None,
        mode_names=_strings(file, "modes/names"),
        mode_kinds=_strings(file, "modes/kinds"),
        geometric_stiffness=_named(file, schema.FAMILY.path),
        inertia_level=_text(file.attrs["inertia_level"]),  # type: ignore[arg-type]
        topology=Topology(**_fields(file, schema.TOPOLOGY, schema.OPTIONAL_TOPOLOGY)),
        recovery=_named(file, schema.RECOVERY.path),
        rigid_body_modes=int(file.attrs["rigid_body_modes"]),
        unit_system=_text(file.attrs["unit_system"]),
        reports=json.loads(_text(file["reports"][()])),
        provenance=json.loads(_text(file["provenance"][()])),
        sources=read_sources(file),
        bodies=_bodies(file, integrals["modal_mass"].shape[0]),
        **{word: file[field.path][()] for word, field in schema.BODY.items()},
    )


def _bodies(file: h5py.File, modes: int) -> TurningBodies:
    if "bodies" not in file:
        return no_bodies(modes)
    return TurningBodies(**_fields(file, schema.BODIES, schema.OPTIONAL_BODIES))


def _fields(file: h5py.File, needed: dict[str, schema.Field], optional: dict[str, schema.Field]) -> dict[str, Any]:
    """Arrays by word: all that are needed, and the optional ones that the file has."""
    present = {word: field for word, field in optional.items() if field.path in file}
    return {word: file[field.path][()] for word, field in {**needed, **present}.items()}
