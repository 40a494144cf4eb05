"""The fenced blocks of the pages that people read, and a folder to run them in, in order, as a reader would."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

from support.command import run as command

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
NAMED = re.compile(r"Save this as `([\w.-]+)`[^\n]*:\s*$")
#: Before a block that .ci/run takes from the page and runs.
RUN_BY_CI = re.compile(r"<!-- (?:main|test) command -->\s*$")
#: First line of a block that cannot run, with the reason, for readers and tests.
NOT_TESTED = re.compile(r"# not run by the tests: (\S.{10,})")
WRITES = re.compile(r"(?:-o|--csv|--plot|--save|--picture) (\S+)")


def pages() -> dict[str, Path]:
    """Every page, by its path without the ending."""
    files = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return {str(file.relative_to(ROOT).with_suffix("")): file for file in files}


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, text, line on the page, the file it is to be saved as, and why it cannot run."""

    kind: str
    text: str
    line: int
    name: str | None
    follows: bool  # right after another block: a text block is then that block's output
    by_ci: bool

    @property
    def reason(self) -> str | None:
        found = NOT_TESTED.match(self.text)
        return "continuous integration runs it" if self.by_ci else found and found[1]

    @property
    def runs(self) -> bool:
        return self.kind in ("python", "bash") and self.reason is None

    @property
    def commands(self) -> list[str]:
        """Shell lines, those that end in a backslash joined with the next."""
        lines = self.text.replace("\\\n", " ").splitlines() if self.kind == "bash" else []
        return [line for line in lines if shlex.split(line, comments=True)]


def blocks(page: Path) -> list[Block]:
    text, found, end = page.read_text(encoding="utf-8"), [], None
    for item in FENCE.finditer(text):
        name = NAMED.search(text[: item.start()])
        follows = end is not None and not text[end : item.start()].strip()
        line = text.count("\n", 0, item.start()) + 1
        by_ci = RUN_BY_CI.search(text[: item.start()]) is not None
        found.append(Block(item[2], textwrap.dedent(item[3]), line, name and name[1], follows, by_ci))
        end = item.end()
    return found


def shell(line: str, folder: Path) -> str:
    """What a command prints; its exit code is 0 unless a comment states another, and the files it names exist."""
    words = shlex.split(line, comments=True)
    expected = re.search(r"# exit code (\d)", line)
    if words[0] == "tisserand":
        done = command(*words[1:])
        code, out, err = done.exit_code, done.stdout, done.stderr
    else:
        assert words[0] == "python", f"neither tisserand nor python: {line}"
        path = os.pathsep.join(sys.path)
        environment = os.environ | {"PYTHONPATH": path}
        ended = subprocess.run(
            [sys.executable, *words[1:]], cwd=folder, env=environment, capture_output=True, text=True
        )
        code, out, err = ended.returncode, ended.stdout, ended.stderr
    assert code == (int(expected[1]) if expected else 0), f"{line}\n{out}{err}"
    for written in WRITES.findall(line):
        assert (folder / written).stat().st_size > 0, f"{line}: {written} is empty"
    return out + err


def shown(block: Block, output: str, where: str) -> None:
    """The lines of a text block are in the output, in this order; a line of dots stands for any number of lines."""
    lines, rest = [" ".join(line.split()) for line in output.splitlines()], 0
    for wanted in (" ".join(line.split()) for line in block.text.splitlines()):
        if wanted and set(wanted) != {"."}:
            assert wanted in lines[rest:], f"{where}: not printed: {wanted}\n{output}"
            rest = lines.index(wanted, rest) + 1


def follow(page: Path, folder: Path) -> tuple[int, dict]:
    """Run the blocks of a page in ``folder``, the working folder. Returns the number of blocks run and the Python scope."""
    for name in ("meshes", "examples"):
        (folder / name).symlink_to(ROOT / name)
    count, scope, output = 0, {"__name__": "page"}, None
    for block in blocks(page):
        where = f"{page.name}, line {block.line}"
        if block.kind == "toml" and block.name:
            (folder / block.name).write_text(block.text, encoding="utf-8")
        elif block.kind == "text" and block.follows and output is not None:
            shown(block, output, where)
            continue
        output = None
        if not block.runs:
            continue
        if block.kind == "python":
            with contextlib.redirect_stdout(io.StringIO()) as stream:
                exec(compile(block.text, where, "exec"), scope)  # our own text
            output = stream.getvalue()
        else:
            output = "".join(shell(line, folder) for line in block.commands)
        count += 1
    return count, scope
