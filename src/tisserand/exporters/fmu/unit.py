"""What a unit contains, whatever the version of the standard: variables, sources and who wrote it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from tisserand.errors import InputError


def attribute(text: str) -> str:
    """Text as an attribute of XML, which has no control characters."""
    return escape(re.sub(r"[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]", " ", text))


@dataclass(frozen=True)
class Variable:
    """A real variable: its name, meaning, unit (empty: none) and value before anything is set."""

    name: str
    meaning: str
    unit: str = ""
    start: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A model as C source. Value references count parameters, inputs, outputs, states and rates in this order.

    generated: file name -> text of the sources that belong to this model (``model.c`` or what ``lti.c`` includes).
    shared: names of the sources of this package that it needs.
    """

    name: str
    description: str
    parameters: tuple[Variable, ...]
    inputs: tuple[Variable, ...]
    outputs: tuple[Variable, ...]
    states: tuple[Variable, ...]
    generated: dict[str, str]
    shared: tuple[str, ...]
    written_by: str
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        names = [variable.name for variable in self.variables]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise InputError(
                "two variables of the unit would have the same name", where=self.name, found=twice[0],
                advice="rename the load, sensor, interface or joint",
            )  # fmt: skip

    @property
    def identifier(self) -> str:
        """The name as C knows it."""
        word = re.sub(r"\W+", "_", self.name, flags=re.ASCII).strip("_")[:60]
        return word if word[:1].isalpha() else f"M_{word}"

    @property
    def token(self) -> str:
        """A mark that depends on the content alone, so that the same model gives the same file."""
        text = repr(
            (self.name, self.parameters, self.inputs, self.outputs, self.states, sorted(self.generated.items()))
        )
        digest = hashlib.sha256(text.encode()).hexdigest()
        return "{" + "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:32])) + "}"

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables in the order of their value references; rates last."""
        rates = tuple(
            Variable(f"der({x.name})", f"rate of {x.name}", f"{x.unit}/s" if x.unit else "") for x in self.states
        )
        return (*self.parameters, *self.inputs, *self.outputs, *self.states, *rates)

    def sources(self, version: int) -> dict[str, str]:
        """File name -> text of every source, headers included; ``fmiN.c`` holds the functions of the standard."""
        folder = files("tisserand.exporters.fmu") / "c"
        names = ("model.h", "variables.c", "extrapolation.c", f"fmi{version}.c", *self.shared)
        shared = {name: (folder / name).read_text() for name in names}
        return {"sizes.h": self._sizes(), **self.generated, **shared}

    def _sizes(self) -> str:
        counts = {
            "STATES": len(self.states),
            "INPUTS": len(self.inputs),
            "OUTPUTS": len(self.outputs),
            "PARAMETERS": len(self.parameters),
            "TIME": len(self.variables),
        }
        lines = [f"#define MODEL_{word} {count}" for word, count in counts.items()]
        return "\n".join(
            [*lines, f"#define MODEL_IDENTIFIER {self.identifier}", f'#define MODEL_TOKEN "{self.token}"', ""]
        )
