"""The manipulator spacecraft of Mitiguy and Kane's paper on motion variables: nine degrees of freedom about its mass center.

Spacecraft A, shoulder B turning at A's mass center, upper arm C, forearm D, hand E on a ball joint at its own mass center.
The paper's shortest dynamical equation, with inertial rates as motion variables, holds along any run:

    u2' = [T2A - T(A/B) - (I1A - I3A) u1 u3] / I2A

so do its kinematical equations q4' = u4 - u2, q5' = u5 - s4 u1 - c4 u3, q6' = u6 - u5 (Table 1).
"""

from pathlib import Path

import kit
import numpy as np

import tisserand as ts

INERTIA_A = np.array([900.0, 1100.0, 700.0])
ARM = 2.0  # length of upper arm and forearm, m


def spacecraft() -> ts.Vehicle:
    bodies = [
        ts.Body("A", 1500.0, inertia=INERTIA_A),
        ts.Body("B", 40.0, inertia=[3.0, 4.0, 3.0]),
        ts.Body("C", 30.0, [ARM / 2, 0, 0], [0.4, 10.0, 10.0]),
        ts.Body("D", 25.0, [ARM / 2, 0, 0], [0.3, 8.4, 8.4]),
        ts.Body("E", 60.0, inertia=[6.0, 8.0, 5.0]),
    ]
    joints = [
        ts.hinge("shoulder", "A", "B", [0, 1, 0]),
        ts.hinge("lift", "B", "C", [0, 0, 1]),
        ts.hinge("elbow", "C", "D", [0, 0, 1], parent_point=[ARM, 0, 0]),
        ts.ball("wrist", "D", "E", parent_point=[ARM, 0, 0]),
    ]
    return ts.Vehicle("manipulator spacecraft", bodies, joints)


def main(folder: Path | None = None) -> dict[str, float]:
    vehicle = spacecraft()
    thrusters = ts.profiles.versine(30.0, 1.0, 4.0)  # attitude torque about a2, N m
    wrist = ts.profiles.versine(1.5, 3.0, 4.0)
    motors = [
        ts.loads.joint_torque("shoulder", ts.profiles.bang_bang(20.0, 0.0, 8.0)),
        ts.loads.joint_torque("lift", ts.profiles.bang_bang(25.0, 1.0, 8.0)),
        ts.loads.joint_torque("elbow", ts.profiles.bang_bang(-12.0, 2.0, 6.0)),
        ts.loads.torque("E", [0, 1, 0], wrist, inertial=True),  # a ball joint has no axis: its motor acts on both sides
        ts.loads.torque("D", [0, -1, 0], wrist, inertial=True),
        ts.loads.torque("A", [0, 1, 0], thrusters),
    ]
    start = ts.State(angular_velocity=[0.02, -0.01, 0.03], joints={"lift": 0.6, "elbow": -1.0})
    run = ts.simulate(vehicle, 12.0, start, loads=motors, samples=601, rtol=1e-11, atol=1e-13)

    u = run.rate_in_body("A")
    u_dot = np.einsum("nji,nj->ni", run.rotation[:, 0], run.angular_acceleration[:, 0])[:, 1]
    drive = run.load_strength["shoulder.torque"]
    I1, I2, I3 = INERTIA_A
    closed = (run.load_strength["A.torque"] - drive - (I1 - I3) * u[:, 0] * u[:, 2]) / I2

    q4 = run.joints["shoulder"][:, 0]
    u4, u5, u6 = run.rate_in_body("B")[:, 1], run.rate_in_body("C")[:, 2], run.rate_in_body("D")[:, 2]
    table_1 = {"shoulder": u4 - u[:, 1], "lift": u5 - np.sin(q4) * u[:, 0] - np.cos(q4) * u[:, 2], "elbow": u6 - u5}
    kinematics = max(np.abs(run.joint_rates[name][:, 0] - q_dot).max() for name, q_dot in table_1.items())
    if folder is not None:
        draw(folder, run, u_dot, closed)
    return {
        "degrees of freedom without translation": vehicle.degrees_of_freedom - 3,
        "u2' against the paper (rad/s2)": float(np.abs(u_dot - closed).max()),
        "largest u2' (rad/s2)": float(np.abs(u_dot).max()),
        "rates against Table 1 (rad/s)": float(kinematics),
        "hand turn (deg)": float(np.degrees(2 * np.arccos(abs(run.joints["wrist"][-1, 0])))),
        **{f"{name} balance": value for name, value in run.balance.worst().items()},
    }


def draw(folder, run, u_dot, closed):
    made, axes = kit.plot(1, 2, width=10.0, height=4.0)
    kit.label(axes[0], "Joint angles", "time (s)", "angle (deg)")
    for name in ("shoulder", "lift", "elbow"):
        axes[0].plot(run.times, np.degrees(run.joints[name][:, 0]), label=name)
    axes[0].legend(frameon=False, fontsize=9)
    kit.label(axes[1], "Shortest dynamical equation of the paper", "time (s)", "u2' (mrad/s²)")
    axes[1].plot(run.times, 1e3 * u_dot, label="simulated")
    axes[1].plot(run.times[::15], 1e3 * closed[::15], "o", markersize=3.5, label="paper's right-hand side")
    axes[1].legend(frameon=False, fontsize=9)
    kit.save(made, folder, "04_manipulator")


if __name__ == "__main__":
    kit.run(main)
