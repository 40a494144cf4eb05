"""The choices that a deck offers: its steps, and the program that it is for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tisserand.files import existing_file
from tisserand.readers.abaqus.deck import flatten
from tisserand.readers.abaqus.flavor import flavor_words
from tisserand.readers.abaqus.ledger import spelled
from tisserand.readers.abaqus.parameters import spell_parameters
from tisserand.readers.abaqus.scan import keywords
from tisserand.readers.abaqus.steps import step_words


def offers(path: str | Path, flavor: str | None = None) -> dict[str, Any]:
    """Every step in words, the program (``flavor`` if it was chosen), and the defaults."""
    found, _ = keywords(existing_file(path))
    spelled(found)
    spell_parameters(found)
    steps, program = flatten(found).steps, {"program (--flavor)": flavor_words(found, flavor)}
    if not steps:
        return {"steps (--step)": "none", **program}
    requests = [i for i, step in enumerate(steps, 1) if any(keyword.name == "FREQUENCY" for keyword in step)]
    return {
        "steps (--step)": dict(word.split(": ", 1) for word in step_words(steps)),
        "step that holds": str(requests[0]) if requests else "none asks for frequencies: the boundary of all steps",
        **program,
    }
