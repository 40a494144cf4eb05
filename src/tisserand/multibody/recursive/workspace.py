"""Everything the right-hand side computes: one field, one meaning, one producer.

``Workspace`` is opened from one buffer of numbers (``W`` in the kernels), real or complex: an infinitesimal imaginary part
carries a derivative through the same kernels. Vectors end in the letter of their axes, as in ``model``; six-vectors are
translation over rotation.

Serves theory section 5.2.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


def _results(number: Any) -> np.dtype[Any]:
    return np.dtype([
        # of one evaluation                                                            loads, accounts
        ("power", number),               # of everything but springs, W
        ("force_N", number, 3),          # external, N
        ("torque_N", number, 3),         # external, about the inertial origin, N m
        # of the appendages of one body, body axes, about its reference point              body_inertias
        ("first", number, 3),            # first moment of the deformation, kg m
        ("flow", number, 3),             # int Y' dm
        ("flow_bias", number, 3),        # its rate at eta'' = 0
        ("spin", number, 3),             # relative angular momentum
        ("spin_bias", number, 3),        # its rate at eta'' = 0
        ("inertia", number, 6),          # change of inertia: xx, yy, zz, xy, yz, zx
        ("inertia_rate", number, 6),     # its rate, kg m²/s
        ("body_force", number, 3),       # bias of bodies that turn exactly
        ("body_torque", number, 3),      # likewise, N m
        ("body_inertia", number, 6),     # their share of the inertia, kg m²
    ])  # fmt: skip


def _body(number: Any) -> np.dtype[Any]:
    return np.dtype([
        # motion                                                                           move_bodies
        ("C_NB", number, (3, 3)),        # axes of the body
        ("r_N", number, 3),              # reference point, m
        ("v_N", number, 3),              # its velocity, m/s
        ("w_BN_N", number, 3),           # angular velocity, rad/s
        # joint                                                                            joint_motion
        ("arm_N", number, 3),            # joint from the reference point of P, m
        ("slide_N", number, 3),          # displacement of a slider, m
        ("S_N", number, (3, 3)),         # row i: direction of the motion subspace's column i
        ("u", number, 3),                # speeds
        ("C_NJ", number, (3, 3)),        # axes of the outboard side
        ("C_turn", number, (2, 3, 3)),   # scratch for products of rotations
        ("c", number, 6),                # acceleration at zero u' and zero acceleration of P
        ("c_float", number, 6),          # the same of B's frame against its own hinge node
        # inertia                                                                          body_inertias
        ("first_N", number, 3),          # first moment, kg m
        ("J_B", number, (3, 3)),         # inertia, rotors locked, kg m²
        ("h_rotors_B", number, 3),       # momentum of the rotors, N m s
        ("I_A", number, (6, 6)),         # own inertia, then articulated                   inward
        ("p_A", number, 6),              # own bias, then articulated                      loads, inward
        # elimination                                                                      inward
        ("effort", number, 3),           # force of drives, springs and dampers on u       joint_laws, loads
        ("U", number, (6, 3)),           # I_A S
        ("D_inverse", number, (3, 3)),   # (S' I_A S)^-1
        ("rest", number, 3),             # effort - S' p_A
        # solution                                                                         outward
        ("a_J", number, 6),              # acceleration of the outboard side of the joint, less gravity
        ("a", number, 6),                # acceleration of the reference point, less gravity
        ("u_dot", number, 3),            # accelerations of the joint
        ("wrench_N", number, 6),         # of P on B at the joint; of the ground on a base that does not float
    ])  # fmt: skip


def _node(number: Any) -> np.dtype[Any]:
    return np.dtype([
        # first in the axes of its body (node_in_body), then in inertial ones (node_in_space)
        ("r", number, 3),                # from the reference point, m
        ("v", number, 3),                # against the body, m/s
        ("w", number, 3),                # against the body, rad/s
        ("a", number, 3),                # acceleration at zero eta'' and at rest of the body's frame
        ("alpha", number, 3),            # angular acceleration likewise, rad/s²
        ("C_B", number, (3, 3)),         # turn exp(b~), body axes
    ])  # fmt: skip


RESULTS, BODY_WORK, NODE_WORK = _results(np.float64), _body(np.float64), _node(np.float64)
#: The complex twin of a real record.
_COMPLEX = {id(one): make(np.complex128) for one, make in ((RESULTS, _results), (BODY_WORK, _body), (NODE_WORK, _node))}


# fmt: off
class Workspace(NamedTuple):
    """What an evaluation leaves behind; ``results`` has one row."""

    results: Any    # (1,) records
    bodies: Any     # (bodies,) records
    nodes: Any      # (nodes,) records
    rows: Any       # (modes, 6)   momentum [int phi dm; int r x phi dm], inertial axes        body_inertias
    solved: Any     # (modes, 7)   modal mass^-1 [rows | bias]                                 eliminate_modes
    modal: Any      # (modes,)     eta''                                                       outward
    bias: Any       # (modes,)     minus the modal force at zero acceleration                  body_inertias, loads
    stretch: Any    # (modes, 6)   symmetric int y Y' of second-degree fields, body axes       body_inertias
    mass: Any       # dense modal masses, one after the other, upper triangles                 body_inertias
    columns: Any    # (columns, 6) displacement and turn of each node per modal coordinate     node_in_body
    signals: Any    # (signals,)   measured and commanded quantities                           control
    commands: Any   # (commands,)                                                              control
    strengths: Any  # (loads,)     N or N m                                                    apply_loads
    scratch: Any
# fmt: on


def twin(record: np.dtype[Any]) -> np.dtype[Any]:
    """The same record with complex numbers."""
    return _COMPLEX[id(record)]


def numbers(dtype: np.dtype[Any]) -> int:
    """Numbers of a real record."""
    return dtype.itemsize // 8


RESULT_SIZE, BODY_SIZE = numbers(RESULTS), numbers(BODY_WORK)


def place_tables(head: Any) -> None:
    """Fill in the places of the workspace's tables; all sizes must be known."""
    place = RESULT_SIZE + BODY_SIZE * int(head["bodies"])
    for name, size in (
        ("nodes", numbers(NODE_WORK) * head["nodes"]),
        ("rows", 6 * head["modes"]),
        ("solved", 7 * head["modes"]),
        ("modal", head["modes"]),
        ("bias", head["modes"]),
        ("stretch", 6 * head["modes"]),
        ("mass", head["mass_size"]),
        ("columns", 6 * head["column_count"]),
        ("signals", head["signals"]),
        ("commands", head["commands"]),
        ("strengths", head["loads"]),
        ("scratch", head["scratch"]),
    ):
        head[f"work_{name}"] = place
        place += int(size)
    head["work_size"] = place


