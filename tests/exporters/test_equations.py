"""Generated equations against the engine: the same accelerations for every choice of motion variables, in Python and in C."""

import ctypes
import re
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest
from support.appendages import random_bodies

import tisserand as ts
from tisserand.errors import VehicleError

sp = pytest.importorskip("sympy")
mpmath = pytest.importorskip("mpmath")

from support.generated_equations import compare, function_of  # noqa: E402

from tisserand.exporters.equations import equations_of  # noqa: E402
from tisserand.exporters.equations.printing import text_of  # noqa: E402

SPEEDS = ("angles", "hinge", "inertial")


def manipulator():
    """S3 example 4: five bodies, shoulder at A's mass center, ball at E's."""
    bodies = [
        ts.Body("A", 1500.0, inertia=[900.0, 1100.0, 700.0]), ts.Body("B", 40.0, inertia=[3.0, 4.0, 3.0]),
        ts.Body("C", 30.0, [1.0, 0, 0], [0.4, 10.0, 10.0]), ts.Body("D", 25.0, [1.0, 0, 0], [0.3, 8.4, 8.4]),
        ts.Body("E", 60.0, inertia=[6.0, 8.0, 5.0]),
    ]  # fmt: skip
    joints = [
        ts.hinge("shoulder", "A", "B", [0, 1, 0]), ts.hinge("lift", "B", "C", [0, 0, 1]),
        ts.hinge("elbow", "C", "D", [0, 0, 1], parent_point=[2.0, 0, 0]), ts.ball("wrist", "D", "E", parent_point=[2.0, 0, 0]),
    ]  # fmt: skip
    return ts.Vehicle("manipulator spacecraft", bodies, joints)


def stanford_arm(base="fixed"):
    """Six joints on a fixed base, the third a slider, wrist axes through one point; principal inertias in body axes."""
    bodies = [ts.Body("base", 1.0, inertia=[1.0, 1.0, 1.0])] + [
        ts.Body(f"link{i}", m, c, J)
        for i, (m, c, J) in enumerate(
            [
                (9.0, [0, 0, 0.1], [0.3, 0.02, 0.3]), (6.0, [0, 0.1, 0], [0.1, 0.1, 0.01]),
                (4.0, [0, 0, -0.6], [2.5, 2.5, 0.006]), (1.0, [0, 0, 0], [0.002, 0.001, 0.001]),
                (0.6, [0, 0, 0], [0.003, 0.0004, 0.003]), (0.5, [0, 0, 0.1], [0.013, 0.013, 0.0003]),
            ],
            1,
        )
    ]  # fmt: skip
    axes = ([0, 0, 1], [0, 1, 0], [0, 0, 1], [0, 0, 1], [0, 1, 0], [0, 0, 1])
    points = ([0, 0, 0.4], [0, 0.15, 0], [0, 0, 0.3], [0, 0, 0], [0, 0, 0], [0, 0, 0.2])
    joints = [
        (ts.prismatic if i == 3 else ts.hinge)(
            f"joint{i}", "base" if i == 1 else f"link{i - 1}", f"link{i}", axis, parent_point=point
        )
        for i, (axis, point) in enumerate(zip(axes, points), 1)
    ]
    return ts.Vehicle("Stanford arm", bodies, joints, base_motion=base)


def branched():
    """Skew axes, points on both sides, turned frames, springs, a slider, a universal joint and full inertia matrices."""
    rng = np.random.default_rng(11)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))

    def body(name, mass):
        half = rng.normal(size=(3, 3))
        return ts.Body(name, mass, rng.normal(size=3) * 0.2, 0.2 * half @ half.T + 2.0 * np.eye(3))

    def point():
        return rng.normal(size=3)

    def unit():
        g = rng.normal(size=3)
        return g / np.linalg.norm(g)

    joints = [
        ts.hinge("skew", "hub", "one", unit(), parent_point=point(), child_point=point(),
                 stiffness=3.0, damping=0.4, rest=0.2),
        ts.prismatic("rail", "hub", "two", unit(), parent_point=point(), parent_frame=turn, stiffness=7.0),
        ts.universal("cross", "two", "three", [[1, 0, 0], [0, 1, 0]], parent_point=point(), child_point=point()),
        ts.ball("socket", "one", "four", parent_point=point(), child_point=point(), parent_frame=turn),
        ts.fixed("weld", "four", "five", parent_point=point(), parent_frame=turn.T),
    ]  # fmt: skip
    masses = {"hub": 9.0, "one": 2.0, "two": 3.0, "three": 1.5, "four": 1.2, "five": 0.7}
    return ts.Vehicle("branched tree", [body(*item) for item in masses.items()], joints)


