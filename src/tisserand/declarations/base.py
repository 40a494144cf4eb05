"""Tables of options and the words that build them: ``option``, ``expecting``, ``tagged_by`` and ``check``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationInfo,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from tisserand.declarations.number_range import computable
from tisserand.errors import InputError

#: A method of a declared type that checks options against each other; it raises ``problem`` and returns nothing.
Check = Callable[[Any], None]


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What ``option`` states beyond type, default and meaning; called by pydantic to complete the JSON Schema."""

    unit: str | None = None
    at_least: float | None = None
    above: float | None = None
    at_most: float | None = None
    below: float | None = None
    short: str | None = None
    metavar: str | None = None
    hidden: bool = False

    def __call__(self, schema: dict[str, Any]) -> None:
        if self.unit is not None:
            schema["unit"] = self.unit

    @property
    def limits(self) -> dict[str, float]:
        """The range in the words of pydantic's core."""
        stated = {"ge": self.at_least, "gt": self.above, "le": self.at_most, "lt": self.below}
        return {word: limit for word, limit in stated.items() if limit is not None}

    @property
    def range_words(self) -> str:
        """The range in words: ``above 0 and below 1``; empty when every number will do."""
        stated = (("at least", self.at_least), ("above", self.above), ("at most", self.at_most), ("below", self.below))
        return " and ".join(f"{word} {limit:g}" for word, limit in stated if limit is not None)


def option(
    default: Any,
    meaning: str,
    *,
    unit: str | None = None,
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
    below: float | None = None,
    short: str | None = None,
    metavar: str | None = None,
    hidden: bool = False,
    key: str | None = None,
) -> Any:
    """One option of a declared type.

    Parameters
    ----------
    default : any
        Value when nothing is stated; ``...`` makes the option mandatory. A mutable default is copied.
    meaning : str
        A few words for help, documentation and JSON Schema.
    unit : str, optional
        SI unit, or the unit that the file's values are in.
    at_least, above, at_most, below : float, optional
        Range of every number of the option; ``above`` and ``below`` exclude the limit.
    short, metavar : str, optional
        Short flag (``-o``) and placeholder on the command line.
    hidden : bool
        True keeps the option out of help and documentation.
    key : str, optional
        Key in files and data where it differs from the attribute (``A`` for ``state_matrix``).
    """
    facts = Facts(
        unit=unit,
        at_least=at_least,
        above=above,
        at_most=at_most,
        below=below,
        short=short,
        metavar=metavar,
        hidden=hidden,
    )
    return Field(default, description=meaning, json_schema_extra=facts, alias=key)  # type: ignore[arg-type]


@dataclass(frozen=True)
class expecting:
    """A description of a type for error messages: ``Annotated[int | str, expecting("a node id or a set", "is not a place")]``."""

    words: str
    what: str = "has the wrong type or value"


@dataclass(frozen=True, eq=False)
class stating:
    """Facts of a value that a validator checks, for the JSON Schema: ``Annotated[Vector, AfterValidator(...), stating(...)]``."""

    facts: Mapping[str, Any]

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {**handler(schema), **self.facts}


@dataclass(frozen=True)
class tagged_by:
    """A union of declared types distinguished by one key: ``Annotated[Force | Torque, tagged_by("kind")]``.

    Every member has that key with a ``Literal`` type; ``default`` applies when the key is omitted.
    """

    key: str
    default: str | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        choices: dict[Any, CoreSchema] = {}
        for member in get_args(source):
            for word in get_args(member.model_fields[self.key].annotation):
                choices[word] = handler.generate_schema(member)

        def tag(value: Any) -> Any:
            stated = value.get(self.key, self.default) if isinstance(value, dict) else getattr(value, self.key, None)
            return stated.strip().lower() if isinstance(stated, str) else stated

        return core_schema.tagged_union_schema(choices, tag)


def check(method: Check) -> Any:
    """Decorator of a method that compares options: it raises ``problem(key, ...)`` and returns nothing."""

    def checked(self: Any) -> Any:
        method(self)
        return self

    checked.__name__ = method.__name__
    checked.rules = getattr(method, "rules", ())  # type: ignore[attr-defined]
    return model_validator(mode="after")(checked)


def _beside(path: Path, info: ValidationInfo) -> Path:
    if "\0" in str(path):
        raise ValueError("a file name holds a zero byte")
    folder = (info.context or {}).get("folder")
    return path if folder is None else folder / path.expanduser()


def _named(value: Any) -> Any:
    if isinstance(value, str) and not value.strip():
        raise PydanticCustomError("string_too_short", "is empty")
    return value


