"""Reading meshes with meshio: its exits, prints and exceptions become one clear error, its losses become notes."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import BoolArray, IntArray
from tisserand.errors import FileError, nearest
from tisserand.files import existing_file
from tisserand.readers.meshes.complete import refuse_fewer_cells, refuse_incomplete
from tisserand.readers.meshes.mesh_data import DIMENSION, CellBlock, Mesh
from tisserand.stored import bounded, open_hdf5

#: Cell-data arrays that number groups, in the order they are looked for.
_GROUP_ARRAYS = (
    "gmsh:physical",
    "medit:ref",
    "nastran:ref",
    "cell_tags",
    "avsucd:material",
    "flac3d:group",
    "tetgen:ref",
)
#: Formats that meshio's readers cannot be trusted with (decks lose their properties; others fail or never end).
_NOT_THROUGH_MESHIO = ("nastran", "abaqus", "tetgen", "avsucd", "ugrid", "tecplot", "permas", "dolfin-xml")


def read_mesh(path: str | Path, format: str | None = None, group_by: str | None = None) -> Mesh:
    """Read points, cells and sets.

    ``format`` is meshio's name (None: by extension); ``group_by`` names an integer cell-data array that numbers the groups (None:
    the usual one of the format).
    """
    file = existing_file(path)
    raw, printed = _read(file, format)
    raw.cells, raw.cell_data = _without_empty(raw)
    if len(raw.points) == 0 or not raw.cells:
        raise FileError(file, "the mesh has no points or no cells")
    points = np.asarray(raw.points, dtype=float)
    notes = [f"meshio: {line}" for line in printed]
    if points.shape[1] < 3:
        notes.append("the mesh is plane: z = 0 was added")
        points = np.hstack([points, np.zeros((len(points), 3 - points.shape[1]))])
    notes.append("node and element ids are positions in the file, counted from 1 (not the format's own numbers)")
    if not np.isfinite(points).all():
        bad = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
        raise FileError(file, "a point has a coordinate that is not a finite number", found=f"point {bad + 1}")
    groups = _groups(file, raw, group_by)
    blocks = tuple(_block(file, cells, group) for cells, group in zip(raw.cells, groups))
    _refuse_unknown_points(file, blocks, len(points))
    cell_sets = _cell_sets(raw, blocks)
    node_sets = {str(name): np.unique(np.asarray(rows, np.int64)) for name, rows in (raw.point_sets or {}).items()}
    for family, names in (getattr(raw, "point_tags", None) or {}).items():
        rows = np.flatnonzero(np.asarray(raw.point_data.get("point_tags", [])) == family)
        for name in names:
            node_sets[str(name)] = np.union1d(node_sets.get(str(name), rows), rows)
    return Mesh(file, format or "by extension", points, blocks, cell_sets, node_sets, tuple(notes))


def _read(file: Path, format: str | None) -> tuple[Any, list[str]]:
    """The meshio mesh and the lines it printed."""
    import meshio
    from meshio._helpers import extension_to_filetypes, reader_map
    from meshio._mesh import topological_dimension

    for kind, dimension in DIMENSION.items():  # meshio's table lacks cells that its own readers produce (wedge15)
        topological_dimension.setdefault(kind, dimension)
    known = sorted(set(reader_map) - set(_NOT_THROUGH_MESHIO))
    if format is not None and format not in known:
        close = nearest(format, known)
        raise FileError(
            file, "unknown mesh format", found=repr(format), expected="one of " + ", ".join(known),
            advice=f"did you mean {close!r}?" if close else None,
        )  # fmt: skip
    by_extension = {name for extension in _extensions(file) for name in extension_to_filetypes.get(extension, ())}
    if format is None and not by_extension & set(known):
        raise FileError(
            file,
            "the extension belongs to no known mesh format",
            advice="state it as mesh.format in the case: gmsh, vtk, vtu or xdmf",
        )
    if ".msh" in _extensions(file) or format in ("gmsh", "gmsh22", "gmsh40"):
        refuse_incomplete(file)
    with file.open("rb") as stream:
        is_hdf5 = stream.read(8).startswith(b"\x89HDF")
    if is_hdf5:
        with open_hdf5(file):
            pass  # what would hang or leave the file is refused here
    chatter = io.StringIO()
    try:
        with bounded(file), contextlib.redirect_stdout(chatter), contextlib.redirect_stderr(chatter):
            mesh = meshio.read(file, format)
    except ImportError as error:
        raise FileError(
            file, f"this mesh format needs another package ({error})", advice="install it with pip"
        ) from error
    except FileError:
        raise  # more memory than a file of its size can need
    except (SystemExit, Exception) as error:  # meshio exits, or raises whatever its parsers stumble on: a bad file
        kinds = format or " or ".join(sorted(by_extension & set(known)))
        reason = _reason(chatter.getvalue() or str(error)) if isinstance(error, SystemExit | meshio.ReadError) else ""
        raise FileError(
            file,
            "the mesh file is cut off or damaged",
            found=f"{file.stat().st_size} bytes that do not follow the format {kinds}"
            + (f" ({reason})" if reason else ""),
            advice="write the mesh again, or state mesh.format in the case if the ending misleads",
        ) from error
    if np.ndim(mesh.points) != 2 or not all(getattr(cells.data, "ndim", 1) for cells in mesh.cells):
        raise FileError(file, "the mesh file is cut off or damaged", expected="a row for every point and cell")
    refuse_fewer_cells(file, sum(len(cells.data) for cells in mesh.cells))
    return mesh, [line.strip() for line in chatter.getvalue().splitlines() if line.strip()]


def _without_empty(raw: Any) -> tuple[list[Any], dict[str, Any]]:
    """Cells and cell data of the blocks that hold cells."""
    keep = [number for number, cells in enumerate(raw.cells) if len(cells.data)]
    if len(keep) == len(raw.cells):
        return raw.cells, raw.cell_data
    raw.cell_sets = {name: [chosen[n] for n in keep] for name, chosen in (raw.cell_sets or {}).items()}
    data = {name: [values[n] for n in keep] for name, values in raw.cell_data.items()}
    return [raw.cells[n] for n in keep], data


def _extensions(file: Path) -> list[str]:
    suffixes = [suffix.lower() for suffix in file.suffixes]
    return ["".join(suffixes[i:]) for i in range(len(suffixes))]


def _reason(text: str) -> str:
    """The first line with more information than that the file could not be read."""
    lines = (line.strip().rstrip(".") for line in text.splitlines())
    return next((line for line in lines if line and "Couldn't read file" not in line), "")


def _groups(file: Path, raw: Any, group_by: str | None) -> list[IntArray]:
    """One group number per cell, per block."""
    name = group_by or next((array for array in _GROUP_ARRAYS if array in raw.cell_data), None)
    if name is None:
        return [np.zeros(len(cells.data), np.int64) for cells in raw.cells]
    if name not in raw.cell_data:
        known = list(raw.cell_data)
        close = nearest(name, known)
        raise FileError(
            file,
            "no cell data of that name to group by",
            found=repr(name),
            expected=", ".join(known) or "a name in the file (it has none)",
            advice=f"did you mean {close!r}?" if close else None,
        )
    groups = []
    for values in raw.cell_data[name]:
        numbers = np.asarray(values)
        if numbers.ndim != 1 or not np.array_equal(numbers, numbers.astype(np.int64)):
            raise FileError(file, f"cell data {name!r} cannot number groups", expected="one whole number per cell")
        groups.append(numbers.astype(np.int64))
    return groups


def _block(file: Path, cells: Any, group: IntArray) -> CellBlock:
    try:
        nodes = np.asarray(cells.data, dtype=np.int64)
    except ValueError as error:
        names = np.unique(group).tolist()
        raise FileError(
            file,
            f"a block of {cells.type} cells mixes node counts",
            found=f"groups {names}",
            expected="cells of one type",
        ) from error
    except OverflowError as error:
        raise FileError(
            file,
            f"a block of {cells.type} cells names a point that no file can number",
            expected="whole numbers of points",
        ) from error
    return CellBlock(str(cells.type), nodes.reshape(len(cells.data), -1), group)


def _refuse_unknown_points(file: Path, blocks: tuple[CellBlock, ...], count: int) -> None:
    """Every cell names points that exist; NumPy would take a negative row from the end."""
    first = 1
    for block in blocks:
        wrong = (block.nodes < 0) | (block.nodes >= count)
        if wrong.any():
            cell = int(np.flatnonzero(wrong.any(axis=1))[0])
            found = int(block.nodes[cell][wrong[cell]][0])
            raise FileError(
                file,
                f"{block.kind} cell {first + cell} names a point that does not exist",
                found=f"index {found}",
                expected=f"0 to {count - 1}",
            )
        first += len(block)


def _cell_sets(raw: Any, blocks: tuple[CellBlock, ...]) -> dict[str, tuple[BoolArray, ...]]:
    """Sets by name: the file's own, named groups, and each group's number as a text."""
    sets: dict[str, tuple[BoolArray, ...]] = {}
    for name, chosen in (raw.cell_sets or {}).items():
        if str(name).startswith("gmsh:"):
            continue
        masks = []
        for block, rows in zip(blocks, chosen):
            mask = np.zeros(len(block), np.bool_)
            if rows is not None and len(rows):
                mask[np.asarray(rows, np.int64)] = True
            masks.append(mask)
        sets[str(name)] = tuple(masks)
    named = {str(name): (int(data[0]), int(data[1])) for name, data in _named_groups(raw)}
    for name, (number, dimension) in named.items():
        if name not in sets or not any(mask.any() for mask in sets[name]):
            sets[name] = tuple((block.group == number) & (block.dimension == dimension) for block in blocks)
    for family, names in (getattr(raw, "cell_tags", None) or {}).items():
        for name in names:
            masks_now = tuple(block.group == family for block in blocks)
            before = sets.get(str(name), tuple(np.zeros(len(b), np.bool_) for b in blocks))
            sets[str(name)] = tuple(a | b for a, b in zip(before, masks_now))
    numbers = np.unique(np.concatenate([block.group for block in blocks]))
    for number in numbers[numbers != 0]:
        sets.setdefault(str(number), tuple(block.group == number for block in blocks))
    return sets


def _named_groups(raw: Any) -> list[tuple[str, Any]]:
    """field_data entries that are a group's (number, dimension)."""
    return [(name, data) for name, data in (raw.field_data or {}).items() if np.shape(data) == (2,)]
