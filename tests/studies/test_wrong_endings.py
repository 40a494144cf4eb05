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
from tisserand.studies.tasks import function_of

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
    made["study"] = folder / "study.toml"
    made["study"].write_text('[check]\nmodel = "boom.bdf"\nunits = "SI"\n[[modes]]\nmodel = "boom.bdf"\ncount = 3\n')
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


#: What each command takes, by the option that names it; every other kind is refused with the command that takes it.
TAKES = {
    "modes": {"nastran", "abaqus", "case", "modes", "record", "matrices", "matlab", "hdf5"},
    "check": {"nastran", "abaqus", "case", "modes", "record", "matrices", "matlab", "hdf5"},
    "report": {"record", "run"},
    "export": {"record"},
    "simulate": {"vehicle"},
    "linearize": {"vehicle"},
    "frames": {"run"},
    "study": {"study"},
}
KINDS = ("nastran", "abaqus", "case", "vehicle", "study", "modes", "record", "run", "matrices", "matlab", "hdf5")


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("command", TAKES)
def test_a_command_says_what_the_wrong_kind_of_file_is_and_what_takes_it(files, command, name):
    if name in TAKES[command]:
        return
    extra = {"export": {"to": "sid"}}.get(command, {})
    with pytest.raises(ts.InputError) as error:
        function_of(command)(files[name], **extra)
    sentence = str(error.value)
    assert files[name].name in sentence and "; expected a" in sentence and "'tisserand " in sentence
    taker = sentence.rpartition("'tisserand ")[2].split()[0]
    assert name in TAKES.get(taker, {"run"}), sentence
    assert len(sentence) < 400


def test_a_study_file_is_described(files):
    facts = ts.info(files["study"]).as_dict()
    assert facts["kind"] == "study file" and [task["task"] for task in facts["tasks"]] == ["check", "modes"]
