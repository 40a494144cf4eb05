"""Files made to do harm, through every door of the command line: one sentence, exit code 2, and nothing else happens."""

import io
import os
import zipfile

import h5py
import numpy as np
import pytest
from support.appendages import random_bodies
from support.case_files import PLATE, plate_mesh
from support.command import run
from support.writing_commands import COMMANDS, VEHICLE, furnish

from tisserand.appendage import save_record

DIGITS = "1" * 400


class Planted:
    """What a pickle would carry out."""

    def __reduce__(self):
        return (open, ("planted", "w"))


@pytest.fixture
def home(tmp_path, monkeypatch):
    folder = tmp_path / "home"
    folder.mkdir()
    plate_mesh(folder)
    (folder / "plate.toml").write_text(PLATE.replace('[outputs]\nrecord = "plate.h5"\n', ""))
    (folder / "bus.toml").write_text(VEHICLE)
    save_record(random_bodies(0), folder / "wing.h5")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(scope="module")
def furnished(tmp_path_factory):
    """Inputs of every command that writes; nothing in it changes."""
    folder = tmp_path_factory.mktemp("parent") / "home"
    folder.mkdir()
    furnish(folder)
    before = os.getcwd()
    os.chdir(folder)
    yield folder
    os.chdir(before)


def refused(home, *command) -> str:
    """The sentence of a command that must refuse; what stands in the folder, and beside it, stays as it is."""
    before = {path: path.lstat().st_mtime_ns for path in home.parent.rglob("*")}
    result = run(*command)
    assert result.exit_code == 2, (result.stdout, result.stderr)
    assert result.stderr.count("\n") == 1 and "Traceback" not in result.stderr
    assert {path: path.lstat().st_mtime_ns for path in home.parent.rglob("*")} == before
    return result.stderr


# -- arrays -------------------------------------------------------------------------------------------
def bomb() -> bytes:
    """Two hundred megabytes of zeros in two hundred kilobytes, of an array of thirteen gigabytes."""
    stream, head = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f8", "fortran_order": False, "shape": (40_000, 40_000)})
    with (
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("K.npy", "w", force_zip64=True) as member,
    ):
        member.write(head.getvalue())
        for _ in range(200):
            member.write(bytes(1 << 20))
    return stream.getvalue()


