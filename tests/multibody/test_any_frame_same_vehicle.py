"""One vehicle, any floating frame of its appendage: frequencies and damping about rest against dense finite elements.

The oracle adds bus and drive as 6 x 6 masses to the free appendage's matrices and knows neither records nor frames
(``support.mounted_oracle``). Damping ratio 0.005 of the held modes, as stated for the mounted appendage (theory section 9).
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from support.mounted_oracle import body_mass, free_parts, moved, shapes, vehicle_poles

import tisserand as ts
from tisserand.appendage import in_frame
from tisserand.appendage.frames.merged_records import merged
from tisserand.appendage.frames.transformed_records import mirrored, normalized, shifted, turned

COUNT, RATIO = 6, 0.005
BUS = {
    "mass": 200.0,
    "center": np.array([0.1, -0.2, 0.05]),
    "inertia": np.array([[40.0, 2.0, -1.0], [2.0, 55.0, 3.0], [-1.0, 3.0, 30.0]]),
}
AT, TURN = np.array([0.6, 0.3, -0.4]), Rotation.from_rotvec([0.4, -0.7, 0.2]).as_matrix()


def boom():
    made = ts.boom(3.0, ts.tube(0.05, 0.0015), ts.ALUMINUM, elements=8, clamped=False)
    return made.with_mass("tip", 1.3, offset=(0.05, 0.2, 0.1), inertia=(0.02, 0.03, 0.01)), "root"


def plate():
    wall = ts.honeycomb(ts.ALUMINUM, 0.3e-3, ts.HONEYCOMB, 0.015)
    return ts.plate(1.6, 0.9, wall, elements=(5, 3)).with_hub("mount", over="x-"), "mount"


def antenna():
    """A bent frame held in its middle, with an offset body and three further points: no symmetry left."""
    points = {"base": (0.0, 0.0, 0.0), "left": (-0.9, 0.4, 0.1), "right": (1.4, 0.2, -0.3), "top": (0.2, 1.1, 0.5)}
    members = [("base", "left"), ("base", "right"), ("base", "top"), ("right", "top")]
    made = ts.frame(points, members, ts.box(0.03, 0.02, 0.001), ts.ALUMINUM, elements=3)
    return made.with_mass("left", 0.8, offset=(0.05, 0.1, -0.2), inertia=(1e-2, 2e-2, 3e-2)), "base"


def straight():
    """All inertia about its own axis (but for the sections' own) in the tip body."""
    made = ts.boom(3.0, ts.tube(0.05, 0.0015), ts.ALUMINUM, elements=8, clamped=False)
    return made.with_mass("tip", 1.3, inertia=(0.02, 0.03, 0.01)), "root"


def elbow():
    made = ts.frame(
        {"root": (0, 0, 0), "knee": (1.5, 0, 0), "end": (1.5, 1.1, 0)}, [("root", "knee"), ("knee", "end")],
        ts.box(0.03, 0.02, 0.001), ts.ALUMINUM, elements=4,
    )  # fmt: skip
    return made, "root"


def mast():
    return ts.mast(2.0, 5, 0.1, ts.tube(0.008, 0.001), ts.ALUMINUM, clamped=False).with_mass(
        "tip", 0.6, offset=(0, 0.1, 0.05)
    ), "root"


APPENDAGES = {
    "boom": (boom, "consistent"),
    "plate": (plate, "consistent"),
    "antenna": (antenna, "consistent"),
    "straight, coupled": (straight, "coupled"),
    "straight, lumped": (straight, "lumped"),
    "elbow, lumped": (elbow, "lumped"),
    "mast, lumped": (mast, "lumped"),
    "plate, lumped": (plate, "lumped"),
}
QUICK = ("antenna", "straight, lumped", "plate, lumped")


@pytest.fixture(
    scope="module",
    params=[name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in APPENDAGES],
)
def appendage(request):
    make, recipe = APPENDAGES[request.param]
    structure, point = make()
    model = ts.assemble(structure, mass=recipe)
    return model, point, free_parts(model, dict(structure.interfaces)[point])


def on_bus(record):
    """A free bus with the appendage off its center and turned."""
    body = ts.Body("bus", BUS["mass"], center=BUS["center"], inertia=BUS["inertia"])
    return ts.Vehicle("v", (body,), appendages=(ts.MountedAppendage("a", record, "bus", AT, TURN),))


def bus_oracle(parts, B):
    axes = np.kron(np.eye(2), TURN.T)
    return vehicle_poles(parts, B, axes @ moved(AT), body_mass(**BUS), np.zeros((6, 6)), RATIO)


def on_drive(record):
    """The same bus, a spring hinge about a skew axis, and a drive of 3 kg that carries the appendage."""
    bus = ts.Body("bus", BUS["mass"], center=BUS["center"], inertia=BUS["inertia"])
    drive = ts.Body("drive", 3.0, center=[0.0, 0.02, 0.0], inertia=np.diag([0.02, 0.03, 0.04]))
    joint = ts.hinge("drive", "bus", "drive", axis=[0.6, 0.0, 0.8], parent_point=[0.5, 0.1, 0.0], stiffness=400.0)
    return ts.Vehicle("v", (bus, drive), (joint,), appendages=(ts.MountedAppendage("a", record, "drive", AT, TURN),))


def drive_oracle(parts, B):
    axis, hinge = np.array([0.6, 0.0, 0.8]), np.array([0.5, 0.1, 0.0])
    drive = np.hstack([moved(hinge), np.concatenate([np.zeros(3), axis])[:, None]])  # motion of the drive's origin
    mass = np.zeros((7, 7))
    mass[:6, :6] = body_mass(**BUS)
    mass += drive.T @ body_mass(3.0, np.array([0.0, 0.02, 0.0]), np.diag([0.02, 0.03, 0.04])) @ drive
    stiffness = np.zeros((7, 7))
    stiffness[6, 6] = 400.0
    return vehicle_poles(parts, B, np.kron(np.eye(2), TURN.T) @ moved(AT) @ drive, mass, stiffness, RATIO)


def agree(vehicle, expected):
    """Frequencies to 1e-8, damping ratios to 1e-8 of themselves or of the stated ratio (a spring mode hardly has any)."""
    found = ts.system_modes(vehicle)
    hz, ratios = expected
    few = min(len(hz), COUNT)
    assert found.frequencies_hz[:few] == pytest.approx(hz[:few], rel=1e-8)
    assert found.damping_ratios[:few] == pytest.approx(ratios[:few], rel=1e-8, abs=1e-8 * RATIO)


@pytest.mark.parametrize("frame", ["connection", "tisserand", "buckens", "milne"])
@pytest.mark.parametrize("mounting", ["clamped", "residual", "free"])
def test_frequencies_and_damping_do_not_depend_on_the_frame(appendage, mounting, frame):
    """Frames x spans x appendages on a bus and on a hinged drive: 1e-8 in frequency and in damping ratio."""
    model, point, parts = appendage
    first = "buckens" if frame == "connection" else frame
    basis = ts.solve_modes(model, count=COUNT, frame=first, attachment=point, mounted=mounting)
    record = ts.reduce(basis, attachment=point, damping=RATIO)
    record = in_frame(record, "connection") if frame == "connection" else record
    assert record.frame.name == frame and max(record.frame.residuals) < 1e-9
    B = shapes(parts, mounting, COUNT)
    agree(on_bus(record), bus_oracle(parts, B))
    agree(on_drive(record), drive_oracle(parts, B))


def test_damping_is_carried_as_a_matrix_through_every_change(appendage):
    """Round trips of frames, reference points, turns, mirrors, norms and merging leave the damping of the vehicle alone."""
    model, point, parts = appendage
    basis = ts.solve_modes(model, count=COUNT, frame="buckens", attachment=point, mounted="clamped")
    record = ts.reduce(basis, attachment=point, damping=RATIO)
    expected = bus_oracle(parts, shapes(parts, "clamped", COUNT))
    for first in ("connection", "tisserand", "milne", "buckens"):
        for second in ("connection", "tisserand", "milne", "buckens"):
            agree(on_bus(in_frame(in_frame(record, first), second)), expected)
    for moved_to in (np.add(record.reference_point, [0.3, -0.5, 0.7]), [2.0, 1.0, 0.0]):
        agree(on_bus(shifted(record, moved_to)), expected)
    Q = Rotation.from_rotvec([0.3, 0.2, -0.5]).as_matrix()
    spun = ts.MountedAppendage("a", turned(record, Q), "bus", AT, TURN @ Q.T)
    body = ts.Body("bus", BUS["mass"], center=BUS["center"], inertia=BUS["inertia"])
    agree(ts.Vehicle("v", (body,), appendages=(spun,)), expected)
    agree(on_bus(normalized(record, "mass")), expected)
    agree(on_bus(merged([in_frame(record, "connection")])), expected)
    twice = mirrored(mirrored(record, [1.0, 0.0, 0.0]), [1.0, 0.0, 0.0])
    agree(on_bus(twice), expected)
