"""MJCF as MuJoCo reads it: accelerations of rigid trees at a random state, and modes of appendages as tuned masses."""

import numpy as np
import pytest
from scipy.linalg import eigh
from support.appendages import polynomial_panel, random_bodies
from support.recursive_calls import evaluate

import tisserand as ts
from tisserand.exporters.registry import export_vehicle
from tisserand.studies.vehicles import read_vehicle

mujoco = pytest.importorskip("mujoco")

FILE = """
name = "craft"
gravity = [0.1, -0.2, 0.3]
[bodies.hub]
mass = 30.0
center = [0.1, 0.0, -0.2]
inertia = [4.0, 5.0, 6.0]
[bodies.link]
mass = 5.0
center = [0.5, 0.1, 0.0]
inertia = [0.3, 1.0, 1.1]
[bodies.slide]
mass = 3.0
inertia = [0.2, 0.3, 0.4]
[bodies.dish]
mass = 4.0
center = [0.0, 0.1, 0.3]
inertia = [0.5, 0.6, 0.7]
[bodies.hand]
mass = 2.0
center = [0.0, 0.1, 0.2]
inertia = [0.2, 0.3, 0.25]
[joints.elbow]
parent = "hub"
child = "link"
axis = [0.0, 0.6, 0.8]
parent_point = [0.3, 0.0, 0.1]
child_point = [0.1, -0.2, 0.0]
stiffness = 9.0
damping = 0.5
rest = 0.3
[joints.rail]
kind = "prismatic"
parent = "hub"
child = "slide"
axis = [0.6, 0.0, 0.8]
parent_point = [-0.3, 0.0, 0.1]
stiffness = 20.0
[joints.cross]
kind = "universal"
parent = "slide"
child = "dish"
axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
parent_point = [0.0, 0.4, 0.1]
child_point = [0.0, 0.0, -0.2]
[joints.wrist]
kind = "ball"
parent = "link"
child = "hand"
parent_point = [1.0, 0.0, 0.0]
[initial]
position = [1.0, 2.0, 3.0]
attitude = [0.5, 0.5, -0.5, 0.5]
angular_velocity = [0.2, -0.1, 0.3]
velocity = [0.1, 0.0, -0.2]
[initial.joints]
elbow = 0.5
rail = 0.2
cross = [0.3, -0.6]
wrist = [0.5, 0.5, 0.5, 0.5]
[initial.joint_rates]
elbow = -0.4
rail = 0.7
cross = [0.5, 0.2]
wrist = [0.3, 0.2, -0.5]
[simulation]
duration = 3.0
"""


HUB = """
name = "craft"
[bodies.hub]
mass = 30.0
center = [0.1, 0.0, -0.2]
inertia = [4.0, 5.0, 6.0]
[simulation]
duration = 3.0
"""


def loaded(path):
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    return model, data


def accelerations(path):
    model, data = loaded(path)
    return model, data.qacc


def test_accelerations_of_a_tree_are_those_of_the_engine(tmp_path):
    """Free base, hinge, slider, universal and ball joints, springs, damper and gravity: 1e-9 of the largest."""
    (tmp_path / "craft.toml").write_text(FILE)
    case = read_vehicle(tmp_path / "craft.toml")
    result = export_vehicle(case, "mjcf", tmp_path / "craft.xml", strict=True)
    assert result.losses == ()
    model, found = accelerations(tmp_path / "craft.xml")
    meant = evaluate(case.vehicle, case.initial)
    places = {model.joint(j).name: model.jnt_dofadr[j] for j in range(model.njnt)}
    largest = np.abs(found).max()
    assert np.abs(found[3:6] - meant.angular_velocity).max() < 1e-9 * largest
    assert np.abs(found[:3] - meant.velocity).max() < 1e-9 * largest
    for name, size in (("elbow", 1), ("rail", 1), ("wrist", 3)):
        at = places[name]
        assert np.abs(found[at : at + size] - meant.joints[name]).max() < 1e-9 * largest
    crossed = found[[places["cross:1"], places["cross:2"]]]
    assert np.abs(crossed - meant.joints["cross"]).max() < 1e-9 * largest