def winged(inertia="full"):
    """Appendages on both bodies of a hinge, wheels, springs, dampers and gravity."""
    bodies = [
        ts.Body("hub", 30.0, [0.1, -0.2, 0.3], [4.0, 5.0, 6.0]), ts.Body("link", 5.0, [0.5, 0.1, 0.0], [0.3, 1.0, 1.1]),
    ]  # fmt: skip
    elbow = ts.hinge(
        "elbow", "hub", "link", [0, 0.6, 0.8], parent_point=[0.3, 0, 0.1], child_point=[0.1, 0.2, 0], stiffness=9.0,
        damping=0.5,
    )  # fmt: skip
    rotors = [
        ts.Rotor("wheel", "hub", [0.6, 0, 0.8], 0.02, damping=1e-3),
        ts.Rotor("gyro", "link", [0, 0, 1], 0.05, mass=0.2, position=[0.1, 0.2, 0.3], transverse_inertia=0.03),
    ]
    mounted = [
        ts.MountedAppendage(name, random_bodies(seed, modes=2, offsets=False), body, position=place, inertia=inertia)
        for name, seed, body, place in (("wing", 3, "hub", [0, 0.9, 0]), ("fin", 4, "link", [0.2, 0, 0.4]))
    ]
    return ts.Vehicle("winged craft", bodies, [elbow], rotors, mounted, gravity=[0.1, -0.2, 0.3])


VEHICLES = {"manipulator": manipulator, "Stanford arm": stanford_arm, "branched tree": branched}


@pytest.mark.parametrize(
    ("name", "speeds"),
    [
        pytest.param(name, speeds, marks=() if speeds == quick else pytest.mark.slow)
        for name, quick in (("manipulator", "hinge"), ("Stanford arm", "inertial"), ("branched tree", "inertial"))
        for speeds in SPEEDS
    ],
)
def test_accelerations_are_those_of_the_engine(name, speeds):
    """1e-12 of the largest acceleration, at a random state with all drives and loads."""
    compare(VEHICLES[name](), speeds)


@pytest.mark.parametrize(
    ("speeds", "inertia"),
    [
        ("inertial", "full"),
        *(
            pytest.param(*both, marks=pytest.mark.slow)
            for both in (("hinge", "full"), ("hinge", "constant"), ("angles", "full"), ("inertial", "constant"))
        ),
    ],
)
def test_appendages_rotors_and_gravity_are_those_of_the_engine(speeds, inertia):
    """Displacements of first degree with all that follows from them: 1e-12 of the largest acceleration of each kind."""
    compare(winged(inertia), speeds)


