"""What targets for vehicles leave out is named, and what would make another mechanism of the vehicle is refused."""

import numpy as np
import pytest
from support.appendages import random_bodies
from support.recursive_calls import evaluate

import tisserand as ts
from tisserand.errors import CaseError, FileError, VehicleError
from tisserand.exporters import basilisk, basilisk_modal, fmu_nonlinear, fmu_vehicle, mjcf
from tisserand.exporters.registry import export_vehicle
from tisserand.studies.vehicles import read_vehicle

HUB = """
name = "craft"
[bodies.hub]
mass = 50.0
inertia = [5.0, 6.0, 7.0]
[simulation]
duration = 1.0
"""
LINK = """
[bodies.link]
mass = 5.0
center = [0.5, 0.0, 0.1]
inertia = [0.1, 1.0, 1.0]
[joints.elbow]
parent = "hub"
child = "link"
parent_point = [0.3, 0.0, 0.0]
axis = [0.0, 0.0, 1.0]
"""
FELT = """
[sensors.felt]
kind = "accelerometer"
body = "hub"
direction = [1.0, 0.0, 0.0]
"""


def case_of(folder, text):
    (folder / "craft.toml").write_text(text)
    return read_vehicle(folder / "craft.toml")


@pytest.mark.parametrize("target", [mjcf, basilisk, basilisk_modal, fmu_nonlinear])
def test_sensors_that_are_evaluated_after_a_run_are_named(tmp_path, target):
    if target is fmu_nonlinear:
        pytest.importorskip("sympy")
    assert "sensors are left out: felt" in target.losses(case_of(tmp_path, HUB + FELT))


@pytest.mark.parametrize("target", [mjcf, fmu_nonlinear, fmu_vehicle])
def test_limits_are_named(tmp_path, target):
    if target is fmu_nonlinear:
        pytest.importorskip("sympy")
    limited = case_of(tmp_path, HUB + LINK + "limits = [-0.1, 0.1]\n")
    assert "limits of joints are left out: elbow" in target.losses(limited)
    free = case_of(tmp_path, HUB + LINK)
    assert not any("limits" in loss for loss in target.losses(free))


def test_a_linear_unit_names_the_errors_of_its_sensors(tmp_path):
    noisy = FELT.replace('kind = "accelerometer"', 'kind = "rate"') + "errors = { period = 0.1, sigma = 0.01 }\n"
    assert fmu_vehicle.losses(case_of(tmp_path, HUB + noisy))[1].endswith(": felt")
    assert len(fmu_vehicle.losses(case_of(tmp_path, HUB + FELT))) == 1


@pytest.mark.parametrize("name", ["mjcf", "basilisk", "basilisk-modal", "fmu2-nonlinear", "fmu3-nonlinear"])
@pytest.mark.parametrize(
    "loop",
    [
        'kind = "lock"\njoint = "elbow"',
        'kind = "distance"\nlength = 0.5\nfirst = { body = "hub", point = [0.3, 0.5, 0.0] }\nsecond = { body = "link" }',
    ],
)
def test_loops_are_refused_by_name(tmp_path, name, loop):
    case = case_of(tmp_path, f"{HUB}{LINK}[loops.rod]\n{loop}\n")
    with pytest.raises(VehicleError, match="rod"):
        export_vehicle(case, name, tmp_path / "craft.out")
    assert not (tmp_path / "craft.out").exists()


def test_joints_on_nodes_of_appendages_are_refused_by_name(tmp_path):
    record = random_bodies(3)
    ts.save_record(record, tmp_path / "wing.h5")
    tip = next(face.name for face in record.interfaces if face.name != record.attachment)
    held = LINK.replace("parent_point = [0.3, 0.0, 0.0]", f'parent_interface = ["wing", "{tip}"]')
    case = case_of(tmp_path, f'{HUB}{held}[appendages.wing]\nrecord = "wing.h5"\nbody = "hub"\n')
    with pytest.raises(VehicleError, match=r"joints on nodes of appendages cannot be written.*elbow"):
        export_vehicle(case, "mjcf", tmp_path / "craft.xml")


