"""Children on elastic joints absorbed into one appendage: the same small motions, the same momenta, fewer bodies."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from support.appendages import random_bodies

from tisserand.errors import VehicleError
from tisserand.multibody import (
    Body,
    Joint,
    MountedAppendage,
    Rotor,
    State,
    Vehicle,
    absorb,
    hinge,
    loads,
    nodal_audit,
    prismatic,
    profiles,
    simulate,
    system_modes,
)

TURNED = Rotation.from_rotvec([0.3, -0.5, 0.7]).as_matrix()
HUB = Body("hub", 80.0, [0.1, 0.0, 0.05], [30.0, 40.0, 35.0])


def chain() -> Vehicle:
    """Hub, panel on a sprung hinge, second panel on a universal joint with a slider beyond it, turned frames everywhere."""
    bodies = (
        HUB,
        Body("inner", 6.0, [0.5, 0.1, 0.0], [0.4, 0.9, 1.2]),
        Body("outer", 4.0, [0.4, 0.0, 0.1], [0.3, 0.5, 0.6]),
        Body("tray", 1.5, [0.0, 0.1, 0.0], [0.05, 0.04, 0.06]),
    )
    joints = (
        hinge("root", "hub", "inner", [0, 1, 1], parent_point=[0.5, 0.2, 0.0], parent_frame=TURNED, stiffness=60.0, damping=0.4),
        Joint(
            "elbow", "universal", "inner", "outer", parent_point=[1.0, 0.0, 0.0], child_frame=TURNED.T,
            axes=[[0, 0, 1], [0, 1, 0]], stiffness=(30.0, 45.0), damping=(0.2, 0.1),
        ),
        prismatic("rail", "outer", "tray", [1, 0, 0], parent_point=[0.5, 0, 0.2], stiffness=200.0),
    )  # fmt: skip
    return Vehicle("chain", bodies, joints)


def flexible() -> Vehicle:
    """A flexible wing on the hub with a body on a ball joint at its tip, which carries a flexible dish of its own."""
    wing, dish = random_bodies(3), random_bodies(5, bodies=5, modes=3)
    return Vehicle(
        "flexible",
        (HUB, Body("head", 3.0, [0.1, 0.2, 0.0], [0.2, 0.3, 0.25])),
        (Joint("neck", "ball", "hub", "head", parent_interface=("wing", "tip"), child_point=[0.0, -0.1, 0.0],
               parent_frame=TURNED, stiffness=(25.0,), damping=(0.3,)),),
        appendages=(
            MountedAppendage("wing", wing, "hub", [0.4, 0.0, 0.3], TURNED),
            MountedAppendage("dish", dish, "head", [0.0, 0.2, 0.1], TURNED.T),
        ),
    )  # fmt: skip


@pytest.mark.parametrize("vehicle, joint", [(chain(), "root"), (chain(), "elbow"), (flexible(), "neck")])
def test_system_modes_do_not_change(vehicle, joint):
    """Eigenvalues of the linear vehicle at rest are those before, damping included."""
    whole = absorb(vehicle, [joint])
    assert whole.mass == pytest.approx(vehicle.mass, rel=1e-14)
    assert whole.degrees_of_freedom == vehicle.degrees_of_freedom and len(whole.bodies) < len(vehicle.bodies)
    before, after = (np.sort_complex(system_modes(v).eigenvalues) for v in (vehicle, whole))
    assert len(before) == len(after)
    assert np.abs(before - after).max() < 1e-7 * np.abs(before).max()


@pytest.mark.parametrize("make, joint, body", [(chain, "root", "outer"), (flexible, "neck", "head")])
def test_flights_differ_by_the_square_of_the_motion(make, joint, body):
    """The same torque on the hub: position of an absorbed body, from joints and from the new modes."""
    vehicle = make()
    whole = absorb(vehicle, [joint])
    errors = []
    for size in (2.0, 0.2):
        push = [loads.torque("hub", [0.3, -0.5, 1.0], profiles.bang_bang(size, 0.1, 0.6))]
        one = simulate(vehicle, 1.0, State(), loads=push, samples=11, rtol=1e-11, atol=1e-14)
        two = simulate(whole, 1.0, State(), loads=push, samples=11, rtol=1e-11, atol=1e-14)
        hub, child = vehicle.base, one.body(body)
        R, x = one.rotation[:, one.body(hub)], one.origin[:, one.body(hub)]
        seen = np.einsum("nba,nb->na", R, one.origin[:, child] - x)
        moved = two.modal["hub+"] @ whole.appendages[-1].record.interface(f"{body}.origin").translation.T
        errors.append(np.abs(seen - seen[0] - moved).max())
        assert np.abs(seen - seen[0]).max() > 1e-4 * size
        assert max(nodal_audit(two, whole).values()) < 1e-11 or not whole.appendages[-1].record.sources
    assert errors[1] < 0.02 * errors[0]


def test_few_modes_carry_the_low_frequencies():
    whole, short = absorb(chain(), ["root"]), absorb(chain(), ["root"], count=2)
    assert short.appendages[0].record.count == 2
    assert short.appendages[0].record.frequencies_hz == pytest.approx(whole.appendages[0].record.frequencies_hz[:2])


def test_what_cannot_be_absorbed_is_named():
    vehicle = chain()
    with pytest.raises(VehicleError, match="elbow"):
        absorb(vehicle, ["root", "elbow"])
    with pytest.raises(VehicleError, match="wheel"):
        absorb(vehicle.changed(rotors=(Rotor("wheel", "outer", [1, 0, 0], 0.1),)), ["root"])
    driven = hinge("root", "hub", "inner", [0, 1, 1], motion=profiles.constant(0.1))
    with pytest.raises(VehicleError, match="prescribed"):
        absorb(vehicle.changed(joints=(driven, *vehicle.joints[1:])), ["root"])
    with pytest.raises(VehicleError, match="unknown joint"):
        absorb(vehicle, ["knee"])
