"""A vehicle file with every kind of loop assembles itself, flies and balances; its mistakes are named."""

import tomllib

import numpy as np
import pytest
from support.command import run
from support.loop_texts import EVERY_LOOP
from support.same import differences

import tisserand as ts
from tisserand.declarations.introspection import tag_of, types_in
from tisserand.declarations.paths import number_paths
from tisserand.errors import InputError
from tisserand.multibody.vehicle_file.loop_tables import LoopTable


@pytest.fixture
def vehicle(tmp_path):
    path = tmp_path / "vehicle.toml"
    path.write_text(EVERY_LOOP)
    return path


def test_the_file_flies_and_balances(vehicle, tmp_path):
    declared = {word for member in types_in(LoopTable) for word in tag_of(member)[1]}
    assert declared == {table["kind"] for table in tomllib.loads(EVERY_LOOP)["loops"].values()}
    result = run("simulate", vehicle, "-o", tmp_path / "run.h5", "--json")
    assert result.exit_code == 0, result.stderr
    flown = ts.load_trajectory(tmp_path / "run.h5")
    assert result.data["complete"] and max(flown.balance.worst().values()) < 1e-7
    assert max(drift.max() for drift in flown.loop_drift.values()) < 1e-6
    assert np.array_equal(flown.signals["rod_force"], flown.loop_force["rod"][:, 0])
    assert flown.loop_force["clamp"].shape == (31, 6)
    # the block is held as if it were part of the bus, the gear is followed
    assert np.abs(flown.joints["block_turn"][:, 1:]).max() < 1e-12
    happened = {event.name.split(",")[0]: event.time for event in flown.events}
    meshed = flown.times < happened["mesh lets go"]
    apart = np.abs(flown.joints["mast"] - 0.05 * flown.joints["drum"] - 0.02)[:, 0]
    assert meshed.sum() > 3 and apart[meshed].max() < 1e-12 and apart[-1] > 1e-6
    # what was switched
    assert happened["mesh lets go"] == happened["half_open"] < happened["catch holds"] < 0.3
    assert happened["cover_pin lets go"] == 0.1 and happened["drawer_stop: the joint rebounds"] > 0.0
    assert flown.joints["flap"][-1, 0] == pytest.approx(np.radians(10.0), abs=1e-12)
    assert flown.balance.impact_loss[-1] > 1e-3


def test_every_number_of_a_loop_matters(vehicle):
    base, data = ts.read_vehicle(vehicle), tomllib.loads(EVERY_LOOP)
    paths = [path for path in number_paths(data) if path.startswith("loops.")]
    assert len(paths) > 45
    for path in paths[::9]:
        old = data
        for word in path.split("."):
            old = old[int(word)] if isinstance(old, list) else old[word]
        if isinstance(old, int):
            continue  # an axis: these joints have one
        case = ts.read_vehicle(vehicle, {path: old * 1.001 if old else 1e-3})
        assert differences(base.loads, case.loads) or differences(base.initial, case.initial), path


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('loop = "rod"', 'loop = "road"', r"sensors.rod_force.loop.*is not a loop.*rod"),
        ("row = 1", "row = 2", r"unknown loop, or row of a loop.*rod, row 2"),
        ('driver = "drum"', 'driver = "drums"', r"loops.mesh.driver.*is not a joint"),
        ("radius = 0.1", "radius = -0.1", r"loops.contact.radius"),
        ('end = "half_open"', 'end = "half_closed"', r"loops.mesh.end.*is not an event.*half_open"),
        ("restitution = 0.4\n", "", r"loops.drawer_stop.*restitution"),
        ('point = "corner"', 'point = "corners"', r"loops.pivot.first.point"),
        ("assemble = true\n", "", r"loop \w+ is not closed in the initial state"),
    ],
)
def test_mistakes_are_named(vehicle, old, new, words):
    assert old in EVERY_LOOP
    vehicle.write_text(EVERY_LOOP.replace(old, new))
    with pytest.raises(InputError, match=f"(?s){words}"):
        ts.read_vehicle(vehicle).simulation()
