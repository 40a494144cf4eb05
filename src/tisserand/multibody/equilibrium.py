"""Equilibria and steady motions by damped Newton (O2): the state in which nothing accelerates relative to the base.

Unknown are joint and modal coordinates (and the states of control laws); wanted are zero accelerations of all of them with
their rates zero. The base moves as stated: held, in uniform spin, or free under its loads. On request the axis of a free spin
is unknown too: two turns of w across itself, against the two components of the base's angular acceleration across w (with all
else at rest I alpha = -w x H has none along w, so that these two vanish only with all three). Newton's steps are shortened until
the correction that would follow becomes smaller (the natural test, blind to units); a singular direction without force
keeps its initial value; one with a force cannot be balanced and is refused.

Steady motions as in S4 13.1 and 15.11; linearized by S0 Eqs 112-117.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray, frozen, skew, symmetric
from tisserand.errors import NotConvergedError, VehicleError
from tisserand.multibody.controllers import Controller
from tisserand.multibody.linear import around, linearize
from tisserand.multibody.loads import Load
from tisserand.multibody.loop_linear import kept_motions
from tisserand.multibody.loop_projection import Projector, assembled
from tisserand.multibody.perturbed import Perturbed
from tisserand.multibody.recursive.engine_model import POSE
from tisserand.multibody.recursive.states import unpack_state
from tisserand.multibody.state import State
from tisserand.multibody.vehicle import Vehicle
from tisserand.notebook_html import html_table

#: Directions whose singular value falls below this fraction of the largest carry no restoring force.
SINGULAR = 1e-10
#: Rows of accelerations below this fraction of the largest are round-off.
NOISE = 1e-13
#: Of the restoring accelerations that cancel in an equilibrium.
ROUND_OFF = 1e-12
#: Principal axes by ascending inertia.
PRINCIPAL = ("minor", "intermediate", "major")


@checked_arguments
@dataclass(frozen=True, eq=False)
class SteadyState:
    """A state without relative acceleration.

    residual (m,): accelerations left in ``coordinates`` (rad/s², m/s², modal units), largest error in ``worst``;
    base_acceleration (6,): linear (inertial axes) and angular (base axes) acceleration of a free base in this state: the angular
    part vanishes in a steady spin about a principal axis. indifferent: how many directions nothing holds (kept as guessed).
    iterations: Newton steps taken.
    """

    state: State
    coordinates: tuple[str, ...]
    residual: FloatArray
    base_acceleration: FloatArray
    indifferent: int
    iterations: int

    @property
    def worst(self) -> float:
        """Largest acceleration left."""
        return float(np.abs(self.residual).max(initial=0.0))

    @property
    def steady(self) -> bool:
        """False when a free base does not keep its spin: its axis is not principal, or a torque acts."""
        spin = float(np.linalg.norm(self.state.angular_velocity))
        return bool(np.linalg.norm(self.base_acceleration[3:]) <= 1e-7 * spin * spin + 1e-10)

    def _repr_html_(self) -> str:
        words = "steady" if self.steady else "a free base does not keep its spin"
        rows = [(name, f"{value:.1e}") for name, value in zip(self.coordinates, self.residual)]
        title = f"Steady state: {words}, {self.iterations} iterations, {self.indifferent} directions that nothing holds"
        return html_table(title, ("coordinate", "acceleration left"), rows)


@checked_arguments
def steady_state(
    vehicle: Vehicle,
    guess: State | None = None,
    *,
    loads: Sequence[Load] = (),
    controllers: Sequence[Controller] = (),
    inputs: Mapping[str, float] | None = None,
    time: float = 0.0,
    attitude: bool = False,
    spin_axis: bool = False,
    tolerance: float = 1e-10,
    max_iterations: int = 100,
) -> SteadyState:
    """Static equilibrium or steady spin nearest to a guess; raises NotConvergedError when none is found.

    The guess gives the base: its attitude, and for a free base the angular velocity of a steady spin (a driven base spins as
    prescribed at ``time``); rotor rates stay as given; joint and modal rates are set to zero. The velocity of a free base is
    chosen so that the mass center moves with ``guess.velocity``. Loads have their strength at ``time``, named inputs theirs
    from ``inputs`` (zero else). attitude: the turn of a free base is unknown too (a compass, a gravity gradient). spin_axis: the
    axis of a free base's spin is unknown too, its rate stays: a principal axis of the vehicle as the spin deforms it.
    With closed loops independent coordinates are unknown, and every step ends on the loops; the guess is assembled first.
    tolerance: size of the last correction, in rad, m, and for modes in displacement of the node that moves most.

    Args:
        vehicle: the vehicle.
        loads: loads that act.
        controllers: controllers that act.
        max_iterations: of Newton's method.
    """
    start = guess or State()
    if any(load.loop is not None for load in loads):
        closed = assembled(vehicle, start, loads=loads, time=time)  # loops are inside: the base stays where it was
        start = start.changed(joints=closed.joints, modal=closed.modal)
    if attitude and vehicle.base_motion != "free":
        raise VehicleError("only a free base can seek its attitude", where=f"vehicle {vehicle.name}")
    if attitude and np.any(start.angular_velocity):
        raise VehicleError("the attitude of a spinning base is not constant", found=start.angular_velocity.tolist())
    still = start.changed(
        joint_rates={name: np.zeros_like(v) for name, v in start.joint_rates.items()},
        modal_rates={name: np.zeros_like(v) for name, v in start.modal_rates.items()},
    )
    p = around(vehicle, still, loads, controllers, time=time)
    for name, value in (inputs or {}).items():
        if name not in p.c.wiring.held:
            raise VehicleError("unknown input", found=name, expected=", ".join(p.c.wiring.held) or "none")
        p.U[POSE + p.c.wiring.held.index(name)] = float(value)
    if spin_axis and (vehicle.base_motion != "free" or not np.any(start.angular_velocity)):
        raise VehicleError("only the spin of a free base has an axis to seek", where=f"vehicle {vehicle.name}")
    unknowns = _unknowns(p, attitude, spin_axis)
    p, unknowns, taken, indifferent = _newton(p, unknowns, tolerance, max_iterations)
    _rest_mass_center(p, start)
    left = p.evaluate(np.zeros(2 * p.count + p.c.states))
    base = left[:6] if vehicle.base_motion == "free" else np.zeros(6)
    names = [*p.names, *(f"controller state {i + 1}" for i in range(p.c.states))]
    found = unpack_state(p.c, p.y)
    driven = {j.name for j in vehicle.joints if any(m is not None for m in j.motion)}  # they have no initial value
    state = found.changed(
        joints={name: v for name, v in found.joints.items() if name not in driven},
        joint_rates={name: v for name, v in found.joint_rates.items() if name not in driven},
    )
    rows = unknowns.rows
    return SteadyState(state, tuple(names[i] for i in rows), frozen(left[rows]), frozen(base), indifferent, taken)


@dataclass(frozen=True, eq=False)
class _Unknowns:
    """Places of the unknowns in a displacement, rows of their equations in ``evaluate``, their natural sizes.

    attitude: the turn of the base is unknown too. axis: so is the direction of its angular velocity; its two turns follow the
    others. With loops the places are those of independent coordinates; N (2 n + states, k): displacement per unit of each.
    """

    places: IntArray
    rows: IntArray
    sizes: FloatArray
    attitude: bool
    axis: bool
    N: FloatArray | None = None

    def again(self, p: Perturbed) -> _Unknowns:
        """The unknowns at another state: with loops, the coordinates that are independent there."""
        return self if self.N is None else _unknowns(p, self.attitude, self.axis)

    def moved(self, p: Perturbed, step: FloatArray) -> Perturbed | None:
        """The vehicle displaced by a step; None if its loops cannot be closed there."""
        count = len(self.places)
        delta = np.zeros(2 * p.count + p.c.states)
        if self.N is None:
            delta[self.places] = self.sizes * step[:count]
        else:
            delta = self.N @ (self.sizes * step[:count])
        y = p.moved(delta)
        for q in p.c.quaternions:
            y[q : q + 4] /= np.linalg.norm(y[q : q + 4])
        if self.axis:
            w = p.y[p.speed[3:6]]
            turned = w + np.cross(self.across(p) @ step[count:], w)
            y[p.speed[3:6]] = turned * (np.linalg.norm(w) / np.linalg.norm(turned))
        if self.N is not None and not _close(p, y):
            return None
        return Perturbed(p.c, y, p.U, p.time, p.orbit)

    def across(self, p: Perturbed) -> FloatArray:
        """(3, 2) unit vectors across the base's angular velocity, base axes."""
        w = p.y[p.speed[3:6]]
        return np.linalg.svd((w / np.linalg.norm(w))[:, None])[0][:, 1:]

    def equations(self, p: Perturbed) -> FloatArray:
        """(m,) residuals that must vanish."""
        found = p.evaluate(np.zeros(2 * p.count + p.c.states))
        return np.concatenate([found[self.rows], self.across(p).T @ found[3:6]]) if self.axis else found[self.rows]

    def slopes(self, p: Perturbed) -> FloatArray:
        """(m, m) derivatives of the equations with respect to the steps."""
        across, spin = self.across(p) if self.axis else np.zeros((3, 0)), p.count + np.arange(3, 6)
        moving = self.places if self.N is None else np.flatnonzero(np.any(self.N, axis=1))
        J = p.slopes(np.concatenate([moving, spin]) if self.axis else moving)
        by_place = J[:, : len(moving)] if self.N is None else J[:, : len(moving)] @ self.N[moving]
        if not self.axis:
            return np.asarray(by_place[self.rows] * self.sizes)
        columns = np.hstack([by_place * self.sizes, J[:, -3:] @ np.cross(across.T, p.y[p.speed[3:6]]).T])
        return np.vstack([columns[self.rows], across.T @ columns[3:6]])

    def reach(self, p: Perturbed) -> FloatArray:
        """(m,) how far each unknown is from zero, in its natural size."""
        n, first = p.count, p.c.state
        where = [p.place[i] if i < n else first + i - 2 * n for i in self.places]
        own = np.array([abs(p.y[w]) if w >= 0 else 1.0 for w in where]) / self.sizes
        return np.concatenate([own, np.ones(2)]) if self.axis else own


