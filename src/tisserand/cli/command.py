"""From a study to its command: arguments, options, help texts, and what happens when it is called."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import typer

from tisserand.cli.guard import guarded
from tisserand.cli.plain_help import UNBROKEN, PlainCommand
from tisserand.cli.screen import Screen
from tisserand.declarations import Option, options
from tisserand.declarations.introspection import members_of
from tisserand.errors import InputError
from tisserand.studies.options import STUDIES
from tisserand.studies.study_type import Study
from tisserand.studies.tasks import function_of

#: Options that every command has: they concern the screen, not the study.
COMMON = {
    "json": ("--json", None, "Print one JSON object and nothing else."),
    "quiet": ("--quiet", "-q", "Print only errors and warnings."),
    "debug": ("--debug", None, "Show the full traceback of an error."),
}
#: Flags whose name is not the option's own, and further names of a flag.
FLAGS = {"closed_loop": ("--closed-loop/--open-loop",), "translation": ("--translation/--no-translation",)}
FURTHER = {
    ("modes", "points"): ("--point",),
    ("response", "fmin"): ("--fmin", "--from"),
    ("response", "fmax"): ("--fmax", "--to"),
}
#: What a value is written as in the help.
METAVARS = {"units": "SYSTEM", "frame": "FRAME", "format": "NAME"}
NOUNS = {int: "N", float: "NUMBER", Path: "FILE"}


def command_of(task: str) -> Any:
    """The click command of a task."""
    kind = next(kind for kind in STUDIES if kind.task == task)
    single = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    single.command(task, help=kind.__doc__, cls=PlainCommand)(_function(kind))
    return typer.main.get_command(single)


def _function(kind: type[Study]) -> Callable[..., None]:
    """A function with the study's options as parameters, as typer reads them."""
    parameters = {item.attribute: _parameter(kind, item) for item in options(kind)}
    for name, (flag, short, words) in COMMON.items():
        hint = Annotated[bool, typer.Option(*(f for f in (flag, short) if f), metavar="", help=words)]
        parameters[name] = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=hint)

    def command(**values: Any) -> None:
        switches = {name: bool(values.pop(name)) for name in COMMON}

        def work() -> int:
            with _by_flags(kind, values):
                return _carried_out(_study(kind, values), **switches)

        code = guarded(values, work, **switches)
        if code:
            raise typer.Exit(code)

    command.__signature__ = inspect.Signature(list(parameters.values()))  # type: ignore[attr-defined]
    command.__annotations__ = {name: item.annotation for name, item in parameters.items()}
    return command


def _parameter(kind: type[Study], item: Option) -> inspect.Parameter:
    words = _help(item)
    if item.attribute in kind.arguments:
        hint: Any = Annotated[_typed(item), typer.Argument(metavar=_shown_as(kind, item.attribute), help=words)]
    else:
        metavar = item.facts.metavar or METAVARS.get(item.attribute) or (item.unit or "").upper() or _noun(item)
        shown = "" if _is_flag(item) else metavar
        short = [item.facts.short] if item.facts.short else []
        flags = (*flags_of(kind, item.attribute), *short)
        hint = Annotated[_typed(item), typer.Option(*flags, metavar=shown, help=words, hidden=item.facts.hidden)]
    default = inspect.Parameter.empty if item.mandatory else None
    return inspect.Parameter(item.attribute, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)


def flags_of(kind: type[Study], name: str) -> tuple[str, ...]:
    """The long flags of an option."""
    return FURTHER.get((kind.task, name)) or FLAGS.get(name) or (f"--{name.replace('_', '-')}",)


def _noun(item: Option) -> str:
    """The placeholder of a value that has no name of its own."""
    if item.choices:
        return "CHOICE"
    return NOUNS.get(_only(item), "TEXT")


def _is_flag(item: Option) -> bool:
    return item.annotation is bool


def _only(item: Option) -> Any:
    """The one type that an option has, None left out; None where it has several."""
    inner = members_of(item.annotation)
    return inner[0] if len(inner) == 1 else None


