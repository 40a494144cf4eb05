"""No task replaces a file that its inputs name, and tables, plots and linear models end as their kind does."""

import pytest

import tisserand as ts
from tisserand.errors import FileError

#: Task, the options that it needs, and an option that writes a file, with the ending of its kind.
WRITING = [
    ("response", {}, "output", ".csv"),
    ("response", {}, "plot", ".png"),
    ("sweep", {"over": {"bodies.bus.mass": [800.0]}}, "output", ".csv"),
    ("sweep", {"over": {"bodies.bus.mass": [800.0]}}, "plot", ".png"),
    ("montecarlo", {"vary": {"bodies.bus.mass": "uniform:1:2"}}, "output", ".csv"),
    ("campbell", {"axis": (0, 0, 1), "rates": (0.0, 1.0)}, "output", ".csv"),
    ("campbell", {"axis": (0, 0, 1), "rates": (0.0, 1.0)}, "plot", ".png"),
    ("linearize", {}, "output", ".npz"),
    ("simulate", {}, "csv", ".csv"),
    ("simulate", {}, "plot", ".png"),
]
IDS = [f"{task}-{option}" for task, _, option, _ in WRITING]


@pytest.mark.parametrize("task, options, option, ending", WRITING, ids=IDS)
def test_a_file_that_the_input_names_is_kept(tmp_path, task, options, option, ending):
    """The guard looks through the TOML file, and the TOML files that it names, before any work."""
    kept = tmp_path / f"kept{ending}"
    kept.write_text("precious")
    (tmp_path / "case.toml").write_text(f'mesh = "{kept.name}"\n')
    vehicle = tmp_path / "craft.toml"
    vehicle.write_text('[appendages.wing]\ncase = "case.toml"\n')
    with pytest.raises(FileError, match="is the input of this command"):
        getattr(ts, task)(vehicle, **options, **{option: kept})
    assert kept.read_text() == "precious"


@pytest.mark.parametrize("task, options, option, ending", WRITING, ids=IDS)
def test_a_wrong_ending_is_refused_before_any_work(tmp_path, task, options, option, ending):
    wrong = tmp_path / "table.h5"
    with pytest.raises(FileError, match=rf"table\.h5.*unsupported file extension.*{ending}"):
        getattr(ts, task)(tmp_path / "craft.toml", **options, **{option: wrong})
    assert not wrong.exists()
