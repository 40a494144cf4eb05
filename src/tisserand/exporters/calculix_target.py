"""A CalculiX deck as an export target: written by ``calculix``, read back by our reader to the same stiffness and mass."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.assembly import assemble
from tisserand.exporters.bdf_target import matrix_difference
from tisserand.exporters.calculix import Deck
from tisserand.exporters.other_units import ModelInUnits
from tisserand.files import write_text
from tisserand.readers.registry import read_model


def losses(source: ModelInUnits) -> list[str]:
    """What the deck states otherwise than the model."""
    return _written(source)[1].losses


def write(source: ModelInUnits, path: Path) -> list[Path]:
    return [write_text(path, _written(source)[0])]


def _written(source: ModelInUnits) -> tuple[str, Deck]:
    deck = Deck(source.model, source.units)
    return deck.text(), deck


def read_back(source: ModelInUnits, path: Path) -> float:
    """Largest relative difference of places, and of stiffness and mass where a loss does not change them."""
    system, meant = source.units, source.model
    again = read_model(path, f"{system.length!r},{system.mass!r},{system.time!r}")
    row = {int(own): i for i, own in enumerate(again.nodes.ids)}
    kept = [row[int(own)] for own in meant.nodes.ids]
    far = float(np.abs(again.nodes.positions[kept] - meant.nodes.positions).max()) / max(meant.size, 1e-300)
    if _written(source)[1].otherwise:
        return far
    return max(far, matrix_difference(assemble(again, mass="consistent"), assemble(meant, mass="consistent")))
