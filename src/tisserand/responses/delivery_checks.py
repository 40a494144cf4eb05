"""Checks of a delivered model by its matrices alone: rigid motions three ways, mass properties, grounding, modes, effective mass.

The same figures as ``cbcheck`` of pyYeti prints, all about the basic origin.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, IntArray
from tisserand.assembly.massprops import MassProperties, mass_properties_from_rigid
from tisserand.modes.component_checks import CheckRow, ComponentChecks
from tisserand.modes.strain_free_motions import pivot_dofs
from tisserand.responses.delivered_model import DeliveredModel
from tisserand.responses.delivery_text import delivery_text

#: Rigid motions of sound matrices agree this well, and strain this little.
_AGREES = 1e-6
#: Motions with less than this part of the largest stiffness and mass together have none.
_NOTHING = 1e-13
#: Moments of inertia below this part of the largest are those of a line or a point, which turns without moving mass.
_SLENDER = 1e-9


@dataclass(frozen=True, eq=False, kw_only=True)
class DeliveryCheck:
    """Figures of a delivered model; rigid motions by ``geometry``, ``stiffness`` and ``eigensolution`` where they exist.

    rigid: (k, 6); rigid_mass: (6, 6); properties: mass, center, inertia; grounding: K RB (k, 6); energy: RB'K RB (6, 6); free_hz:
    (n,) without supports; fixed_hz (m,) and effective_mass (m, 6) kg, kg m² with the interface held; rows: figures with limits.
    """

    model: DeliveredModel
    rigid: Mapping[str, FloatArray]
    rigid_mass: Mapping[str, FloatArray]
    properties: Mapping[str, MassProperties]
    grounding: Mapping[str, FloatArray]
    energy: Mapping[str, FloatArray]
    free_hz: FloatArray
    fixed_hz: FloatArray
    effective_mass: FloatArray
    rows: ComponentChecks

    @property
    def effective_percent(self) -> FloatArray:
        """(m, 6) share of the rigid mass of each direction, percent."""
        whole = np.diag(self.rigid_mass["geometry"])
        return np.asarray(
            100.0 * np.divide(self.effective_mass, whole, out=np.zeros_like(self.effective_mass), where=whole > 0.0)
        )

    @property
    def rigid_count(self) -> int:
        """How many rigid motions move mass: six, but of masses on a line five."""
        return _heavy(self.properties["geometry"])

    @property
    def passed(self) -> bool:
        return self.rows.passed

    def text(self) -> str:
        """All figures as text, in the order of cbcheck."""
        return delivery_text(self)


@checked_arguments
def check_delivered(model: DeliveredModel, *, modes: int = 25) -> DeliveryCheck:
    """Check a delivered model by its own matrices.

    Args:
        model: to check.
        modes: number of free-free modes to list, six rigid ones among them.
    """
    K, M = model.stiffness, model.mass
    values, vectors = free_modes(model)
    ways = {"geometry": model.rigid}
    reference = _determinate(model)
    own = mass_properties_from_rigid(model.rigid.T @ M @ model.rigid)
    count = _heavy(own)
    if reference is not None and not model.held:
        ways["stiffness"] = _by_stiffness(model, reference)
        turns = [model.rigid @ np.concatenate([np.cross(own.center, axis), axis]) for axis in _massless_axes(own)]
        ways["eigensolution"] = _by_modes(model, reference, np.column_stack([vectors[:, :count], *turns]))
    masses = {name: rb.T @ M @ rb for name, rb in ways.items()}
    fixed_hz, shapes = fixed_modes(model)
    coupling = shapes.T @ (M @ model.rigid)
    return DeliveryCheck(
        model=model,
        rigid=ways,
        rigid_mass=masses,
        properties={name: mass_properties_from_rigid(matrix) for name, matrix in masses.items()},
        grounding={name: K @ rb for name, rb in ways.items()},
        energy={name: rb.T @ K @ rb for name, rb in ways.items()},
        free_hz=np.sqrt(np.abs(values[:modes])) / (2.0 * np.pi),
        fixed_hz=fixed_hz,
        effective_mass=coupling**2,
        rows=ComponentChecks(model.name, tuple(_rows(model, ways, masses, values))),
    )


def free_modes(model: DeliveredModel) -> tuple[FloatArray, FloatArray]:
    """Eigenvalues (n,) rad²/s², ascending, and shapes (k, n) of unit mass of everything that moves mass, nothing held."""
    return natural(model.stiffness, model.mass)


def fixed_modes(model: DeliveredModel) -> tuple[FloatArray, FloatArray]:
    """Frequencies (m,) Hz and shapes (k, m) of unit mass with the interface dofs held."""
    rest = model.modal
    shapes = np.zeros((len(model), 0))
    if not len(rest):
        return np.zeros(0), shapes
    values, inner = natural(model.stiffness[np.ix_(rest, rest)], model.mass[np.ix_(rest, rest)])
    shapes = np.zeros((len(model), len(values)))
    shapes[rest] = inner
    return np.sqrt(np.maximum(values, 0.0)) / (2.0 * np.pi), shapes


def natural(stiffness: FloatArray, mass: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Eigenvalues (n,), ascending, and shapes (k, n) of unit mass of K x = lambda M x; motions without mass drop out.

    (K + s M)^-1 M has the eigenvalues 1 / (lambda + s); s is the mean stiffness per mass.
    """
    moving, inverse, _ = _pencil(stiffness, mass)
    shapes = moving / np.sqrt(inverse)
    # Rayleigh quotients are free of the shift's round-off
    return np.einsum("ki,kl,li->i", shapes, stiffness, shapes, optimize=True), shapes


