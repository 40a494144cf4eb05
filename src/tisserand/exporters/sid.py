"""Standard Input Data (Wallrapp): every Taylor object, three columns per mode in Gr and Ge.

m1 is printed (row, mode, column). Off-diagonal order is xy, xz, yz in J and xy, yz, xz in Oe.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.appendage.record.reduced_appendage import GEOMETRIC_FAMILIES, ReducedAppendage
from tisserand.arrays import FloatArray, skew
from tisserand.errors import one_line
from tisserand.exporters.metadata import comment_lines
from tisserand.exporters.other_units import hertz
from tisserand.exporters.readback import worst
from tisserand.files import write_text
from tisserand.readers.sid.appendage import J_PAIRS, OE_PAIRS
from tisserand.readers.sid.grammar import BODY_OBJECTS, Taylor, read_sid

#: Where each geometric-stiffness family goes: object and column.
_FAMILY_PLACE = {
    name: (("Ct", "Cr")[i // 3], i % 3)
    if i < 6
    else ("Oe", {"wxx": 0, "wyy": 1, "wzz": 2, "wxy": 3, "wyz": 4, "wzx": 5}[name])
    for i, name in enumerate(GEOMETRIC_FAMILIES)
}


def losses(appendage: ReducedAppendage) -> list[str]:
    lost = []
    if 0 < len(appendage.interfaces) < len(appendage.nodes):
        count = len(appendage.interfaces)
        lost.append(
            f"only the {count} named interface{'s are' if count > 1 else ' is'} written, not all {len(appendage.nodes)} nodes"
        )
    if np.abs(appendage.integrals.turn_second).max(initial=0.0) > 0.0:
        lost.append("second-degree rotation of nodal bodies is lost")
    unit_loads = [name for name in appendage.geometric_stiffness if name.startswith("F:")]
    if unit_loads:
        lost.append("geometric stiffness of unit loads is lost: " + ", ".join(unit_loads))
    if appendage.inertia_level == "full" and appendage.integrals.inertia_second.any():
        lost.append("SID has no second order of J: J(eta) stops at first order")
    return lost


def _points(appendage: ReducedAppendage) -> list[tuple[str, FloatArray, FloatArray, FloatArray, FloatArray]]:
    """(id, position, axes, phi, psi) of the nodes that are written."""
    if appendage.interfaces:
        return [(str(p.node_id), p.position, p.axes, p.translation, p.rotation) for p in appendage.interfaces]
    nodes = appendage.nodes
    return [
        (str(i), nodes.positions[n], np.eye(3), nodes.translation[n], nodes.rotation[n])
        for n, i in enumerate(nodes.ids)
    ]


def six(matrix: FloatArray) -> FloatArray:
    """(3, 3, ...) to (6, ...) in J's order xx, yy, zz, xy, xz, yz."""
    return np.array([matrix[0, 0], matrix[1, 1], matrix[2, 2], *(matrix[a, b] for a, b in J_PAIRS)])


def centrifugal(values: FloatArray) -> FloatArray:
    """(3, 3, ...) L or N to Oe's six entries: L_aa - tr L, then L_ab + L_ba for xy, yz, xz."""
    trace = np.trace(values)
    return np.array([*(values[a, a] - trace for a in range(3)), *(values[a, b] + values[b, a] for a, b in OE_PAIRS)])


