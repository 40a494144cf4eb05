"""Write everything that follows from the declarations: ``python docs/make_reference.py``.

The pages commands.md and defaults.md, the tables of keys on the pages about files, the JSON Schemas, and the signatures of
the tasks that type checkers read (``studies/tasks.pyi``).
"""

from __future__ import annotations

import ast
import builtins
import inspect
import json
import re
import types
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from tisserand.cli.command import flags_of
from tisserand.declarations import Option, options
from tisserand.declarations.introspection import bare
from tisserand.declarations.option_tables import documented, sections_of
from tisserand.multibody.run_options import RunOptions
from tisserand.multibody.simulation import Simulation, simulate
from tisserand.multibody.vehicle_file.file_values import AxisAngle
from tisserand.multibody.vehicle_file.profile_tables import SHAPES
from tisserand.studies import tasks
from tisserand.studies.options import STUDIES, Format, ModesStudy, Target
from tisserand.studies.schema import TYPES, declared_type, schema

HERE = Path(__file__).parent
#: Long lists of choices, by the name that they have.
NAMED = {Format: "Format", Target: "Target"}
STUB = Path(tasks.__file__).with_suffix(".pyi")
#: The page of each kind of file.
KEY_PAGES = {"case": "case-files.md", "vehicle": "vehicle-files.md", "modes": "readers.md", "jitter": "how-to/jitter.md",
             "profile": "how-to/launcher-delivery.md"}  # fmt: skip
