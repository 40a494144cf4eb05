"""Rigid random trees as MuJoCo models: accelerations by an engine nobody here wrote."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from support.trees import RandomTree


def _numbers(values) -> str:
    return " ".join(repr(float(v)) for v in np.ravel(values))


def _quaternion(matrix) -> np.ndarray:
    x, y, z, w = Rotation.from_matrix(matrix).as_quat()
    return np.array([w, x, y, z])


def _xml(tree: RandomTree, tendons=()) -> str:
    children = {k: [j for j, b in enumerate(tree.bodies) if b.parent == k] for k in range(len(tree.bodies))}

    def body(k: int) -> str:
        b = tree.bodies[k]
        I = b.inertia
        full = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
        inertial = f'<inertial pos="{_numbers(b.center)}" mass="{b.mass!r}" fullinertia="{_numbers(full)}"/>'
        if k == 0:
            head = '<body name="b0" pos="0 0 0"><freejoint/>'
        else:
            pos = b.point_parent - b.align @ b.point_self
            head = (
                f'<body name="b{k}" pos="{_numbers(pos)}" quat="{_numbers(_quaternion(b.align))}">'
                f'<joint name="j{k}" type="hinge" pos="{_numbers(b.point_self)}" axis="{_numbers(b.axis)}"/>'
            )
        for i, (ends, points, *_) in enumerate(tendons):
            for side, (end, point) in enumerate(zip(ends, points)):
                if end == k:
                    inertial += f'<site name="s{i}{side}" pos="{_numbers(point)}"/>'
        return head + inertial + "".join(body(j) for j in children[k]) + "</body>"

    lines = "".join(
        f'<spatial springlength="{_numbers([length, length])}" stiffness="{k!r}" damping="{c!r}">'
        f'<site site="s{i}0"/><site site="s{i}1"/></spatial>'
        for i, (_, _, k, c, length) in enumerate(tendons)
    )
    return (
        '<mujoco><compiler autolimits="false" inertiafromgeom="false" balanceinertia="false" angle="radian"/>'
        f'<option gravity="{_numbers(tree.gravity)}"><flag contact="disable" constraint="disable"/></option>'
        f"<worldbody>{body(0)}</worldbody><tendon>{lines}</tendon></mujoco>"
    )


def mujoco_accelerations(tree: RandomTree, tendons=()) -> np.ndarray:
    """u' = [acceleration of body 0's origin, inertial; angular acceleration of body 0, body axes; hinges] for
    a rigid tree; tendons: (bodies (2), points (2, 3) in their axes, stiffness, damping, length)."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(_xml(tree, tendons))
    data = mujoco.MjData(model)
    n = len(tree.bodies) - 1
    where = [model.jnt_dofadr[model.joint(f"j{k}").id] for k in range(1, n + 1)]
    place = [model.jnt_qposadr[model.joint(f"j{k}").id] for k in range(1, n + 1)]
    data.qpos[:3], data.qpos[3:7] = tree.pose.X, _quaternion(tree.pose.R0)
    data.qpos[place] = tree.pose.gamma
    data.qvel[:6] = tree.speeds[:6]
    data.qvel[where] = tree.speeds[6:]
    mujoco.mj_fwdPosition(model, data)
    data.qfrc_applied[where] = tree.motors - tree.springs * tree.pose.gamma - tree.dampers * tree.speeds[6:]
    for k, b in enumerate(tree.bodies):
        i = model.body(f"b{k}").id
        R = data.xmat[i].reshape(3, 3)
        force = R @ tree.forces[k]
        data.xfrc_applied[i, :3] = force
        data.xfrc_applied[i, 3:] = R @ tree.torques[k] + np.cross(-R @ b.center, force)
    mujoco.mj_forward(model, data)
    return np.concatenate([data.qacc[:6], data.qacc[where]])
