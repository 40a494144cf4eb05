"""NASA 42: Flex file, Node file, and the lines of the spacecraft file that belong to the body.

Every data line carries a comment (42's reader needs trailing text), banners stay under 80 characters, indices count from 0,
and 42's L has the mode axis first: L42[i, j] = int phi_i r_j = L[j, i].
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.errors import one_line
from tisserand.exporters.metadata import comment_lines
from tisserand.exporters.nasa42_grammar import FlexData, read_flex
from tisserand.exporters.readback import worst
from tisserand.files import write_text

#: Values smaller than this part of the largest are left out of sparse blocks.
ZERO = 1e-14
#: A geometry that comes with 42: one point, which no light or air pushes.
GEOMETRY = "Point.obj"


def is_free(appendage: ReducedAppendage) -> bool:
    """Whether the shapes carry no momentum, so that the body may use REFPT_CM."""
    scale = np.sqrt(appendage.mass * max(float(np.abs(appendage.integrals.modal_mass).max(initial=0.0)), 1e-300))
    offset = float(np.linalg.norm(appendage.integrals.center))
    size = float(np.sqrt(np.trace(appendage.integrals.inertia) / max(appendage.mass, 1e-300)))
    return bool(np.abs(appendage.integrals.translation).max(initial=0.0) < 1e-9 * scale) and offset < 1e-9 * max(
        size, 1e-300
    )


def losses(appendage: ReducedAppendage) -> list[str]:
    lost = []
    if appendage.inertia_level != "constant" and appendage.integrals.inertia_first.any():
        lost.append("42 has no J(eta): the change of inertia with deformation is lost")
    if appendage.geometric_stiffness:
        lost.append("42 has no geometric stiffness")
    if np.abs(appendage.integrals.turn_second).max(initial=0.0) > 0.0:
        lost.append("second-degree rotation of nodal bodies is lost")
    if not is_free(appendage):
        lost.append(
            "REFPT_JOINT bodies with index 1 or more diverge in 42 as published (AugmentIPAngVelf adds Hf + Qf eta twice); "
            "remove the duplicated line there, or export shapes in the buckens frame (modes --frame buckens) with "
            "--reference-point center (REFPT_CM)"
        )
    return lost


def flex_data(appendage: ReducedAppendage) -> FlexData:
    """The contents of the Flex file, as arrays. Joint 0 is the attachment, other interfaces are analysis nodes."""
    integrals, k = appendage.integrals, appendage.count
    joints = [p for p in appendage.interfaces if p.name == appendage.attachment]
    nodes = [p for p in appendage.interfaces if p.name != appendage.attachment]

    def stacked(points: list, word: str) -> np.ndarray:
        return np.array([getattr(p, word) for p in points]).reshape(-1, 3, k)

    return FlexData(
        joint_psi=stacked(joints, "translation"),
        joint_theta=stacked(joints, "rotation"),
        node_psi=stacked(nodes, "translation"),
        node_theta=stacked(nodes, "rotation"),
        mass=np.array(integrals.modal_mass),
        stiffness=np.array(appendage.stiffness),
        damping=np.array(appendage.damping),
        P=integrals.translation.T.copy(),
        H=integrals.rotation.T.copy(),
        L=integrals.position_shape.transpose(1, 0, 2).copy(),
        N=np.array(integrals.shape_shape),
    )


def _sparse(values: np.ndarray, order: tuple[int, ...], comment: str) -> list[str]:
    """`count` and one line per value that is not zero; ``order`` gives the printed order of the array's indices."""
    limit = ZERO * float(np.abs(values).max(initial=0.0))
    rows = [index for index in np.argwhere(np.abs(values) > limit)] if values.size else []
    lines = [f"{len(rows):6d}                        ! Number of terms"]
    for index in rows:
        numbers = " ".join(f"{index[axis]:5d}" for axis in order)
        lines.append(f"{numbers}  {values[tuple(index)]: .16E}   ! {comment}")
    return lines


