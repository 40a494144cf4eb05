"""Write every included mesh next to this script: ``python meshes/make_meshes.py``. Same input, same bytes."""

from __future__ import annotations

from pathlib import Path

import boom
import bracket
import dish
import meshio
import numpy as np
import panel
import wing

HERE = Path(__file__).parent


def write_panel() -> None:
    """Quads carry group 1, the nodes of the edge (vertex cells) group 2;"""
    points, quads = panel.mesh()
    edge = panel.edge_nodes(points)[:, None]
    cells = [("quad", quads), ("vertex", edge)]
    mesh = meshio.Mesh(
        points, cells, cell_data={"group": [np.full(len(c), i + 1, np.int64) for i, (_, c) in enumerate(cells)]}
    )
    meshio.vtu.write(HERE / "panel.vtu", mesh, binary=True, compression=None)


def write_bracket() -> None:
    points, tets = bracket.mesh()
    lines = [
        "$MeshFormat",
        "2.2 0 8",
        "$EndMeshFormat",
        "$PhysicalNames",
        "2",
        '0 2 "foot"',
        '3 1 "body"',
        "$EndPhysicalNames",
    ]
    lines += ["$Nodes", str(len(points))]
    lines += [f"{i} {x:.9g} {y:.9g} {z:.9g}" for i, (x, y, z) in enumerate(points, 1)]
    foot = bracket.foot(points)
    lines += ["$EndNodes", "$Elements", str(len(tets) + len(foot))]
    lines += [f"{i} 15 2 2 2 {node + 1}" for i, node in enumerate(foot, 1)]
    gmsh_order = tets[:, [0, 1, 2, 3, 4, 5, 6, 7, 9, 8]] + 1
    lines += [f"{i} 11 2 1 1 " + " ".join(map(str, row)) for i, row in enumerate(gmsh_order, len(foot) + 1)]
    (HERE / "bracket.msh").write_text("\n".join([*lines, "$EndElements", ""]))


def main() -> None:
    (HERE / "boom.bdf").write_text(boom.text())
    (HERE / "wing.bdf").write_text(wing.text())
    (HERE / "dish.bdf").write_text(dish.text())
    write_panel()
    write_bracket()
    for module in (boom, panel, wing, bracket, dish):
        print(f"{module.__name__:8s} {module.mass():.9g} kg")


if __name__ == "__main__":
    main()
