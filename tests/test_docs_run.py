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


def test_the_tutorial_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_page(ROOT / "docs" / "tutorial.md", tmp_path) >= 9


@pytest.mark.slow
@pytest.mark.parametrize("name", ["coupled-loads", "jitter", "monte-carlo", "supplier-data"])
def test_a_how_to_page_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_page(ROOT / "docs" / "how-to" / f"{name}.md", tmp_path) >= 2