def flex_text(appendage: ReducedAppendage) -> str:
    data, k = flex_data(appendage), appendage.count
    name = "".join(c if c.isalnum() or c in " _-" else "_" for c in appendage.name)[:40]
    lines = [f"42 Flex file of {name}", f"{comment_lines(appendage)[1]}, SI, frame {appendage.frame.name}"[:78]]
    lines.append(f"{k:6d}                        ! Number of modes")
    lines.append("--- Initial modal position and rate ---")
    lines += [f"{0.0: .6E} {0.0: .6E}        ! mode {m}" for m in range(k)]
    lines += ["--- Joint nodes ---", "--- Translation shapes PSI: mode joint axis value ---"]
    lines += _sparse(data.joint_psi, (2, 0, 1), "PSI")
    lines += ["--- Rotation shapes THETA: mode joint axis value ---", *_sparse(data.joint_theta, (2, 0, 1), "THETA")]
    lines += ["--- Analysis nodes ---", "--- Translation shapes PSI: mode node axis value ---"]
    lines += _sparse(data.node_psi, (2, 0, 1), "PSI")
    lines += ["--- Rotation shapes THETA: mode node axis value ---", *_sparse(data.node_theta, (2, 0, 1), "THETA")]
    for title, matrix in (("Mass", data.mass), ("Stiffness", data.stiffness), ("Damping", data.damping)):
        lines += [f"--- {title} matrix: row column value ---", *_sparse(matrix, (0, 1), title)]
    for title, rows in (("Pf: linear momentum of modes", data.P), ("Hf: angular momentum of modes", data.H)):
        lines.append(f"--- {title} ---")
        lines += [f"{r[0]: .16E} {r[1]: .16E} {r[2]: .16E}  ! mode {m}" for m, r in enumerate(rows)]
    lines += ["--- L: i j mode value (mode axis first) ---", *_sparse(data.L, (0, 1, 2), "L")]
    lines += ["--- N: i j mode mode value ---", *_sparse(data.N, (0, 1, 2, 3), "N")]
    return "\n".join(lines) + "\n"


def node_text(appendage: ReducedAppendage) -> str:
    """Analysis nodes: the interfaces other than the attachment, positions from the body's origin."""
    nodes = [p for p in appendage.interfaces if p.name != appendage.attachment]
    lines = [
        f"42 Node file of {one_line(appendage.name)}"[:78],
        "Interfaces, meters from the body's reference point",
        f"{len(nodes):6d}    ! Number of nodes",
        "--- x y z comment ---",
    ]
    lines += [f'{p.position[0]: .16E} {p.position[1]: .16E} {p.position[2]: .16E}  "{_quoted(p.name)}"' for p in nodes]
    return "\n".join(lines) + "\n"


def _quoted(name: str) -> str:
    """A name that fits between double quotes on one line."""
    return one_line(name).replace('"', "'")


def body_text(appendage: ReducedAppendage, flex: str, node: str) -> str:
    """The whole block of the body in the spacecraft file: inertia about the reference point (joint) or the mass center (free)."""
    integrals = appendage.integrals
    J, c = integrals.inertia, integrals.center
    kind = "REFPT_CM" if is_free(appendage) else "REFPT_JOINT"
    lines = [
        f"! Body block of {one_line(appendage.name)}; reference point {kind}; N is its number in the spacecraft file"
    ]
    lines += [f"! {line}"[:78] for line in comment_lines(appendage)]
    lines += [f"! WARNING: {text}"[:200] for text in losses(appendage)]
    lines.append("================================ Body N ================================")
    lines.append(f"{integrals.mass:.16G}                       ! Mass")
    lines.append(f"{J[0, 0]:.16G} {J[1, 1]:.16G} {J[2, 2]:.16G}      ! Moments of inertia (kg-m^2)")
    lines.append(f"{-J[0, 1]:.16G} {-J[0, 2]:.16G} {-J[1, 2]:.16G}   ! Products of inertia as int xy dm (xy,xz,yz)")
    lines.append(f"{c[0]:.16G} {c[1]:.16G} {c[2]:.16G}       ! Location of mass center")
    lines.append("0.0  0.0  0.0               ! Constant Embedded Momentum (Nms)")
    lines.append("0.0  0.0  0.0               ! Constant Embedded Magnetic Dipole (A-m^2)")
    lines.append(f"{GEOMETRY}                   ! Geometry Input File Name (for pictures, drag and sunlight)")
    lines += [f"{node}            ! Node File Name", f"{flex}            ! Flex File Name"]
    return "\n".join(lines) + "\n"


def write(appendage: ReducedAppendage, path: Path) -> list[Path]:
    stem = path.stem
    flex, node, body = (path.with_name(f"{kind}_{stem}.txt") for kind in ("Flex", "Node", "Body"))
    write_text(flex, flex_text(appendage))
    write_text(node, node_text(appendage))
    write_text(body, body_text(appendage, flex.name, node.name))
    return [flex, node, body]


def read_back(appendage: ReducedAppendage, path: Path) -> float:
    meant = flex_data(appendage)
    shapes = {"joint": len(meant.joint_psi), "node": len(meant.node_psi)}
    found = read_flex(path.with_name(f"Flex_{path.stem}.txt"), joints=shapes["joint"], nodes=shapes["node"])
    return worst((getattr(found, word), getattr(meant, word)) for word in FlexData.__dataclass_fields__)