def read_workspace(h: Any, W: NDArray[Any]) -> Workspace:
    """The tables of a buffer as NumPy views, for Python."""

    def view(dtype: np.dtype[Any], start: int, count: int) -> Any:
        chosen = _COMPLEX[id(dtype)] if np.iscomplexobj(W) else dtype
        return W[start : start + count * numbers(dtype)].view(chosen)

    def matrix(start: int, rows: int, columns: int) -> Any:
        return W[start : start + rows * columns].reshape(rows, columns)

    def some(start: int, count: int) -> Any:
        return W[start : start + count]

    return Workspace(
        view(RESULTS, 0, 1),
        view(BODY_WORK, RESULT_SIZE, h["bodies"]),
        view(NODE_WORK, h["work_nodes"], h["nodes"]),
        matrix(h["work_rows"], h["modes"], 6),
        matrix(h["work_solved"], h["modes"], 7),
        some(h["work_modal"], h["modes"]),
        some(h["work_bias"], h["modes"]),
        matrix(h["work_stretch"], h["modes"], 6),
        some(h["work_mass"], h["mass_size"]),
        matrix(h["work_columns"], h["column_count"], 6),
        some(h["work_signals"], h["signals"]),
        some(h["work_commands"], h["commands"]),
        some(h["work_strengths"], h["loads"]),
        some(h["work_scratch"], h["scratch"]),
    )