def _typed(item: Option) -> Any:
    """What the shell's text is turned into before the study checks it; None where nothing was stated."""
    only, origin = _only(item), get_origin(members_of(item.annotation)[0])
    if _is_flag(item):
        plain: Any = bool
    elif origin is dict or (origin is tuple and float not in get_args(members_of(item.annotation)[0])):
        plain = list[str]
    else:
        plain = Path if only is Path else str
    return plain if item.mandatory else plain | None


def _number(item: Option, value: Any) -> Any:
    """The number that a text states, where the option is one; every other text stays, and the study says what is wrong."""
    only = _only(item)
    if only not in (int, float) or not isinstance(value, str):
        return value
    try:
        return only(value) if only is float or value.strip().lstrip("+-").isdecimal() else float(value)  # 2.0 is whole
    except ValueError:
        return value


def _help(item: Option) -> str:
    words = f"{item.meaning[:1].upper()}{item.meaning[1:]}"
    if item.choices and item.choices[0] not in words and "tisserand formats" not in words:
        words += f" ({', '.join(item.choices)})"
    if item.unit and item.unit.upper() != item.facts.metavar:
        words, default, rest = words.partition("; default:")
        words += f", {item.unit}{default}{rest}"
    stated = not (item.mandatory or item.default is None or item.default in ((), {}) or isinstance(item.default, bool))
    if stated:
        value = ",".join(f"{v:g}" for v in item.default) if isinstance(item.default, tuple) else item.default
        words += f". Default: {value}"
    return f"{words}.".replace("-", UNBROKEN)


def _study(kind: type[Study], values: dict[str, Any]) -> Study:
    """The study from the command line."""
    stated = {name: value for name, value in values.items() if value is not None and value != []}
    return kind(**{name: _number(item, stated[name]) for item in options(kind) if (name := item.attribute) in stated})


def _shown_as(kind: type[Study], name: str) -> str:
    """The word of an argument on the command line."""
    return next(item.facts.metavar for item in options(kind) if item.attribute == name) or name.upper()


@contextmanager
def _by_flags(kind: type[Study], values: Mapping[str, Any]) -> Iterator[None]:
    """Errors that begin with the name of a stated option refer to it, and to others that they quote, by flags."""

    def flag(name: str) -> str:
        return flags_of(kind, name)[0].split("/")[0]

    def quoted(match: re.Match[str]) -> str:
        return flag(match[1]) if match[1] in kind.model_fields and match[1] not in kind.arguments else match[0]

    try:
        yield
    except InputError as error:
        for mistake in (error, *error.others):
            word, colon, rest = mistake.what.partition(": ")
            name, inner = re.findall(r"^(\w*)(?:\[\d+\])?\.?(.*)", word, re.DOTALL)[0]
            if colon and name in kind.arguments:
                mistake.what = f"{_shown_as(kind, name)} {rest}"
            elif colon and values.get(name) is not None:
                others = re.sub(r"'(\w+)'", quoted, rest)
                mistake.what = f"{flag(name)} {inner + ' ' if inner else ''}{others}"
        raise


def _carried_out(study: Study, *, json: bool, quiet: bool, debug: bool) -> int:
    """Run the task and show its result."""
    screen, kind = Screen(json=json, quiet=quiet), type(study)
    function = function_of(kind.task)
    show = import_module(f"tisserand.cli.show.{kind.task.replace('-', '_')}").show
    given = getattr(study, kind.arguments[0], None) if kind.arguments else None
    doing = f"{kind.doing} {given.name}" if isinstance(given, Path) else kind.doing
    wanted = inspect.signature(function.__wrapped__).parameters  # type: ignore[attr-defined]
    if "progress" in wanted:
        with screen.counting(doing) as progress:
            result = function(study, progress=progress)
    elif "tell" in wanted:
        result = function(study, tell=screen.say)
    elif kind.doing:
        with screen.working(doing):
            result = function(study)
    else:
        result = function(study)
    for warning in getattr(result, "warnings", ()):
        screen.warn(warning)
    screen.result(result.as_dict())
    show(screen, result)
    for sentence in getattr(result, "stops", ()):
        screen.fail(sentence)
    return int(getattr(result, "exit_code", 0))