ARCHIVES = {
    "objects": {"K": np.array([{}, None], dtype=object)},
    "pickle": {"K": np.array([Planted()], dtype=object)},
    "text": {"K": np.array([["a", "b"], ["c", "d"]])},
    "structure": {"K": np.zeros((2, 2), dtype=[("a", "f8")])},
    "complex": {"K": 1j * np.eye(2)},
    "not a number": {"K": np.nan * np.eye(2)},
    "infinite": {"K": np.inf * np.eye(2)},
    "pointers": {"K_data": np.ones(2), "K_indices": [0, 1], "K_indptr": [0, 10**6, 2]},
    "negative index": {"K_data": np.ones(2), "K_indices": [0, -7], "K_indptr": [0, 1, 2]},
    "empty": {"K": np.zeros((0, 0))},
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_of_anything_but_numbers_is_refused(home, name):
    np.savez(home / "a.npz", M=np.eye(2), **ARCHIVES[name])
    for command in ("info", "modes"):
        refused(home, command, "a.npz", "-u", "SI")
    assert not (home / "planted").exists()


def test_an_archive_that_expands_without_end_is_refused(home):
    (home / "a.npz").write_bytes(bomb())
    refused(home, "info", "a.npz", "-u", "SI")
    with zipfile.ZipFile(home / "b.npz", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("K.npy", bytes(1 << 20))
    refused(home, "info", "b.npz", "-u", "SI")


def _virtual(file):
    layout = h5py.VirtualLayout(shape=(3, 3), dtype="f8")
    layout[:] = h5py.VirtualSource("plate.h5", "M", shape=(3, 3))
    file.create_virtual_dataset("virtual", layout)


def _deep(file):
    group = file
    for _ in range(200):
        group = group.create_group("g")


CHANGES = {
    "external link": lambda file: file.__setitem__("x", h5py.ExternalLink("/etc/passwd", "/")),
    "virtual data": _virtual,
    "external data": lambda f: f.create_dataset("x", (4,), "f8", external=[("plate.msh", 0, 32)]),
    "absurd size": lambda f: f.create_dataset("x", (10**8, 10**4), "f8", chunks=(1000, 1000)),
    "deep groups": _deep,
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_record_that_leads_elsewhere_is_refused(home, name):
    with h5py.File(home / "wing.h5", "r+") as file:
        CHANGES[name](file)
    for command in (("info", "wing.h5"), ("export", "wing.h5", "--to", "sid"), ("simulate", "bus.toml")):
        refused(home, *command)


# -- names --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("command", [("info",), ("study",), ("simulate",), ("report",), ("diff", "wing.h5")])
def test_pipes_devices_loops_and_folders_are_refused_at_once(home, command):
    os.mkfifo(home / "pipe.toml")
    (home / "loop.toml").symlink_to("loop.toml")
    (home / "zero.toml").symlink_to("/dev/zero")
    for name in ("pipe.toml", "loop.toml", "zero.toml", "/dev/zero", ".", "n" * 300, ""):
        refused(home, *command, name)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "modes outputs"])
def test_outputs_that_are_pipes_devices_or_loops_are_refused_by_every_command(furnished, name):
    home, arguments = furnished, COMMANDS[name][0]
    ending = next((word for word in arguments if word.startswith("out/x")), "out/x.h5")[len("out/x") :]
    target = home / "out" / f"x{ending}"
    loop, device = (lambda: target.symlink_to(target.name)), (lambda: target.symlink_to("/dev/null"))
    for make in (loop, device, lambda: os.mkfifo(target)):
        make()
        assert target.name in refused(home, *arguments)
        target.unlink()


@pytest.mark.parametrize("line", ["INCLUDE 'pipe'", "INCLUDE '/dev/zero'", "INCLUDE 'loop'", "INCLUDE '.'"])
def test_decks_that_include_pipes_and_devices_are_refused(home, line):
    os.mkfifo(home / "pipe")
    (home / "loop").symlink_to("loop")
    (home / "a.bdf").write_text(f"{line}\n")
    (home / "a.inp").write_text(line.replace("INCLUDE ", "*INCLUDE, INPUT=").replace("'", "") + "\n")
    for deck in ("a.bdf", "a.inp"):
        refused(home, "info", deck, "-u", "SI")


@pytest.mark.parametrize(
    "target", ["link.h5", "folder/x.h5", "../x.h5", "/tmp/x.h5", "a\\u0000b.h5", "mesh.h5", "x" * 300 + ".h5"]
)
def test_outputs_do_not_leave_the_folder_or_touch_an_input(home, target):
    """By a link, a folder that is a link, a relative or absolute path, or a link to an input."""
    (home / "link.h5").symlink_to(home.parent / "outside.h5")
    (home / "folder").symlink_to(home.parent)
    (home / "mesh.h5").symlink_to(home / "plate.msh")
    (home / "case.toml").write_text(PLATE.replace('"plate.h5"', f'"{target}"'))
    (home / "study.toml").write_text(f'[modes]\nmodel = "plate.toml"\noutput = "{target}"\n')
    refused(home, "modes", "case.toml")
    refused(home, "study", "study.toml")


# -- TOML ---------------------------------------------------------------------------------------------
TABLES = {
    "lists": "a = " + "[" * 5000 + "]" * 5000,
    "tables": "[" + ".".join("a" * 5000) + "]\nb = 1",
    "inline": "x = " + "{a = " * 5000 + "1" + "}" * 5000,
    "digits": f"mass = {DIGITS}",
    "more digits": "mass = " + "9" * 5000,
}


@pytest.mark.parametrize("name", TABLES)
def test_toml_of_absurd_depth_or_digits_is_refused_at_every_door(home, name):
    (home / "a.toml").write_text(TABLES[name] + "\n")
    for command in (("info",), ("study",), ("simulate",), ("modes",), ("diff", "wing.h5", "wing.h5", "-t")):
        refused(home, *command, "a.toml")


STUDIES = [
    '[modes]\nmodel = "plate.toml"\noutput = "plate.toml"',
    f'[modes]\nmodel = "plate.toml"\ncount = {DIGITS}',
    '[study]\nfile = "study.toml"',
    '[demo]\noutput = "/tmp/demo"',
    "modes = 3",
    '[export]\nrecord = "wing.h5"\nto = "sid"\noutput = "wing.h5"\nforce = true',
    '[simulate]\nvehicle = "bus.toml"\nset = { "bodies.bus.mass" = nan }',
    '[simulate]\nvehicle = "bus.toml"\ncsv = "bus.toml"',
    '[view]\nmodel = "wing.h5"\nsave = "../x.png"',
    '[diff]\nfirst = "wing.h5"\nsecond = "wing.h5"\npicture = "wing.h5"',
    '[sweep]\nvehicle = "bus.toml"\nover = { "bodies.bus.mass" = "1:2:1000000000000" }',
    '[montecarlo]\nvehicle = "bus.toml"\ncount = 1000000000000\nvary = { "bodies.bus.mass" = "normal:80:1" }',
    '[response]\nvehicle = "bus.toml"\npoints = 100000000000',
    '[campbell]\nmodel = "plate.toml"\naxis = [0, 0, 1]\nrates = "0:1:1000000000000"',
]


@pytest.mark.parametrize("text", STUDIES)
def test_studies_that_ask_for_too_much_or_for_an_input_are_refused(home, text):
    (home / "study.toml").write_text(text + "\n")
    refused(home, "study", "study.toml")


SETTINGS = [
    "bodies.bus.mass=nan", "bodies.bus.mass=-5", f"bodies.bus.mass={DIGITS}", "bodies.bus.mass=1e309", "bodies.bus.mass=", "=3",
    "bodies..mass=1", "bodies.bus.inertia=[1,2", "bodies.bus.mass=" + "[" * 5000, ".".join("a" * 3000) + "=1", "simulation=3",
    "appendages.wing.record=/dev/zero", "appendages.wing.record=a\0b", "simulation.duration=1e308",
    "simulation.output_step=1e-30", "initial.angular_velocity=[inf,0.0,0.0]", "outputs.csv=../x.csv",
    "outputs.trajectory=bus.toml",
]  # fmt: skip


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda text: text[:40])
def test_values_set_at_the_command_line_are_checked_like_those_of_the_file(home, setting):
    refused(home, "simulate", "bus.toml", "--set", setting)


