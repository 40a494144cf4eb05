"""Delivered models coupled at shared interface nodes: the system is a delivered model again, with the recovery of every part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import InputError
from tisserand.model import Nodes
from tisserand.modes.component import Coordinate
from tisserand.modes.coupling import couple
from tisserand.responses.delivered_model import DeliveredModel


@dataclass(frozen=True, eq=False)
class JoinedModels:
    """The system, its parts, and per part the system coordinate of each of its own (k_i,)."""

    system: DeliveredModel
    parts: tuple[DeliveredModel, ...]
    names: tuple[str, ...]
    maps: tuple[IntArray, ...]

    def strain_shares(self, shapes: FloatArray) -> FloatArray:
        """(parts, m) share of each part in the strain energy of system shapes (s, m); zero for rigid motions."""
        energy = np.array(
            [
                np.einsum("km,kl,lm->m", shapes[own], part.stiffness, shapes[own], optimize=True)
                for part, own in zip(self.parts, self.maps)
            ]
        )
        total = energy.sum(axis=0)
        return np.asarray(np.divide(energy, total, out=np.zeros_like(energy), where=total > 0.0))


@checked_arguments
def join_models(parts: Sequence[DeliveredModel], *, name: str = "system") -> JoinedModels:
    """Couple delivered models where they share a node id and a component.

    Recovery matrices keep their rows and are called ``PART: NAME``.

    Args:
        parts: two or more delivered models.
        name: of the system.
    """
    if len(parts) < 2:
        raise InputError("coupling needs at least two delivered models", found=f"{len(parts)}")
    names = [part.name for part in parts]
    labels = [n if names.count(n) == 1 else f"{n} {i + 1}" for i, n in enumerate(names)]
    coupled = couple([part.component() for part in parts], name=name)
    scalar = coupled.model.nodes.scalar
    shared = len(coupled.model.nodes) - (0 if scalar is None else int(scalar.sum()))
    size, table = coupled.model.size, coupled.model.dofs
    kinds, frequencies = ["constraint"] * size, np.full(size, np.nan)
    damping = np.zeros((size, size))
    recoveries = []
    used = np.zeros(size, int)
    for label, part, own in zip(labels, parts, coupled.maps):
        used[own] += 1
        for i, c in zip(own, part.coordinates):
            kinds[i] = c.kind
        frequencies[own] = part.frequencies_hz
        if part.damping is not None:
            damping[np.ix_(own, own)] += part.damping
        columns = np.zeros((len(part), size))
        columns[np.arange(len(part)), own] = 1.0
        recoveries += [item.over(columns).of_part(label) for item in part.recoveries]
    if not (used > 1).any():
        ids = "; ".join(f"{n}: {', '.join(map(str, p.nodes.ids[:6]))}" for n, p in zip(labels, parts))
        raise InputError("the models share no interface dof", found=ids, expected="interface nodes of the same id")
    coordinates = tuple(
        Coordinate(text, kinds[i], None, None)  # type: ignore[arg-type]
        if table.node[i] >= shared
        else Coordinate(text, "constraint", int(table.node[i]), int(table.component[i]))
        for i, text in enumerate(coupled.names)
    )
    nodes = coupled.model.nodes
    system = DeliveredModel(
        name, "coupled", coordinates=coordinates,
        nodes=Nodes(nodes.ids[:shared], nodes.positions[:shared], None if nodes.axes is None else nodes.axes[:shared]),
        stiffness=coupled.model.stiffness.toarray(), mass=coupled.model.mass.toarray(),
        rigid=coupled.model.rigid_body_vectors, frequencies_hz=frequencies,
        damping=damping if damping.any() else None, recoveries=tuple(recoveries),
        dropped=tuple(f"{label}: {text}" for label, part in zip(labels, parts) for text in part.dropped),
        notes=tuple(f"{label}: {text}" for label, part in zip(labels, parts) for text in part.notes),
        unit_system=parts[0].unit_system, held=sum(part.held for part in parts),
    )  # fmt: skip
    return JoinedModels(system, tuple(parts), tuple(labels), coupled.maps)
