"""Every Python and shell block of every page runs, in order, in a fresh folder, or states why it cannot."""

from __future__ import annotations

import re
import shlex
import shutil
import textwrap
import tomllib

import numpy as np
import pytest
from support.command import run as command
from support.corpus import shared
from support.pages import ROOT, Block, blocks, follow, pages, shown

import tisserand as ts

PAGES = pages()
WITH_BLOCKS = [name for name, page in PAGES.items() if any(block.runs for block in blocks(page))]
#: Pages that take more than a few seconds; their commands are parsed in the quick suite all the same.
SLOW = {"docs/examples", "docs/tutorial"} | {
    f"docs/how-to/{name}" for name in ("jitter", "monte-carlo", "received-an-op2", "supplier-data")
}
#: What a block without a language may not contain: it would never run.
SOURCE = re.compile(r"^\s*(?:\$|>>>|tisserand |python\d? |pip |import |from \w+ import )", re.MULTILINE)
COMMON = {"--json", "--quiet", "-q", "--debug", "--help"}


def of_kind(*kinds: str) -> list[tuple[str, Block]]:
    return [(name, block) for name, page in PAGES.items() for block in blocks(page) if block.kind in kinds]


def test_every_block_has_a_language():
    allowed = {"", "python", "bash", "toml", "text"}
    wrong = [
        f"{name}, line {block.line}"
        for name, page in PAGES.items()
        for block in blocks(page)
        if block.kind not in allowed or (block.kind in ("", "text") and SOURCE.search(block.text))
    ]
    assert wrong == [] and len(of_kind("python")) > 25 and len(of_kind("bash")) > 20


def test_only_installation_servers_and_test_suites_are_not_run():
    marked = [block for _, block in of_kind("python", "bash") if block.reason]
    programs = {re.sub(r"\w+=\S+ ", "", line).split()[0].split("/")[-1] for block in marked for line in block.commands}
    assert all(block.kind == "bash" for block in marked)
    assert (
        programs
        <= {
            "python3",
            "pip",
            "pytest",
            "python",
            "ruff",
            "mkdocs",
            "bash",
            "wheel_smoke",
            "apt-get",
            "mpiexec",
            "tisserand",
        }
        and 4 <= len(marked) <= 7
    )
    assert all(
        "SLEPc" in block.reason for block in marked if any(line.startswith("tisserand ") for line in block.commands)
    )


def test_tables_are_saved_for_a_command_or_complete_files():
    """TOML blocks have the name of the file that a later command reads, or are the whole file that their page describes."""
    loose = [(name, tomllib.loads(block.text)) for name, block in of_kind("toml") if not block.name]
    assert [name for name, _ in loose] == ["docs/case-files", "docs/vehicle-files"] and all(table for _, table in loose)


def test_the_parser_accepts_every_command_line():
    from tisserand.cli.command import command_of

    lines = [shlex.split(line, comments=True) for _, block in of_kind("bash") for line in block.commands]
    lines = [words for words in lines if words[0] == "tisserand"]
    for _, task, *words in lines:
        command_of(task).make_context(task, words)  # raises for an unknown option, a wrong type or a missing argument
    assert len(lines) > 30


def test_every_option_in_running_text_exists():
    """Commands in tables and sentences, such as ``tisserand export wing.h5 --to TARGET``."""
    from tisserand.cli.command import flags_of
    from tisserand.declarations import options
    from tisserand.studies.options import STUDIES

    known = {kind.task: set(COMMON) for kind in STUDIES}
    for kind in STUDIES:
        for item in options(kind):
            known[kind.task] |= {flag for flags in flags_of(kind, item.attribute) for flag in flags.split("/")}
            known[kind.task] |= {item.facts.short} if item.facts.short else set()
    scripts = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "benchmarks").glob("*.py"))
    every = set().union(*known.values(), re.findall(r'"(--[a-z-]+)"', scripts))
    checked = 0
    for name, page in PAGES.items():
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for code in re.findall(r"`([^`\n]+)`", text):
            task = re.match(r"tisserand (\w[\w-]*)", code)
            assert task is None or task[1] in known, f"{name}: {code}"
            ours = code.startswith(("tisserand ", "--"))
            for flag in re.findall(r"(?<![\w-])--?[a-z][a-z0-9-]*", code) if ours else ():
                assert flag in (known[task[1]] if task else every), f"{name}: {code}"
                checked += 1
    assert checked > 60


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n in SLOW)) for n in WITH_BLOCKS])
def test_a_page_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    GIVEN.get(name, lambda folder: None)(tmp_path)
    count, scope = follow(PAGES[name], tmp_path)
    assert count == sum(block.runs for block in blocks(PAGES[name]))
    CLAIMS.get(name, lambda folder, scope: None)(tmp_path, scope)