def massless_flexibility(model: DeliveredModel) -> FloatArray:
    """(k, k) static response of the motions that move no mass to forces: what all modes together do not show.

    K phi = lambda M phi makes the modes stiffness-orthogonal to such motions x, so x x' / (x'K x) is added to them.
    """
    rest = _pencil(model.stiffness, model.mass)[2]
    return np.asarray(rest @ rest.T)


def _pencil(stiffness: FloatArray, mass: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Motions with mass (k, n) and their 1 / (lambda + s), and motions without mass (k, r), all of x'(K + s M) x = 1."""
    inertia, springs = np.diag(mass), np.abs(np.diag(stiffness))
    known = (inertia > 1e-12 * inertia.max(initial=0.0)) & (springs > 0.0)
    shift = float(np.median(springs[known] / inertia[known])) if known.any() else 1.0
    whole = stiffness + shift * mass
    size = np.sqrt(np.maximum(np.diag(whole), 1e-300))
    strength, turn = eigh(whole / np.outer(size, size))
    real = strength > _NOTHING * strength.max(initial=0.0)  # what neither moves mass nor strains has no frequency
    base = turn[:, real] / np.sqrt(strength[real]) / size[:, None]
    inverse, inner = eigh(base.T @ mass @ base)
    inverse, shapes = inverse[::-1], (base @ inner)[:, ::-1]
    moving = inverse > 1e-12 * inverse.max(initial=1e-300)
    return shapes[:, moving], inverse[moving], shapes[:, ~moving]


def _heavy(properties: MassProperties) -> int:
    """How many rigid motions move mass."""
    return 3 * (properties.mass > 0.0) + 3 - len(_massless_axes(properties))


def _massless_axes(properties: MassProperties) -> FloatArray:
    """(s, 3) axes through the mass center about which turning moves no mass."""
    moments, axes = properties.principal
    return np.asarray(axes.T[moments <= _SLENDER * max(float(moments.max()), 1e-300)])


def _massless_rows(model: DeliveredModel, properties: MassProperties) -> list[CheckRow]:
    """What moves no mass, by name: rigid turns about the line of all masses, and interface dofs, which follow their drive."""
    out = []
    for axis in _massless_axes(properties):
        axis = np.round(axis * np.sign(axis[np.abs(axis).argmax()]), 6) + 0.0
        center = np.round(properties.center, 6) + 0.0
        line, through = (", ".join(f"{v:.6g}" for v in row) for row in (axis, center))
        words = f"turning about ({line}) through ({through}) m strains nothing and moves no mass: it is no mode"
        out.append(CheckRow("rigid motion without mass", 0.0, None, words))
    inertia = np.diag(model.mass)
    turns = np.array([(c.component or 0) > 2 for c in model.coordinates])
    names = []
    for i in model.physical:
        same = inertia[model.physical][turns[model.physical] == turns[i]]
        if inertia[i] <= _NOTHING * same.max():
            names.append(model.coordinates[i].name)
    if names:
        words = f"{', '.join(names)}: stiffness alone, so they follow what drives them and have no frequency"
        out.append(CheckRow("interface dofs without mass", float(len(names)), None, words))
    return out


def _determinate(model: DeliveredModel) -> IntArray | None:
    """Six interface dofs that hold the body, or None."""
    b = model.physical
    if len(b) < 6 or np.linalg.matrix_rank(model.rigid[b]) < 6:
        return None
    return np.asarray(b[pivot_dofs(model.rigid[b] / np.abs(model.rigid[b]).max(axis=0))])


def _by_stiffness(model: DeliveredModel, lead: IntArray) -> FloatArray:
    """(k, 6) rigid motions that K gives when the leading dofs move rigidly."""
    rest = np.setdiff1d(np.arange(len(model)), lead)
    out = np.zeros((len(model), 6))
    out[lead] = model.rigid[lead]
    K = model.stiffness
    scale = np.sqrt(np.maximum(np.diag(K)[rest], 1e-300))
    right = -K[np.ix_(rest, lead)] @ model.rigid[lead] / scale[:, None]
    out[rest] = np.linalg.lstsq(K[np.ix_(rest, rest)] / np.outer(scale, scale), right, rcond=1e-13)[0] / scale[:, None]
    return out


def _by_modes(model: DeliveredModel, lead: IntArray, shapes: FloatArray) -> FloatArray:
    """(k, 6) rigid motions: shapes (the lowest free modes, turns without mass) combined so that the leading dofs move rigidly."""
    turn = np.linalg.lstsq(shapes[lead], model.rigid[lead], rcond=None)[0]
    return np.asarray(shapes @ turn)


def _rows(
    model: DeliveredModel, ways: Mapping[str, FloatArray], masses: Mapping[str, FloatArray], values: FloatArray
) -> list[CheckRow]:
    lowest = float(np.linalg.eigvalsh(model.mass / _scaled(model.mass)).min(initial=0.0))
    out = [CheckRow("mass: negative part", max(0.0, -lowest), 1e-9, "the mass matrix must not be indefinite")]
    if model.held:
        return out
    properties = mass_properties_from_rigid(masses["geometry"])
    count = _heavy(properties)
    forces = float((np.abs(model.stiffness) @ np.abs(model.rigid)).max(initial=0.0))
    if (
        len(values) > count
    ):  # an interface that holds without strain has no forces inside: those of the first elastic mode
        forces = max(forces, float(np.diag(masses["geometry"]).max() * values[count]))
    ground = np.abs(model.stiffness @ model.rigid).max(initial=0.0) / max(forces, 1e-300)
    out.append(
        CheckRow("grounding force", float(ground), _AGREES, "forces of a rigid motion, relative to those inside")
    )
    for name in ("stiffness", "eigensolution"):
        if name in ways:
            size = np.abs(np.diag(masses["geometry"])).reshape(2, 3)
            size = np.maximum(size, _AGREES * size.max(axis=1, keepdims=True)).ravel()  # masses on a line
            scale = np.sqrt(np.outer(size, size))
            worst = float((np.abs(masses[name] - masses["geometry"]) / np.where(scale > 0.0, scale, 1.0)).max())
            out.append(
                CheckRow(f"rigid mass: {name} against geometry", worst, _AGREES, "6 x 6 mass about the basic origin")
            )
    if len(values) > count and values[count] > 0.0:
        rigid = float(np.sqrt(np.abs(values[:count]).max(initial=0.0) / values[count]))
        words = f"of {count}, as a part of the first elastic frequency, nothing held"
        out.append(CheckRow("last rigid frequency", rigid, 1e-3, words))
    return [*out, *_massless_rows(model, properties)]


def _scaled(matrix: FloatArray) -> FloatArray:
    size = np.sqrt(np.maximum(np.diag(matrix), 1e-300))
    return np.where(np.outer(size, size) > 0.0, np.outer(size, size), 1.0)