def _unknowns(p: Perturbed, attitude: bool, axis: bool) -> _Unknowns:
    n, nx = p.count, p.c.states
    rotors = {r.name for r in p.c.vehicle.rotors}
    first = 0 if p.c.vehicle.base_motion != "free" else (3 if attitude else 6)
    own = [i for i in range(first, n) if p.names[i] not in rotors]
    N = None
    if p.c.loops:
        free, motions = kept_motions(p)
        own = [i for i in free if i in own]
        N = np.zeros((2 * n + nx, len(own) + nx))
        N[:n, : len(own)] = motions[:, [free.index(i) for i in own]]
        N[2 * n :, len(own) :] = np.eye(nx)
    places = np.array([*own, *range(2 * n, 2 * n + nx)], np.int64)
    rows = np.array([*own, *range(n, n + nx)], np.int64)
    return _Unknowns(places, rows, np.concatenate([p.scales()[own], np.ones(nx)]), attitude, axis, N)


def _close(p: Perturbed, y: FloatArray) -> bool:
    """Close the loops of a state in place, the base and all speeds as they are; whether they could be."""
    projector, c = Projector(p.c), p.c
    near = projector.approach(p.time, y, p.U.copy())
    status, _ = projector.close(p.time, near, p.U.copy(), counted=False)
    y[7 : c.speeds] = near[7 : c.speeds]
    return status == 0


