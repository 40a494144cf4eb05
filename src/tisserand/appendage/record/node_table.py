"""Nodes of a reduced appendage and the named points among them, with their shapes to first and second degree."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np

from tisserand.appendage.record.packed_pairs import unpacked
from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray, frozen


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False)
class NodeTable:
    """Nodes of the appendage with their shapes.

    ids (n,), positions (n, 3) m from O, translation and rotation shapes (n, 3, k); energy (n, k) J/kg per eta²: strain energy per
    mass around each node, for coloring, None if unknown.

    Second-degree motion u = phi eta + 1/2 psi(eta, eta), m per eta², and rotation vector likewise: second (n, 6, p) holds always
    (rigid arms, change of frame; None: zero), foreshortening (n, 6, p) together with the geometric-stiffness families (None: not
    known); single precision, p = k (k + 1) / 2 pairs (``packed_pairs``). Large ones have the translations (n, 3, p) alone.
    """

    ids: IntArray
    positions: FloatArray
    translation: FloatArray
    rotation: FloatArray
    energy: FloatArray | None = None
    second: FloatArray | None = None
    foreshortening: FloatArray | None = None

    def __post_init__(self) -> None:
        n = len(self.ids)
        object.__setattr__(self, "ids", frozen(self.ids, np.int64, (-1,)))
        object.__setattr__(self, "positions", frozen(self.positions, shape=(n, 3)))
        object.__setattr__(self, "translation", frozen(self.translation, shape=(n, 3, -1)))
        object.__setattr__(self, "rotation", frozen(self.rotation, shape=(n, 3, self.translation.shape[2])))
        if self.energy is not None:
            small = frozen(self.energy, np.float32, (n, self.translation.shape[2]))
            object.__setattr__(self, "energy", small)
        k = self.translation.shape[2]
        for word in ("second", "foreshortening"):
            if getattr(self, word) is not None:
                rows = 6 if np.shape(getattr(self, word))[1] == 6 else 3
                object.__setattr__(self, word, frozen(getattr(self, word), np.float32, (n, rows, k * (k + 1) // 2)))

    def psi(self, row: int, families: bool) -> FloatArray:
        """psi (6, k, k) of translation and rotation vector of a node, with foreshortening where the families act and it is known.

        Args:
            row: of the node table.
        """
        k = self.translation.shape[2]
        total = np.zeros((6, k, k))
        for values in (self.second, self.foreshortening if families else None):
            if values is not None:
                total[: values.shape[1]] += unpacked(values[row], k)
        return total

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<NodeTable: {len(self)} nodes, {self.translation.shape[2]} modes>"


@checked_arguments
@dataclass(frozen=True, eq=False)
class Interface:
    """A named point: node row, position (3,) m from O, axes rows (3, 3), shapes (3, k) translation and rotation.

    second_translation, second_rotation (3, k, k): psi of the node that holds with and without geometric stiffness (rigid
    arms, change of frame): u = phi eta + 1/2 psi(eta, eta), rotation vector b = theta eta + 1/2 psi_r(eta, eta); zero where
    not stated. Foreshortening is not in it: it is -Kg of the unit-load families ``F:name:1..6``, which act with the other
    families.

    Attributes:
        node_id: id of its node.
    """

    name: str
    node_id: int
    position: FloatArray
    axes: FloatArray
    translation: FloatArray
    rotation: FloatArray
    _: KW_ONLY
    second_translation: FloatArray | None = None
    second_rotation: FloatArray | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", frozen(self.position, shape=(3,)))
        object.__setattr__(self, "axes", frozen(self.axes, shape=(3, 3)))
        object.__setattr__(self, "translation", frozen(self.translation, shape=(3, -1)))
        k = self.translation.shape[1]
        object.__setattr__(self, "rotation", frozen(self.rotation, shape=(3, k)))
        for name in ("second_translation", "second_rotation"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, frozen(getattr(self, name), shape=(3, k, k)))

    @property
    def psi(self) -> tuple[FloatArray, FloatArray]:
        """Second-degree shapes of translation and rotation, (3, k, k) each; zero where not stated."""
        k = self.translation.shape[1]
        zero = np.zeros((3, k, k))
        t, r = self.second_translation, self.second_rotation
        return zero if t is None else t, zero if r is None else r
