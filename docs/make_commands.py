"""Write ``commands.md`` and ``defaults.md`` from the declarations: ``python docs/make_commands.py``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tisserand.cli.command import flags_of
from tisserand.declarations import Option, options
from tisserand.multibody.run_options import RunOptions
from tisserand.studies.options import STUDIES

HERE = Path(__file__).parent
HEAD = """# Commands

Every task is a command, a Python function and a table of a study file. Its options are declared once, in
`tisserand/studies/options.py`; this page is generated from them. All commands also accept `--json` (print one JSON object),
`--quiet` (`-q`) and `--debug`. Exit codes: 0 success, 1 a check failed, 2 bad input, 3 a solver failed.

```python
import tisserand as ts

ts.modes("wing.bdf", units="SI", count=20, output="wing.h5")  # Python
```
```bash
tisserand modes wing.bdf --units SI --count 20 -o wing.h5         # shell
```
```toml
[modes]                                                           # tisserand study wing-study.toml
model = "wing.bdf"
units = "SI"
count = 20
output = "wing.h5"
```
"""
DEFAULTS = """# Defaults

One table for Python, TOML and the command line. "That of the source" means the value in the TOML case, else the value in the
deck. This page is generated from the declarations.

"""


def shown(value: Any) -> str:
    if value is None or value == () or value == {}:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"`{', '.join(f'{v:g}' for v in value)}`" if isinstance(value, tuple) else f"`{value}`"


def sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}".replace("|", "\\|")


def table(rows: list[list[str]], heads: list[str]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def commands() -> str:
    text = HEAD
    for kind in STUDIES:
        rows = []
        for item in options(kind):
            given = item.attribute in kind.arguments
            flags = (
                [] if given else [*flags_of(kind, item.attribute), *([item.facts.short] if item.facts.short else [])]
            )
            default = "required" if item.mandatory else shown(item.default)
            flag = "by position" if given else ", ".join(f"`{flag}`" for flag in flags)
            rows.append([f"`{item.name}`", flag, item.expected, default, sentence(item.meaning)])
        text += f"\n## {kind.task}\n\n{' '.join(str(kind.__doc__).split())}\n\n"
        text += table(rows, ["key", "flag", "value", "default", "meaning"]) if rows else "No options.\n"
    return text


def source_or(item: Option) -> str:
    if item.default is None and "default:" in item.meaning:
        return item.meaning.partition("default: ")[2]
    return "required" if item.mandatory else shown(item.default)


def defaults() -> str:
    text = DEFAULTS + "## Tasks\n\n"
    found: dict[tuple[str, str], list[str]] = {}
    for kind in STUDIES:
        for item in options(kind):
            if item.attribute not in kind.arguments and not item.mandatory:
                found.setdefault((item.name, source_or(item)), []).append(kind.task)
    rows = [[f"`{name}`", value, ", ".join(tasks)] for (name, value), tasks in sorted(found.items())]
    text += table(rows, ["option", "default", "tasks"])
    text += "\n## Runs\n\nKeys of `[simulation]` of a vehicle file and keywords of `simulate` and `Simulation`.\n\n"
    rows = [[f"`{item.name}`", source_or(item), item.expected, sentence(item.meaning)] for item in options(RunOptions)]
    return text + table(rows, ["option", "default", "value", "meaning"])


PAGES = {"commands.md": commands, "defaults.md": defaults}

if __name__ == "__main__":
    for name, make in PAGES.items():
        (HERE / name).write_text(make(), encoding="utf-8")
