"""Units that fit no solid: the doubt is told in the right direction, and goes with the record into every run."""

from pathlib import Path

import pytest
from support.command import run

from tisserand.appendage import load_record
from tisserand.units import implausibilities

MESHES = Path(__file__).parents[2] / "meshes"
VEHICLE = """
[bodies.bus]
mass = 100.0
inertia = [50.0, 60.0, 70.0]

[appendages.boom]
record = "boom.h5"
body = "bus"

[simulation]
duration = 0.1
"""


@pytest.fixture(scope="module")
def millimeter_deck(tmp_path_factory):
    """An aluminum cantilever 2000 mm long in mm, t, s, to be stated as SI by mistake."""
    nodes = "".join(f"GRID,{i + 1},,{200.0 * i},0.,0.\n" for i in range(11))
    bars = "".join(f"CBAR,{i + 1},1,{i + 1},{i + 2},0.,0.,1.\n" for i in range(10))
    rest = "PBAR,1,1,100.,833.,1200.,1400.\nMAT1,1,70000.,,.33,2.7-9\nSPC1,1,123456,1\n"
    path = tmp_path_factory.mktemp("doubt") / "boom_mm.bdf"
    path.write_text(f"SOL 103\nCEND\nSPC=1\nBEGIN BULK\n{nodes}{bars}{rest}ENDDATA\n")
    return path


def test_the_doubt_travels_with_the_record_into_the_run(millimeter_deck):
    folder = millimeter_deck.parent
    made = run("modes", millimeter_deck, "-u", "SI", "-n", 2, "--accept-units", "-o", folder / "boom.h5")
    assert made.exit_code == 0 and "too light" in made.stderr
    assert "too light" in load_record(folder / "boom.h5").reports["units_doubt"][0]
    assert "too light" in run("modes", folder / "boom.h5").stderr
    (folder / "vehicle.toml").write_text(VEHICLE)
    data = run("simulate", folder / "vehicle.toml", "--json").data
    told = [word for word in data["warnings"] if "units" in word]
    assert len(told) == 1 and told[0].startswith("appendage boom") and "too light" in told[0]


def test_a_sound_record_flies_without_doubt(tmp_path):
    run("modes", MESHES / "boom.bdf", "-u", "SI", "-n", 2, "-o", tmp_path / "boom.h5")
    assert "units_doubt" not in load_record(tmp_path / "boom.h5").reports
    (tmp_path / "vehicle.toml").write_text(VEHICLE)
    assert not [w for w in run("simulate", tmp_path / "vehicle.toml", "--json").data["warnings"] if "units" in w]


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ({"density": 2.7e-9}, "millimeters taken as meters"),
        ({"density": 1.6e15}, "meters taken as millimeters"),
        ({"young": 7e16}, "meters taken as millimeters"),
        ({"size": 2e4}, "millimeters taken as meters"),
        ({"size": 2e-4}, "meters taken as millimeters"),
    ],
)
def test_the_hint_names_the_mistake_by_its_direction(value, hint):
    """t/mm3 = 1e12 kg/m3: an SI density read as mm-t-s comes out 1e12 times too heavy, a mm-t-s one read as SI too light."""
    (found,) = implausibilities(**value)
    assert f"({hint}?)" in found.message


def test_check_tells_how_many_more_values_are_doubted(tmp_path):
    cards = "".join(f"MAT1,{900 + i},7.+10,,.3,2.7-9\nCONROD,{9900 + i},1,2,{900 + i},1.-9\n" for i in range(9))
    text = (MESHES / "boom.bdf").read_text()
    path = tmp_path / "many.bdf"
    path.write_text(text.replace("ENDDATA", cards + "ENDDATA"))
    said = run("check", path, "-u", "SI").stdout.replace("\n", " ")
    assert said.count("too light") == 6 and "and 3 more such values" in said


def test_materials_that_no_element_uses_do_not_decide(tmp_path):
    path = tmp_path / "spare.bdf"
    path.write_text((MESHES / "boom.bdf").read_text().replace("ENDDATA", "MAT1,900,1.,,.3,2.7-9\nENDDATA"))
    assert run("modes", path, "-u", "SI", "-n", 1).exit_code == 0
