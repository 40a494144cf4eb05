"""Right-hand side of trees against Pinocchio and MuJoCo, hub + appendage runs, and operation counts.

``python benchmarks/multibody.py`` prints one table of ratios. Times are the best of several repeats of a Python loop around
one call each, so the call overhead of every tool is included. Pinocchio and MuJoCo are optional (extra ``benchmark``).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

PUBLISHED = {"angle rates": 4452, "hinge rates": 3195, "inertial components": 1460}
EXUDYN_STEP_MS = {10: 1.09, 50: 5.9}  # generalised-alpha, h = 1 ms, hub + reduced-order body, measured on two cores


def chain(hinges: int, seed: int = 0):
    """A random tree with a free base: every body hangs on one of the last three."""
    from tisserand.multibody import Body, State, Vehicle, hinge

    rng = np.random.default_rng(seed)
    bodies, joints = [Body("b0", 50.0, inertia=[9, 10, 11])], []
    for k in range(1, hinges + 1):
        bodies.append(Body(f"b{k}", rng.uniform(1, 5), rng.normal(size=3) * 0.1, rng.uniform(1, 1.8, 3)))
        axis = rng.normal(size=3)
        parent = int(rng.integers(max(0, k - 3), k))
        joints.append(
            hinge(
                f"h{k}",
                f"b{parent}",
                f"b{k}",
                axis,
                parent_point=rng.normal(size=3) * 0.4,
                child_point=rng.normal(size=3) * 0.4,
            )
        )
    rates = {f"h{k}": rng.normal() for k in range(1, hinges + 1)}
    angles = {f"h{k}": rng.normal() for k in range(1, hinges + 1)}
    return Vehicle("tree", tuple(bodies), tuple(joints)), State(
        angular_velocity=[0.1, 0.2, 0.3], joints=angles, joint_rates=rates
    )


def best_microseconds(call: Callable[[], object], repeats: int = 7, number: int = 2000) -> float:
    """Best mean time of one call, us."""
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(number):
            call()
        times.append((time.perf_counter() - start) / number)
    return 1e6 * min(times)


def ours(vehicle, state) -> float:
    from tisserand.multibody.recursive._kernels_solve import rhs
    from tisserand.multibody.recursive.compile import compile_vehicle
    from tisserand.multibody.recursive.states import pack_state

    c = compile_vehicle(vehicle)
    y, U = pack_state(c, state)
    W, dy, I, F = c.workspace(), np.zeros_like(y), c.I, c.F
    return best_microseconds(lambda: rhs(I, F, W, U, 0.0, y, dy))


def pinocchio(hinges: int) -> float | None:
    """``pin.aba`` on a free-floating random tree of the same size."""
    try:
        import pinocchio as pin
    except ImportError:
        return None
    vehicle, _ = chain(hinges)
    model = pin.Model()
    base = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "base")
    model.appendBodyToJoint(base, pin.Inertia(50.0, np.zeros(3), np.diag([9.0, 10, 11])), pin.SE3.Identity())
    ids = {"b0": base}
    place = {"b0": np.zeros(3)}
    for joint in vehicle.joints:
        body = vehicle.body(joint.child)
        offset = joint.parent_point - place[joint.parent]
        axis = joint.axes[0]
        ids[body.name] = model.addJoint(
            ids[joint.parent], pin.JointModelRevoluteUnaligned(*axis), pin.SE3(np.eye(3), offset), joint.name
        )
        place[body.name] = joint.child_point
        model.appendBodyToJoint(
            ids[body.name],
            pin.Inertia(body.mass, body.center - joint.child_point, np.array(body.inertia)),
            pin.SE3.Identity(),
        )
    data = model.createData()
    q, v, tau = pin.neutral(model), np.random.default_rng(0).normal(size=model.nv), np.zeros(model.nv)
    return best_microseconds(lambda: pin.aba(model, data, q, v, tau))


def mujoco(hinges: int) -> float | None:
    """``mj_forward`` on the same tree."""
    try:
        import mujoco as mj
    except ImportError:
        return None
    vehicle, _ = chain(hinges)
    spec = mj.MjSpec()
    spec.option.gravity = [0, 0, 0]
    spec.option.disableflags |= int(mj.mjtDisableBit.mjDSBL_CONTACT)
    base = spec.worldbody.add_body(name="b0", mass=50.0, inertia=[9, 10, 11], explicitinertial=True)
    base.add_freejoint()
    bodies = {"b0": base}
    for joint in vehicle.joints:
        body = vehicle.body(joint.child)
        child = bodies[joint.parent].add_body(
            name=body.name,
            pos=joint.parent_point - joint.child_point,
            mass=body.mass,
            ipos=body.center,
            inertia=np.diag(body.inertia),
            explicitinertial=True,
        )
        child.add_joint(type=mj.mjtJoint.mjJNT_HINGE, axis=joint.axes[0], pos=joint.child_point)
        bodies[body.name] = child
    model = spec.compile()
    data = mj.MjData(model)
    data.qvel[:] = np.random.default_rng(0).normal(size=model.nv)
    return best_microseconds(lambda: mj.mj_forward(model, data))


def hub_and_appendage(modes: int, duration: float = 10.0) -> dict[str, float]:
    """A slewing hub with a wing of ``modes`` modes below 20 Hz for 10 s: wall time of adaptive runs, us per right-hand side."""
    from support.flexible import random_appendage

    from tisserand.multibody import Body, MountedAppendage, State, Vehicle, loads, profiles, simulate

    wing = random_appendage(1, modes, nodes=4 * modes, frequency=20.0)
    vehicle = Vehicle(
        "hub",
        (Body("hub", 500.0, inertia=[200, 180, 220]),),
        appendages=(MountedAppendage("wing", wing, "hub", [1, 0, 0]),),
    )
    push = [loads.torque("hub", [0, 0, 1], profiles.bang_bang(5.0, 0.5, 6.0))]
    walls, errors = {}, {}
    reference = simulate(vehicle, duration, loads=push, samples=101, rtol=1e-10)
    for rtol in (1e-3, 1e-4, 1e-5, 1e-6):
        run = min(
            (simulate(vehicle, duration, loads=push, samples=101, rtol=rtol, atol=rtol * 1e-3) for _ in range(3)),
            key=lambda r: r.statistics.wall_seconds,
        )
        walls[rtol] = run.statistics.wall_seconds
        errors[rtol] = float(
            np.abs(run.modal["wing"] - reference.modal["wing"]).max() / np.abs(reference.modal["wing"]).max()
        )
    return {
        "rhs us": ours(vehicle, State()),
        **{f"wall s at {r:g} (error {errors[r]:.0e})": w for r, w in walls.items()},
    }


def exudyn_step_ms(modes: int, steps: int = 200) -> float | None:
    """ObjectFFRFreducedOrder with the same modes, free, generalised-alpha with 1 ms steps: ms per step (no hub, no joint)."""
    try:
        import exudyn as exu
        from exudyn.FEM import FEMinterface, ObjectFFRFreducedOrderInterface
    except ImportError:
        return None
    from scipy.sparse import csr_matrix, diags
    from support.flexible import random_appendage

    wing = random_appendage(1, modes, nodes=4 * modes, frequency=20.0, bodies=False)
    n = len(wing.nodes)
    rng = np.random.default_rng(1)
    rng.uniform(0.2, 0.5, (n, 3))
    mass = np.repeat(rng.uniform(0.3, 1.5, n), 3)
    shapes = wing.nodes.translation.reshape(3 * n, modes)
    momenta = mass[:, None] * shapes
    fem = FEMinterface()
    fem.nodes, fem.elements = {"Position": np.array(wing.nodes.positions)}, []
    fem.massMatrix = csr_matrix(diags(mass))
    fem.stiffnessMatrix = csr_matrix(momenta @ wing.stiffness @ momenta.T)
    fem.modeBasis = {"matrix": shapes.copy(), "type": "NormalModes"}
    mbs = exu.SystemContainer().AddSystem()
    ObjectFFRFreducedOrderInterface(fem).AddObjectFFRFreducedOrder(mbs, initialAngularVelocity=[0.1, 0.2, 0.3])
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps, settings.timeIntegration.endTime = steps, steps * 1e-3
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.newton.useModifiedNewton = True
    begun = time.perf_counter()
    mbs.SolveDynamic(settings)
    return 1e3 * (time.perf_counter() - begun) / steps


def operation_count() -> dict[str, int]:
    """Arithmetic of one right-hand side of S3's manipulator spacecraft, counted by running the kernels in plain Python."""
    environment = dict(os.environ, NUMBA_DISABLE_JIT="1")
    out = subprocess.run(
        [sys.executable, __file__, "--count"], env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(out.stdout)


class Counted(float):
    """A float that counts what is done with it."""

    counts: dict[str, int] = {"add": 0, "multiply": 0, "divide": 0}  # noqa: RUF012


def _counting(name: str, kind: str):
    plain = getattr(float, name)

    def operation(self, other):
        result = plain(self, other)
        if result is NotImplemented:
            return result
        Counted.counts[kind] += 1
        return Counted(result)

    return operation


for _word, _kind in (("add", "add"), ("sub", "add"), ("mul", "multiply"), ("truediv", "divide")):
    for _name in (f"__{_word}__", f"__r{_word}__"):
        setattr(Counted, _name, _counting(_name, _kind))


def count_here() -> dict[str, int]:
    from support.manipulator import manipulator

    from tisserand.multibody import State
    from tisserand.multibody.recursive._kernels_solve import rhs
    from tisserand.multibody.recursive.compile import compile_vehicle
    from tisserand.multibody.recursive.states import pack_state

    c = compile_vehicle(manipulator())
    y, U = pack_state(c, State(angular_velocity=[0.1, 0.2, 0.3], joints={"CD": 0.3}, joint_rates={"AB": 0.2}))
    counted = [np.array([Counted(v) for v in a], dtype=object) for a in (c.F, c.workspace(), U, y, np.zeros_like(y))]
    Counted.counts.update(add=0, multiply=0, divide=0)
    rhs([int(i) for i in c.I], counted[0], counted[1], counted[2], 0.0, counted[3], counted[4])
    return {**Counted.counts, "total": sum(Counted.counts.values())}


def main() -> None:
    if "--count" in sys.argv:
        print(json.dumps(count_here()))
        return
    print("hinges   tisserand us   pin.aba us  ratio   mj_forward us  ratio")
    for hinges in (6, 20, 100):
        a, b, m = ours(*chain(hinges)), pinocchio(hinges), mujoco(hinges)
        cells = [f"{x:9.2f}  {a / x:5.2f}" if x else "  missing      -" for x in (b, m)]
        print(f"{hinges:6d}   {a:12.2f}   {cells[0]}   {cells[1]}")
    from support.manipulator import manipulator

    from tisserand.multibody import State

    cost = ours(manipulator(), State(joint_rates={"AB": 0.2}))
    print(f"manipulator spacecraft: {cost:.2f} us; operations {operation_count()}; report {PUBLISHED}")
    for modes in (10, 50):
        result = hub_and_appendage(modes)
        print(f"hub + {modes} modes, 10 s: " + ", ".join(f"{k} {v:.4g}" for k, v in result.items()))
        live = exudyn_step_ms(modes)
        step, source = (live, "this run") if live else (EXUDYN_STEP_MS[modes], "measured before")
        walls = [10.0 * step / v for k, v in result.items() if k.startswith("wall")]
        ratios = ", ".join(f"{w:.0f}" for w in walls)
        print(f"   Exudyn {step:.3g} ms per step of 1 ms ({source}), 10 s: {10.0 * step:.3g} s; ratios {ratios}")


if __name__ == "__main__":
    main()
