"""The commands and Python lines of the tutorial and the how-to pages run, in order, in a fresh folder."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^( *)```(bash|python|toml)\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
NAMED = re.compile(r"Save this as `([\w.-]+)`:\s*$")


def blocks(page: Path):
    """(kind, text, file name of a block to be saved) of every fenced block, in order."""
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        name = NAMED.search(text[: found.start()])
        yield found[2], textwrap.dedent(found[3]), name and name[1]


def run_page(page: Path, folder: Path) -> int:
    """Run the blocks of a page in ``folder``; Python blocks share one scope. Returns the number of commands run."""
    for name in ("meshes", "examples"):
        (folder / name).symlink_to(ROOT / name)
    count, scope = 0, {}
    environment = os.environ | {"MPLBACKEND": "Agg", "PYTHONPATH": os.pathsep.join(sys.path)}
    for kind, text, name in blocks(page):
        if kind == "toml" and name:
            (folder / name).write_text(text, encoding="utf-8")
        elif kind == "python":
            exec(compile(text, str(page), "exec"), scope)  # our own text
            count += 1
        elif kind == "bash":
            for line in text.splitlines():
                words = shlex.split(line, comments=True)
                if not words:
                    continue
                assert words[0] == "tisserand", line
                command = [sys.executable, "-m", "tisserand.cli.app", *words[1:]]
                done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=500)
                expected = re.search(r"# exit code (\d)", line)
                wanted = int(expected[1]) if expected else 0
                assert done.returncode == wanted, f"{page.name}: {line}\n{done.stdout}{done.stderr}"
                for written in re.findall(r"(?:-o|--csv|--plot|--save) (\S+)", line):
                    assert (folder / written).stat().st_size > 0, f"{page.name}: {written} is empty"
                count += 1
    return count


COMMON = {"--json", "--quiet", "-q", "--debug", "--help"}


def command_lines():
    """(page, words) of every ``tisserand`` line in the fenced blocks of all pages."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for kind, text, _ in blocks(page):
            for line in text.splitlines() if kind == "bash" else ():
                words = shlex.split(line, comments=True)
                if words[:1] == ["tisserand"] and len(words) > 1:
                    yield page.name, words[1:]


def test_every_documented_option_exists():
    from tisserand.cli.command import flags_of
    from tisserand.declarations import options
    from tisserand.studies.options import STUDIES

    known = {kind.task: set(COMMON) for kind in STUDIES}
    for kind in STUDIES:
        for item in options(kind):
            known[kind.task] |= {flag for flags in flags_of(kind, item.attribute) for flag in flags.split("/")}
            known[kind.task] |= {item.facts.short} if item.facts.short else set()
    lines = list(command_lines())
    wrong = [
        (page, words[0], word)
        for page, words in lines
        for word in words[1:]
        if re.fullmatch(r"--?[a-z][a-z-]*", word) and word not in known.get(words[0], ())
    ]
    assert wrong == [] and len(lines) > 15 and all(words[0] in known for _, words in lines)


def test_the_python_of_a_how_to_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_page(ROOT / "docs" / "how-to" / "coupled-loads.md", tmp_path) == 3


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tutorial", "how-to/jitter", "how-to/monte-carlo", "how-to/supplier-data"])
def test_a_page_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_page(ROOT / "docs" / f"{name}.md", tmp_path) >= 2
