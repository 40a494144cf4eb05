"""``info`` lists what can be chosen of a deck: subcases, SPC sets, steps."""

from support.command import run

ROD = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nCROD,1,1,1,2\nPROD,1,1,.01\nMAT1,1,7.+10,,.3,2700.\n"


def test_subcases_and_sets_of_a_nastran_deck(tmp_path):
    path = tmp_path / "rod.bdf"
    path.write_text(
        "SOL 103\nCEND\nSPC=7\nSUBCASE 1\nLOAD=3\nSUBCASE 4\nSPC=9\nMETHOD=2\nBEGIN BULK\n"
        f"{ROD}SPC1,7,123,1\nSPC1,9,123456,1\nSPC,9,2,23\nFORCE,3,2,,1.,1.,0.,0.\nEIGRL,2,,,3\nENDDATA\n"
    )
    data = run("info", path, "-u", "SI", "--json").data
    assert data["solution"] == "103"
    assert data["subcases (--subcase)"] == {"1": "LOAD=3", "4": "SPC=9, METHOD=2"}
    assert data["subcase that holds"] == "4" and data["SPC set that holds"] == "9"
    assert data["SPC sets (--spc)"] == {"7": "1 SPC1", "9": "1 SPC, 1 SPC1"}
    assert data["requests for modes"] == {"2": "1 EIGRL"}


def test_steps_of_a_calculix_deck(tmp_path):
    path = tmp_path / "rod.inp"
    path.write_text(
        "*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT, TYPE=T3D2, ELSET=E\n1,1,2\n*MATERIAL, NAME=M\n*ELASTIC\n7e10,.3\n*DENSITY\n2700.\n"
        "*SOLID SECTION, ELSET=E, MATERIAL=M\n.01\n*STEP, NLGEOM\n*STATIC\n*END STEP\n"
        "*STEP, PERTURBATION\n*FREQUENCY\n2\n*END STEP\n"
    )
    data = run("info", path, "-u", "consistent", "--json").data
    assert data["steps (--step)"] == {"1": "STATIC (NLGEOM)", "2": "FREQUENCY (PERTURBATION)"}
    assert data["program (--flavor)"] == "calculix, as nothing in the deck shows which"
    assert data["step that holds"] == "2" and "across (length units)" in data["size"]