def _newton(p: Perturbed, unknowns: _Unknowns, tolerance: float, most: int) -> tuple[Perturbed, _Unknowns, int, int]:
    """Damped Newton from the state of ``p``; the displaced vehicle and its unknowns, steps taken, indifferent directions."""
    if len(unknowns.places) == 0 and not unknowns.axis:
        return p, unknowns, 0, 0
    size, damping = np.inf, 1.0
    for taken in range(most):
        J, force = unknowns.slopes(p), unknowns.equations(p)
        inverse, lost = _inverse(J)
        step = -inverse @ force
        size = float(np.abs(step).max())
        if size <= tolerance:
            last = unknowns.moved(p, step)
            if last is None or _unresisted(J, force + J @ step, unknowns.reach(p)):
                break
            return last, unknowns, taken + 1, lost
        damping = min(1.0, 4.0 * damping)
        while True:
            trial = unknowns.moved(p, damping * step)
            follow = np.inf if trial is None else np.abs(inverse @ unknowns.equations(trial)).max()
            if follow <= (1.0 - 0.25 * damping) * size or damping * size < 0.1 * tolerance:
                break
            damping *= 0.5
        if trial is None or damping * size < 0.1 * tolerance:
            break
        p, unknowns = trial, unknowns.again(trial)
    names = [*p.names, *(f"controller state {i + 1}" for i in range(p.c.states))]
    named = [*(names[i] for i in unknowns.rows), *["the base across its spin"] * (2 * unknowns.axis)]
    force = unknowns.equations(p)
    worst = int(np.abs(force).argmax())
    raise NotConvergedError(
        "no equilibrium was found",
        where=f"vehicle {p.c.vehicle.name}",
        found=f"acceleration {force[worst]:.3g} of {named[worst]} left, last correction {size:.3g}",
        expected=f"a correction below {tolerance:g}",
        advice="start closer to it, and restrain every loaded coordinate by a spring, gravity or a controller",
    )