@pytest.mark.parametrize("speeds", [pytest.param(s, marks=() if s == "hinge" else pytest.mark.slow) for s in SPEEDS])
def test_generated_c_compiles_without_a_warning_and_gives_the_same_numbers(tmp_path, speeds):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    equations = equations_of(manipulator() if speeds != "hinge" else winged(), speeds)
    source, library = tmp_path / "model.c", tmp_path / "model.so"
    source.write_text(text_of(equations, "c"))
    flags = ["-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    done = subprocess.run([compiler, *flags, "-o", library, source, "-lm"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not any(word in source.read_text() for word in ("malloc", "alloca", "stdlib"))
    rng = np.random.default_rng(6)
    n, m, t = len(equations.coordinates), len(equations.rates), len(equations.torques)
    q, u, torque = rng.uniform(-1, 1, n), rng.normal(size=m), rng.normal(size=t)
    out = np.zeros(n), np.zeros(m)
    pointers = [a.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for a in (q, u, torque, *out)]
    getattr(ctypes.CDLL(str(library)), equations.name.replace(" ", "_"))(*pointers)
    import math

    for a, b in zip(out, function_of(equations, math)(q, u, torque)):
        assert np.abs(a - b).max() < 1e-12 * max(np.abs(b).max(), 1.0)


def test_operations_of_the_manipulator_fall_in_the_order_of_the_paper():
    """S3 Table 3: 4452 / 3195 / 1460; ours are fewer, in the same order, and the last at least 1.8 times below the first."""
    counts = [equations_of(manipulator(), speeds, translation=False).operations.total for speeds in SPEEDS]
    assert counts[0] > counts[1] > counts[2]
    assert counts[0] / counts[2] > 1.8
    assert all(ours < theirs * 1.1 for ours, theirs in zip(counts, (4452, 3195, 1460)))


def test_operations_of_the_stanford_arm_fall_with_inertial_speeds():
    """S3 §4: 966 operations with customary speeds, 689 with inertial ones."""
    customary, inertial = (equations_of(stanford_arm(), speeds).operations.total for speeds in ("hinge", "inertial"))
    assert inertial < customary


def test_the_shortest_equation_of_the_paper_appears():
    """S3 Table 2: u2' = [T2 - T(A/B) - (I1 - I3) u1 u3] / I2 with inertial speeds: six operations and no intermediate body."""
    equations = equations_of(manipulator(), "inertial", translation=False)
    values = dict(equations.statements)
    expression = equations.u_dot[1]
    for _ in range(20):
        expression = sp.expand(expression.xreplace(values))
    u = dict(zip((str(s) for s in equations.rates), equations.rates))
    torque = dict(zip((str(s) for s in equations.torques), equations.torques))
    meant = (torque["A_torque2"] - torque["shoulder_torque"] - (900 - 700) * u["A_u1"] * u["A_u3"]) / 1100
    assert sp.simplify(expression - sp.expand(meant)).evalf(chop=True) == 0


def test_without_translation_is_with_translation_and_no_force():
    """The eliminated mass center: the same angular accelerations where no force acts, whatever the choice."""
    import math

    rng = np.random.default_rng(8)
    whole, less = (equations_of(manipulator(), "inertial", translation=t) for t in (True, False))
    q, u = rng.uniform(-1, 1, len(less.coordinates)), rng.normal(size=len(less.rates))
    torque = rng.normal(size=len(less.torques))
    order = [i for i in range(len(whole.rates)) if "_v" not in str(whole.rates[i])]
    big_q, big_u, big_t = np.zeros(len(whole.coordinates)), np.zeros(len(whole.rates)), np.zeros(len(whole.torques))
    big_q[[i for i, s in enumerate(whole.coordinates) if str(s) not in ("A_x", "A_y", "A_z")]] = q
    big_u[order] = u
    big_t[[i for i, s in enumerate(whole.torques) if "force" not in str(s)]] = torque
    found = function_of(less, math)(q, u, torque)[1]
    meant = np.array(function_of(whole, math)(big_q, big_u, big_t)[1])[order]
    assert np.abs(found - meant).max() < 1e-12 * np.abs(meant).max()


def test_latex_states_every_equation():
    text = text_of(equations_of(stanford_arm(), "inertial"), "latex")
    assert text.count(r"\dot u_") == 6 and text.count(r"\dot q_") == 6
    assert r"\begin{align*}" in text and r"$q_{3}$ \texttt{joint3\_" in text
    numbers = [word for line in text.splitlines() if "&=" in line for word in re.findall(r"\d+\.\d+", line)]
    assert "0.15" in numbers and all(word == repr(float(word)) for word in numbers)


@pytest.mark.slow
def test_appendages_without_translation_are_those_with_it():
    """Wings and wheels about a resting mass center: the same accelerations as with translation, where no force acts."""
    import math

    rng = np.random.default_rng(9)
    craft = replace(winged(), gravity=np.zeros(3))
    whole, less = (equations_of(craft, "inertial", translation=t) for t in (True, False))
    q, u = rng.uniform(-0.5, 0.5, len(less.coordinates)), rng.normal(size=len(less.rates))
    torque = rng.normal(size=len(less.torques))
    names = [[str(s) for s in symbols] for symbols in (whole.coordinates, whole.rates, whole.torques)]
    short = [[str(s) for s in symbols] for symbols in (less.coordinates, less.rates, less.torques)]
    filled = [
        [dict(zip(own, values)).get(name, 0.0) for name in all_]
        for all_, own, values in zip(names, short, (q, u, torque))
    ]
    found = np.array(function_of(less, math)(q, u, torque)[1])
    meant = np.array(function_of(whole, math)(*filled)[1])[[names[1].index(name) for name in short[1]]]
    assert np.abs(found - meant).max() < 1e-12 * np.abs(meant).max()


def test_what_is_left_out_of_appendages_is_stated():
    craft = replace(winged(), appendages=(ts.MountedAppendage("wing", random_bodies(3, modes=1), "hub"),))
    made = equations_of(craft, "hinge")
    assert made.notes == (
        "displacements are of first degree: turning nodes and geometric stiffness are left out: wing",
    )
    assert made.notes[0] in text_of(made, "c")
    assert equations_of(winged(), "hinge").notes == ()


def test_what_is_not_generated_is_refused_by_name():
    hub = [ts.Body("hub", 10.0, inertia=[1, 1, 1])]
    spun = ts.Rotor("wheel", "hub", [0, 0, 1], 0.02, mode="speed", profile=ts.profiles.constant(3.0))
    with pytest.raises(VehicleError, match="rotors with a given rate or momentum are not generated; found wheel"):
        equations_of(ts.Vehicle("craft", hub, rotors=[spun]))
    floating = ts.in_frame(random_bodies(3), "buckens")
    with pytest.raises(VehicleError, match="appendages whose frame floats on its mount are not generated; found wing"):
        equations_of(ts.Vehicle("craft", hub, appendages=[ts.MountedAppendage("wing", floating, "hub")]))
    with pytest.raises(VehicleError, match="this kind of load are not generated; found node_force"):
        push = ts.loads.node_force("wing", "tip", [1, 0, 0], 1.0)
        equations_of(winged(), loads=[push])
    twins = ts.Vehicle("craft", hub, rotors=[ts.Rotor(name, "hub", [0, 0, 1], 0.02) for name in ("a b", "a_b")])
    with pytest.raises(VehicleError, match="names that are the same in code; found a_b_angle"):
        equations_of(twins)


def test_the_command_makes_inputs_of_the_loads_of_a_file_or_refuses_them_by_name(tmp_path):
    text = """
[bodies.bus]
mass = 80.0
inertia = [60.0, 50.0, 70.0]
[loads.push]
kind = "force"
body = "bus"
direction = [1.0, 0.0, 0.0]
strength = 0.7
[simulation]
duration = 1.0
output_step = 0.1
"""
    (tmp_path / "bus.toml").write_text(text)
    assert "push" in ts.equations(tmp_path / "bus.toml").text
    (tmp_path / "bus.toml").write_text(text.replace("strength = 0.7", "strength = 0.7\ninertial = true"))
    with pytest.raises(VehicleError, match="push"):
        ts.equations(tmp_path / "bus.toml")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler")
def test_names_that_mean_something_in_c_are_changed(tmp_path):
    bodies = [ts.Body("q", 10.0, inertia=[1, 2, 2.5]), ts.Body("z1", 2.0, inertia=[0.1, 0.2, 0.2])]
    vehicle = ts.Vehicle("int", bodies, [ts.hinge("sin", "q", "z1", [0, 0, 1])])
    for language, compiled in (("c", "a.c"), ("python", "a.py")):
        (tmp_path / compiled).write_text(text_of(equations_of(vehicle, "hinge"), language))
    subprocess.run(["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-c", "a.c"], cwd=tmp_path, check=True)
    compile((tmp_path / "a.py").read_text(), "a.py", "exec")