def test_a_hub_for_basilisk_holds_its_rotors(tmp_path):
    """Mass, mass center and inertia of hub and locked wheel by the parallel-axis theorem, in both targets."""
    wheel = '[rotors.wheel]\nbody = "hub"\naxis = [1.0, 0.0, 0.0]\nspin_inertia = 0.1\nmass = 1.0\nposition = [0.2, 0.0, 0.0]\n'
    case = case_of(tmp_path, HUB + wheel + "transverse_inertia = 0.05\n")
    apart = 50.0 * 1.0 / 51.0 * 0.2**2
    for target in (basilisk, basilisk_modal):
        data = target.vehicle_data(case)
        assert data["mass"] == pytest.approx(51.0, rel=1e-14)
        assert data["center"] == pytest.approx([0.2 / 51.0, 0.0, 0.0], rel=1e-14)
        meant = np.diag([5.1, 6.05 + apart, 7.05 + apart])
        assert np.array(data["inertia"]) == pytest.approx(meant, rel=1e-13, abs=1e-14)


def test_a_rigid_appendage_has_no_tuned_mass(tmp_path):
    ts.save_record(random_bodies(3), tmp_path / "wing.h5")
    case = case_of(tmp_path, HUB + '[appendages.wing]\nrecord = "wing.h5"\nbody = "hub"\nmodes = 0\n')
    assert basilisk.vehicle_data(case)["masses"] == []
    assert "wing:mode" not in mjcf.mjcf_text(case)


def test_mujoco_takes_point_masses_bodies_without_mass_and_free_joints(tmp_path):
    """Accelerations of a point mass on two crossed hinges and of a free body beside it: those of the engine, 1e-6 of the largest
    (masses of 1e-9 stand where there is none).
    """
    mujoco = pytest.importorskip("mujoco")
    case = case_of(
        tmp_path,
        HUB
        + """
[bodies.cross]
mass = 0.0
[bodies.bob]
mass = 5.0
center = [0.5, 0.1, 0.0]
[bodies.stage]
mass = 7.0
center = [0.1, 0.2, 0.3]
inertia = [1.0, 2.0, 2.5]
[joints.first]
parent = "hub"
child = "cross"
axis = [1.0, 0.0, 0.0]
[joints.second]
parent = "cross"
child = "bob"
axis = [0.0, 0.0, 1.0]
stiffness = 3.0
[joints.apart]
kind = "free"
parent = "hub"
child = "stage"
[initial]
angular_velocity = [0.3, -0.2, 0.5]
joints = { first = 0.4, second = -0.3, apart = [0.1, 0.2, 0.3, 0.8, 0.6, 0.0, 0.0] }
joint_rates = { first = 0.7, second = 0.2, apart = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6] }
""",
    )
    result = export_vehicle(case, "mjcf", tmp_path / "craft.xml")
    assert [loss.split(": ")[1] for loss in result.losses] == ["cross, bob"]
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "craft.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    meant = evaluate(case.vehicle, case.initial)
    joined = {name: np.ravel(meant.joints[name]) for name in ("first", "second", "apart")}
    expected = np.concatenate([meant.velocity, meant.angular_velocity, *joined.values()])
    order = [model.joint(j).name.split(":")[0] for j in range(model.njnt)]
    assert [name for name in dict.fromkeys(order) if name] == list(joined)
    assert np.abs(data.qacc - expected).max() < 1e-6 * np.abs(expected).max()


def test_broken_toml_is_reported_by_its_line(tmp_path):
    (tmp_path / "craft.toml").write_text("[bodies.hub]\nmass = .1\n")
    for target in ("mjcf", "fmu2", "sid"):
        with pytest.raises(CaseError, match=r"not valid TOML.*line 2"):
            ts.export(tmp_path / "craft.toml", to=target)


def test_an_output_without_extension_must_be_a_folder(tmp_path):
    case_of(tmp_path, HUB)
    with pytest.raises(
        FileError, match=r"results: is no folder, and has no extension; expected a file such as results.xml"
    ):
        ts.export(tmp_path / "craft.toml", to="mjcf", output=tmp_path / "results")
    assert not (tmp_path / "results").exists()


def test_a_file_of_equations_is_kept_unless_forced(tmp_path):
    pytest.importorskip("sympy")
    case_of(tmp_path, HUB)
    place = tmp_path / "craft.c"
    place.write_text("mine")
    with pytest.raises(FileError, match="already exists; use 'force'"):
        ts.equations(tmp_path / "craft.toml", output=place)
    assert place.read_text() == "mine"
    with pytest.raises(FileError, match=r"craft.py: is not a name for c; expected .c or .h; or state 'to' python"):
        ts.equations(tmp_path / "craft.toml", output=tmp_path / "craft.py")
    ts.equations(tmp_path / "craft.toml", output=place, force=True)
    assert "Equations of motion of craft" in place.read_text()
