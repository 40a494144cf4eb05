"""The tables of the recursive engine are declared like a header file: no field without its words, no table without its maker."""

import re
from pathlib import Path

import pytest

from tisserand.multibody.recursive import engine_model, workspace

FOLDER = Path(engine_model.__file__).parent
RECORDS = {"HEAD": engine_model.HEAD, **{name.upper(): dtype for name, dtype in engine_model.TABLES.items()}}


def commented(name):
    """Names of fields with a comment, in the order of the file."""
    return re.findall(r'^ +\("(\w+)", (?:_INT|_FLOAT|number)[^#\n]*\),? +# \S', (FOLDER / name).read_text(), re.M)


def test_every_field_of_the_model_and_the_workspace_has_a_meaning():
    given = [field for dtype in RECORDS.values() for field in dtype.names]
    assert sorted(commented("engine_model.py")) == sorted(given)
    records = (workspace.RESULTS, workspace.BODY_WORK, workspace.NODE_WORK)
    assert commented("workspace.py") == [field for dtype in records for field in dtype.names]
    tables = re.findall(r"^    (\w+): Any +# \S", (FOLDER / "workspace.py").read_text(), re.M)
    assert tables == [name for name in workspace.Workspace._fields if name != "scratch"]


def test_every_record_of_the_model_names_what_makes_it():
    text = (FOLDER / "engine_model.py").read_text()
    assert text.count("# made by ") == text.count(" = np.dtype([") == 9


@pytest.mark.parametrize("path", sorted(FOLDER.glob("_kernels*.py")), ids=lambda path: path.stem)
def test_kernels_know_joints_by_their_motion_subspace(path):
    """Kinds of joints are compared in one file; others ask whether the base floats or is held."""
    found = re.findall(r"\b(HINGE|PRISMATIC|BALL)\b", path.read_text())
    assert not found or path.stem == "_kernels_joints"
