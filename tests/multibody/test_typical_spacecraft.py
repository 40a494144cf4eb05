"""The typical spacecraft of TR 32-1576, Fig. 1: six substructures, one of them imaginary, three flexible
structures on the bus.

b0 bus with three flexible structures (one appendage for the equations) and three wheels; b1 imaginary, b2 the
midcourse motor on a two-axis gimbal; b3 a platform; b4, b5 the antenna chain with a flexible antenna on b5.
"""

import numpy as np
import pytest
from support.trees import random_flexible

from tisserand.multibody import Body, MountedAppendage, Rotor, State, Vehicle, hinge, simulate, universal
from tisserand.multibody.loads import force, joint_torque, rotor_torque
from tisserand.multibody.profiles import step, versine


def spacecraft(imaginary_by_hand: bool = False) -> Vehicle:
    rng = np.random.default_rng(7)

    def rigid(name: str, mass: float, size: float) -> Body:
        return Body(name, mass, 0.1 * rng.normal(size=3), mass * size * np.diag([1.0, 1.2, 0.9]))

    bodies = [rigid("bus", 400.0, 0.6), rigid("motor", 25.0, 0.05), rigid("platform", 18.0, 0.08)]
    bodies += [rigid("boom", 9.0, 0.1), rigid("antenna", 6.0, 0.06)]
    wings = []
    for i, (name, body) in enumerate([("left", "bus"), ("right", "bus"), ("whip", "bus"), ("dish", "antenna")]):
        flexible = random_flexible(rng, 2)
        record = flexible.record
        record = record.changed(stiffness=25.0 * record.stiffness, damping=0.0 * record.damping)
        wings.append(MountedAppendage(name, record, body, 0.5 * rng.normal(size=3), flexible.axes if i else np.eye(3)))
    wheels = [Rotor(f"wheel{i}", "bus", np.eye(3)[i], 0.4, mass=4.0, transverse_inertia=0.2) for i in range(3)]
    at = [0.0, 0.0, -0.9]
    if imaginary_by_hand:
        bodies.insert(1, Body("cross"))
        gimbal = [
            hinge("gimbal 1", "bus", "cross", [1, 0, 0], parent_point=at),
            hinge("gimbal 2", "cross", "motor", [0, 1, 0]),
        ]
    else:
        gimbal = [universal("gimbal", "bus", "motor", [[1, 0, 0], [0, 1, 0]], parent_point=at)]
    joints = [
        *gimbal,
        hinge(
            "scan",
            "bus",
            "platform",
            [0, 0, 1],
            parent_point=[0.7, 0.3, 0.2],
            child_point=[-0.2, 0.0, 0.1],
            stiffness=30.0,
        ),
        hinge(
            "deploy",
            "bus",
            "boom",
            [0, 1, 0],
            parent_point=[-0.6, 0.2, 0.5],
            child_point=[0.4, 0.0, 0.0],
            stiffness=20.0,
        ),
        hinge(
            "point",
            "boom",
            "antenna",
            [1, 0.2, 0],
            parent_point=[-0.5, 0.0, 0.1],
            child_point=[0.2, 0.1, 0.0],
            stiffness=15.0,
        ),
    ]
    return Vehicle("typical spacecraft", bodies, joints, wheels, wings)


def start(vehicle: Vehicle) -> State:
    rates = (
        {"gimbal": [0.05, -0.04]}
        if any(j.name == "gimbal" for j in vehicle.joints)
        else {"gimbal 1": 0.05, "gimbal 2": -0.04}
    )
    return State(
        angular_velocity=[0.02, -0.01, 0.03],
        joint_rates={**rates, "scan": 0.1},
        rotor_rates={f"wheel{i}": 50.0 for i in range(3)},
    )


def loads(vehicle: Vehicle):
    gimbal = ["gimbal", 1] if any(j.name == "gimbal" for j in vehicle.joints) else ["gimbal 2", 0]
    return [
        joint_torque("scan", versine(3.0, 0.0, 1.0)), joint_torque(gimbal[0], versine(-0.5, 0.2, 0.8), gimbal[1]),
        rotor_torque("wheel2", step(0.3, 0.1)), force("motor", [0.0, 0.0, 1.0], versine(40.0, 0.5, 1.0), point="center"),
    ]  # fmt: skip


def test_degrees_of_freedom_are_six_plus_hinges_rotors_and_modes():
    """F8: the imaginary body costs nothing: 6 + 5 hinges + 3 rotors + 8 modes."""
    assert spacecraft().degrees_of_freedom == spacecraft(True).degrees_of_freedom == 6 + 5 + 3 + 8


def test_free_run_keeps_momentum_and_energy():
    """No loads: linear and angular momentum and energy to 1e-9 over 5 s."""
    vehicle = spacecraft()
    run = simulate(vehicle, 5.0, start(vehicle), samples=11, rtol=1e-11, atol=1e-13)
    assert max(run.balance.worst().values()) < 1e-9
    assert np.ptp(run.balance.energy) < 1e-9 * run.balance.energy[0]


@pytest.mark.slow
def test_loaded_run_is_the_same_with_the_gimbal_made_by_hand_and_with_the_other_engine():
    """Thruster on the gimballed motor, motors and a wheel torque; the checking function closes in every
    run."""
    plain, by_hand = spacecraft(), spacecraft(True)
    options = {"samples": 4, "rtol": 1e-10, "atol": 1e-12}
    runs = [simulate(v, 1.0, start(v), loads=loads(v), **options) for v in (plain, by_hand)]
    runs.append(simulate(plain, 1.0, start(plain), loads=loads(plain), engine="likins", **options))
    for other in runs[1:]:
        assert other.angular_velocity == pytest.approx(runs[0].angular_velocity, abs=1e-8)
        assert other.position == pytest.approx(runs[0].position, abs=1e-8)
        assert other.joints["point"] == pytest.approx(runs[0].joints["point"], abs=1e-8)
        assert other.modal["dish"] == pytest.approx(runs[0].modal["dish"], abs=1e-8)
    assert runs[1].joints["gimbal 2"][:, 0] == pytest.approx(runs[0].joints["gimbal"][:, 1], abs=1e-8)
    for run in runs:
        assert max(run.balance.worst().values()) < 1e-8


def test_appendages_on_one_body_are_one_appendage():
    """A8: the three structures of the bus do not act on one another but through it; their order changes
    nothing."""
    vehicle = spacecraft()
    turned = vehicle.changed(appendages=[*vehicle.appendages[2::-1], vehicle.appendages[3]])
    one, two = (simulate(v, 0.5, start(v), loads=loads(v), samples=2, rtol=1e-10) for v in (vehicle, turned))
    for name in one.modal:
        assert one.modal[name] == pytest.approx(two.modal[name], abs=1e-9)
