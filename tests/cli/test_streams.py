"""Standard output that is closed, full or cut short, and thread counts that are none: an exit code, at most one sentence."""

import json
import os
import subprocess
import sys

import pytest
from support.appendages import random_bodies
from support.case_files import PLATE, plate_mesh, write_case
from support.command import run

from tisserand.appendage import load_record, save_record

needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no device that is always full")


def shell(line):
    """Exit code and standard error of ``tisserand LINE``, where the line may redirect."""
    command = f"'{sys.executable}' -m tisserand.cli.app {line}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    return done.returncode, done.stderr


#: Commands one after the other in a process whose output nobody reads; the codes of all go to a file.
LEFT = """
import json, sys
from tisserand.cli.app import app
from tisserand.cli.streams import settle_streams
settle_streams()
codes = []
for words in json.loads(sys.argv[1]):
    try:
        codes.append(app(words, standalone_mode=False) or 0)
    except SystemExit as end:
        codes.append(end.code or 0)
    sys.stdout.flush()
open("codes.json", "w").write(json.dumps(codes))
"""


def codes_of(lines, folder, **streams):
    """Run the lines in one process and compare their exit codes; the process."""
    command = [sys.executable, "-c", LEFT, json.dumps([line.split() for line in lines])]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, cwd=folder, **streams)
    assert dict(zip(lines, json.loads((folder / "codes.json").read_text()))) == lines
    return done


def test_a_closed_standard_output_is_no_mistake(tmp_path):
    lines = dict.fromkeys(["formats", "formats --json", "schema vehicle", "--version"], 0)
    assert codes_of(lines, tmp_path, preexec_fn=lambda: os.close(1)).stderr == ""


@pytest.mark.parametrize("unbuffered", ["", pytest.param("1", marks=pytest.mark.slow)])
def test_a_reader_that_leaves_ends_the_printing_not_the_work(tmp_path, unbuffered):
    """As in ``tisserand modes wing.bdf -o wing.h5 | head -1``: files and exit codes are those of the work."""
    plate_mesh(tmp_path)
    write_case(tmp_path, PLATE)
    (tmp_path / "other.toml").write_text("[bodies\n")
    lines = {
        "--help": 0, "schema vehicle": 0, "formats --json": 0, "info other.toml": 2, "info other.toml --json": 2,
        "check plate.toml": 0, "modes plate.toml --count 2 -o plate.h5": 0, "diff plate.h5 plate.h5": 0,
    }  # fmt: skip
    reader, writer = os.pipe()
    os.close(reader)
    done = codes_of(lines, tmp_path, stdout=writer, env={**os.environ, "PYTHONUNBUFFERED": unbuffered})
    os.close(writer)
    assert done.returncode == 0 and done.stderr.count("\n") == done.stderr.count("tisserand: ") == 2, done.stderr
    load_record(tmp_path / "plate.h5")


def test_closed_errors_leave_the_exit_code():
    assert shell("info no_such_file.h5 2>&-") == (2, "")


@needs_full
@pytest.mark.parametrize("line", ["--help", "formats --json"])
def test_a_full_standard_output_is_one_sentence(line):
    full = "tisserand: standard output cannot be written (No space left on device); nothing was written.\n"
    assert shell(f"{line} > /dev/full") == (2, full)


@needs_full
def test_a_full_standard_output_leaves_the_files_and_names_them(tmp_path):
    save_record(random_bodies(0), tmp_path / "wing.h5")
    code, errors = shell(f"export {tmp_path}/wing.h5 --to effective-mass -o {tmp_path}/x.csv > /dev/full")
    assert (
        code == 2
        and errors.count("\n") == 1
        and errors.endswith(f"left on device); {tmp_path}/x.csv and {tmp_path}/x.md were written.\n")
    )
    assert (tmp_path / "x.csv").read_text().endswith("\n")


@pytest.mark.parametrize("value", ["0", "-1", "many", "", "1.5"])
def test_a_thread_count_that_is_none_is_one_sentence(monkeypatch, value):
    monkeypatch.setenv("NUMBA_NUM_THREADS", value)
    refused = run("formats")
    assert refused.exit_code == 2 and "NUMBA_NUM_THREADS" in refused.stderr and refused.stderr.count("\n") == 1


@pytest.mark.parametrize("value", ["1", "2", " 04 "])
def test_a_thread_count_that_is_one_passes(monkeypatch, value):
    monkeypatch.setenv("NUMBA_NUM_THREADS", value)
    assert run("formats").exit_code == 0
