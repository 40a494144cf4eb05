"""Checks of a reduced component as a table, as a structural analyst expects before using it.

Serves the components of [CraigBampton1968]; rigid vectors of theory section 1.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import CheckFailedError, TooManyModesError
from tisserand.model import Supports
from tisserand.modes.component import ReducedComponent, rigid_span_error
from tisserand.modes.rigid import rigid_set
from tisserand.modes.solve import direct_modes
from tisserand.modes.strain_free_motions import pivot_dofs

DIRECTIONS = ("x", "y", "z", "rx", "ry", "rz")


@dataclass(frozen=True)
class CheckRow:
    """One line: what is measured, its value, the limit it must not pass (None: for information), and why it matters."""

    name: str
    value: float
    limit: float | None
    meaning: str

    @property
    def passed(self) -> bool:
        return self.limit is None or self.value <= self.limit


@dataclass(frozen=True)
class ComponentChecks:
    """All lines of the table."""

    component: str
    rows: tuple[CheckRow, ...]

    @property
    def passed(self) -> bool:
        return all(row.passed for row in self.rows)

    def require(self) -> ComponentChecks:
        """Raise with the names of the lines that fail."""
        failed = [row for row in self.rows if not row.passed]
        if failed:
            first = failed[0]
            raise CheckFailedError(
                f"{len(failed)} checks of the reduced component fail: {', '.join(row.name for row in failed[:5])}",
                where=self.component, found=f"{first.value:.3g}", expected=f"at most {first.limit:.3g}",
            )  # fmt: skip
        return self


@checked_arguments
def check_component(part: ReducedComponent, *, compared_modes: int = 6) -> ComponentChecks:
    """Check a reduced component as an analyst would, and return the table.

    Rigid-body energies and grounding, mass properties, stiffness-based against geometric rigid motions, definiteness, free-free
    frequencies of the reduced against the full model, and effective mass totals.

    Lines on rigid motion are given for components without supports.

    Args:
        part: the reduced component.
        compared_modes: number of modes compared with the whole.
    """
    rows = _definiteness(part)
    held = part.model.held()
    rigid = rigid_set(part.model, held)
    if not held.any() or rigid.count:
        rows += _rigid_rows(part)
    rows += _frequencies(part, compared_modes)
    rows += _effective_mass(part)
    return ComponentChecks(part.model.name, tuple(rows))


def _absolute(part: ReducedComponent) -> csr_array:
    K = part.model.stiffness
    return csr_array((np.abs(K.data), K.indices, K.indptr), shape=K.shape)


def _definiteness(part: ReducedComponent) -> list[CheckRow]:
    """Lowest eigenvalue of the reduced matrices, every coordinate scaled by the terms that its diagonal is the sum of."""
    out = []
    shapes = np.abs(part.shapes)
    sums = {"stiffness": np.einsum("ik,ik->k", shapes, _absolute(part) @ shapes), "mass": np.diag(part.mass)}
    for word, matrix in (("stiffness", part.stiffness), ("mass", part.mass)):
        size = np.sqrt(np.abs(sums[word]))
        size = np.where(size > 0.0, size, 1.0)
        lowest = float(np.linalg.eigvalsh(matrix / np.outer(size, size))[0])
        meaning = f"the reduced {word} must not be indefinite"
        out.append(CheckRow(f"{word}: negative part", max(-lowest, 0.0), 1e-9, meaning))
    return out


def _rigid_rows(part: ReducedComponent) -> list[CheckRow]:
    q = part.rigid_coordinates
    K, M = part.stiffness, part.mass
    out = [
        CheckRow(
            "rigid motions outside the basis", rigid_span_error(part.model, part.shapes), 1e-6,
            "the columns must be able to move as a rigid body",
        )
    ]  # fmt: skip
    S = np.abs(part.model.rigid_body_vectors)
    forces = _absolute(part) @ S  # what cancels in K S = 0, dof by dof
    energy = np.abs(np.diag(q.T @ K @ q)) / np.maximum(np.einsum("ik,ik->k", S, forces), 1e-300)
    meaning = "a rigid motion must not strain the component"
    out += [CheckRow(f"rigid strain energy {w}", float(e), 1e-10, meaning) for w, e in zip(DIRECTIONS, energy)]
    inside = np.maximum((np.abs(part.shapes).T @ forces).max(axis=0), 1e-300)
    ground = np.abs(K @ q).max(axis=0) / inside
    meaning = "force to ground of a rigid motion, relative to the forces in it"
    out.append(CheckRow("grounding force", float(ground.max()), 1e-6, meaning))
    full = part.model.rigid_body_vectors.T @ (part.model.mass @ part.model.rigid_body_vectors)
    reduced = q.T @ M @ q
    for word, block in (("mass", np.s_[:3, :3]), ("first moment", np.s_[:3, 3:]), ("inertia", np.s_[3:, 3:])):
        size = float(np.abs(full[block]).max()) or 1.0
        out.append(
            CheckRow(
                f"{word}: reduced against full", float(np.abs(reduced[block] - full[block]).max()) / size, 1e-6,
                "mass properties about the basic origin",
            )
        )  # fmt: skip
    stiff = _stiffness_rigid(part, q)
    if stiff is not None:
        out.append(
            CheckRow("rigid motions: stiffness against geometry", stiff, 1e-6, "both must give the same six motions")
        )
    return out


def _stiffness_rigid(part: ReducedComponent, q: FloatArray) -> float | None:
    """Rigid motions from K with six determinate interface dofs moved, against geometry; None without spare dofs."""
    b = part.physical
    if len(b) <= 6 or np.linalg.matrix_rank(q[b]) < 6:
        return None
    size = np.abs(q[b]).max(axis=0)
    lead = b[pivot_dofs(q[b] / size)]
    rest = np.setdiff1d(np.arange(len(part)), lead)
    K = part.stiffness
    scale = np.sqrt(np.maximum(np.diag(K)[rest], 1e-300))
    right = K[np.ix_(rest, lead)] @ q[lead] / scale[:, None]
    follow = -np.linalg.lstsq(K[np.ix_(rest, rest)] / np.outer(scale, scale), right, rcond=1e-13)[0] / scale[:, None]
    physical = np.isin(rest, b)
    return float((np.abs(follow - q[rest])[physical] / size).max())


def _frequencies(part: ReducedComponent, count: int) -> list[CheckRow]:
    """Free (as far as supports allow) frequencies of the reduced and the full component."""
    small = part.as_model()
    wanted = min(count, small.size - 7, part.model.size - 7)
    if wanted < 1:
        return []
    supports = part.model.supports
    reduced = _lowest(small, wanted, supports=Supports(), allow_mechanisms=True)
    full = _lowest(part.model, wanted, supports=supports)
    shared = min(len(reduced), len(full))  # motions without mass have no frequency
    if not shared:
        return []
    reduced, full = reduced[:shared], full[:shared]
    out = []
    for i, (a, b) in enumerate(zip(reduced, full)):
        out.append(
            CheckRow(f"frequency {i + 1}: reduced above full", float(a / b - 1.0), None, f"{a:.6g} against {b:.6g} Hz")
        )
    drop = float(max((1.0 - reduced / full).max(), 0.0))
    if part.method != "macneal":
        out.append(
            CheckRow("frequency below the full model's", drop, 1e-6, "a Ritz basis bounds frequencies from above")
        )
    return out


def _lowest(model: AssembledModel, wanted: int, **options: Any) -> FloatArray:
    """The lowest elastic frequencies, Hz: as many as wanted, or as there are."""
    try:
        basis = direct_modes(model, count=wanted, **options)
    except TooManyModesError as error:
        if error.most < 1:
            return np.zeros(0)
        basis = direct_modes(model, count=error.most, **options)
    return np.asarray(basis.frequencies_hz[[kind == "elastic" for kind in basis.kinds]])


def _effective_mass(part: ReducedComponent) -> list[CheckRow]:
    """Sum of the modal effective masses of the modal coordinates against the whole, per translation."""
    modal = [i for i in part.modal if part.coordinates[i].kind in ("elastic", "residual")]
    if not modal or part.method not in ("craig-bampton", "guyan"):
        return []
    shapes = part.shapes[:, modal]
    inertia = shapes.T @ (part.model.mass @ shapes)
    coupling = shapes.T @ (part.model.mass @ part.model.rigid_body_vectors[:, :3])
    carried = np.diag(coupling.T @ np.linalg.lstsq(inertia, coupling, rcond=1e-12)[0])
    whole = np.diag(part.model.rigid_body_vectors[:, :3].T @ (part.model.mass @ part.model.rigid_body_vectors[:, :3]))
    share = carried / np.maximum(whole, 1e-300)
    out = [
        CheckRow(f"effective mass {word}", float(share[i]), 1.0 + 1e-9, "share of the mass that the modes carry")
        for i, word in enumerate(DIRECTIONS[:3])
    ]
    return out
