"""Sweeps of which nothing comes say so by their exit code; one good sample is enough for zero."""

import pytest
from support.command import run

VEHICLE = """
[bodies.bus]
mass = 80.0
inertia = [60.0, 50.0, 70.0]
[bodies.arm]
mass = 2.0
inertia = [1.0, 1.0, 0.1]
[joints.elbow]
parent = "bus"
child = "arm"
axis = [1.0, 0.0, 0.0]
stiffness = 10.0
[simulation]
duration = 0.5
"""


@pytest.mark.parametrize(
    ("command", "bad", "mixed"),
    [
        ("sweep", ["--over", "bodies.bus.mass=-1,-2"], ["--over", "bodies.bus.mass=-1,80"]),
        (
            "montecarlo",
            ["-n", 3, "--vary", "bodies.bus.mass=uniform:-2:-1"],
            ["-n", 6, "--vary", "bodies.bus.mass=uniform:-9:9"],
        ),
    ],
)
def test_all_failures_end_with_one(command, bad, mixed, tmp_path):
    path = tmp_path / "vehicle.toml"
    path.write_text(VEHICLE)
    nothing = run(command, path, *bad, "--json")
    assert nothing.exit_code == 1 and nothing.data["failures"] == len(nothing.data["samples"])
    assert "every sample failed, the first one" in nothing.stderr and "bodies.bus.mass" in nothing.stderr
    some = run(command, path, *mixed, "--json")
    assert some.exit_code == 0 and 0 < some.data["failures"] < len(some.data["samples"])


@pytest.mark.parametrize("command", ["sweep", "montecarlo", "simulate"])
def test_a_mistake_of_all_samples_is_one_of_the_command(command, tmp_path):
    """A wrong value of ``--set`` ends a sweep before it starts; one that the swept values mend does not."""
    path = tmp_path / "vehicle.toml"
    path.write_text(VEHICLE)
    words = {
        "sweep": ["--over", "bodies.bus.mass=80,90"],
        "montecarlo": ["--vary", "bodies.bus.mass=normal:80:1", "-n", 2],
    }
    done = run(command, path, *words.get(command, []), "--set", "simulation.duration=abc")
    assert done.exit_code == 2 and done.stderr.startswith("tisserand: ") and "found the string 'abc'" in done.stderr
    if command == "sweep":
        assert run(command, path, *words[command], "--set", "bodies.bus.mass=-1", "-q").exit_code == 0


def test_an_empty_range_is_refused(tmp_path):
    path = tmp_path / "vehicle.toml"
    path.write_text(VEHICLE)
    result = run("sweep", path, "--over", "bodies.bus.mass=5:1:0")
    assert result.exit_code == 2 and "count from 1" in result.stderr


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("bodies.bus.masss", "did you mean 'bodies.bus.mass'?"),
        ("bodies.buss.mass", "did you mean 'bodies.bus.mass'?"),
        ("bodie.bus.mass", "did you mean 'bodies.bus.mass'?"),
        ("joints.elbow.stifness", "did you mean 'joints.elbow.stiffness'?"),
        ("initial.joints_deg.elbo", "did you mean 'elbow'?"),
        ("initial.joint_deg.elbow", "did you mean 'initial.joints_deg.elbow'?"),
        ("bodies.bus.mass.x", "found a value at bodies.bus.mass"),
        ("bodies.bus.mass+bodies.arm.mas", "bodies.arm.mas: unknown key"),
    ],
)
@pytest.mark.parametrize(
    ("command", "law"), [("sweep", ["--over", "{}=-1,2"]), ("montecarlo", ["-n", 3, "--vary", "{}=normal:1:0.1"])]
)
def test_a_misspelled_key_is_one_error_before_the_start(command, law, key, said, tmp_path):
    """Also when the first value of another key is bad: that alone would be recorded with its sample."""
    path, output = tmp_path / "vehicle.toml", tmp_path / "out.csv"
    path.write_text(VEHICLE)
    words = [word.format(key) if isinstance(word, str) else word for word in law]
    result = run(command, path, *words, "-o", output)
    assert result.exit_code == 2 and not output.exists() and not result.stdout
    assert result.stderr.count("\n") == 1 and said in result.stderr
