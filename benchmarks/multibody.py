"""Right-hand side of trees against Pinocchio and MuJoCo, hub + appendage runs against Exudyn, and operation counts.

``python benchmarks/multibody.py`` prints one table of ratios. Times are the best of several repeats of a Python loop around
one call each, so the call overhead of every tool is included. Runs of hub + appendage are compared at equal error: the modal
coordinates of both tools against one run of ours at tolerance 1e-11 (Exudyn's error falls with the square of its step
toward it), our wall time interpolated between two tolerances. Pinocchio, MuJoCo and Exudyn are optional (extra ``benchmark``).
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
sys.path.insert(0, str(Path(__file__).parent))

import exudyn_hub

PUBLISHED = {"angle rates": 4452, "hinge rates": 3195, "inertial components": 1460}
EXUDYN_STEP_MS = {10: 0.055, 50: 0.58}  # generalized-alpha, h = 1 ms, hub + reduced-order body, measured on two cores


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


def best_microseconds(call: Callable[[], object], repeats: int = 100, number: int = 200) -> float:
    """Best mean time of one call, us; long calls are repeated less often."""
    call()
    begun = time.perf_counter()
    call()
    number = max(1, min(number, int(0.002 / (time.perf_counter() - begun))))
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
    W, dy, M, F = c.workspace(), np.zeros_like(y), c.M, c.F
    return best_microseconds(lambda: rhs(M, F, W, U, 0.0, y, dy))


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


def mujoco_tree(hinges: int):
    """The same tree in MuJoCo."""
    import mujoco as mj

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
    return spec.compile()


def mujoco(hinges: int) -> float | None:
    """``mj_forward`` on the same tree."""
    try:
        import mujoco as mj
    except ImportError:
        return None
    model = mujoco_tree(hinges)
    data = mj.MjData(model)
    data.qvel[:] = np.random.default_rng(0).normal(size=model.nv)
    return best_microseconds(lambda: mj.mj_forward(model, data))


def hub_and_wing(modes: int):
    """The hub, the wing of particles (all its inertia terms exist in Exudyn too) with modes from 10 to 20 Hz, and the slew."""
    from support.flexible import random_appendage

    from tisserand.multibody import Body, MountedAppendage, Vehicle, loads, profiles

    wing = random_appendage(1, modes, nodes=4 * modes, frequency=20.0, bodies=False)
    vehicle = Vehicle(
        "hub",
        (Body("hub", exudyn_hub.HUB_MASS, inertia=exudyn_hub.HUB_INERTIA),),
        appendages=(MountedAppendage("wing", wing, "hub", exudyn_hub.ARM),),
    )
    return wing, vehicle, [loads.torque("hub", [0, 0, 1], profiles.bang_bang(5.0, 0.5, 6.0))]


def fly_here(vehicle, push, times, rtol: float, repeats: int = 1):
    """The fastest of some runs."""
    from tisserand.multibody import simulate

    runs = (
        simulate(vehicle, exudyn_hub.SECONDS, loads=push, times=times, rtol=rtol, atol=1e-3 * rtol)
        for _ in range(repeats)
    )
    return min(runs, key=lambda run: run.statistics.wall_seconds)


def hub_and_appendage(modes: int) -> None:
    """The same 10 s in both tools: wall times and errors, and the ratio of wall times at equal error."""
    from tisserand.multibody import State

    wing, vehicle, push = hub_and_wing(modes)
    times = np.linspace(0.0, exudyn_hub.SECONDS, round(exudyn_hub.SECONDS / exudyn_hub.OUTPUT_STEP) + 1)
    exact = fly_here(vehicle, push, times, 1e-11).modal["wing"]

    def error(eta) -> float:
        return float(np.abs(eta - exact).max() / np.abs(exact).max())

    print(f"hub + {modes} modes, 10 s, full inertia; right-hand side {ours(vehicle, State()):.2f} us, call included")
    walls, errors = [], []
    for rtol in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7):
        run = fly_here(vehicle, push, times, rtol, 400 // modes)
        walls.append(run.statistics.wall_seconds)
        errors.append(error(run.modal["wing"]))
        print(f"   tisserand rtol {rtol:.0e}: {1e3 * walls[-1]:8.2f} ms, error {errors[-1]:.1e}")
    try:
        import exudyn  # noqa: F401
    except ImportError:
        print(f"   Exudyn missing; measured before: {EXUDYN_STEP_MS[modes]} ms per step of 1 ms")
        return
    order = np.argsort(errors)
    cases = [("GeneralizedAlpha", 1e-3, False), ("GeneralizedAlpha", 1e-3, True)]
    cases += [("GeneralizedAlpha", 2.5e-4, True)] if modes <= 10 else []
    cases += [("RK44", 4e-3, True), ("RK67", 5e-3, True), ("RK67", 2.5e-3, True)]
    for method, step, merged in cases:
        wall = np.inf
        for _ in range(max(80 // modes, 1)):
            once, eta = exudyn_hub.fly(wing, step, merged=merged, method=method)
            wall = min(wall, once)
        gap = error(eta)
        same = np.exp(np.interp(np.log(gap), np.log(errors)[order], np.log(walls)[order]))
        note = "" if min(errors) <= gap <= max(errors) else " (our nearest tolerance)"
        print(
            f"   Exudyn {method:16s} h {1e3 * step:5.2f} ms, {'merged' if merged else 'joint':6s}: {1e3 * wall:8.1f} ms, "
            f"error {gap:.1e}; ours at that error {1e3 * same:6.2f} ms{note}: ratio {wall / same:.1f}"
        )


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


def counting(table: np.ndarray) -> np.recarray:
    """A table of records whose floats count."""
    fields = [(n, object if t.base.kind == "f" else t.base, t.shape) for n, (t, *_) in table.dtype.fields.items()]
    out = np.zeros(table.shape, fields)
    for name, kind, _ in fields:
        out[name] = np.vectorize(Counted, otypes=[object])(table[name]) if kind is object else table[name]
    return out.view(np.recarray)


def count_here(vehicle, state) -> dict[str, int]:
    """Arithmetic of one evaluation; to be run without compiled kernels."""
    from tisserand.multibody.recursive import _kernels_solve as solve
    from tisserand.multibody.recursive.compile import compile_vehicle
    from tisserand.multibody.recursive.engine_model import Model
    from tisserand.multibody.recursive.states import pack_state
    from tisserand.multibody.recursive.workspace import Workspace

    c = compile_vehicle(vehicle)
    y, U = pack_state(c, state)
    model = Model(*(counting(table) for table in c.model))
    tables = c.opened(c.workspace())
    numbers = np.vectorize(Counted, otypes=[object])
    spare = np.zeros(4096)  # plain Python makes views of tables that are empty
    flat = (t if t.size or t.dtype.fields or t.ndim > 1 else spare for t in tables)
    work = Workspace(*(counting(t) if t.dtype.fields else numbers(t) if t.size else t for t in flat))
    solve.open_model, solve.open_workspace = (lambda M: M), (lambda h, W: W)
    F, U, y, dy = (numbers(a) for a in (c.F, U, y, np.zeros_like(y)))
    Counted.counts.update(add=0, multiply=0, divide=0)
    assert solve.rhs(model, F, work, U, 0.0, y, dy) == 0
    return {**Counted.counts, "total": sum(Counted.counts.values())}


def main() -> None:
    if "--count" in sys.argv:
        from support.manipulator import manipulator

        from tisserand.multibody import State

        state = State(angular_velocity=[0.1, 0.2, 0.3], joints={"CD": 0.3}, joint_rates={"AB": 0.2})
        print(json.dumps(count_here(manipulator(), state)))
        return
    print("hinges   tisserand us   pin.aba us  ratio   mj_forward us  ratio")
    for hinges in (6, 20, 100):
        rounds = [(ours(*chain(hinges)), pinocchio(hinges), mujoco(hinges)) for _ in range(4)]
        a, b, m = (min(x) if x[0] else None for x in zip(*rounds))
        cells = [f"{x:9.2f}  {a / x:5.2f}" if x else "  missing      -" for x in (b, m)]
        print(f"{hinges:6d}   {a:12.2f}   {cells[0]}   {cells[1]}")
    from support.manipulator import manipulator

    from tisserand.multibody import State

    cost = ours(manipulator(), State(joint_rates={"AB": 0.2}))
    print(f"manipulator spacecraft: {cost:.2f} us; operations {operation_count()}; report {PUBLISHED}")
    for modes in (10, 50):
        hub_and_appendage(modes)


if __name__ == "__main__":
    main()
