"""Generated equations of two bodies for every kind of joint and choice of speeds: as text, in C and in bare Python."""

import ctypes
import functools
import json
import math
import shutil
import subprocess
import sys

import numpy as np
import pytest

import tisserand as ts

pytest.importorskip("sympy")
pytest.importorskip("mpmath")

from support.generated_equations import compare, function_of

from tisserand.exporters.equations.printing import c_function, text_of

SPEEDS = ("inertial", "hinge", "angles")
SKEW = [0.0, 0.6, 0.8]
LAW = {"stiffness": 3.0, "damping": 0.4, "rest": 0.2}
JOINTS = {
    "hinge": functools.partial(ts.hinge, axis=SKEW, **LAW),
    "prismatic": functools.partial(ts.prismatic, axis=SKEW, **LAW),
    "universal": functools.partial(ts.universal, axes=[[1, 0, 0], [0, 1, 0]], stiffness=[3.0, 2.0]),
    "gimbal": functools.partial(ts.gimbal, axes=np.eye(3), damping=[0.1, 0.2, 0.3]),
    "cylindrical": functools.partial(ts.cylindrical, axis=SKEW, stiffness=[3.0, 2.0], rest=[0.1, 0.2]),
    "ball": ts.ball,
    "free": ts.free_joint,
    "fixed": ts.fixed,
}


def two_bodies(kind, base):
    """A joint with points off both origins and a turned frame on the parent."""
    turn = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])
    bodies = [
        ts.Body("hub", 9.0, [0.1, -0.2, 0.3], [4.0, 5.0, 6.0]), ts.Body("link", 2.0, [0.5, 0.1, 0.2], [0.3, 1.0, 1.1]),
    ]  # fmt: skip
    places = {"parent_point": [0.3, -0.1, 0.2], "child_point": [0.1, 0.2, -0.3], "parent_frame": turn}
    joint = JOINTS[kind]("j", "hub", "link", **places)
    return ts.Vehicle("craft", bodies, [joint], base_motion=base, gravity=[0.1, -0.2, 0.3])


@functools.cache
def equations(kind, speeds):
    """On a fixed base where something moves; the comparison with the engine is made on the way."""
    return compare(two_bodies(kind, "free" if kind == "fixed" else "fixed"), speeds)


def point_of(made, seed=6):
    """Coordinates, speeds and torques."""
    rng = np.random.default_rng(seed)
    return [
        rng.uniform(-0.9, 0.9, len(made.coordinates)),
        rng.normal(size=len(made.rates)),
        rng.normal(size=len(made.torques)),
    ]


@pytest.mark.parametrize("speeds", SPEEDS)
@pytest.mark.parametrize("kind", list(JOINTS))
def test_accelerations_are_those_of_the_engine(kind, speeds):
    equations(kind, speeds)


@pytest.mark.slow
@pytest.mark.parametrize("speeds", SPEEDS)
@pytest.mark.parametrize("kind", list(JOINTS))
def test_accelerations_on_a_free_base_are_those_of_the_engine(kind, speeds):
    compare(two_bodies(kind, "free"), speeds)


def test_c_of_every_joint_gives_the_same_numbers(tmp_path):
    """All functions compiled at once; 1e-12 of the largest number."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    every = {f"{kind}_{speeds}": equations(kind, speeds) for kind in JOINTS for speeds in SPEEDS}
    source, library = tmp_path / "all.c", tmp_path / "all.so"
    source.write_text("\n".join(c_function(made, name) for name, made in every.items()))
    flags = ["-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, "-o", library, source, "-lm"], check=True)
    loaded = ctypes.CDLL(str(library))
    for name, made in every.items():
        given = point_of(made)
        out = [np.zeros(len(values)) for values in given[:2]]
        getattr(loaded, name)(*(a.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for a in (*given, *out)))
        for a, b in zip(out, function_of(made, math)(*given)):
            assert np.abs(a - b).max() < 1e-12 * max(np.abs(b).max(), 1.0), name


def test_generated_python_needs_nothing_but_python(tmp_path):
    """Run where no package is installed."""
    made = equations("gimbal", "inertial")
    given = [values.tolist() for values in point_of(made)]
    (tmp_path / "craft.py").write_text(
        text_of(made, "python") + f"\n\nimport json\nprint(json.dumps(craft(*{given!r})))\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", tmp_path / "craft.py"], capture_output=True, text=True, check=True
    )
    for a, b in zip(json.loads(done.stdout), function_of(made, math)(*given)):
        assert a == b
