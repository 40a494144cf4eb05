"""The contract scripts rely on: JSON alone on standard output, exit codes, one sentence on standard error."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.command import run

MESHES = Path(__file__).parents[2] / "meshes"


@pytest.fixture(scope="module")
def boom_record(tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "boom.h5"
    result = run("modes", MESHES / "boom.bdf", "--units", "SI", "--count", 6, "-o", path, "--json")
    assert result.exit_code == 0, result.stderr
    return path, result.data


def test_modes_json_has_every_promised_key(boom_record):
    _, data = boom_record
    assert set(data) >= {
        "frequencies_hz", "rigid_body_modes", "mass", "center_of_mass", "inertia", "effective_mass",
        "reference_point", "proof", "ledger",
    }  # fmt: skip
    assert np.all(np.diff(data["frequencies_hz"]) >= 0.0) and len(data["frequencies_hz"]) == 6
    assert np.shape(data["effective_mass"]) == (6, 6) and np.shape(data["inertia"]) == (3, 3)
    assert data["proof"]["missed"] == 0 and data["rigid_body_modes"] == 0


def test_a_record_says_the_same_as_the_run_that_made_it(boom_record):
    path, data = boom_record
    again = run("modes", path, "--json").data
    assert again["frequencies_hz"] == pytest.approx(data["frequencies_hz"], rel=1e-9)
    assert again["mass"] == pytest.approx(data["mass"], rel=1e-12)
    assert again["center_of_mass"] == pytest.approx(data["center_of_mass"], abs=1e-9)


def test_a_record_refuses_other_options(boom_record):
    result = run("modes", boom_record[0], "--count", 3)
    assert result.exit_code == 2 and "fixed" in result.stderr


def test_free_ignores_the_supports_and_finds_six_rigid_modes():
    data = run("modes", MESHES / "boom.bdf", "-u", "SI", "-n", 4, "--free", "--json").data
    assert data["rigid_body_modes"] == 6
    assert data["frame"] == "buckens"
    assert np.abs(data["effective_mass"]).max() < 1e-9 * data["mass"]


def test_fmax_keeps_all_modes_below():
    data = run("modes", MESHES / "boom.bdf", "-u", "SI", "--fmax", 12.0, "--json").data
    assert len(data["frequencies_hz"]) == 4 and max(data["frequencies_hz"]) < 12.0


def test_units_must_be_stated_for_decks():
    result = run("modes", MESHES / "boom.bdf")
    assert result.exit_code == 2
    assert "does not state its units" in result.stderr and result.stderr.count("\n") == 1


def test_a_consistent_record_says_so(tmp_path):
    data = run("modes", MESHES / "boom.bdf", "-u", "consistent", "-n", 2, "-o", tmp_path / "c.h5", "--json").data
    assert data["units"] == "consistent"
    refused = run("export", tmp_path / "c.h5", "--to", "sid")
    assert refused.exit_code == 2 and "length unit of the record is unknown" in refused.stderr


def test_millimeters_taken_as_meters_are_noticed(tmp_path):
    """The boom written in mm-t-s and read as SI: the check says the material fits no solid, exit 1."""
    text = (MESHES / "boom.bdf").read_text()
    path = tmp_path / "boom_mm.bdf"
    path.write_text(text.replace("70000000000.", "70000.").replace("2700. ", "2.7E-9").replace("2700.", "2.7E-9"))
    result = run("check", path, "--units", "SI")
    assert result.exit_code == 1
    assert "too light" in result.stdout
    refused = run("modes", MESHES / "boom.bdf", "--units", "mm-t-s", "-n", 2)
    assert refused.exit_code == 1 and "too heavy" in refused.stderr and "--accept-units" in refused.stderr
    warned = run("modes", MESHES / "boom.bdf", "--units", "mm-t-s", "-n", 2, "--accept-units", "--json")
    assert warned.exit_code == 0 and "too heavy" in warned.stderr and "too heavy" in warned.data["warnings"][0]


def test_a_truncated_deck_is_refused_or_says_so(tmp_path):
    """Cut anywhere, also between two cards: a deck with case control that lacks its ENDDATA never passes in silence."""
    text = (MESHES / "wing.bdf").read_text()
    path = tmp_path / "cut.bdf"
    for part in (0.3, 0.5, 0.9):
        path.write_text(text[: text.rindex("\n", 0, int(part * len(text))) + 1])
        result = run("check", path, "--units", "SI")
        assert "ENDDATA" in result.stderr or ("cut.bdf" in result.stderr and result.exit_code == 2)


@pytest.mark.parametrize("command", ["check", "modes", "info"])
@pytest.mark.parametrize("kind", ["missing", "directory", "empty", "binary"])
def test_unusable_files_exit_2_with_one_sentence(command, kind, tmp_path):
    path = tmp_path / "deck.bdf"
    if kind == "directory":
        path.mkdir()
    elif kind == "empty":
        path.touch()
    elif kind == "binary":
        path.write_bytes(bytes(range(256)) * 20)
    result = run(command, path, "--units", "SI", "--json")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1 and "deck.bdf" in result.stderr
    assert result.data["error"]["message"] in result.stderr


def test_check_passes_on_every_shipped_mesh():
    for name in ("boom.bdf", "wing.toml", "dish.bdf", "panel.toml", "bracket.toml"):
        options = [] if name.endswith("toml") else ["--units", "SI"]
        result = run("check", MESHES / name, *options, "--json")
        assert result.exit_code == 0, (name, result.stdout[-2000:])
        assert result.data["passed"]


def test_bad_numbers_are_refused():
    for option in (["--count", 0], ["--fmax", -1.0]):
        result = run("modes", MESHES / "boom.bdf", "-u", "SI", *option)
        assert result.exit_code in (2, 3) and result.stderr.count("\n") == 1


def test_formats_lists_readers_and_targets():
    data = run("formats", "--json").data
    assert {f["name"] for f in data["read"]} >= {"nastran"}
    assert {f["name"] for f in data["write"]} >= {"sid", "42", "exudyn", "simscape"}


def test_info_describes_a_deck_and_a_record(boom_record):
    deck = run("info", MESHES / "boom.bdf", "-u", "SI", "--json").data
    assert deck["size"]["nodes"] == 25 and deck["elements"] == {"beam": 24, "nodal body": 1}
    assert run("info", boom_record[0], "--json").data["kind"] == "reduced appendage"


@pytest.mark.parametrize("words", [["--help"], ["modes", "--help"], ["simulate", "--help"]])
def test_help_is_quick(words):
    """Half a second of processor time, the least of three calls; nothing heavy is imported, rich included."""
    code = (
        f"import sys, time; sys.argv = ['tisserand', *{words}]\n"
        "from tisserand.cli.app import main\n"
        "try: main()\n"
        "except SystemExit: print([m for m in ('numpy', 'scipy', 'numba', 'h5py', 'rich.console') if m in sys.modules])\n"
        "print(time.process_time())"
    )
    seconds = []
    while len(seconds) < 3 and not (seconds and seconds[-1] < 0.5):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        *page, heavy, spent = done.stdout.splitlines()
        assert heavy == "[]" and page[0].startswith("Usage: tisserand") and "Show this message and exit." in done.stdout
        seconds.append(float(spent))
    assert min(seconds) < 0.5


def test_quiet_prints_nothing():
    result = run("modes", MESHES / "boom.bdf", "-u", "SI", "-n", 2, "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_an_output_never_takes_the_place_of_its_input(tmp_path):
    deck = tmp_path / "boom.bdf"
    deck.write_bytes((MESHES / "boom.bdf").read_bytes())
    result = run("modes", deck, "-u", "SI", "-n", 2, "-o", deck)
    assert result.exit_code == 2 and "input of this command" in result.stderr
    assert deck.read_bytes() == (MESHES / "boom.bdf").read_bytes()


def test_a_record_needs_the_ending_that_reads_it_back(tmp_path):
    result = run("modes", MESHES / "boom.bdf", "-u", "SI", "-n", 2, "-o", tmp_path / "boom.txt")
    assert result.exit_code == 2 and ".h5" in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("frame", ["connection", "node:1", "buckens", "tisserand", "milne", "free"])
def test_every_frame_answers_on_a_held_model(frame):
    data = run("modes", MESHES / "boom.bdf", "-u", "SI", "-n", 2, "--frame", frame, "--json").data
    assert data["frame"] == frame.partition(":")[0]
    assert data["frequencies_hz"][0] == pytest.approx(1.3195, rel=1e-3)  # a frame moves no frequency


@pytest.mark.parametrize("frame", ["node", "node:9999", "node:tip of the boom", "connexion"])
def test_a_frame_that_cannot_be_is_one_sentence_with_the_file(frame):
    result = run("modes", MESHES / "boom.bdf", "-u", "SI", "-n", 2, "--frame", frame)
    assert result.exit_code == 2 and len(result.stderr.strip().splitlines()) == 1
    assert "boom.bdf" in result.stderr


def test_a_range_without_modes_is_an_empty_answer_with_a_warning():
    result = run("modes", MESHES / "boom.bdf", "-u", "SI", "--fmax", 1e-4, "--json")
    assert result.exit_code == 0 and result.data["frequencies_hz"] == []
    assert "no elastic mode" in result.data["warnings"][0]


def test_stated_units_are_not_overruled(boom_record):
    assert run("modes", boom_record[0], "--units", "mm-t-s").exit_code == 2
    assert run("check", MESHES / "panel.toml", "--units", "mm-t-s").exit_code == 2


def test_a_cut_record_is_refused(boom_record, tmp_path):
    cut = tmp_path / "cut.h5"
    cut.write_bytes(boom_record[0].read_bytes()[:20000])
    for command in ("modes", "info"):
        result = run(command, cut)
        assert result.exit_code == 2 and "truncated" in result.stderr
        assert len(result.stderr.strip().splitlines()) == 1


def test_bare_matrices_give_frequencies_and_say_what_is_unknown(tmp_path):
    """Two masses of 1 kg, two springs of 10 kN/m in a row: w^2 = k (3 -+ sqrt 5) / 2."""
    path = tmp_path / "chain.npz"
    np.savez(path, stiffness=1e4 * np.array([[2.0, -1.0], [-1.0, 1.0]]), mass=np.eye(2))
    data = run("modes", path, "-u", "SI", "-n", 2, "--json").data
    exact = np.sqrt(1e4 * (3.0 + np.sqrt(5.0) * np.array([-1.0, 1.0])) / 2.0) / (2.0 * np.pi)
    assert data["frequencies_hz"] == pytest.approx(exact, rel=1e-10)
    assert not np.any(data["effective_mass"]) and "unknown" in data["warnings"][0]


def test_a_mode_that_does_not_exist_is_not_drawn(boom_record, tmp_path):
    result = run("view", boom_record[0], "--mode", 99, "--save", tmp_path / "mode.gif")
    assert result.exit_code == 2 and "1 to 6" in result.stderr and not list(tmp_path.iterdir())


def test_no_record_is_written_that_nothing_reads(tmp_path):
    """A tip inertia about one axis alone, which no mass has: modes are listed, the record is refused."""
    deck = tmp_path / "boom.bdf"
    text = (MESHES / "boom.bdf").read_text()
    deck.write_text(text.replace("ENDDATA", "CONM2,9001,25,,1.0\n,1.0E6\nENDDATA"))
    assert run("modes", deck, "-u", "SI", "-n", 2, "--accept-units", "-q").exit_code == 0
    done = run("modes", deck, "-u", "SI", "-n", 2, "--accept-units", "-o", tmp_path / "boom.h5")
    assert done.exit_code == 1 and "contradict each other" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["boom.bdf"]