RANGES = ["0:1:1000000000000", "0:1:" + "9" * 400, "0:1:" + "9" * 5000, "a:b:c", "0:1:-5", "1:2:3:4", "0:1:2.5"]
LAWS = [
    "normal:nan:1",
    "normal:80:-1",
    "uniform:2:1",
    "normal:80",
    "uniform:-1e308:1e308",
    "cauchy:1:2",
    "normal:1e999:1",
]


@pytest.mark.parametrize("text", RANGES, ids=lambda text: text[:20])
def test_ranges_that_make_no_sense_are_refused_before_memory_is_taken(home, text):
    refused(home, "sweep", "bus.toml", "--over", f"bodies.bus.mass={text}")
    refused(home, "campbell", "plate.toml", "--axis", "0,0,1", "--rates", text)
    many = [part for key in ("mass", "center.x", "name") for part in ("--over", f"bodies.bus.{key}=0:1:1000")]
    assert "combinations" in refused(home, "sweep", "bus.toml", *many)


@pytest.mark.parametrize("text", LAWS)
def test_laws_that_make_no_sense_are_refused(home, text):
    refused(home, "montecarlo", "bus.toml", "--vary", f"bodies.bus.mass={text}", "-n", "2")


@pytest.mark.parametrize("key", ["young = 7.0e10", "density = 2700.0", "thickness = 0.002", "mass = 1.5"])
@pytest.mark.parametrize("value", ["1e308", "1e-308"])
def test_values_at_the_ends_of_the_numbers_give_a_result_or_one_sentence(home, key, value):
    """No structure has them; what overflows or vanishes on the way is said, not raised from the depth of a library."""
    word = key.split(" = ")[0]
    (home / "case.toml").write_text(
        PLATE.replace('[outputs]\nrecord = "plate.h5"\n', "").replace(key, f"{word} = {value}")
    )
    result = run("modes", "case.toml")
    assert result.exit_code in (0, 1, 2, 3)
    lines = [line for line in result.stderr.splitlines() if "warning" not in line]
    assert len(lines) == (result.exit_code != 0), result.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("campbell", "plate.toml", "--axis", "0,0,1", "--rates", "1e200"),
        ("campbell", "plate.toml", "--axis", "0,0,0", "--rates", "1"),
        ("modes", "plate.toml", "--point", f"tip={DIGITS}"),
        ("response", "bus.toml", "--points", "1000000000000"),
        ("montecarlo", "bus.toml", "--vary", "bodies.bus.mass=normal:80:1", "-n", "1000000000000"),
    ],
    ids=lambda command: command[0],
)
def test_options_beyond_reason_are_refused(home, command):
    refused(home, *command)


@pytest.mark.parametrize("value", [-5, np.nan, [1, 2], b"\xff", ""])
def test_a_run_whose_kind_is_no_text_is_refused(home, value):
    assert run("simulate", "bus.toml", "-o", "run.h5").exit_code == 0
    with h5py.File(home / "run.h5", "r+") as file:
        file.attrs["kind"] = value
    for command in (("info", "run.h5"), ("report", "run.h5", "-o", "run.html"), ("frames", "run.h5")):
        refused(home, *command)