def body_objects(appendage: ReducedAppendage) -> dict[str, Taylor]:
    """The Taylor objects of the body."""
    integrals, k = appendage.integrals, appendage.count
    L, N, P = integrals.position_shape, integrals.shape_shape, integrals.translation
    cross = integrals.cross
    unit = np.eye(3)[:, :, None]
    Gr = 2.0 * (unit * np.trace(L) - L.transpose(1, 0, 2))
    first = {
        "Ct": None,
        "Cr": cross.transpose(2, 1, 0).copy(),  # m1[l, k, a] = Kx[a, k, l]
        "Oe": centrifugal(N).transpose(1, 2, 0).copy(),  # m1[l, k, entry] with N_lk
    }
    for name, matrix in appendage.geometric_stiffness.items():
        if name in _FAMILY_PLACE:
            place, column = _FAMILY_PLACE[name]
            if first[place] is None:
                first[place] = np.zeros((k, k, 3))
            first[place][:, :, column] += matrix  # type: ignore[index]
    return {
        "mdCM": Taylor((integrals.mass * integrals.center)[:, None], P[:, :, None]),
        "J": Taylor(six(integrals.inertia)[:, None], six(integrals.inertia_first)[:, :, None]),
        "Ct": Taylor(P.T, first["Ct"]),
        "Cr": Taylor(integrals.rotation.T, first["Cr"]),
        "Me": Taylor(np.array(integrals.modal_mass), structure=2),
        "Gr": Taylor(Gr.transpose(0, 2, 1).reshape(3, 3 * k)),
        "Ge": Taylor(2.0 * cross.transpose(2, 1, 0).reshape(k, 3 * k)),
        "Oe": Taylor(centrifugal(L).T, first["Oe"]),
        "ksigma": Taylor(np.zeros((k, 1)), structure=0),
        "Ke": Taylor(np.array(appendage.stiffness), structure=2),
        "De": Taylor(np.array(appendage.damping), structure=2),
    }


def _lines(name: str, taylor: Taylor, count: int) -> list[str]:
    rows, columns = taylor.m0.shape
    lines = [f"  {name}", f"    order = {taylor.order}", f"    nrow = {rows}", f"    ncol = {columns}"]
    lines += [f"    nq = {count if taylor.order else 0}", "    nqn = 0", f"    structure = {taylor.structure}"]
    keep = np.tril(taylor.m0) if taylor.structure == 2 else taylor.m0
    for (i, j), value in np.ndenumerate(keep):
        if value != 0.0:
            lines.append(f"    m0({i + 1:4d},{j + 1:4d}) = {_fortran(value)}")
    if taylor.m1 is not None:
        for (i, q, j), value in np.ndenumerate(taylor.m1):
            if value != 0.0:
                lines.append(f"    m1({i + 1:4d},{q + 1:4d},{j + 1:4d}) = {_fortran(value)}")
    return [*lines, f"  end {name}"]


def _fortran(value: float) -> str:
    return f"{value:.16E}".replace("E", "D")


def _word(name: str) -> str:
    """A name on one line."""
    return one_line(" ".join(name.split()))


def write(appendage: ReducedAppendage, path: Path) -> list[Path]:
    k, points = appendage.count, _points(appendage)
    note = "; ".join(comment_lines(appendage)[:8])
    lines = [f"{len(points)} {k} :{note}", "part", f"new modal = {_word(appendage.name)}", "  refmod"]
    lines += [f"    mass = {_fortran(appendage.mass)}", f"    nelastq = {k}"]
    lines += [
        f"    ielastq ({i + 1:4d}) = {_word(name)} : {f:.9g} Hz"
        for i, (name, f) in enumerate(zip(appendage.mode_names, hertz(appendage)))
    ]
    lines += ["  end refmod", "  frame"]
    for identifier, position, axes, phi, psi in points:
        turn = np.stack([skew(psi[:, q]) @ axes.T for q in range(k)], axis=1) if k else np.zeros((3, 0, 3))
        objects = {
            "origin": Taylor(position[:, None], phi[:, :, None]),
            "phi": Taylor(phi),
            "psi": Taylor(psi),
            "AP": Taylor(axes.T, turn),
        }
        lines += [f"    new node = {identifier}", "    rframe = body ref"]
        for name, taylor in objects.items():
            lines += _lines(name, taylor, k)
        lines.append("    end node")
    lines.append("  end frame")
    objects = body_objects(appendage)
    for name in BODY_OBJECTS:
        lines += _lines(name, objects[name], k)
    write_text(path, "\n".join([*lines, "end modal", "end part"]) + "\n")
    return [path]


def read_back(appendage: ReducedAppendage, path: Path) -> float:
    found = read_sid(path).objects
    pairs: list[tuple[object, object]] = []
    for name, meant in body_objects(appendage).items():
        pairs.append((found[name].m0, meant.m0))
        if meant.m1 is not None:
            pairs.append((found[name].m1, meant.m1))
    return worst(pairs)
