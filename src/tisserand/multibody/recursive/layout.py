"""Layout of the flat arrays of the recursive engine.

``I`` integers and ``F`` floats are constant for a vehicle, ``W`` is workspace, ``U`` holds the initial base pose of a
driven base (7) and the inputs held from outside. The header of ``I`` gives the offsets; tables follow with fixed strides.

Serves theory section 5.2.
"""

from __future__ import annotations

# header of I
BODIES, SPEEDS, MODES, ETA, ETA_RATE, ROTORS, PSI, PSI_RATE, STATES, STATE, ACCOUNT, SIZE = range(12)
BODY_TABLE, BLOCK_TABLE, NODE_TABLE, ROTOR_TABLE, PROFILE_TABLE, LOAD_TABLE, LOADS, SIGNAL_TABLE, SIGNALS = range(
    12, 21
)
COMMANDS, CONTROL, GRAVITY, BODY_WORK, SCRATCH, AMPLITUDE, SIGNAL_WORK, COMMAND_WORK = range(21, 29)
BASE_X, BASE_Y, BASE_Z, BASE_ANGLE, BASE_AXIS, RESULT, WORK_SIZE, HEADER = 29, 30, 31, 32, 33, 34, 35, 40

# kinds of joints of tree bodies
FREE, FIXED, HINGE, PRISMATIC, BALL, PRESCRIBED = range(6)
KINDS = {"free": FREE, "fixed": FIXED, "hinge": HINGE, "prismatic": PRISMATIC, "ball": BALL, "prescribed": PRESCRIBED}
LEVELS = {"constant": 0, "linear": 1, "full": 2}

# one row of the body table
(
    B_PARENT,
    B_KIND,
    B_Q,
    B_U,
    B_MOTION,
    B_FLOAT,
    B_MODES,
    B_ETA,
    B_BLOCKS,
    B_BLOCK,
    B_PARENT_NODE,
    B_CHILD_NODE,
    B_ROTORS,
    B_ROTOR,
    B_DENSE,
    B_FLEX,
    B_NODES,
    B_NODE,
    B_DIAGONAL,
    B_MASS,
) = range(20)
B_STRIDE = 20

# floats of one body
(F_MASS, F_FIRST, F_J, F_JACC, F_AXIS, F_POINT, F_FRAME, F_CHILD, F_SPRING, F_DAMPER, F_REST, F_REF) = (
    0,
    1,
    4,
    13,
    22,
    25,
    28,
    37,
    46,
    47,
    48,
    49,
)

# one row of the block table: modes, first mode (global), first mode (in body), level, second-degree field (1) or plain (0),
# floats, stiffness, whether it is diagonal, then the bodies that turn: how many, whether their nodes have psi, floats; then the
# rows of the modal part
K_MODES, K_ETA, K_LOCAL, K_LEVEL, K_TURN, K_FLOAT, K_STIFF, K_DIAGONAL, K_BODIES, K_PSI, K_BODY, K_MORE = range(12)
K_STRIDE = 12

# floats of a second-degree field: sqrt(m), undeformed first moment and inertia (xx, yy, zz, xy, yz, zx), Xi at rest (4, 3), then
# first moments of the shapes (12, n) and W (more, n), then rows of Nr symmetric (6), Nr antisymmetric (3), c (12), e (more), then
# U' (more, n); more is a multiple of four
A_ROOT, A_FIRST, A_INERTIA, A_PLACE, A_SHAPES, A_BLOCKS = 0, 1, 4, 10, 22, 21
# floats of a turning body: mass, offset, inertia about its center, node, phi (n, 3), theta (n, 3), rows of psi (6) if any
T_MASS, T_OFFSET, T_INERTIA, T_NODE, T_SHAPES = 0, 1, 4, 13, 16

# one row of the node table: body, modes, first mode (global), first mode (in body), floats, second-degree, workspace
N_BODY, N_MODES, N_ETA, N_LOCAL, N_FLOAT, N_SECOND, N_WORK = range(7)
N_STRIDE = 7

# one row of the rotor table: body, mode (0 torque, 1 speed, 2 momentum), profile, floats (axis, Js, damping), state number
R_BODY, R_MODE, R_PROFILE, R_FLOAT, R_STATE = range(5)
R_STRIDE = 5

# one row of the profile table: number of pieces, floats (starts, then pieces)
P_PIECES, P_FLOAT = range(2)
P_STRIDE = 2

# one row of the load table: kind, target, source (0 profile, 1 command, 2 held input), number, floats (direction, point, scale),
# body whose axes a direction that is not inertial is given in
L_KIND, L_TARGET, L_SOURCE, L_INDEX, L_FLOAT, L_AXES = range(6)
L_STRIDE = 6
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

# one row of the signal table: kind, index, second index, floats
S_KIND, S_INDEX, S_SECOND, S_FLOAT = range(4)
S_STRIDE = 4
(
    SIGNAL_PROFILE,
    SIGNAL_PROFILE_RATE,
    SIGNAL_COORDINATE,
    SIGNAL_SPEED,
    SIGNAL_RATE,
    SIGNAL_ATTITUDE,
    SIGNAL_HELD,
    SIGNAL_POSITION,
    SIGNAL_VELOCITY,
    SIGNAL_NODE,
    SIGNAL_ROTOR_INERTIAL,
    SIGNAL_GRAVITY,
    SIGNAL_BENT,
) = range(13)

# workspace of one body
(
    W_R,
    W_X,
    W_V,
    W_OM,
    W_WN,
    W_G,
    W_RHO,
    W_D,
    W_C,
    W_IA,
    W_PA,
    W_ACC,
    W_U,
    W_DI,
    W_S,
    W_J,
    W_QD,
    W_QDD,
    W_TAU,
    W_WRENCH,
    W_RJ,
    W_CH,
    W_AJ,
    W_HR,
) = (0, 9, 12, 15, 18, 21, 24, 27, 30, 36, 72, 78, 84, 102, 111, 114, 123, 126, 129, 132, 138, 147, 153, 159)
W_STRIDE = 162

# workspace of one node: position, velocity, turn (body axes), relative rate, bias accelerations, then columns (modes, 6)
Q_POS, Q_VEL, Q_E, Q_W, Q_A, Q_AL, Q_PHI = 0, 3, 6, 15, 18, 21, 24

# results of one evaluation: power, external force (3), external torque about the inertial origin (3)
RESULTS = 7