def _unresisted(J: FloatArray, left: FloatArray, reach: FloatArray) -> bool:
    """True when accelerations are left, beyond the round-off of the forces that balance, where nothing resists them."""
    return bool(np.any(np.abs(left) > 1e-10 + ROUND_OFF * (np.abs(J) @ reach)))


def _inverse(J: FloatArray) -> tuple[FloatArray, int]:
    """Pseudo-inverse with rows and columns balanced, and the number of directions nothing holds."""
    row = np.abs(J).max(axis=1)
    row = np.maximum(row, max(NOISE * float(row.max(initial=0.0)), 1e-300))
    U, s, Vt = np.linalg.svd(J / row[:, None])
    kept = s > SINGULAR * max(float(s.max(initial=0.0)), 1e-300)
    back = np.where(kept, 1.0 / np.where(kept, s, 1.0), 0.0)
    return np.asarray((Vt.T * back) @ U.T / row[None, :]), int((~kept).sum())


def _rest_mass_center(p: Perturbed, start: State) -> None:
    """Give a free base the velocity with which the mass center moves as in the guess."""
    if p.c.vehicle.base_motion != "free":
        return
    M = p.mass()[:3]
    momentum = M @ p.y[p.speed]
    p.y[p.c.speeds : p.c.speeds + 3] += np.asarray(start.velocity) - momentum / M[0, 0]


def vehicle_inertia(vehicle: Vehicle, state: State) -> FloatArray:
    """Inertia (3, 3) kg m² of the whole vehicle about its mass center in base axes, joints at the state's angles."""
    at_rest = State(joints=state.joints, modal=state.modal)
    mass = np.asarray(linearize(vehicle, at_rest).mass)[:6, :6]
    total = float(np.trace(mass[:3, :3]) / 3.0)
    arm = 0.5 * (mass[3:, :3] - mass[3:, :3].T) / total  # c~ of the mass center
    center = np.array([arm[2, 1], arm[0, 2], arm[1, 0]])
    return symmetric(mass[3:, 3:] + total * skew(center) @ skew(center))


def principal_axis(vehicle: Vehicle, state: State, which: str) -> FloatArray:
    """Unit vector (3,) in base axes of the ``major``, ``intermediate`` or ``minor`` principal axis of the whole vehicle.

    Parameters
    ----------
    vehicle : Vehicle
        The vehicle.
    state : State
        Joint and modal coordinates at which its inertia is taken.
    which : str
        major, intermediate or minor.
    """
    moments, axes = np.linalg.eigh(vehicle_inertia(vehicle, state))
    direction = axes[:, PRINCIPAL.index(which)]
    gaps = np.diff(moments) / moments[-1]
    if (which != "minor" and gaps[1] < 1e-9) or (which != "major" and gaps[0] < 1e-9):
        raise VehicleError(
            "is not unique: two principal inertias are equal", found=which, expected="a direction [x, y, z]"
        )
    return np.asarray(direction * np.sign(direction[np.argmax(np.abs(direction))]))


def spin_axis_name(vehicle: Vehicle, state: State) -> str:
    """Which principal axis of the vehicle, deformed as in the state, its angular velocity is nearest to."""
    axes = np.linalg.eigh(vehicle_inertia(vehicle, state))[1]
    return PRINCIPAL[int(np.abs(state.angular_velocity @ axes).argmax())]
