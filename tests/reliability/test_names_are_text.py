"""Names of other people in everything that is written: Markdown, HTML, CSV, XML and the terminal keep their structure.

Names are generated from the characters that mean something in one of these forms. The judge is the same file written for a
plain name: as many lines, cells and tags, in the same order.
"""

import csv
import random
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from support.appendages import random_bodies
from support.command import run

from tisserand.appendage import mode_table, save_record
from tisserand.exporters.registry import export_appendage, targets

PIECES = [
    "|", "`", "\n", "\r\n", "[a](b)", "[/bold]", "[red]", "**", "__", "<b>", "</script>", "<!--", "-->", "&lt;", '"', "'", "\\",
    ",", ";", "=1+1", "@", "+", "-", "#", "$", "%", "{", "}", "~~", "\t", "\x1b[31m", "\u202e", "é", "x", " ", ":warning:",
]  # fmt: skip
FIXED = ["a|b`c\n[d](e)<script>f", "=HYPERLINK(1)", "| | |", "`", "\n# title\n", "</td></tr></table>"]


def generated(count: int) -> list[str]:
    rng = random.Random(3)
    return ["n" + "".join(rng.choices(PIECES, k=rng.randrange(1, 8))) for _ in range(count)]


#: Every character at once, which the quick suite tries; the slow suite adds the names that mix some of them.
ALL = "n" + "".join(PIECES)
NAMES = [*FIXED, *generated(18)]
SOME = [ALL, FIXED[1], *(pytest.param(name, marks=pytest.mark.slow) for name in NAMES if name != FIXED[1])]


def record(name: str):
    wing = random_bodies(0)
    ports = tuple(replace(port, name=f"{name} {n}") for n, port in enumerate(wing.interfaces))
    attachment = ports[0].name if wing.attachment is not None and ports else None
    return wing.changed(
        name=name, interfaces=ports, attachment=attachment, mode_names=tuple(f"{name} {n}" for n in range(wing.count))
    )


class Tags(HTMLParser):
    """The tags of a page, in order, with the names of their attributes."""

    def __init__(self, text: str):
        super().__init__()
        self.seen: list = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, *(name for name, _ in attrs)))

    def handle_endtag(self, tag):
        self.seen.append(f"/{tag}")


def cells(text: str) -> list[int]:
    return [len(row) for row in csv.reader(line for line in text.splitlines() if not line.startswith("#"))]


def bars(text: str) -> list[int]:
    """Unescaped bars of every line of a Markdown text."""
    return [re.sub(r"\\.", "", line).count("|") for line in text.splitlines()]


def exported(word, folder):
    """Every file of every target, by its path."""
    for target in (t for t in targets() if t.takes("record")):
        if target.name != "simscape":
            (folder / target.name).mkdir(parents=True)
            export_appendage(record(word), target.name, folder / target.name / f"x{target.suffix}")
    return {p.relative_to(folder): p for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture(scope="module")
def plain_files(tmp_path_factory):
    return exported("plain", tmp_path_factory.mktemp("plain"))


@pytest.mark.parametrize("name", [ALL, *(pytest.param(name, marks=pytest.mark.slow) for name in NAMES)])
def test_an_exported_record_keeps_its_structure(tmp_path, monkeypatch, plain_files, name):
    if name != ALL:  # sources of units are compiled for the name that has all characters
        monkeypatch.setenv("PATH", "")
    written = exported(name, tmp_path)
    assert plain_files.keys() == written.keys()
    for path, plain in plain_files.items():
        hostile = written[path]
        if path.suffix in (".csv", ".md", ".txt", ".pch", ".SID_FEM", ".pvd"):
            one, two = plain.read_text(), hostile.read_text()
            assert one.count("\n") == two.count("\n") and two.replace("\n", "").replace("\t", "").isprintable(), path
        if path.suffix == ".md":
            assert bars(one) == bars(two)
            assert not re.search(r"[`\[\]<>|*_]", re.sub(r"\\.", "", two.splitlines()[0]))
        if path.suffix == ".csv":
            assert cells(one) == cells(two)
        if path.suffix in (".pvd", ".vtu"):
            assert [e.tag for e in ET.parse(plain).iter()] == [e.tag for e in ET.parse(hostile).iter()]


@pytest.mark.parametrize("name", SOME)
def test_tables_and_pages_of_a_record_keep_their_structure(tmp_path, name):
    pages = []
    for word in ("plain", name):
        wing = record(word)
        table = mode_table(wing)
        first = [row[0] for row in csv.reader(table.as_csv().splitlines())]
        assert len(first) == wing.count + 1 and not any(cell.startswith(("=", "+", "-", "@")) for cell in first)
        assert len(set(cells(table.as_csv()))) == 1
        save_record(wing, tmp_path / "wing.h5")
        for command in ("info", "modes"):
            result = run(command, tmp_path / "wing.h5")
            assert result.exit_code == 0 and "\x1b" not in result.stdout, result.stderr
        assert run("report", tmp_path / "wing.h5", "-o", tmp_path / "page.html").exit_code == 0
        pages.append([Tags((tmp_path / "page.html").read_text()).seen, Tags(table._repr_html_()).seen])
    assert pages[0] == pages[1]


VEHICLE = """
name = {0}
[bodies.{0}]
mass = 80.0
inertia = [60.0, 50.0, 70.0]
[appendages.{0}]
record = "wing.h5"
body = {0}
[sensors.{0}]
kind = "rate"
body = {0}
direction = [1.0, 0.0, 0.0]
[loads.{0}]
kind = "torque"
body = {0}
direction = [1.0, 0.0, 0.0]
strength = 0.1
[initial]
angular_velocity = [0.01, 0.02, 0.0]
[simulation]
duration = 0.2
output_step = 0.1
"""


def toml_string(text: str) -> str:
    return '"' + "".join(c if c.isalnum() and c.isascii() else f"\\U{ord(c):08X}" for c in text) + '"'


@pytest.mark.parametrize("name", SOME)
def test_tables_and_pages_of_a_vehicle_keep_their_structure(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    save_record(random_bodies(0), tmp_path / "wing.h5")
    found: list[list] = []
    for word in ("plain", name):
        (tmp_path / "bus.toml").write_text(VEHICLE.format(toml_string(word)))
        commands = (
            ("info", "bus.toml"), ("simulate", "bus.toml", "-o", "run.h5", "--csv", "run.csv"), ("info", "run.h5"),
            ("response", "bus.toml", "--points", "5", "-o", "response.csv"), ("linearize", "bus.toml"),
            ("sweep", "bus.toml", "--over", "simulation.duration=0.1,0.2", "-o", "sweep.csv"),
            ("report", "run.h5", "-o", "run.html"),
        )  # fmt: skip
        facts: list = []
        for command in commands:
            result = run(*command)
            assert result.exit_code == 0, (command, result.stderr)
            assert "\x1b" not in result.stdout
        for table in ("run.csv", "response.csv", "sweep.csv"):
            rows = cells((tmp_path / table).read_text())
            assert len(set(rows)) == 1
            facts.append(rows if table != "response.csv" else rows[:1])
            head = next(csv.reader((tmp_path / table).read_text().splitlines()))
            assert not any(cell.startswith(("=", "+", "-", "@")) for cell in head)
        facts.append(Tags((tmp_path / "run.html").read_text()).seen)
        assert np.isfinite(np.loadtxt(tmp_path / "run.csv", delimiter=",", skiprows=1)).all()
        found.append(facts)
    assert found[0] == found[1]
