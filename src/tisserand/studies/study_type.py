"""The base of all studies: a declared type with every option of a task, and the function that runs the task."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from tisserand.declarations import Declared, options
from tisserand.declarations.introspection import undressed
from tisserand.errors import ArgumentError, FileError, SolverError
from tisserand.files import keep_inputs
from tisserand.studies.named_files import named_files
from tisserand.views.style import drawn_as


class Study(Declared):
    """All options of one task.

    task: name of the command; arguments: the options that are given by position; reads: further options that name files to
    read; doing: progress message; endings: allowed file extensions by option.
    """

    task: ClassVar[str]
    arguments: ClassVar[tuple[str, ...]] = ()
    reads: ClassVar[tuple[str, ...]] = ()
    doing: ClassVar[str] = ""
    endings: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    @property
    def inputs(self) -> list[Path]:
        """The files that the study reads."""
        stated = [value for name, value in self if name in (*self.arguments, *self.reads)]
        several = [item for value in stated if isinstance(value, tuple) for item in value]
        return [value for value in (*stated, *several) if isinstance(value, Path)]

    @property
    def outputs(self) -> dict[str, Path]:
        """The files that it writes, by option."""
        return {
            name: value
            for name, value in self
            if name not in (*self.arguments, *self.reads) and isinstance(value, Path)
        }

    def check_outputs(self, *others: Path) -> None:
        """Check, before any work, extensions of outputs, and that none replaces a file that the inputs (or ``others``) name."""
        for name, path in self.outputs.items():
            allowed = self.endings.get(name, ())
            if allowed and path.suffix.lower() not in allowed:
                raise FileError(
                    path,
                    f"unsupported file extension for --{name}",
                    found=repr(path.suffix),
                    expected=" or ".join(allowed),
                )
        named = any(path.is_file() for path in self.outputs.values())  # only a file that exists can be replaced
        read = [file for path in self.inputs for file in (named_files(path) if named else (path,))]
        keep_inputs(self.outputs.values(), [*others, *read])


S = TypeVar("S", bound=Study)
R = TypeVar("R")


def task(kind: type[S]) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Turn ``function(study, **extra)`` into a function of the study's keywords; a study itself will do, too."""

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        extra = {name for name in inspect.signature(function).parameters if name != "study"}

        @functools.wraps(function)
        def run(*arguments: Any, **keywords: Any) -> R:
            others = {name: keywords.pop(name) for name in extra & set(keywords)}
            given = len(arguments) == 1 and isinstance(arguments[0], kind) and not keywords
            if not given and len(arguments) > len(kind.arguments):
                names = ", ".join(kind.arguments)
                raise ArgumentError(
                    "too many arguments by position",
                    where=function.__name__,
                    found=len(arguments),
                    expected=f"{names or 'none'} by position, and everything else by keyword",
                )
            study = arguments[0] if given else kind(**dict(zip(kind.arguments, arguments)), **keywords)
            study.check_outputs()
            try:
                with drawn_as(getattr(study, "style", "screen")):
                    return function(study, **others)
            except ValueError as error:  # numpy's LinAlgError: extreme values overflow or vanish in products
                if type(error).__name__ != "LinAlgError":  # by name, so that help does not import numpy
                    raise
                raise SolverError(
                    "the numbers of the model cannot be solved",
                    found=str(error),
                    advice="check for values that are far too large or too small",
                ) from error

        run.__doc__ = f"{function.__doc__}\n\n{_parameters(kind)}"
        run.__signature__ = _signature(kind, inspect.signature(function).return_annotation)  # type: ignore[attr-defined]
        return run

    return decorate


def _signature(kind: type[Study], result: Any) -> inspect.Signature:
    kinds = {True: inspect.Parameter.POSITIONAL_OR_KEYWORD, False: inspect.Parameter.KEYWORD_ONLY}
    return inspect.Signature(
        [
            inspect.Parameter(
                item.attribute,
                kinds[item.attribute in kind.arguments],
                default=inspect.Parameter.empty if item.mandatory else item.default,
                annotation=undressed(item.annotation),
            )
            for item in sorted(options(kind), key=lambda item: item.attribute not in kind.arguments)
            if not (item.attribute in kind.arguments and not item.mandatory)
        ],
        return_annotation=result,
    )


def _parameters(kind: type[Study]) -> str:
    lines = ["    Parameters", "    ----------"]
    for item in options(kind):
        lines += [f"    {item.attribute} : {item.expected}", f"        {item.meaning[:1].upper()}{item.meaning[1:]}."]
    return "\n".join(lines)
