"""Everything about a vehicle that does not change during a run, as tables of records that kernels read by name.

``Model`` is opened from one read-only buffer of 8-byte words (``M`` in the kernels), so that a call passes one array; long rows
of numbers (mode shapes, integrals, profiles, control laws) stand in one array of constants (``F``), and records name the place
where theirs begin.

Frames: N inertial, P the body that carries B, B a body of the tree, J the outboard side of the joint into B. Vectors end in the
letter of their axes: ``w_BN_N`` is the angular velocity of B in N, along the axes of N; ``C_NB`` gives components along N from
those along B.

Serves theory section 5.2.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tisserand.arrays import IntArray

# Kinds of joints of tree bodies (joints of several axes are chains of hinges), motions of the base, inertia levels, rotor drives.
FIXED, HINGE, PRISMATIC, BALL, FREE, PRESCRIBED = range(6)
KINDS = {"fixed": FIXED, "hinge": HINGE, "prismatic": PRISMATIC, "ball": BALL, "free": FREE, "prescribed": PRESCRIBED}
CONSTANT, LINEAR, FULL = range(3)
LEVELS = {"constant": CONSTANT, "linear": LINEAR, "full": FULL}
TORQUE, SPEED, MOMENTUM = range(3)
DRIVES = {"torque": TORQUE, "speed": SPEED, "momentum": MOMENTUM}
#: What sets the strength of a load.
BY_PROFILE, BY_COMMAND, BY_INPUT = range(3)
#: Entries of the held inputs before the first input: position (3) and quaternion (4) of a driven base at the start.
POSE = 7

(
    LOAD_JOINT,
    LOAD_FORCE_BODY,
    LOAD_FORCE_INERTIAL,
    LOAD_TORQUE_BODY,
    LOAD_TORQUE_INERTIAL,
    LOAD_NODE_FORCE_BODY,
    LOAD_NODE_FORCE_INERTIAL,
    LOAD_NODE_TORQUE_BODY,
    LOAD_NODE_TORQUE_INERTIAL,
    LOAD_ROTOR,
    LOAD_GRADIENT,
    LOAD_MAGNETIC,
) = range(12)

(
    SIGNAL_PROFILE,
    SIGNAL_PROFILE_RATE,
    SIGNAL_STATE,
    SIGNAL_RATE,
    SIGNAL_ATTITUDE,
    SIGNAL_INPUT,
    SIGNAL_POSITION,
    SIGNAL_VELOCITY,
    SIGNAL_NODE,
    SIGNAL_ROTOR_INERTIAL,
    SIGNAL_GRAVITY,
    SIGNAL_BENT,
) = range(12)

_INT, _FLOAT = np.int64, np.float64

# made by sizes and places: places_of, place_tables, compile_vehicle
HEAD = np.dtype([
    # sizes
    ("bodies", _INT),           # bodies of the tree
    ("modes", _INT),            # modal coordinates of all appendages
    ("blocks", _INT),           # appendages
    ("nodes", _INT),            # nodes of appendages that carry joints or loads
    ("turning", _INT),          # rigid bodies on nodes that turn exactly
    ("rotors", _INT),           # rotors of all bodies
    ("profiles", _INT),         # profiles of time
    ("loads", _INT),            # plain loads
    ("signals", _INT),          # measured and commanded quantities
    ("commands", _INT),         # outputs of control laws
    ("states", _INT),           # states of control laws
    # places in the state y: [base and joint coordinates; eta; psi; base and joint speeds; eta'; psi'; states; accounts]
    ("eta", _INT),              # first modal coordinate
    ("psi", _INT),              # first rotor angle
    ("speeds", _INT),           # first speed: base velocity (3, N), base rate (3, B), joint speeds
    ("eta_rate", _INT),         # first modal rate
    ("psi_rate", _INT),         # first rotor rate
    ("state", _INT),            # first state of the control laws
    ("account", _INT),          # work, impulse (3), angular impulse (3)
    ("size", _INT),             # entries of y
    # places of the tables in M, in words
    ("bodies_at", _INT),        # first word of the table of bodies
    ("blocks_at", _INT),        # first word of the table of appendages
    ("nodes_at", _INT),         # first word of the table of nodes
    ("turning_at", _INT),       # first word of the table of bodies that turn
    ("rotors_at", _INT),        # first word of the table of rotors
    ("profiles_at", _INT),      # first word of the table of profiles
    ("loads_at", _INT),         # first word of the table of loads
    ("signals_at", _INT),       # first word of the table of signals
    # places of the tables in the workspace W, in numbers
    ("work_nodes", _INT),       # first number of the table ``nodes`` of ``Workspace``
    ("work_rows", _INT),        # first number of the table ``rows`` of ``Workspace``
    ("work_solved", _INT),      # first number of the table ``solved`` of ``Workspace``
    ("work_modal", _INT),       # first number of the table ``modal`` of ``Workspace``
    ("work_bias", _INT),        # first number of the table ``bias`` of ``Workspace``
    ("work_stretch", _INT),     # first number of the table ``stretch`` of ``Workspace``
    ("work_mass", _INT),        # first number of the table ``mass`` of ``Workspace``
    ("work_columns", _INT),     # first number of the table ``columns`` of ``Workspace``
    ("work_signals", _INT),     # first number of the table ``signals`` of ``Workspace``
    ("work_commands", _INT),    # first number of the table ``commands`` of ``Workspace``
    ("work_strengths", _INT),   # first number of the table ``strengths`` of ``Workspace``
    ("work_scratch", _INT),     # first number of the table ``scratch`` of ``Workspace``
    ("mass_size", _INT),        # numbers of all dense modal mass matrices
    ("column_count", _INT),     # columns of all nodes
    ("scratch", _INT),          # numbers of scratch
    ("work_size", _INT),        # numbers of the workspace
    # the base and the surroundings
    ("control", _INT),          # F: A, B, C, D of the control laws and limits (commands, 2)
    ("implicit", _INT),         # F: implicit step: forces on modes (modes), pivot and forces (3) of each joint; 0: none
    ("base_profiles", _INT, 4), # driven base: profiles of x, y, z and the angle, -1 for none
    ("base_axis_B", _FLOAT, 3), # axis of that angle
    ("gravity_N", _FLOAT, 3),   # m/s²
])  # fmt: skip

# made by body_rows
BODY = np.dtype([
    # place in the tree
    ("parent", _INT),           # -1 for the base
    ("kind", _INT),             # of the joint
    ("free", _INT),             # speeds that the equations of motion determine: 0 where fixed or prescribed
    ("part", _INT),             # 0 the joint translates, 3 it turns: rows of a six-vector that its axes occupy
    ("q", _INT),                # first coordinate in y
    ("u", _INT),                # first speed in y
    ("motion", _INT),           # profile of a prescribed coordinate, -1 for none
    ("parent_node", _INT),      # node of P that carries the joint, -1 for none
    ("child_node", _INT),       # node of B on which its own frame floats, -1 for none
    ("nodes", _INT),            # number of its nodes
    ("node", _INT),             # first of them
    ("rotors", _INT),           # number of its rotors
    ("rotor", _INT),            # first of them
    ("blocks", _INT),           # number of its appendages
    ("block", _INT),            # first of them
    # modes: their rows of the modal tables begin at ``mode``
    ("modes", _INT),            # number of its modes
    ("mode", _INT),             # first of them among all
    ("dense", _INT),            # 1: the modal mass is a full matrix that changes with the state
    ("diagonal", _INT),         # 1: the constant modal mass is diagonal
    ("mass_matrix", _INT),      # F: constant modal mass (modes, modes)
    ("mass_work", _INT),        # workspace of masses: the one of this state
    # mass properties about the reference point, undeformed appendages and locked rotors included
    ("mass", _FLOAT),           # kg
    ("first_B", _FLOAT, 3),     # first moment, kg m
    ("J_B", _FLOAT, (3, 3)),    # inertia, kg m²
    ("J_driven_B", _FLOAT, (3, 3)),  # the same without torque-driven rotors about their axes
    ("reference_B", _FLOAT, 3), # reference point (the joint) from the origin of the body, m
    # joint
    ("axis", _FLOAT, 3),        # axis of a hinge or slider, joint axes
    ("point_P", _FLOAT, 3),     # joint from the reference point of P, m
    ("C_PJ", _FLOAT, (3, 3)),   # joint axes at rest
    ("C_JB", _FLOAT, (3, 3)),   # body axes at the outboard side
    ("spring", _FLOAT),         # N m/rad or N/m
    ("damper", _FLOAT),         # N m s/rad or N s/m
    ("rest", _FLOAT),           # coordinate without spring force, rad or m
])  # fmt: skip

# made by body_rows
BLOCK = np.dtype([
    # one appendage; mode numbers as in the body
    ("modes", _INT),            # number of its modes
    ("mode", _INT),             # first mode of all
    ("level", _INT),            # how its inertia follows the deformation
    ("second_degree", _INT),    # 1: moves by a second-degree field (theory section 8), 0: by a linear one
    ("diagonal", _INT),         # 1: stiffness and damping are diagonal
    ("stiffness", _INT),        # F: (modes, modes), N/m in modal coordinates
    ("damping", _INT),          # F: (modes, modes)
    # linear field: F
    ("P", _INT),                # int phi dm (modes, 3)
    ("H", _INT),                # int r x phi dm (modes, 3)
    ("J1", _INT),               # first-order inertia (modes, 6): xx, yy, zz, xy, yz, zx
    ("J2", _INT),               # second-order inertia (6) and int phi x phi' (3), rows (modes, 9 modes)
    # second-degree field
    ("turning", _INT),          # number of rigid bodies that turn
    ("first_turning", _INT),    # first of them
    ("psi", _INT),              # 1: their nodes have second-degree shapes
    ("more", _INT),             # rows of the modal part, a multiple of four
    ("shapes", _INT),           # F: first moments of the shapes (12 + more, modes)
    ("forms", _INT),            # F: Nr symmetric (6), antisymmetric (3), c (12), e (more), rows (modes, (21 + more) modes)
    ("mix", _INT),              # F: U' (more, modes)
    ("root_mass", _FLOAT),      # kg^0.5
    ("first_B", _FLOAT, 3),     # undeformed first moment, kg m
    ("inertia_B", _FLOAT, 6),   # undeformed inertia
    ("place", _FLOAT, 12),      # Xi at rest (4, 3)
])  # fmt: skip

# made by body_rows
TURNING = np.dtype([
    # a rigid body on a node of an appendage
    ("mass", _FLOAT),           # kg
    ("offset", _FLOAT, 3),      # center of mass from the node, m
    ("inertia", _FLOAT, (3, 3)),  # about it, kg m²
    ("node", _FLOAT, 3),        # undeformed node from the reference point, m
    ("translation", _INT),      # F: (modes, 3)
    ("rotation", _INT),         # F: (modes, 3)
    ("psi", _INT),              # F: rows of second-degree shapes (modes, 6 modes)
])  # fmt: skip

# made by Nodes of body_rows
NODE = np.dtype([
    ("body", _INT),             # that carries the appendage
    ("modes", _INT),            # number of modes of the appendage
    ("mode", _INT),             # first mode of all
    ("column", _INT),           # first of its columns in the workspace
    ("second_degree", _INT),    # 1: its shapes are of second degree
    ("position", _FLOAT, 3),    # undeformed, from the reference point, body axes, m
    ("translation", _INT),      # F: (modes, 3)
    ("rotation", _INT),         # F: (modes, 3)
    ("squares", _INT),          # F: second-degree shapes (6 modes, modes)
])  # fmt: skip

# made by body_rows
ROTOR = np.dtype([
    ("body", _INT),             # that carries it
    ("drive", _INT),            # torque, speed or momentum
    ("profile", _INT),          # of the driven speed (rad/s) or momentum (N m s)
    ("number", _INT),           # place among psi and psi'
    ("axis_B", _FLOAT, 3),      # unit vector along the spin
    ("inertia", _FLOAT),        # about the axis, kg m²
    ("damping", _FLOAT),        # N m s/rad
])  # fmt: skip

# made by Packer.profile
PROFILE = np.dtype([
    ("pieces", _INT),           # number of its pieces
    ("starts", _INT),           # F: start times (pieces)
    ("curves", _INT),           # F: coefficients (pieces, 8): cubic (4), amplitude, frequency, phase, sweep of a sine
])  # fmt: skip

# made by wire
LOAD = np.dtype([
    ("kind", _INT),             # one of LOAD_JOINT ... LOAD_MAGNETIC
    ("target", _INT),           # body, node, or rotor number
    ("source", _INT),           # what sets its strength ...
    ("index", _INT),            # ... and which one; gradient by input: gravity and its gradient are nine inputs from there
    # body whose axes the direction is given in, unless inertial; motor: axis of the joint; magnetic: input of the field, or -1
    ("axes", _INT),             # see above
    ("direction", _FLOAT, 3),   # magnetic: dipole in body axes, A m²; gradient: local vertical at the start
    ("point_B", _FLOAT, 3),     # from the reference point, m; magnetic: field, T; gradient: the direction of flight
    ("orbit", _FLOAT, (2, 3)),  # magnetic: unit vectors of the place in the orbit
    ("rate", _FLOAT),           # of the orbit, rad/s
])  # fmt: skip

# made by wire
SIGNAL = np.dtype([
    ("kind", _INT),             # one of SIGNAL_PROFILE ... SIGNAL_BENT
    ("index", _INT),            # profile, place in y, body, input or rotor
    ("second", _INT),           # profile of a reference turn; number of weights or of outboard bodies
    ("floats", _INT),           # F: weights, or numbers of outboard bodies
    ("rate", _INT),             # 1: of a displacement
    ("direction", _FLOAT, 3),   # unit vector, body axes (position, velocity: inertial)
    ("point_B", _FLOAT, 3),     # m
    ("reference", _FLOAT, 4),   # quaternion of the reference attitude
    ("axis", _FLOAT, 3),        # of the reference turn
])  # fmt: skip


class Model(NamedTuple):
    """The tables of a vehicle; ``head`` has one row."""

    head: Any
    bodies: Any
    blocks: Any
    nodes: Any
    turning: Any
    rotors: Any
    profiles: Any
    loads: Any
    signals: Any


#: Tables after the head, in the order of ``Model``.
TABLES = {
    "bodies": BODY,
    "blocks": BLOCK,
    "nodes": NODE,
    "turning": TURNING,
    "rotors": ROTOR,
    "profiles": PROFILE,
    "loads": LOAD,
    "signals": SIGNAL,
}


def words(dtype: np.dtype[Any]) -> int:
    """8-byte words of a record."""
    return dtype.itemsize // 8


def written(head: Any, tables: dict[str, Any]) -> IntArray:
    """The buffer of a head (0-d record; sizes and places of tables are filled in) and its tables."""
    place, parts = words(HEAD), []
    for name, rows in tables.items():
        head[name], head[f"{name}_at"] = len(rows), place
        parts.append(np.ascontiguousarray(rows).view(np.int64).ravel())
        place += words(TABLES[name]) * len(rows)
    buffer = np.concatenate([np.ascontiguousarray(head).reshape(1).view(np.int64), *parts])
    buffer.setflags(write=False)
    return buffer


def read_model(M: IntArray) -> Model:
    """The tables of a buffer as NumPy records, for Python."""
    head = M[: words(HEAD)].view(HEAD)
    found = [head]
    for name, dtype in TABLES.items():
        start, count = int(head[0][f"{name}_at"]), int(head[0][name])
        found.append(M[start : start + count * words(dtype)].view(dtype))
    return Model(*found)
