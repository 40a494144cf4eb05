"""Generated equations of a vehicle evaluated at a random state, against the accelerations of the engine."""

import mpmath
import numpy as np
from scipy.spatial.transform import Rotation

import tisserand as ts
from support.recursive_calls import evaluate
from tisserand.exporters.equations import equations_of
from tisserand.exporters.equations.printing import text_of


def function_of(equations, library):
    """The generated Python with sines of ``library``."""
    space = {}
    text = text_of(equations, "python").replace("import math", "")
    exec(compile(text, "generated", "exec"), {"math": library}, space)
    return next(item for item in space.values() if callable(item))


def turned(q, library=np):
    """Rotation from outer into turned axes for body angles 1-2-3, by multiplying three elementary ones."""
    out = np.eye(3, dtype=object if library is mpmath else float)
    for axis, angle in enumerate(q):
        s, c = library.sin(angle), library.cos(angle)
        one = np.eye(3, dtype=out.dtype)
        a, b = (axis + 1) % 3, (axis + 2) % 3
        one[a, a] = one[b, b] = c
        one[a, b], one[b, a] = s, -s
        out = one.dot(out)
    return out


def rate(q, q_dot):
    """Angular velocity in turned axes from W~ = -R' R^T, R by differences at 50 digits."""
    h = mpmath.mpf(10) ** -18
    ahead, behind = (turned([a + s * h * b for a, b in zip(q, q_dot)], mpmath) for s in (1, -1))
    R = turned(q, mpmath)
    spin = -((ahead - behind) / (2 * h)).dot(R.T)
    return [spin[2, 1], spin[0, 2], spin[1, 0]]


def derivative(of):
    h = mpmath.mpf(10) ** -16
    ahead, behind = of(h), of(-h)
    return [(a - b) / (2 * h) for a, b in zip(ahead, behind)]


def engine_terms(vehicle, equations, q, u, torque):
    """State of the engine, and what the equations give for its accelerations, by differences at 50 digits."""
    names = [str(s) for s in equations.coordinates]
    f = function_of(equations, mpmath)
    q, u, torque = ([mpmath.mpf(float(x)) for x in values] for values in (q, u, torque))
    q_dot, u_dot = f(q, u, torque)
    q_two = derivative(
        lambda h: f([a + h * b for a, b in zip(q, q_dot)], [a + h * b for a, b in zip(u, u_dot)], torque)[0]
    )
    state, found = {"joints": {}, "joint_rates": {}}, {"joints": {}}

    def angular(places):
        own = [q[i] for i in places], [q_dot[i] for i in places], [q_two[i] for i in places]
        w = rate(own[0], own[1])

        def later(h):
            return rate([a + h * b + h * h / 2 * c for a, b, c in zip(*own)], [b + h * c for b, c in zip(*own[1:])])

        alpha = derivative(later)
        return turned([float(x) for x in own[0]]), np.array(w, float), np.array(alpha, float)

    base = vehicle.base.replace(" ", "_")
    if f"{base}_angle1" in names:
        start = names.index(f"{base}_angle1")
        R, w, alpha = angular(range(start, start + 3))
        state |= {"attitude": Rotation.from_matrix(R.T).as_quat()[[3, 0, 1, 2]], "angular_velocity": w}
        found["angular_velocity"] = alpha
        place = names.index(f"{base}_x")
        state |= {
            "position": np.array(q[place : place + 3], float),
            "velocity": np.array(q_dot[place : place + 3], float),
        }
        found["velocity"] = np.array(q_two[place : place + 3], float)
    for joint in vehicle.joints:
        if joint.kind in ("ball", "free"):
            start = next(i for i, n in enumerate(names) if n.startswith(f"{joint.name}_") and n.endswith("angle1"))
            R, w, alpha = angular(range(start, start + 3))
            slid = range(start - 3, start) if joint.kind == "free" else ()
            along, moved, pushed = ([float(values[i]) for i in slid] for values in (q, q_dot, q_two))
            state["joints"][joint.name] = [*along, *Rotation.from_matrix(R.T).as_quat()[[3, 0, 1, 2]]]
            state["joint_rates"][joint.name], found["joints"][joint.name] = [*moved, *w], np.array([*pushed, *alpha])
        elif joint.kind != "fixed":
            places = [i for i, n in enumerate(names) if n.startswith(f"{joint.name}_")]
            state["joints"][joint.name] = [float(q[i]) for i in places]
            state["joint_rates"][joint.name] = [float(q_dot[i]) for i in places]
            found["joints"][joint.name] = np.array([q_two[i] for i in places], float)
    for part in (*vehicle.appendages, *vehicle.rotors):
        places = [i for i, n in enumerate(names) if n.startswith((f"{part.name}_eta", f"{part.name}_angle"))]
        kind = "modal" if part in vehicle.appendages else "rotor"
        state.setdefault("modal" if kind == "modal" else "rotor_angles", {})[part.name] = [float(q[i]) for i in places]
        state.setdefault(f"{kind}_rates", {})[part.name] = [float(q_dot[i]) for i in places]
        found.setdefault("modal" if kind == "modal" else "rotors", {})[part.name] = [float(q_two[i]) for i in places]
    state["rotor_angles"], state["rotor_rates"] = (
        {name: own[0] for name, own in state.get(word, {}).items()} for word in ("rotor_angles", "rotor_rates")
    )
    return ts.State(**state), found


def loads_of(vehicle, equations, torque):
    given = dict(zip((str(s) for s in equations.torques), torque))
    loads = []
    for name, value in given.items():
        joint = next((j for j in vehicle.joints if name.startswith(f"{j.name}_")), None)
        if rotor := next((r for r in vehicle.rotors if name == f"{r.name}_torque"), None):
            loads.append(ts.loads.rotor_torque(rotor.name, value, name=name))
        elif joint is None:
            axis = np.eye(3)[int(name[-1]) - 1]
            make = ts.loads.torque if "torque" in name else ts.loads.force
            loads.append(make(vehicle.base, axis, value, name=name))
        else:
            step = int(name.split("_")[1]) - 1 if name.count("_") == 2 else 0
            number = step + (int(name[-1]) - 1 if name[-1].isdigit() else 0)
            loads.append(ts.loads.joint_torque(joint.name, value, axis=number, name=name))
    return loads


def compare(vehicle, speeds):
    """1e-12 of the largest acceleration of each kind, with all drives and loads; returns the equations."""
    equations = equations_of(vehicle, speeds)
    rng = np.random.default_rng(5)
    q = rng.uniform(-0.9, 0.9, len(equations.coordinates))
    u = rng.normal(size=len(equations.rates))
    torque = rng.normal(size=len(equations.torques))
    with mpmath.workdps(50):
        state, found = engine_terms(vehicle, equations, q, u, torque)
    meant = evaluate(vehicle, state, loads_of(vehicle, equations, torque))
    pairs = [(found["joints"][j], meant.joints[j]) for j in found["joints"]]
    pairs += [(found[w], getattr(meant, w)) for w in ("angular_velocity", "velocity") if w in found]
    for word in ("modal", "rotors"):
        own = [(np.ravel(found[word][name]), np.ravel(getattr(meant, word)[name])) for name in found.get(word, {})]
        top = max((np.abs(b).max() for _, b in own), default=1.0)
        assert all(np.abs(a - b).max() < 1e-12 * top for a, b in own)
    largest = max(np.abs(b).max() for _, b in pairs)
    for a, b in pairs:
        assert np.abs(a - b).max() < 1e-12 * largest
    return equations
