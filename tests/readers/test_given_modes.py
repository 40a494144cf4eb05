"""Given modes as reduced appendages: a cantilevered bar of lumped masses whose modes are known in closed form."""

import json

import numpy as np
import pytest

from tisserand.appendage import load_record, save_record
from tisserand.errors import CaseError, FileError, IdentityError
from tisserand.readers.given_modes import read_modes


def bar(modes=2, n=4):
    """n equal masses on equal springs along x, held at x = 0 (fixed-free chain), stretching modes.

    Shapes phi_ij = sin((2 j - 1) i pi / (2 n + 1)); omega_j = 2 sqrt(k/m) sin((2 j - 1) pi / (2 (2 n + 1))).
    """
    i, j = np.arange(1, n + 1)[:, None], np.arange(1, modes + 1)[None, :]
    shape = np.sin((2 * j - 1) * i * np.pi / (2 * n + 1))
    omega = 2.0 * np.sqrt(1000.0 / 2.0) * np.sin((2 * j[0] - 1) * np.pi / (2 * (2 * n + 1)))
    translation = np.zeros((n, 3, modes))
    translation[:, 0] = shape
    positions = np.column_stack([np.arange(1, n + 1), np.zeros(n), np.full(n, 0.5)])
    center = positions.mean(axis=0)
    arms = positions - center
    inertia = 2.0 * (np.eye(3) * (arms**2).sum() - arms.T @ arms)
    P = 2.0 * translation.sum(axis=0)
    H = 2.0 * np.cross(positions[:, :, None], translation, axis=1).sum(axis=0)
    return {
        "name": "bar",
        "units": "SI",
        "frequencies_hz": (omega / (2 * np.pi)).tolist(),
        "node_ids": list(range(1, n + 1)),
        "positions": positions.tolist(),
        "translation": translation.tolist(),
        "modal_masses": (2.0 * (shape**2).sum(axis=0)).tolist(),
        "damping_ratios": 0.01,
        "mass": 2.0 * n,
        "center": center.tolist(),
        "inertia": inertia.tolist(),
        "participation": P.tolist(),
        "rotation_participation": H.tolist(),
        "interfaces": {"tip": n},
    }


def write(tmp_path, content, name="bar.json"):
    path = tmp_path / name
    if name.endswith(".npz"):
        np.savez(path, **{key: np.asarray(value) for key, value in content.items() if key != "interfaces"})
    else:
        path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize("name", ["bar.json", "bar.npz"])
def test_modes_without_masses_have_constant_inertia(tmp_path, name):
    content = bar()
    appendage = read_modes(write(tmp_path, content, name))
    assert appendage.inertia_level == "constant"
    np.testing.assert_allclose(appendage.frequencies_hz, content["frequencies_hz"], rtol=1e-12)
    np.testing.assert_allclose(appendage.damping_ratios, 0.01, rtol=1e-12)
    np.testing.assert_allclose(appendage.integrals.translation, content["participation"])
    assert np.abs(appendage.integrals.inertia_first).max() == 0.0  # nothing is claimed about its change
    assert max(appendage.integrals.identity_errors().values()) < 1e-12
    assert "constant" in appendage.reports["notes"][0]


def test_nodal_masses_give_the_same_numbers_and_full_inertia(tmp_path):
    """Participation, modal masses and mass properties follow from nodal masses: they equal the stated ones."""
    content = bar()
    stated = read_modes(write(tmp_path, content))
    lumped = {key: content[key] for key in content if "participation" not in key and key not in ("center", "inertia")}
    lumped["nodal_masses"] = [2.0] * 4
    full = read_modes(write(tmp_path, lumped, "lumped.json"))
    assert full.inertia_level == "full"
    for word in ("translation", "rotation", "inertia", "center", "modal_mass"):
        np.testing.assert_allclose(getattr(full.integrals, word), getattr(stated.integrals, word), rtol=1e-9, atol=1e-9)
    assert full.mass == pytest.approx(8.0)


def test_all_modes_carry_all_the_mass_along_the_bar(tmp_path):
    """With every mode of the chain the residual mass along x is zero (completeness)."""
    appendage = read_modes(write(tmp_path, bar(modes=4)))
    assert appendage.integrals.residual_mass[0, 0] == pytest.approx(0.0, abs=1e-9)
    assert appendage.integrals.residual_mass[1, 1] == pytest.approx(8.0)


def test_units_are_converted(tmp_path):
    """The same bar in mm-t-s: masses in t, lengths in mm, rotations participation in t mm."""
    content, scaled = bar(), bar()
    scaled["units"] = "mm-t-s"
    for key, factor in (("positions", 1e3), ("center", 1e3), ("modal_masses", 1e-3), ("participation", 1e-3)):
        scaled[key] = (np.array(content[key]) * factor).tolist()
    scaled["mass"] = content["mass"] * 1e-3
    scaled["inertia"] = (np.array(content["inertia"]) * 1e3).tolist()
    a, b = read_modes(write(tmp_path, content)), read_modes(write(tmp_path, scaled, "mm.json"))
    for word in ("mass", "center", "inertia", "translation", "rotation", "modal_mass"):
        np.testing.assert_allclose(getattr(a.integrals, word), getattr(b.integrals, word), rtol=1e-12)
    np.testing.assert_allclose(a.nodes.positions, b.nodes.positions)


def test_the_record_is_saved_and_read_back(tmp_path):
    appendage = read_modes(write(tmp_path, bar()))
    save_record(appendage, tmp_path / "bar.h5")
    again = load_record(tmp_path / "bar.h5")
    np.testing.assert_array_equal(again.stiffness, appendage.stiffness)
    assert again.inertia_level == "constant"


@pytest.mark.parametrize(
    ("change", "key", "words"),
    [
        ({"units": None}, "units", "does not state its units"),
        ({"units": "meters"}, "units", "unknown unit system"),
        ({"frequencies_hz": [1.0, -2.0]}, "frequencies_hz", "at least 0"),
        ({"translation": [[1.0]]}, "translation", "wrong shape"),
        ({"participation": None}, "participation", "coupling of held modes"),
        ({"mass": -1.0}, "mass", "above 0"),
        ({"frame": "bukens"}, "frame", "did you mean 'buckens'"),
        ({"interfaces": {"tip": 99}}, "interfaces.tip", "no node has this id"),
        ({"modal_mass": [1.0, 1.0]}, "modal_mass", "did you mean 'modal_masses'"),
        ({"node_ids": [1, 2, 3, 3]}, "node_ids", "names a node twice"),
    ],
)
def test_mistakes_name_their_key(tmp_path, change, key, words):
    content = {**bar(), **change}
    content = {name: value for name, value in content.items() if value is not None}
    with pytest.raises(CaseError, match=words) as caught:
        read_modes(write(tmp_path, content))
    assert caught.value.key.startswith(key)


def test_modes_heavier_than_the_structure_are_refused(tmp_path):
    content = bar()
    content["participation"] = (3.0 * np.array(content["participation"])).tolist()
    with pytest.raises(IdentityError, match="more mass than the structure has"):
        read_modes(write(tmp_path, content))


def test_other_files_are_refused(tmp_path):
    (tmp_path / "a.json").write_text("{nonsense")
    with pytest.raises(FileError, match="not valid JSON"):
        read_modes(tmp_path / "a.json")