#: A file name; in a file it is relative to that file's folder.
FilePath = Annotated[
    Path,
    BeforeValidator(_named),
    AfterValidator(_beside),
    WithJsonSchema({"type": "string", "format": "path", "pattern": r"\S"}),
]


class Table(BaseModel):
    """A frozen table of options with strict, finite numbers; ``Declared`` adds the sentences of its errors."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        populate_by_name=True,
        protected_namespaces=(),
        defer_build=True,  # a table is compiled when first used: importing all of them takes half the time
    )
    #: The error of a mistake made in Python; files raise ``CaseError``.
    raises: ClassVar[type[InputError]] = InputError
    #: Advice for keys and choices that people look for here and that have another place or name.
    elsewhere: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        made = handler(source)
        inner: Any = handler.resolve_ref_schema(made)
        while inner["type"] != "model":
            inner = inner["schema"]
        inner = inner["schema"]
        while inner["type"] != "model-fields":
            inner = inner["schema"]
        for name, field in inner["fields"].items():
            facts = cls.model_fields[name].json_schema_extra
            field["schema"] = _strict(field["schema"], facts.limits if isinstance(facts, Facts) else {})
        return made

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """The rules between options (``ruled``) are conditions on the whole table."""
        made = handler.resolve_ref_schema(handler(schema))
        checks = cls.__pydantic_decorators__.model_validators.values()
        conditions = [rule.schema(cls) for made_check in checks for rule in getattr(made_check.func, "rules", ())]
        if conditions:
            made["allOf"] = [*made.get("allOf", ()), *conditions]
        return made


def spelled(words: Sequence[str]) -> str:
    """The pattern of some words in any case, with blanks around them, as choices are matched."""
    forms = ("".join(f"[{c.upper()}{c}]" if c.isalpha() else re.escape(c) for c in word.lower()) for word in words)
    return rf"^\s*({'|'.join(forms)})\s*$"


def _any_case(schema: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    """The JSON Schema of choices: the words for completion, or the same words in any case and with blanks around them."""
    made = handler(schema)
    words = (
        [made["const"]] if "const" in made else made.get("enum", [None])
    )  # none where the words were replaced before
    if not all(isinstance(word, str) for word in words):
        return made
    kept = {key: value for key, value in made.items() if key not in ("const", "enum", "type")}
    return {**kept, "anyOf": [{"enum": words}, {"type": "string", "pattern": spelled(words)}]}


def own_numbers(value: Any) -> Any:
    """NumPy numbers and arrays as Python's own, in tables and lists too; everything else as it is."""
    if isinstance(value, dict):
        return {name: own_numbers(item) for name, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(own_numbers(item) for item in value)
    return value.tolist() if type(value).__module__ == "numpy" and hasattr(value, "tolist") else value


def whole(value: Any) -> Any:
    """A whole number that is written 2.0, as JSON Schema counts it too; everything else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _strict(schema: Any, limits: dict[str, float]) -> Any:
    """The schema of an option with strict, finite numbers in range and choices that do not mind case."""
    kind = schema.get("type")
    if kind in ("model", "definition-ref", "is-instance", "any"):
        return schema
    if kind in ("float", "int"):
        finite = {"allow_inf_nan": False} if kind == "float" else {}
        number: Any = {**schema, "strict": True, **finite, **limits}
        if kind == "int":
            number = core_schema.no_info_before_validator_function(whole, number)
        return core_schema.no_info_after_validator_function(computable, number)
    if kind in ("str", "bool"):
        return {**schema, "strict": True, **({"min_length": 1} if kind == "str" else {})}
    if kind == "literal":
        words = {str(word).lower(): word for word in schema["expected"]}

        def matched(value: Any) -> Any:
            return words.get(value.strip().lower(), value) if isinstance(value, str) else value

        metadata = {"pydantic_js_functions": [_any_case]}
        return core_schema.no_info_before_validator_function(matched, schema, metadata=metadata)
    made = dict(schema)
    for word in ("schema", "keys_schema", "values_schema"):
        if isinstance(made.get(word), dict):
            made[word] = _strict(made[word], limits)
    if isinstance(made.get("items_schema"), list):
        made["items_schema"] = [_strict(item, limits) for item in made["items_schema"]]
    elif isinstance(made.get("items_schema"), dict):
        made["items_schema"] = _strict(made["items_schema"], limits)
    if kind == "union":
        made["choices"] = [
            (_strict(item[0], limits), item[1]) if isinstance(item, tuple) else _strict(item, limits)
            for item in made["choices"]
        ]
    return made
