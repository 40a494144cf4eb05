"""Round-off of a zero is printed as 0 in tables, Markdown and HTML; the data keeps its digits."""

import re

import numpy as np
import pytest
from support.command import run

from tisserand.appendage import load_record, mode_table
from tisserand.arrays import without_roundoff

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?")


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """A free straight bar off the origin: its elastic modes carry no momentum, so all effective masses are round-off."""
    folder = tmp_path_factory.mktemp("zeros")
    nodes = "".join(f"GRID,{i + 1},,{0.3 * i - 1.5},0.1,0.\n" for i in range(11))
    bars = "".join(f"CBAR,{i + 1},1,{i + 1},{i + 2},0.,0.,1.\n" for i in range(10))
    rest = "PBAR,1,1,1.-4,8.33-10,1.2-9,1.4-9\nMAT1,1,7.+10,,.33,2700.\n"
    (folder / "bar.bdf").write_text(f"BEGIN BULK\n{nodes}{bars}{rest}ENDDATA\n")
    made = run("modes", folder / "bar.bdf", "-u", "SI", "-n", 4, "-o", folder / "bar.h5")
    assert made.exit_code == 0, made.stderr
    return folder / "bar.h5", made.stdout


def sizes(text):
    return np.abs([float(word) for word in NUMBER.findall(text)])


def test_tables_print_zero_where_only_round_off_is_left(record):
    path, said = record
    table = said[: said.index("Proof:")]
    values = sizes(table)
    assert np.abs(load_record(path).integrals.coupling).max() > 0.0  # there is round-off to be hidden
    assert not ((values > 0.0) & (values < 1e-9)).any() and " -0 " not in table and "(-0" not in table


def test_markdown_and_html_do_too(record):
    path, _ = record
    assert run("export", path, "--to", "effective-mass", "-o", path.with_suffix(".csv"), "--force").exit_code == 0
    rows = [line for line in path.with_suffix(".md").read_text().splitlines() if re.match(r"\| \d", line)]
    assert len(rows) == 4
    for text in rows:
        values = sizes(text)
        assert not ((values > 0.0) & (values < 1e-9)).any() and "| -0 |" not in text
    for row in mode_table(load_record(path)).rows():
        assert row[3] == 0.0 and row[5:11] == [0.0] * 6


def test_the_scale_decides_what_is_round_off():
    shown = without_roundoff([-0.0, 4.7e-38, 1e-11, -2e-12], 1.0)
    assert [str(value) for value in shown.tolist()] == ["0.0", "0.0", "1e-11", "-2e-12"]
    assert without_roundoff([1e-11], 100.0).tolist() == [0.0]
