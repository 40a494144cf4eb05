"""The eigenproblem as a folder for a cluster: complete, solved by its own script, and brought home with the same record."""

import json
import subprocess
from pathlib import Path

import pytest
from support.slepc import missing, needs_slepc

import tisserand as ts
from tisserand.errors import FileError
from tisserand.modes.slepc.petsc_files import read_matrix
from tisserand.modes.slepc.run import _environment, command

MESHES = Path(__file__).parents[2] / "meshes"


def test_the_folder_holds_the_free_matrices_and_all_that_is_needed(tmp_path):
    result = ts.export(MESHES / "boom.bdf", to="petsc", read_units="SI", output=tmp_path / "boom.petsc")
    folder = tmp_path / "boom.petsc"
    assert {path.name for path in folder.iterdir()} == {
        "stiffness.petsc", "mass.petsc", "request.json", "solve.py", "README.md"
    }  # fmt: skip
    assert result.read_back_error <= 1e-12 and "--solution" in result.notes[1]
    model = ts.open(MESHES / "boom.bdf", units="SI").assemble()
    free = ~model.held(model.supports)
    assert abs(read_matrix(folder / "stiffness.petsc") - model.stiffness[free][:, free]).max() == 0.0
    assert abs(read_matrix(folder / "mass.petsc") - model.mass[free][:, free]).max() == 0.0
    assert json.loads((folder / "request.json").read_text())["rows"] == free.sum()
    script = (folder / "solve.py").read_text()
    assert "import tisserand" not in script and "from tisserand" not in script
    with pytest.raises(FileError, match="the folder already exists"):
        ts.export(MESHES / "boom.bdf", to="petsc", read_units="SI", output=folder)
    (folder / "result.json").write_text("{}")
    ts.export(MESHES / "boom.bdf", to="petsc", read_units="SI", output=folder, force=True)
    assert not (folder / "result.json").exists()  # a solution of before is not mixed with new matrices
    with pytest.raises(FileError, match="is not a folder of this target"):
        (tmp_path / "own.petsc").mkdir()
        ts.export(MESHES / "boom.bdf", to="petsc", read_units="SI", output=tmp_path / "own.petsc", force=True)


@needs_slepc
def test_what_the_script_solves_comes_home_as_the_same_record(tmp_path):
    assert not missing()
    folder = tmp_path / "boom.petsc"
    ts.export(MESHES / "boom.bdf", to="petsc", read_units="SI", output=folder)
    subprocess.run([*command(1), str(folder / "solve.py"), "--count", "6"], check=True, env=_environment())
    home = ts.modes(MESHES / "boom.bdf", units="SI", solution=folder, output=tmp_path / "home.h5")
    here = ts.modes(MESHES / "boom.bdf", units="SI", count=6, output=tmp_path / "here.h5")
    assert home.frequencies_hz == pytest.approx(here.frequencies_hz, rel=1e-9)
    assert home.proof["missed"] == 0 and home.proof["backend"].startswith("SLEPc")
    assert ts.diff(tmp_path / "here.h5", tmp_path / "home.h5").passed
