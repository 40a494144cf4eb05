"""Standard output that is closed, full or cut short, and thread counts that are none: an exit code, at most one sentence."""

import os
import subprocess
import sys

import pytest
from support.command import run

needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no device that is always full")


def shell(line):
    """Exit code and standard error of ``tisserand LINE``, where the line may redirect."""
    command = f"'{sys.executable}' -m tisserand.cli.app {line}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    return done.returncode, done.stderr


@pytest.mark.parametrize("line", ["formats", "formats --json", "schema vehicle", "--version"])
def test_a_closed_standard_output_is_no_mistake(line):
    assert shell(f"{line} >&-") == (0, "")


def test_closed_errors_leave_the_exit_code():
    assert shell("info no_such_file.h5 2>&-") == (2, "")


@needs_full
@pytest.mark.parametrize("line", ["formats", "--help", "formats --help"])
def test_a_full_standard_output_is_one_sentence(line):
    code, errors = shell(f"{line} > /dev/full")
    assert code == 2 and errors.startswith("tisserand: ") and errors.count("\n") == 1, errors


@pytest.mark.parametrize("value", ["0", "-1", "many", "", "1.5"])
def test_a_thread_count_that_is_none_is_one_sentence(monkeypatch, value):
    monkeypatch.setenv("NUMBA_NUM_THREADS", value)
    refused = run("formats")
    assert refused.exit_code == 2 and "NUMBA_NUM_THREADS" in refused.stderr and refused.stderr.count("\n") == 1


@pytest.mark.parametrize("value", ["1", "2", " 04 "])
def test_a_thread_count_that_is_one_passes(monkeypatch, value):
    monkeypatch.setenv("NUMBA_NUM_THREADS", value)
    assert run("formats").exit_code == 0
