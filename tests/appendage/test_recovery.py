"""Recovery matrices: outputs of a trajectory from modal coordinates, against statics and rigid kinematics."""

import numpy as np
import pytest
from appendage.hand_built import bodies_on_springs, dense_basis

import tisserand as ts
from tisserand.appendage import acceleration_at, in_frame, keep_modes, load_record, reduce, save_record
from tisserand.assembly import assemble
from tisserand.errors import ModelError
from tisserand.model import BeamStation, Isotropic
from tisserand.modes import solve_modes

LENGTH, FORCE, COUNT = 2.0, 3.0, 10


@pytest.fixture(scope="module")
def cantilever():
    """Clamped beam along x; all of its modes, so that a static state is exact in modal coordinates."""
    material = Isotropic.from_young(1, 7e10, 0.3, 2700.0)
    section = ts.CrossSection(BeamStation(1e-3, 2e-7, 1e-7, torsion_constant=2e-7))
    boom = ts.boom(LENGTH, section, material, elements=COUNT, up=(0, 1, 0))
    structure = boom.changed(interfaces={"tip": COUNT + 1}, element_sets={"root": np.array([1])})
    basis = solve_modes(assemble(structure, mass="consistent"), count=6 * COUNT)
    return reduce(
        basis, recovery={"root": "root", "outer": [COUNT]}, interface_axes={"tip": [[0, 1, 0], [0, 0, 1], [1, 0, 0]]}
    )


def static_state(appendage, force):
    """eta under a force at the tip (body axes): Ke eta = phi' f."""
    return np.linalg.solve(appendage.stiffness, appendage.interface("tip").translation.T @ force)


def test_static_tip_force_gives_the_beam_s_section_forces_and_reactions(cantilever):
    """Closed forms of a cantilever: w = F L³ / 3 EI, shear F, moment F (L - x), reaction -F and -F L."""
    eta = static_state(cantilever, np.array([0.0, FORCE, 0.0]))
    tip = cantilever.recovery["displacement:tip"] @ eta  # rows in the interface's axes: y, z, x
    assert tip[0] == pytest.approx(FORCE * LENGTH**3 / (3 * 7e10 * 2e-7), rel=1e-6)
    assert tip[4] == pytest.approx(FORCE * LENGTH**2 / (2 * 7e10 * 2e-7), rel=1e-6)  # rotation about z
    shear = cantilever.recovery["element:root:shear y"] @ eta
    moment = cantilever.recovery["element:root:moment z"] @ eta
    assert shear == pytest.approx([FORCE], rel=1e-6)
    assert np.abs(moment) == pytest.approx([FORCE * LENGTH, FORCE * LENGTH * (1 - 1 / COUNT)], rel=1e-6)
    reaction = cantilever.recovery["interface force:attachment"] @ eta
    assert reaction == pytest.approx([0, -FORCE, 0, 0, 0, -FORCE * LENGTH], abs=1e-6)
    meaning = cantilever.reports["recovery"]["element:root:moment z"]
    assert meaning["elements"] == [1] and meaning["shape"] == [1, 2]


def test_outputs_survive_selection_and_storage_and_those_of_elements_a_frame_change(cantilever, tmp_path):
    few = keep_modes(cantilever, [0, 2])
    assert np.array_equal(few.recovery["element:root:torque"], cantilever.recovery["element:root:torque"][:, [0, 2]])
    again = load_record(save_record(few, tmp_path / "boom.h5"))
    assert list(again.recovery) == list(cantilever.recovery)
    floating = in_frame(few, "buckens")
    kept = ("element:", "displacement:", "interface force:attachment")
    assert set(floating.recovery) == {name for name in few.recovery if name.startswith(kept)}


def test_acceleration_of_a_point_is_the_second_derivative_of_its_place():
    """Finite differences of C (X + r + phi eta) along a random path of frame and modes."""
    from scipy.spatial.transform import Rotation

    appendage = reduce(dense_basis(bodies_on_springs(), held=(0,)))
    rng = np.random.default_rng(3)
    k = appendage.count
    point = appendage.interface("tip")
    a, w, al = rng.normal(size=(3, 3))
    eta, rate, acceleration = 0.1 * rng.normal(size=(3, k))

    def place(t):
        # frame turned by a rotation vector whose rate is w and whose acceleration is al at t = 0
        C = Rotation.from_rotvec(w * t + 0.5 * al * t**2).as_matrix()
        y = point.position + point.translation @ (eta + rate * t + 0.5 * acceleration * t**2)
        return 0.5 * a * t**2 + C @ y

    h = 1e-4
    second = (place(h) - 2.0 * place(0.0) + place(-h)) / h**2
    found = acceleration_at(
        appendage, "tip", eta, rate, acceleration, frame_acceleration=a, frame_rate=w, frame_angular_acceleration=al
    )
    assert found == pytest.approx(point.axes @ second, rel=1e-5, abs=1e-5)


def test_unknown_labels_are_refused(cantilever):
    basis = dense_basis(bodies_on_springs(), held=(0,))
    with pytest.raises(ModelError, match="unknown element set"):
        reduce(basis, recovery={"x": "nothing"})
    with pytest.raises(ModelError, match="elements do not exist"):
        reduce(basis, recovery={"x": [12345]})
    with pytest.raises(ModelError, match="no resultants"):
        reduce(basis, recovery={"x": [0]})
