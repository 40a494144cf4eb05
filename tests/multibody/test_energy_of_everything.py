"""The energy balance closes through contact, friction, force elements and control at once, on flexible vehicles."""

from itertools import product

import numpy as np
import pytest
from support.appendages import random_bodies

from tisserand.multibody import Body, MountedAppendage, Rotor, State, Vehicle, controllers, hinge, prismatic, simulate
from tisserand.multibody.force_elements import anchor, bushing, joint_friction, node_anchor, rotor_drag, spring, tether
from tisserand.multibody.latches import end_stop, friction_lock, joint_lock, latch, switched
from tisserand.multibody.loops import distance_loop

LIMITS = (-0.2, 0.25)
WHEELS = [("wheel", [0, 0, 1])]

#: Of a panel whose hinge has limits: what stops, catches or frees it.
CONTACTS = {
    "soft stop": lambda rng: [end_stop("hinge", stiffness=rng.uniform(100, 300), damping=rng.uniform(0.5, 3))],
    "rebound": lambda rng: [end_stop("hinge", restitution=rng.uniform(0.3, 0.9))],
    "latch": lambda rng: [latch("hinge", 0.15, name="catch")],
    "release": lambda rng: [
        joint_lock("hinge", end=rng.uniform(0.1, 0.3), name="pyro"),
        end_stop("hinge", restitution=0.5),
    ],
}
#: Of the slider, the hinge and the wheel: what takes energy by rubbing.
FRICTIONS = {
    "smooth": lambda rng: [joint_friction("slide", rng.uniform(0.5, 2), breakaway=2.5, smoothing_rate=0.01)],
    "sticking": lambda rng: [friction_lock("slide", rng.uniform(0.5, 2), breakaway=2.5)],
    "drag": lambda rng: [rotor_drag("wheel", rng.uniform(0.05, 0.2), viscous=0.01)],
}
#: Between bodies and nodes.
ELEMENTS = {
    "spring": lambda rng: [spring(anchor("bus", [0, 1, 0]), node_anchor("wing", "tip"), 30.0, damping=1.0, length=0.8)],
    "tether": lambda rng: [tether(anchor("bus", [0, -1, 0]), anchor("block"), rng.uniform(50, 200), 0.7, damping=1.0)],
    "bushing": lambda rng: [
        bushing(
            anchor("bus", [1, 0, 0]), anchor("panel"), 20.0, turning_stiffness=5.0, damping=0.5, turning_damping=0.2
        )
    ],
    "rod that lets go": lambda rng: [switched(distance_loop(anchor("bus"), anchor("block"), START_GAP), end=0.25)],
}
CONTROLS = {
    "joint": lambda rng: controllers.joint_pid("hinge", rng.uniform(2, 5), 1.0, 0.5, limit=1.5),
    "wheel": lambda rng: controllers.attitude_pd("bus", 3.0, rng.uniform(4, 8), rotors=WHEELS),
    "speed": lambda rng: controllers.rotor_speed("wheel", 0.3, 0.1, reference=rng.uniform(2, 8), limit=0.5),
    "sampled": lambda rng: controllers.sampled(controllers.joint_pid("hinge", rng.uniform(2, 5), 1.0), 0.04, 0.01),
}
START_GAP = float(np.hypot(0.5, 0.6))
#: Every kind of each list stands in three or four of these twelve sets.
SETS = [
    tuple(list(table)[(i + k * j) % len(table)] for j, table in enumerate((CONTACTS, FRICTIONS, ELEMENTS, CONTROLS)))
    for k, i in product(range(3), range(4))
]


def vehicle(rng) -> Vehicle:
    """A free bus with a wheel, a hinged panel that carries a flexible part, and a sliding block."""
    bus = Body("bus", 30.0, inertia=rng.uniform(8, 12, 3))
    panel = Body("panel", 2.0, center=[0.4, 0, 0], inertia=[0.1, 0.3, 0.3])
    block = Body("block", 3.0, inertia=[0.1, 0.1, 0.1])
    joints = [
        hinge("hinge", "bus", "panel", [0, 0, 1], parent_point=[0.5, 0, 0], stiffness=3.0, limits=LIMITS),
        prismatic("slide", "bus", "block", [1, 0, 0], parent_point=[0.5, -0.6, 0], stiffness=20.0),
    ]
    wheel = Rotor("wheel", "bus", [0, 0, 1], spin_inertia=0.05)
    mount = MountedAppendage("wing", random_bodies(3), "panel", [0.8, 0, 0])
    return Vehicle("everything", [bus, panel, block], joints, rotors=[wheel], appendages=[mount])


def test_every_kind_is_drawn():
    for j, table in enumerate((CONTACTS, FRICTIONS, ELEMENTS, CONTROLS)):
        assert {names[j] for names in SETS} == set(table)


#: The first round has everything once, the last everything with another neighbor; the one between is slow.
SEEDS = [pytest.param(i, id=", ".join(s), marks=[pytest.mark.slow] * (4 <= i < 8)) for i, s in enumerate(SETS)]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_balance_closes(seed):
    rng = np.random.default_rng(seed)
    contact, friction, element, control = SETS[seed]
    loads = [*CONTACTS[contact](rng), *FRICTIONS[friction](rng), *ELEMENTS[element](rng)]
    law = CONTROLS[control](rng)
    start = State(
        angular_velocity=rng.uniform(-0.2, 0.2, 3),
        joint_rates={"hinge": 0.0 if contact == "release" else 1.5, "slide": 0.0 if "rod" in element else 0.7},
        joints={"hinge": 0.1 if contact == "release" else 0.0},
        rotor_rates={"wheel": 5.0},
        modal={"wing": 0.02 * rng.normal(size=4)},
    )
    run = simulate(vehicle(rng), 0.6, start, loads=loads, controllers=[law], samples=61, rtol=1e-9, atol=1e-11)
    assert run.complete
    worst = run.balance.worst()
    assert worst["energy"] < 1e-7 and worst["momentum"] < 1e-7 and worst["angular momentum"] < 1e-7, worst
    # something happened in each of them
    happened = " ".join(event.name for event in run.events)
    assert {"soft stop": True, "rebound": "rebounds" in happened, "latch": "catch holds" in happened,
            "release": "pyro lets go" in happened}[contact]  # fmt: skip
    if contact == "soft stop":
        assert run.joints["hinge"].max() > LIMITS[1]
    moved = {name: float(np.abs(values).max()) for name, values in run.load_strength.items()}
    assert all(max(moved[name] for name in moved if name.startswith(load.name)) > 0.0 for load in loads if load.element)
