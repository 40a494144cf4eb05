"""Every number of the vehicle file with every kind can be swept: it is reached by its path, and the vehicle changes."""

import tomllib

import pytest
from studies.test_every_kind import EVERYTHING
from support.appendages import random_bodies
from support.same import differences

import tisserand as ts
from tisserand.declarations.paths import get_at, number_paths
from tisserand.errors import CaseError
from tisserand.multibody.vehicle_file import VehicleFile

DATA = tomllib.loads(EVERYTHING)
PATHS = list(number_paths(DATA))
#: Parts of the case that a number may be a part of.
PARTS = ("vehicle", "initial", "run", "loads", "controllers", "sensors", "events", "measurements")
#: Numbers that must change with others: an inertia matrix is symmetric, a state has as many numbers as modes are kept.
TIED = {f"bodies.bus.inertia.{i}.{j}": f"bodies.bus.inertia.{j}.{i}" for i in range(3) for j in range(3) if i != j}
#: Numbers that name something, and another name that exists.
NAMES = {"loads.wring.node": 30.0, "appendages.wing.modes": 4.0}


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    folder = tmp_path_factory.mktemp("every_number")
    ts.save_record(random_bodies(0), folder / "wing.h5")
    (folder / "torque.csv").write_text("time,other,torque\n0.0,9,0.1\n0.5,9,0.2\n1.5,9,-0.1\n")
    (folder / "vehicle.toml").write_text(EVERYTHING)
    return ts.read_vehicle(folder / "vehicle.toml")


def _other(path):
    """A value near the stated one, a float as sweeps and draws give it."""
    old = get_at(VehicleFile, DATA, path, "vehicle.toml")
    if isinstance(old, int):
        return NAMES.get(path, float(old - 1 if old > 1 else old + 1))
    return old * 1.001 if old else 1e-3


def check(base, paths):
    still = []
    for path in paths:
        changes = {key: _other(path) for key in {path, TIED.get(path, path)}}
        if path == "appendages.wing.modes":
            changes["initial.modal.wing"] = [0.001, 0.0, 0.002, 0.0]
        try:
            case = ts.read_vehicle(base.path, changes)
        except CaseError as error:
            assert path.endswith(".axis") and "is not an axis of joint" in str(error)  # its joint has one
            continue
        if not any(differences(getattr(base, part), getattr(case, part)) for part in PARTS):
            still.append(path)
    assert still == []


def test_a_sample_of_the_numbers(base):
    assert len(PATHS) > 300 and set(TIED) | set(NAMES) <= set(PATHS)
    check(base, PATHS[::60])


@pytest.mark.slow
def test_every_number(base):
    check(base, PATHS)


def test_whole_numbers_and_tied_numbers_are_drawn(base):
    """Draws are floats; a whole number takes them, and ``KEY+KEY`` keeps a matrix symmetric."""
    keys = "bodies.bus.inertia.0.1+bodies.bus.inertia.1.0"
    laws = {keys: "uniform:4:6", "loads.push.strength.end": "normal:1:0.1", "loads.motor.axis": "uniform:1:1"}
    drawn = ts.montecarlo(base.path, vary=laws, count=2, set={"simulation.duration": 0.01})
    assert drawn.failures == 0 and drawn.samples[0].values["bodies.bus.inertia.1.0"] != 5.0