def test_modes_of_appendages_are_tuned_masses(tmp_path):
    """A free hub with a panel, whose modes are no screws: frequencies of the vehicle (1e-6), effective masses, squared held
    frequencies and strain energy of the modes (1e-9) and the rigid mass (1e-12) as MuJoCo has them.
    """
    panel = polynomial_panel()
    record = panel.changed(damping=0.0 * panel.damping)
    ts.save_record(record, tmp_path / "wing.h5")
    mounted = '[appendages.wing]\nrecord = "wing.h5"\nbody = "hub"\nposition = [0.4, 0.1, 0.0]\n'
    (tmp_path / "craft.toml").write_text(HUB + mounted + "[initial.modal]\nwing = [0.02, -0.01]\n")
    case = read_vehicle(tmp_path / "craft.toml")
    result = export_vehicle(case, "mjcf", tmp_path / "craft.xml")
    assert len(result.losses) == 1 and "each mode a tuned mass" in result.losses[0] and "screw" not in result.losses[0]
    model, data = loaded(tmp_path / "craft.xml")
    bent = np.array(data.qpos[7:])
    mujoco.mj_resetData(model, data)
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    for i, unit in enumerate(np.eye(model.nv)):
        mujoco.mj_mulM(model, data, M[i], unit)
    K = np.zeros_like(M)
    for j in range(1, model.njnt):
        K[model.jnt_dofadr[j], model.jnt_dofadr[j]] = model.jnt_stiffness[j]
    hz = np.sqrt(np.abs(eigh(K, M, eigvals_only=True)[6:])) / (2.0 * np.pi)
    meant = ts.system_modes(case.vehicle).frequencies_hz
    assert hz == pytest.approx(np.sort(meant)[-len(hz) :], rel=1e-6)
    held, shapes = eigh(record.stiffness, record.integrals.modal_mass)
    bending, twist = (record.integrals.translation @ shapes)[:, 0], (record.integrals.rotation @ shapes)[:, 1]
    assert model.body_mass[model.body("wing:mode1").id] == pytest.approx(bending @ bending, rel=1e-9)
    assert model.body_inertia[model.body("wing:mode2").id].max() == pytest.approx(twist @ twist, rel=1e-9)
    moved = np.array([bending @ bending, twist @ twist])  # the second mode turns and moves no mass center
    assert model.jnt_stiffness[1:] / moved == pytest.approx(held, rel=1e-9)
    assert model.body_mass.sum() == pytest.approx(30.0 + record.mass, rel=1e-12)
    energy = 0.5 * model.jnt_stiffness[1:] @ bent**2
    eta = np.array([0.02, -0.01])
    assert energy == pytest.approx(0.5 * eta @ record.stiffness @ eta, rel=1e-9)


def test_screw_modes_and_what_they_lose_are_named(tmp_path):
    record = random_bodies(4)
    ts.save_record(record, tmp_path / "wing.h5")
    (tmp_path / "craft.toml").write_text(FILE + '[appendages.wing]\nrecord = "wing.h5"\nbody = "hub"\n')
    case = read_vehicle(tmp_path / "craft.toml")
    result = export_vehicle(case, "mjcf", tmp_path / "craft.xml")
    assert "of the effective inertia of screw modes is lost: 1 (" in result.losses[0]
    model, _ = accelerations(tmp_path / "craft.xml")
    assert model.body_mass.sum() == pytest.approx(44.0 + record.mass, rel=1e-12)


def test_prescribed_motion_is_refused_by_name(tmp_path):
    text = FILE.replace("stiffness = 9.0\ndamping = 0.5\nrest = 0.3", "motion = 0.0").replace("elbow = 0.5\n", "")
    (tmp_path / "craft.toml").write_text(text.replace("elbow = -0.4\n", ""))
    moved = read_vehicle(tmp_path / "craft.toml")
    with pytest.raises(ts.errors.VehicleError, match="a prescribed motion cannot be written as MJCF; found elbow"):
        export_vehicle(moved, "mjcf", tmp_path / "craft.xml")
