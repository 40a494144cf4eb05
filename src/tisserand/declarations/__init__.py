"""Options declared once: Python keywords, TOML keys, command-line options, JSON Schemas and tables come from one type.

    class RunOptions(Declared):
        '''How a run is integrated.'''
        duration: float = option(..., "simulated time", unit="s", above=0.0)
        rtol: float = option(1e-9, "relative tolerance", above=0.0, below=1.0)
        method: Literal["dop853", "rk4"] = option("dop853", "integration method")

    RunOptions(duration=10.0)                     # Python: checked, frozen; a mistake raises InputError
    read_declared(RunOptions, "run.toml")         # TOML: every mistake of the file in one CaseError
    declared(RunOptions, {"duration": 10.0})      # the same from data that is in memory already
    for item in options(RunOptions):              # what the command line and the documentation need
        (item.name, item.words, item.unit, item.range_words, item.default, item.meaning, item.choices)
    json_schema(RunOptions)                       # what editors need

Numbers are strict: texts and flags are not numbers, fractions are not whole numbers, NaN and infinity are refused; lists and
NumPy arrays count as tuples. Choices (``Literal``) are matched without case. A range holds for every number of an option.
Tables nest: an option may be another declared type, ``dict[str, Type]`` (named tables), ``tuple[Type, ...]`` (lists of tables)
or a union of types distinguished by one key (``tagged_by``). Rules between
options (one of several, needed together, without effect with another choice) are ``ruled(...)``, which the schema states too; any
other check across options is a ``@check`` method that raises ``problem(key, ...)``.

Importing this package imports pydantic (0.1 s): commands do it when they run, so that ``tisserand --help`` stays quick.
"""

from tisserand.declarations.base import FilePath, check, expecting, option, stating, tagged_by
from tisserand.declarations.declared import Declared
from tisserand.declarations.faults import problem
from tisserand.declarations.introspection import Option, json_schema, option_at, options
from tisserand.declarations.keys import Key
from tisserand.declarations.rules import applies, excludes, needs, needs_some, one_of, ruled, some_of, when
from tisserand.declarations.toml_files import declared, read_declared, read_toml

__all__ = [
    "Declared",
    "FilePath",
    "Key",
    "Option",
    "applies",
    "check",
    "declared",
    "excludes",
    "expecting",
    "json_schema",
    "needs",
    "needs_some",
    "one_of",
    "option",
    "option_at",
    "options",
    "problem",
    "read_declared",
    "read_toml",
    "ruled",
    "some_of",
    "stating",
    "tagged_by",
    "when",
]