def supplied(folder):
    """An OP2 file and its deck, as MSC Nastran wrote them."""
    if shared() is None:
        pytest.skip("corpus not found beside the project (set TISSERAND_CORPUS)")
    corpus = shared() / "corpus"
    shutil.copy(corpus / "results/beam_modes_m1.op2", folder / "theirs.op2")
    shutil.copy(corpus / "pyNastran/models/beam_modes/beam_modes.dat", folder / "model.bdf")
    shutil.copy(corpus / "pyNastran/models/beam_modes/cbar_cbeam.blk", folder)


#: Files that a page takes as received.
GIVEN = {"docs/how-to/received-an-op2": supplied}


def readme(folder, scope):
    assert scope["run"].complete and max(scope["run"].balance.worst().values()) < 1e-7
    assert scope["passed"] and len(scope["result"].frequencies_hz) == len(scope["record"].frequencies_hz) == 20


def builders(folder, scope):
    assert {"yoke.tip", "root", "foot"} & set(scope["wing"].interfaces)


def mounted_hz(path):
    bus = ts.Body("bus", 200.0, inertia=[90.0, 80.0, 100.0])
    vehicle = ts.Vehicle("v", (bus,), appendages=(ts.MountedAppendage("a", ts.load_record(path), "bus"),))
    return ts.system_modes(vehicle).frequencies_hz[:4]


def frames(folder, scope):
    """ "The first and the third record are the same vehicle"; all four frames exist."""
    assert "Floating frames" in (folder / "run.html").read_text()
    assert list(scope["found"].frames) == ["tisserand", "buckens", "principal", "milne"]
    hz = {name: mounted_hz(folder / f"{name}.h5") for name in ("wing", "residual", "clamped")}
    assert hz["wing"] == pytest.approx(hz["clamped"], rel=1e-8)
    assert hz["residual"][0] == pytest.approx(hz["clamped"][0], rel=1e-6)  # of two spans of twelve modes


def choosing(folder, scope):
    """ "The first three are the same vehicle on any bus"."""
    names = ("clamped", "buckens", "floating", "instrument")
    assert [ts.load_record(f"{n}.h5").frame.name for n in names] == ["connection", "buckens", "tisserand", "node"]
    a, b, c = (mounted_hz(folder / f"{n}.h5") for n in names[:3])
    assert a == pytest.approx(b, rel=1e-8) and a == pytest.approx(c, rel=1e-8)


def three_ways(folder, scope):
    """One task from Python, shell and study file: the same record, of which the last one written is left."""
    assert ts.load_record("boom.h5").frequencies_hz == pytest.approx(
        ts.solve_modes(ts.assemble(ts.read_model("meshes/boom.bdf", units="SI")), count=20).frequencies_hz, rel=1e-9
    )


def ply_outputs(folder, scope):
    assert scope["stress"].shape[1:] == (2, 8, 3, 3) and np.all(scope["index"] < 1.0)


#: What a page states about the results of its blocks.
CLAIMS = {
    "README": readme,
    "docs/appendage": ply_outputs,
    "docs/builders": builders,
    "docs/commands": three_ways,
    "docs/frames": frames,
    "docs/how-to/choose-a-frame": choosing,
}


CASE = """
units = "SI"
mesh.file = "wing.msh"

[materials.aluminum]
yung = 7e10
young = 7e10
poisson = 0.3
density = 2700
"""
DECK = "SOL 103\nCEND\nMETHOD = 1\nBEGIN BULK\n$\nGRID,1,,1X,0.,0.\nENDDATA\n"


@pytest.mark.parametrize(
    ("page", "name", "text", "words"),
    [("case-files", "wing.toml", CASE, ()), ("nastran", "fem.bdf", DECK, ("-u", "SI"))],
    ids=["case-files", "nastran"],
)
def test_quoted_messages_are_those_that_are_printed(page, name, text, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(text)
    done = command("info", name, *words)
    quoted = next(block.text for block in blocks(PAGES[f"docs/{page}"]) if name in block.text and block.kind == "text")
    assert done.exit_code == 2 and quoted.strip() in done.stderr


def test_missing_output_is_noticed():
    block = Block("text", "first  line\n...\nlast 1.0\n", 1, None, True, False)
    shown(block, "first line\nother\nlast   1.0\n", "here")
    for output in ("last 1.0\nfirst line\n", "first line\nlast 1.01\n"):
        with pytest.raises(AssertionError, match="not printed"):
            shown(block, output, "here")


@pytest.mark.slow
def test_every_python_block_passes_strict_type_checks(tmp_path):
    """Lists for arrays and tuples, as the pages write them, are what the constructors take."""
    checker = pytest.importorskip("mypy.api")
    files = []
    for name, page in PAGES.items():
        texts = [textwrap.dedent(block.text) for block in blocks(page) if block.kind == "python"]
        if texts:
            files.append(tmp_path / (re.sub(r"\W", "_", name) + ".py"))
            files[-1].write_text("\n".join(texts))
    options = ["--strict", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache")]
    found, _, code = checker.run([*options, *map(str, files)])
    assert code == 0 and len(files) > 10, found
