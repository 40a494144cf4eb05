"""Content decides what a file is: every kind is recognized under endings that belong to others, or to nobody."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import h5py
import numpy as np
import pytest
import scipy.io

import tisserand as ts

ROOT = Path(__file__).parents[2]
ENDINGS = (".bdf", ".inp", ".dat", ".toml", ".txt", ".h5x", "")
VEHICLE = "[bodies.bus]\nmass = 100.0\ninertia = [50.0, 60.0, 70.0]\n[simulation]\nduration = 0.1\n"
MODES = {
    "units": "SI",
    "mass": 10.0,
    "center": [0, 0, 0],
    "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "frame": "connection",
    "frequencies_hz": [1.0],
    "participation": [[1.0], [0.0], [0.0]],
    "rotation_participation": [[0.0], [0.0], [0.0]],
    "node_ids": [1],
    "positions": [[0, 0, 0]],
    "translation": [[[1.0], [0.0], [0.0]]],
}
ABAQUS = """** a tip mass on two beams
*NODE, NSET=ALL
1, 0., 0., 0.
2, 1., 0., 0.
*ELEMENT, TYPE=B31, ELSET=E
1, 1, 2
*MATERIAL, NAME=A
*ELASTIC
7.e10, .3
*DENSITY
2700.
*BEAM SECTION, ELSET=E, MATERIAL=A, SECTION=RECT
.02, .02
0., 0., 1.
*BOUNDARY
1, 1, 6
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """One file of each kind, under its usual ending."""
    folder = tmp_path_factory.mktemp("kinds")
    made = {"nastran": folder / "boom.bdf", "vehicle": folder / "craft.toml", "abaqus": folder / "beam.inp"}
    shutil.copy(ROOT / "meshes" / "boom.bdf", made["nastran"])
    made["vehicle"].write_text(VEHICLE)
    made["abaqus"].write_text(ABAQUS)
    made["case"] = folder / "case.toml"
    made["case"].write_text('# a case\n\nunits = "SI"\n[mesh]\nfile = "boom.bdf"\n')
    made["modes"] = folder / "modes.json"
    made["modes"].write_text(json.dumps(MODES))
    made["record"] = ts.save_record(ts.uniform_beam(1.0, 1.0, bending=1.0, count=1), folder / "beam.h5")
    made["run"] = folder / "run.h5"
    ts.simulate(made["vehicle"], output=made["run"])
    made["matrices"] = folder / "km.npz"
    np.savez(made["matrices"], K=np.diag([2.0, 3.0]), M=np.eye(2))
    made["matlab"] = folder / "km.mat"
    scipy.io.savemat(made["matlab"], {"K": np.diag([2.0, 3.0]), "M": np.eye(2)})
    made["hdf5"] = folder / "km.h5"
    with h5py.File(made["hdf5"], "w") as file:
        file["K"], file["M"] = np.diag([2.0, 3.0]), np.eye(2)
    return made


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    "name", ["nastran", "abaqus", "case", "vehicle", "modes", "record", "run", "matrices", "matlab", "hdf5"]
)
def test_content_decides(files, name, ending):
    path = files[name].with_name(f"renamed_{name}{ending}")
    shutil.copy(files[name], path)
    kind = "matrices" if name in ("matlab", "hdf5") else name
    units = "SI" if kind in ("nastran", "abaqus", "matrices") else None
    opened = ts.open(path, units=units)
    assert opened.kind == kind
    if opened.structure is not None:
        assert ts.read_model(path, units=units).nodes.ids.tolist() == opened.structure.nodes.ids.tolist()


def test_a_name_forces(files):
    with pytest.raises(ts.InputError, match=r"boom\.bdf"):
        ts.open(files["nastran"], units="SI", format="abaqus")


def test_a_mesh_under_another_ending_is_read_by_its_content(tmp_path):
    shutil.copy(ROOT / "meshes" / "bracket.msh", tmp_path / "bracket.dat")
    text = (ROOT / "meshes" / "bracket.toml").read_text()
    (tmp_path / "bracket.toml").write_text(text.replace("bracket.msh", "bracket.dat"))
    there, here = ts.open(ROOT / "meshes" / "bracket.toml"), ts.open(tmp_path / "bracket.toml")
    assert len(there.structure.nodes) == len(here.structure.nodes)
