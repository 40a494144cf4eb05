"""ParaView: one file with every mode as point data, and a collection with one deformed file per mode."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.exporters.metadata import comment_lines, write_sidecar
from tisserand.exporters.other_units import hertz
from tisserand.exporters.readback import worst
from tisserand.files import write_text


def losses(appendage: ReducedAppendage) -> list[str]:
    return ["a picture file without modal integrals, stiffness and damping"]


def _mesh(appendage: ReducedAppendage, point_data: dict[str, np.ndarray]) -> object:
    import meshio

    cells = appendage.topology
    blocks = [
        ("line", np.vstack([cells.lines, cells.links])),
        ("triangle", cells.triangles),
        ("vertex", cells.bodies[:, None]),
    ]
    used = [(kind, rows) for kind, rows in blocks if len(rows)] or [
        ("vertex", np.arange(len(appendage.nodes))[:, None])
    ]
    return meshio.Mesh(appendage.nodes.positions, used, point_data=point_data)


def mode_arrays(appendage: ReducedAppendage) -> dict[str, np.ndarray]:
    """Point data: node ids, and per mode translation and rotation shapes (n, 3)."""
    nodes = appendage.nodes
    arrays: dict[str, np.ndarray] = {"node_id": np.array(nodes.ids)}
    for mode in range(appendage.count):
        label = f"mode_{mode + 1:03d}_{hertz(appendage)[mode]:.6g}Hz"
        arrays[label] = np.ascontiguousarray(nodes.translation[:, :, mode])
        arrays[label + "_rotation"] = np.ascontiguousarray(nodes.rotation[:, :, mode])
    return arrays


def write(appendage: ReducedAppendage, path: Path) -> list[Path]:
    import meshio

    meshio.vtu.write(path, _mesh(appendage, mode_arrays(appendage)), binary=True)
    written = [path]
    entries = []
    for mode in range(appendage.count):
        file = path.with_name(f"{path.stem}_mode{mode + 1:03d}.vtu")
        shape = np.ascontiguousarray(appendage.nodes.translation[:, :, mode])
        meshio.vtu.write(file, _mesh(appendage, {"displacement": shape}), binary=True)
        time = np.nan_to_num(hertz(appendage)[mode], posinf=0.0)
        entries.append(f'<DataSet timestep="{time:.9g}" part="0" file="{escape(file.name)}"/>')
        written.append(file)
    notes = "\n".join(f"  {re.sub('-(?=-)', '- ', line)}" for line in comment_lines(appendage))
    collection = path.with_suffix(".pvd")
    body = "\n".join(entries)
    write_text(
        collection,
        f'<?xml version="1.0"?>\n<!-- time is the frequency in Hz\n{notes}\n-->\n<VTKFile type="Collection" version="0.1" '
        f'byte_order="LittleEndian"><Collection>\n{body}\n</Collection></VTKFile>\n',
    )
    return [*written, collection, write_sidecar(appendage, path)]


def read_back(appendage: ReducedAppendage, path: Path) -> float:
    import meshio

    mesh = meshio.vtu.read(path)  # by format: the name may have any ending
    meant = mode_arrays(appendage)
    return worst(
        [(mesh.points, appendage.nodes.positions), *((mesh.point_data[name], values) for name, values in meant.items())]
    )
