"""Delivered models as HDF5 files: matrices, names of coordinates, interface nodes and recovery matrices, sealed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.errors import InputError, RecordError
from tisserand.files import existing_file
from tisserand.model import Nodes
from tisserand.modes.component import Coordinate
from tisserand.modes.modal_basis import ModeKind
from tisserand.responses.delivered_model import DeliveredModel
from tisserand.responses.recovery_matrix import RecoveryKind, RecoveryMatrix
from tisserand.stored import broken_seal, create_hdf5, open_hdf5, refuse_broken
from tisserand.stored.fields import attribute, numbers, texts, whole_numbers

#: Attribute ``kind`` of the file.
KIND = "tisserand delivered model"
VERSION = 1


@checked_arguments
def save_delivered(model: DeliveredModel, path: str | Path) -> Path:
    """Write a delivered model as one HDF5 file, whole or not at all.

    Args:
        model: to write.
        path: of the file.
    """
    import h5py

    with create_hdf5(path, track_order=True) as file:
        words = h5py.string_dtype()
        file.attrs["kind"], file.attrs["version"] = KIND, VERSION
        for name in ("name", "method", "unit_system"):
            file.attrs[name] = getattr(model, name)
        file.attrs["held"] = model.held
        for name in ("stiffness", "mass", "rigid", "frequencies_hz"):
            file[name] = getattr(model, name)
        if model.damping is not None:
            file["damping"] = model.damping
        for name, values in (("dropped", model.dropped), ("notes", model.notes)):
            file.create_dataset(name, data=list(values), dtype=words, shape=(len(values),))
        table = file.create_group("coordinates")
        table.create_dataset("names", data=[c.name for c in model.coordinates], dtype=words)
        table.create_dataset("kinds", data=[c.kind for c in model.coordinates], dtype=words)
        table["node"] = np.array([-1 if c.node is None else c.node for c in model.coordinates], np.int64)
        table["component"] = np.array([-1 if c.component is None else c.component for c in model.coordinates], np.int64)
        nodes = file.create_group("nodes")
        nodes["ids"], nodes["positions"] = model.nodes.ids, model.nodes.positions
        if model.nodes.axes is not None:
            nodes["axes"] = model.nodes.axes
        group = file.create_group("recovery")
        for number, item in enumerate(model.recoveries):
            _write_recovery(group.create_group(f"{number:04d}"), item)
    return Path(path)


def _write_recovery(group: Any, item: RecoveryMatrix) -> None:
    import h5py

    words = h5py.string_dtype()
    group.attrs["name"], group.attrs["kind"] = item.name, item.kind
    group.create_dataset("labels", data=list(item.labels), dtype=words)
    group.create_dataset("units", data=list(item.units), dtype=words)
    group.create_dataset("displacement", data=item.displacement, compression="gzip")
    group.create_dataset("acceleration", data=item.acceleration, compression="gzip")
    if item.velocity is not None:
        group.create_dataset("velocity", data=item.velocity, compression="gzip")
    if item.force is not None:
        group.create_dataset("force", data=item.force, compression="gzip")
        group.create_dataset("force_labels", data=list(item.force_labels), dtype=words)


@checked_arguments
def load_delivered(path: str | Path) -> DeliveredModel:
    """Read a delivered model.

    Args:
        path: of the HDF5 file.
    """
    import h5py

    path = existing_file(path)
    other = RecordError(path, "is not a delivered model", expected="a file written by 'tisserand reduce' or 'couple'")
    if path.stat().st_size and not h5py.is_hdf5(path):
        raise other
    with open_hdf5(path, RecordError) as file:
        if file.attrs.get("kind") != KIND:
            raise other
        if attribute(file, "version", int) > VERSION:
            raise RecordError(path, "was written by a newer version", found=file.attrs["version"], expected=VERSION)
        broken = broken_seal(file)
        facts: dict[str, Any] = {name: attribute(file, name, str) for name in ("name", "method", "unit_system")}
        facts["held"] = attribute(file, "held", int)
        for name in ("stiffness", "mass", "rigid"):
            facts[name] = numbers(file, name)
        facts["frequencies_hz"] = numbers(file, "frequencies_hz", finite=False)
        if "damping" in file:
            facts["damping"] = numbers(file, "damping")
        facts["dropped"], facts["notes"] = texts(file, "dropped"), texts(file, "notes")
        columns = [texts(file, f"coordinates/{word}") for word in ("names", "kinds")]
        places = [whole_numbers(file, f"coordinates/{word}") for word in ("node", "component")]
        ids, positions = whole_numbers(file, "nodes/ids"), numbers(file, "nodes/positions")
        axes = numbers(file, "nodes/axes") if "axes" in file["nodes"] else None
        recoveries = tuple(_read_recovery(file["recovery"][key]) for key in sorted(file["recovery"]))
    refuse_broken(path, broken)
    try:
        facts["coordinates"] = _coordinates(columns, places, len(ids))
        return DeliveredModel(nodes=Nodes(ids, positions, axes), recoveries=recoveries, **facts)
    except (InputError, ValueError) as error:
        raise RecordError(path, "holds no sound delivered model", found=str(error)) from error


def _coordinates(columns: list[tuple[str, ...]], places: list[Any], count: int) -> tuple[Coordinate, ...]:
    names, kinds = columns
    node, component = places
    if not len(names) == len(kinds) == len(node) == len(component):
        raise InputError("the columns of the coordinates have different lengths")
    if (node >= count).any() or (component > 5).any() or set(kinds) - set(get_args(ModeKind)):
        raise InputError("a coordinate names a node, a component or a kind that does not exist")
    return tuple(
        Coordinate(name, kind, None if n < 0 else int(n), None if n < 0 else int(c))  # type: ignore[arg-type]
        for name, kind, n, c in zip(names, kinds, node, component)
    )


def _read_recovery(group: Any) -> RecoveryMatrix:
    kind = attribute(group, "kind", str)
    if kind not in get_args(RecoveryKind):
        raise RecordError(group.file.filename, "a recovery matrix is of an unknown kind", found=kind)
    return RecoveryMatrix(
        attribute(group, "name", str), kind, texts(group, "labels"), texts(group, "units"),
        numbers(group, "displacement"), numbers(group, "acceleration"),
        numbers(group, "velocity") if "velocity" in group else None,
        force=numbers(group, "force") if "force" in group else None,
        force_labels=texts(group, "force_labels") if "force" in group else (),
    )  # fmt: skip
