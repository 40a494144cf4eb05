"""Static solutions, of held structures and of free ones in inertia relief."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.linalg import qr
from scipy.sparse import csr_array

from tisserand.arguments import checked_arguments
from tisserand.arrays import BoolArray, FloatArray, IntArray, frozen
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.element_forces import element_forces
from tisserand.assembly.motion_words import motion_words
from tisserand.errors import ModelError, SingularMatrixError, SolverError
from tisserand.linalg import Factor, factorize
from tisserand.model import Supports
from tisserand.notebook_html import html_table

_RESIDUAL = 1e-6
#: Most corrections of a solution whose assembled sums have too few digits.
_REFINEMENTS = 4
#: Part of the largest load that a dof without stiffness may take by round-off.
_CARRIED = 1e-6


@checked_arguments
@dataclass(frozen=True, eq=False, repr=False)
class StaticSolution:
    """K u = f at the free dofs.

    displacement (d, p) over independent dofs; reactions (d, p) at held dofs (zero elsewhere), N and N m;
    acceleration (6, p): rigid acceleration about the basic origin that carries the unbalanced load (inertia
    relief, else zero); residual: worst |K u - f| over the applied |f|, or, where round-off of K u is larger, the error of u
    in energy, sqrt(r' K⁻¹ r / f'u), r = K u - f summed element by element; notes: loads that nothing carries, because their dofs
    have no stiffness and are held automatically (AUTOSPC): what moves there is not known.
    """

    displacement: FloatArray
    reactions: FloatArray
    acceleration: FloatArray
    residual: float
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for word in ("displacement", "reactions", "acceleration"):
            object.__setattr__(self, word, frozen(getattr(self, word)))

    def __repr__(self) -> str:
        return f"<StaticSolution: {self.displacement.shape[1]} loads, residual {self.residual:.1e}>"

    def _repr_html_(self) -> str:
        largest = np.abs(self.displacement).max(axis=0, initial=0.0), np.abs(self.reactions).max(axis=0, initial=0.0)
        rows = [(i + 1, float(u), float(r)) for i, (u, r) in enumerate(zip(*largest))]
        heads = ("load", "largest displacement (m, rad)", "largest reaction (N, N m)")
        return html_table(f"Static solution, residual {self.residual:.1e}", heads, rows)


@checked_arguments
def solve_static(
    assembled: AssembledModel,
    loads: FloatArray,
    supports: Supports | None = None,
    *,
    inertia_relief: bool = False,
    uncarried: Literal["refuse", "hold"] = "refuse",
) -> StaticSolution:
    """Displacements under loads (d,) or (d, p); ``supports`` None takes the deck's.

    Rigid motions that the supports leave free need ``inertia_relief``: the body then accelerates, loads are
    balanced by its own inertia, and u has no rigid part (S'M u = 0).

    Args:
        assembled: the assembled model.
        uncarried: a load on a dof that has no stiffness and is held automatically is refused, or held there as Nastran's
            AUTOSPC does, with a note in the solution.
    """
    structure = HeldStructure(assembled, supports, inertia_relief=inertia_relief)
    try:
        solution = structure.solve(loads)
    finally:
        structure.release()
    if solution.notes and uncarried == "refuse":
        raise ModelError(
            "a load acts where the structure has no stiffness", where=assembled.name, found=solution.notes[0],
            expected="loads that elements carry",
            advice="connect or support these dofs, move the load, or hold it there with uncarried='hold'",
        )  # fmt: skip
    return solution


class HeldStructure:
    """A structure with its supports, factorized once for any number of loads; ``release`` frees the factor."""

    def __init__(
        self, assembled: AssembledModel, supports: Supports | None = None, *, inertia_relief: bool = False
    ) -> None:
        self.assembled = assembled
        self.held = assembled.held(supports)
        stated = assembled.dofs.fixed_by(assembled.supports if supports is None else supports)
        self._automatic = assembled.dofs.fixed_by(assembled.auto_supports) & ~stated & self.held
        self._rigid = _free_motions(assembled, self.held)
        self._motions = assembled.rigid_body_vectors @ self._rigid
        extra = np.zeros(assembled.size, np.bool_)
        if self._rigid.shape[1]:
            if not inertia_relief:
                raise ModelError(
                    f"the supports leave {self._rigid.shape[1]} rigid motions free", where=assembled.name,
                    found="no support" if not self.held.any() else "too few supports",
                    advice="add supports, or ask for inertia relief",
                )  # fmt: skip
            self._inertia = self._motions.T @ (assembled.mass @ self._motions)
            extra[_determinate(self._motions, self.held)] = True
        self._free = np.flatnonzero(~(self.held | extra))
        self._matrix = csr_array(assembled.stiffness[self._free][:, self._free])
        self._factor: Factor | None = None

    @property
    def relieved(self) -> bool:
        """True if the supports leave rigid motions to inertia relief."""
        return bool(self._rigid.shape[1])

    def solve(self, loads: FloatArray) -> StaticSolution:
        """Displacements under loads (d,) or (d, p)."""
        assembled = self.assembled
        f = np.array(loads, dtype=float).reshape(assembled.size, -1)
        acceleration = np.zeros((6, f.shape[1]))
        applied = np.abs(f).max(axis=0, initial=0.0)
        if self.relieved:
            rates = np.linalg.solve(self._inertia, self._motions.T @ f)
            f = f - assembled.mass @ (self._motions @ rates)
            acceleration = self._rigid @ rates
        u = np.zeros_like(f)
        u[self._free] = self._solved(f[self._free])
        self._without_rigid(u)
        unbalanced = assembled.stiffness @ u - f
        scale = np.maximum(applied, 1e-300)  # before inertia relief: a balanced load may be all round-off
        residual = float((np.abs(unbalanced[~self.held]).max(axis=0, initial=0.0) / scale).max(initial=0.0))
        if not residual < _RESIDUAL:
            unbalanced, residual = self._refined(f, u, residual)
        reactions = np.where(self.held[:, None], unbalanced, 0.0)
        return StaticSolution(u, reactions, acceleration, residual, self._uncarried(f, reactions))

    def _without_rigid(self, u: FloatArray) -> None:
        if self.relieved:
            u -= self._motions @ np.linalg.solve(self._inertia, self._motions.T @ (self.assembled.mass @ u))

    def _refined(self, f: FloatArray, u: FloatArray, residual: float) -> tuple[FloatArray, float]:
        """Improve u in place with forces summed element by element; K u - f, and the error of u in energy.

        Sums of the assembled matrix are off by their last digits times |K||u|, far more than the load of a thin shell that lies
        obliquely or bends far. Forces in the last digits of a membrane do not matter to what it moves: energy weighs them.
        """
        elements = element_forces(self.assembled)
        for _ in range(_REFINEMENTS if elements is not None and self._factor is not None else 0):
            assert elements is not None and self._factor is not None
            unbalanced = elements.forces(u) - f
            correction = self._factor.solve(unbalanced[self._free])
            energy = np.einsum("ij,ij->j", unbalanced[self._free], correction)
            work = np.abs(np.einsum("ij,ij->j", f, u))
            error = float(np.sqrt(np.abs(energy) / np.maximum(work, 1e-300)).max(initial=0.0))
            if error < _RESIDUAL:
                return unbalanced, error
            u[self._free] -= correction
            self._without_rigid(u)
        raise SolverError(
            "the static solution does not balance its load", where=self.assembled.name,
            found=f"a residual of {residual:.1e}",
            expected=f"below {_RESIDUAL:.0e}", advice="look for mechanisms or very different stiffnesses",
        )  # fmt: skip

    def _uncarried(self, f: FloatArray, reactions: FloatArray) -> tuple[str, ...]:
        """Loads that dofs without stiffness take: where the direction without stiffness is no dof, the part along it."""
        if not self._automatic.any():
            return ()
        reach = float(np.ptp(self.assembled.nodes.positions, axis=0).max(initial=0.0)) or 1.0
        force = (
            1.0 / np.where(self.assembled.dofs.component < 3, 1.0, reach)[:, None]
        )  # moments as forces at the body's size
        most = np.abs(f * force).max(axis=0, initial=0.0)
        taken = np.where(self._automatic[:, None], np.abs(reactions * force), 0.0)
        lost = taken > _CARRIED * np.maximum(most, 1e-300)
        if not lost.any():
            return ()
        share = float((taken.max(axis=0) / np.maximum(most, 1e-300)).max())
        where = motion_words(self.assembled, np.where(lost, 1.0, 0.0))
        count = int(lost.any(axis=1).sum())
        return (
            f"{count} loaded dofs without stiffness are held automatically: {where}, up to {share:.2g} of the largest load",
        )

    def _solved(self, f: FloatArray) -> FloatArray:
        if len(self._free) == 0:
            return np.zeros_like(f)
        if self._factor is None:
            self._factor = factorize(self._matrix, groups=self.assembled.dofs.node[self._free])
        u = self._factor.solve(f)
        if self._factor.negative_count or not np.isfinite(u).all():
            raise SingularMatrixError(
                "the stiffness of the held structure is not positive definite", where=self.assembled.name,
                found=f"{self._factor.negative_count} negative pivots",
                advice="run the model checks: a mechanism or a buckled prestress",
            )  # fmt: skip
        correction = self._factor.solve(f - self._matrix @ u)  # one step of refinement
        return np.asarray(u + correction)

    def release(self) -> None:
        """Free the factor; another ``solve`` would make it again."""
        if self._factor is not None:
            self._factor.release()
            self._factor = None


def _free_motions(assembled: AssembledModel, held: BoolArray) -> FloatArray:
    """(6, q) rigid motions about the basic origin that the held dofs allow, orthonormal in scaled coordinates."""
    size = max(float(np.ptp(assembled.nodes.positions, axis=0).max(initial=0.0)), 1e-12)
    scale = np.array([1.0, 1.0, 1.0, 1.0 / size, 1.0 / size, 1.0 / size])
    everything = np.linalg.svd(assembled.rigid_body_vectors * scale, full_matrices=False)
    exists = everything[2][everything[1] > 1e-9 * everything[1][0]]  # a line of solids has no torsion dof, for one
    rows = assembled.rigid_body_vectors[held] * scale
    if len(rows) == 0:
        return np.asarray((exists * scale).T)
    _, values, right = np.linalg.svd(rows @ exists.T, full_matrices=True)
    rank = int((values > 1e-8 * max(values[0], 1e-300)).sum())
    return np.asarray(((right[rank:] @ exists) * scale).T)


def _determinate(motions: FloatArray, held: BoolArray) -> IntArray:
    """Dofs whose fixing stops the given motions, chosen well conditioned by pivoting."""
    candidates = np.flatnonzero(~held)
    scaled = motions[candidates] / np.linalg.norm(motions, axis=0)
    _, _, order = qr(scaled.T, mode="economic", pivoting=True)
    return np.asarray(candidates[order[: motions.shape[1]]])