HEAD = """# Commands

Every task is a command, a Python function and, except `demo`, `formats`, `schema` and `study`, a table of a study file
(`[modes]`, or `[[modes]]` to run a task several times). Its options are declared once, in
`tisserand/studies/options`; this page is generated from them. All commands also accept `--json` (print one JSON object),
`--quiet` (`-q`) and `--debug`. Exit codes: 0 success, 1 a check failed, 2 bad input, 3 a solver failed,
130 interrupted. Closing the output early (`| head`) changes neither the files nor the exit code;
if standard output cannot be written (a full disk), the exit code is 2 after the work is done. Output folders
must exist; they are not created.

```python
import tisserand as ts

ts.modes("meshes/boom.bdf", units="SI", count=20, output="boom.h5")
```

`simulate`, `linearize`, `system_modes` and `campbell` also accept objects (`Vehicle`, `AssembledModel`) in place of a file; the
type of the first argument decides, and type checkers know both forms.

```bash
tisserand modes meshes/boom.bdf --units SI --count 20 -o boom.h5
```

Save this as `boom-study.toml` for the same task from a file:

```toml
[modes]
model = "meshes/boom.bdf"
units = "SI"
count = 20
output = "boom.h5"
```

```bash
tisserand study boom-study.toml
```
"""
DEFAULTS = """# Defaults

One table for Python, TOML and the command line. "That of the source" means the value in the TOML case, else the value in the
deck. This page is generated from the declarations.

"""
RUNS = """
## Runs

Keys of `[simulation]` of a vehicle file (in Python `ts.simulate(FILE, set={"simulation.duration": 3})`, in the shell
`--set simulation.duration=3`), and the functions on objects that have them as keywords, with the same limits.

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
            meaning = item.meaning.partition("; default: ")[0] if item.default is None else item.meaning
            flags = (
                [] if given else [*flags_of(kind, item.attribute), *([item.facts.short] if item.facts.short else [])]
            )
            flag = "by position" if given else ", ".join(f"`{flag}`" for flag in flags)
            rows.append([f"`{item.name}`", flag, item.expected, source_or(item), sentence(meaning)])
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
    text += RUNS
    rows = [
        [f"`{item.name}`", source_or(item), item.expected, in_python(item.name), sentence(item.meaning)]
        for item in options(RunOptions)
    ]
    return text + table(rows, ["option", "default", "value", "keyword of", "meaning"])


def in_python(name: str) -> str:
    """The functions on objects that have a run option as a keyword."""
    functions = {"simulate": simulate, "Simulation": Simulation, "Simulation.run": Simulation.run}
    return ", ".join(f"`{word}`" for word, made in functions.items() if name in inspect.signature(made).parameters)


def keys_of(kind: str) -> str:
    """The tables of keys of a kind of file, as Markdown."""
    root = declared_type(kind)
    if kind != "vehicle":
        return documented(root)
    profiles = sections_of(SHAPES, "Profiles", "A profile is a number, or a table with `shape`:")
    return documented(root, apart=(*SHAPES, AxisAngle)) + "\n" + profiles


def typed(annotation: Any) -> str:
    """What a keyword accepts, as source text: a file name may be text, a table may be written as KEY=VALUE."""
    inner = bare(annotation)
    origin, arguments = get_origin(inner), get_args(inner)
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(typed(member) for member in arguments))
    if inner in NAMED:
        return NAMED[inner]
    if origin is Literal:
        return "Literal[" + ", ".join(json.dumps(word) for word in arguments) + "]"
    if origin is tuple:
        item = typed(arguments[0])
        return f"Sequence[{item}] | str" if item == "float" else f"Sequence[{item}]"
    if origin in (dict, Mapping):
        return f"Mapping[str, {typed(arguments[1])}] | Sequence[str]"
    return {Path: "str | Path", type(None): "None", Any: "Any"}.get(inner) or str(inner.__name__)


def stated(value: Any) -> str:
    """A default as source text, where a line holds it."""
    if isinstance(value, str):
        return json.dumps(value)
    return repr(value) if value is None or isinstance(value, bool | int | float) else "..."


def on_objects(function: Callable[..., Any]) -> tuple[str, set[str]]:
    """The overload of a function that takes objects, as it is written, and the imports of the names in it."""
    module = inspect.getmodule(function)
    assert module is not None
    written = ast.parse(inspect.getsource(function)).body[0]
    assert isinstance(written, ast.FunctionDef) and written.returns is not None
    arguments = written.args
    for values in (arguments.defaults, arguments.kw_defaults):
        values[:] = [ast.Constant(...) if value is not None else None for value in values]  # type: ignore[misc]
    stated = ast.unparse(arguments).replace("=...", " = ...")
    lines = re.sub(r", (?=\*|\w+: )", ",\n    ", stated)
    text = f"@overload\ndef {written.name}(\n    {lines},\n) -> {ast.unparse(written.returns)}: ...\n"
    hints = [a.annotation for a in (*arguments.args, *arguments.kwonlyargs) if a.annotation] + [written.returns]
    names = {node.id for hint in hints for node in ast.walk(hint) if isinstance(node, ast.Name)} - set(dir(builtins))
    origin = {
        alias.asname or alias.name: node.module
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    found = {f"from {origin.get(name, module.__name__)} import {name} as {name}" for name in names}
    return text, {line for line in found if not line.startswith(("from collections.abc ", "from typing "))}


def signatures() -> str:
    """The stub of ``studies/tasks.py``: one function per task, with the keywords of its study."""
    imports, functions = set(), []
    for kind in STUDIES:
        function = inspect.unwrap(tasks.function_of(kind.task))
        result = function.__annotations__["return"]
        imports.add(f"from {function.__globals__[result].__module__} import {result} as {result}")
        parameters, by_position = [], True
        for item in sorted(options(kind), key=lambda item: item.attribute not in kind.arguments):
            if by_position and item.attribute not in kind.arguments:
                parameters.append("*")
                by_position = False
            default = "" if item.mandatory else f" = {stated(item.default)}"
            parameters.append(f"{item.attribute}: {typed(item.annotation)}{default}")
        lines = "".join(f"    {parameter},\n" for parameter in parameters)
        name = kind.task.replace("-", "_")
        both = kind.task in tasks.ON_OBJECTS
        functions.append(f"{'@overload' if both else ''}\ndef {name}(\n{lines}) -> {result}: ...\n".lstrip())
        if both:
            text, needed = on_objects(getattr(import_module(tasks.ON_OBJECTS[kind.task][0]), name))
            functions.append(text)
            imports |= needed
    head = (
        "# Signatures of the tasks, written by docs/make_reference.py from the declarations.\n"
        "# fmt: off\n"
        "from collections.abc import Callable, Mapping, Sequence\nfrom pathlib import Path\n"
        "from typing import Any, Literal, TypedDict, overload\n\n"
    )
    keys = [
        f"    {i.attribute}: {typed(i.annotation)}\n"
        for i in options(ModesStudy)
        if i.attribute not in ModesStudy.of_files
    ]
    opened = "class ReduceOptions(TypedDict, total=False):\n" + "".join(keys) + "\n"
    rest = "TASKS: dict[str, tuple[str, str]]\nON_OBJECTS: dict[str, tuple[str, str]]\n\n"
    rest += "def function_of(task: str) -> Callable[..., Any]: ...\n"
    imports |= {f"from tisserand.studies.options import {name} as {name}" for name in NAMED.values()}
    others, ours = ([line for line in sorted(imports) if ("tisserand" in line) is own] for own in (False, True))
    return head + "\n".join([*others, "", *ours]) + "\n\n" + opened + rest + "".join(functions)


def generated() -> dict[Path, str]:
    """Every generated file with its text."""
    files = {HERE / "commands.md": commands(), HERE / "defaults.md": defaults(), STUB: signatures()}
    for kind in TYPES:
        text = json.dumps(schema(kind).schema, indent=1, ensure_ascii=False)
        files[HERE / "schemas" / f"{kind}.json"] = f"{text}\n"
    for kind, name in KEY_PAGES.items():
        page = HERE / name
        begin, end = f"<!-- keys of {kind} files: written by docs/make_reference.py -->\n", "<!-- end of keys -->\n"
        before, found, rest = files.get(page, page.read_text(encoding="utf-8")).partition(begin)
        _, closed, after = rest.partition(end)
        if not (found and closed):
            raise SystemExit(f"{page} has no place for the keys of {kind} files")
        files[page] = f"{before}{begin}\n{keys_of(kind)}\n{end}{after}"
    return files


if __name__ == "__main__":
    for path, text in generated().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
