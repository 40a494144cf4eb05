"""MATERIAL, ELASTIC, DENSITY, DAMPING, and ORIENTATION."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.errors import ModelError
from tisserand.model import Anisotropic3D, Isotropic, Material, Orthotropic2D
from tisserand.readers.abaqus.deck import Context
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.initial_elasticity import has_initial_moduli, initial_moduli
from tisserand.readers.abaqus.scan import Keyword, fields
from tisserand.readers.abaqus.temperatures import constants_at

#: Sub-keywords of a material that do not enter a linear structural model.
_BESIDE = ("EXPANSION", "CONDUCTIVITY", "SPECIFIC HEAT", "PLASTIC", "CREEP", "DEPVAR", "USER MATERIAL")
#: Sub-keywords that state a nonlinear elasticity, used at zero strain where there is no *ELASTIC.
_NONLINEAR = ("HYPERELASTIC", "DEFORMATION PLASTICITY")
#: Abaqus orders shear 12, 13, 23; here it is 12, 23, 31.
_ORDER = [0, 1, 2, 3, 5, 4]


@dataclass(eq=False)
class _Draft:
    keyword: Keyword
    number: int
    name: str
    _: KW_ONLY
    elastic: Keyword | None = None
    density: float = 0.0
    structural: float = 0.0
    parts: list[str] = field(default_factory=list)
    stated: dict[str, Keyword] = field(default_factory=dict)


def read_materials(draft: Draft) -> dict[str, Material]:
    """Materials by name, SI."""
    found: dict[str, _Draft] = {}
    current: _Draft | None = None
    for _, keyword in draft.deck.model:
        name = keyword.name
        if name == "MATERIAL":
            title = keyword.label("NAME")
            if title is None:
                raise keyword.error("the material has no name", expected="NAME=")
            current = found.setdefault(title, _Draft(keyword, len(found) + 1, title))
        elif name in ("ELASTIC", "DENSITY", "DAMPING", *_NONLINEAR, *_BESIDE):
            if current is None:
                raise keyword.error("does not follow *MATERIAL")
            _property(draft, current, keyword)
    return {name: _material(draft, item) for name, item in found.items() if item.elastic is not None}


def _property(draft: Draft, current: _Draft, keyword: Keyword) -> None:
    rows = [row for row, _ in keyword.rows()]
    if keyword.name in ("ELASTIC", "DENSITY") and not rows:
        raise keyword.error(f"material {current.name} has no values here")
    earlier = current.stated.setdefault(keyword.name, keyword)
    if keyword.name in ("ELASTIC", "DENSITY") and (earlier.options, list(earlier.rows())) != (
        keyword.options,
        list(keyword.rows()),
    ):
        raise keyword.error(
            f"material {current.name} is given two different values",
            found=", ".join(text.strip() for text in keyword.data),
            expected=f"{', '.join(text.strip() for text in earlier.data)} as on line {earlier.line}",
        )
    if keyword.name in _NONLINEAR and has_initial_moduli(draft, keyword):
        current.elastic = current.elastic or keyword
        draft.record(f"*{keyword.name}", "approximated", "linear about the unloaded state: its moduli at zero strain")
        return
    if keyword.name == "ELASTIC":
        current.elastic = keyword
    elif keyword.name == "DENSITY":
        current.density = float(constants_at(draft, keyword, 1)[0])
        if current.density < 0.0:
            raise keyword.error(f"density of {current.name} is negative", row=rows[0], found=current.density)
    elif keyword.name == "DAMPING":
        structural = keyword.options.get("STRUCTURAL")
        current.structural = keyword.number(0, structural) if structural else 0.0
        if set(keyword.options) - {"STRUCTURAL"}:
            draft.record("*DAMPING", "skipped", "Rayleigh factors of a material: state damping for the modes instead")
            return
    else:
        draft.record(f"*{keyword.name}", "skipped", "not part of a linear elastic model")
        return
    draft.record(f"*{keyword.name}", "used")


def _material(draft: Draft, item: _Draft) -> Material:
    keyword, units = item.elastic, draft.units
    assert keyword is not None
    draft.record("*MATERIAL", "used")
    kind = (
        "ISOTROPIC" if keyword.name in _NONLINEAR else keyword.options.get("TYPE", "ISOTROPIC").upper().replace(" ", "")
    )
    density = item.density * units.density
    try:
        if kind.startswith("ISO"):
            nonlinear = keyword.name in _NONLINEAR
            young, poisson = initial_moduli(draft, keyword) if nonlinear else constants_at(draft, keyword, 2)
            made = Isotropic.from_young(item.number, young * units.pressure, poisson, density, item.name)
            return Isotropic(
                made.id,
                made.young,
                made.shear,
                made.poisson,
                density,
                structural_damping=item.structural,
                name=item.name,
            )
        if kind == "LAMINA":
            e1, e2, nu, g12, g13, g23 = constants_at(draft, keyword, 6)
            p = units.pressure
            return Orthotropic2D(
                item.number,
                young_1=e1 * p,
                young_2=e2 * p,
                poisson_12=nu,
                shear_12=g12 * p,
                shear_1z=g13 * p,
                shear_2z=g23 * p,
                density=density,
                structural_damping=item.structural,
                name=item.name,
            )
        stiffness = _stiffness(draft, keyword, kind)
    except ModelError as error:
        raise keyword.error(
            f"material {item.name}: {error.what}", found=error.found, expected=error.expected
        ) from error
    return Anisotropic3D(item.number, stiffness * units.pressure, density, item.structural, item.name)


def _stiffness(draft: Draft, keyword: Keyword, kind: str) -> FloatArray:
    """(6, 6) in the order xx, yy, zz, xy, yz, zx, deck units."""
    counts = {"ENGINEERINGCONSTANTS": 9, "ORTHO": 9, "ORTHOTROPIC": 9, "ANISO": 21, "ANISOTROPIC": 21}
    if kind not in counts:
        raise keyword.error("unknown kind of elasticity", found=kind, expected="ISOTROPIC, " + ", ".join(counts))
    rows = [row for row, _ in keyword.rows()]
    lines = -(-counts[kind] // 8)
    stated = sum(len(items) for _, items in list(keyword.rows())[:lines])
    if len(rows) < lines or stated < counts[kind]:
        raise keyword.error("too few elastic constants", found=stated, expected=counts[kind])
    values = constants_at(draft, keyword, counts[kind])
    matrix: FloatArray = np.zeros((6, 6))
    if kind == "ENGINEERINGCONSTANTS":
        e1, e2, e3, n12, n13, n23, g12, g13, g23 = values[:9]
        if min(e1, e2, e3, g12, g13, g23) <= 0.0:
            raise keyword.error("moduli must be above zero", found=values[:9].tolist())
        matrix[:3, :3] = [
            [1 / e1, -n12 / e1, -n13 / e1],
            [-n12 / e1, 1 / e2, -n23 / e2],
            [-n13 / e1, -n23 / e2, 1 / e3],
        ]
        matrix[[3, 4, 5], [3, 4, 5]] = 1.0 / np.array([g12, g13, g23])
        matrix = np.asarray(np.linalg.inv(matrix), dtype=float)
    elif kind.startswith("ORTHO"):
        matrix[:3, :3] = np.array(
            [[values[0], values[1], values[3]], [values[1], values[2], values[4]], [values[3], values[4], values[5]]]
        )
        matrix[[3, 4, 5], [3, 4, 5]] = values[6:9]
    else:
        upper = [(i, j) for j in range(6) for i in range(j + 1)]
        for (i, j), value in zip(upper, values):
            matrix[i, j] = matrix[j, i] = value
    if np.linalg.eigvalsh(matrix)[0] <= 0.0:
        raise keyword.error("the elasticity matrix is not positive definite")
    return np.asarray(matrix[np.ix_(_ORDER, _ORDER)])


@dataclass(frozen=True, eq=False)
class Orientation:
    """A local system: axes rows in global axes at a point; for shells, ``normal`` is the axis nearest the normal."""

    cylindrical: bool
    origin: FloatArray
    axes: FloatArray
    normal: int
    angle: float

    def axes_at(self, points: FloatArray) -> FloatArray:
        """(n, 3, 3) rows; cylindrical: radial, tangential, axial.
        The extra turn about ``normal`` is included.
        """
        axes = np.broadcast_to(self.axes, (len(points), 3, 3)).copy()
        if self.cylindrical:
            arm = np.asarray(points) - self.origin
            radial = arm - np.outer(arm @ self.axes[2], self.axes[2])
            size = np.linalg.norm(radial, axis=1, keepdims=True)
            radial = np.where(size > 0.0, radial / np.maximum(size, 1e-300), self.axes[0])
            axes = np.stack(
                [radial, np.cross(self.axes[2], radial), np.broadcast_to(self.axes[2], radial.shape)], axis=1
            )
        if self.angle:
            k = skew(axes[:, self.normal])
            turn = np.eye(3) + np.sin(self.angle) * k + (1.0 - np.cos(self.angle)) * k @ k
            axes = np.einsum("nij,naj->nai", turn, axes)
        return axes


def read_orientations(draft: Draft) -> dict[str, Orientation]:
    """Orientations by full name, in global axes, m."""
    found = {}
    for context, keyword in draft.deck.model:
        if keyword.name == "ORIENTATION":
            name = keyword.label("NAME")
            if name is None:
                raise keyword.error("the orientation has no name", expected="NAME=")
            found[context.full(name)] = _orientation(context, keyword, draft.units.length)
            draft.record("*ORIENTATION", "used")
    return found


def _orientation(context: Context, keyword: Keyword, unit: float) -> Orientation:
    definition = keyword.options.get("DEFINITION", "COORDINATES").upper()
    system = keyword.options.get("SYSTEM", "RECTANGULAR").upper()
    rows = [row for row, _ in keyword.rows()]
    if definition != "COORDINATES" or system not in ("RECTANGULAR", "CYLINDRICAL") or not rows:
        raise keyword.error(
            "unsupported kind of orientation", found=f"{system}, {definition}", expected="six coordinates"
        )
    for row in rows[:2]:
        if name := next((item for item in fields(keyword.data[row]) if item[:1].isalpha()), None):
            raise keyword.error(
                "an orientation that takes its axes or its angle from a *DISTRIBUTION is not supported", row=row,
                found=name, expected="numbers: one orientation for all elements of its section",
            )  # fmt: skip
    a, b, c = keyword.floats(rows[0], 9)[:9].reshape(3, 3)
    extra = keyword.floats(rows[1], 2) if len(rows) > 1 else np.array([1.0, 0.0])
    normal, angle = int(extra[0] or 1) - 1, float(np.radians(extra[1]))
    axes = axes_from_points(keyword, a, b, c, cylindrical=system == "CYLINDRICAL")
    axes = axes @ context.rotation.T
    origin = context.rotation @ (a if system == "CYLINDRICAL" else c) + context.shift
    return Orientation(system == "CYLINDRICAL", origin * unit, axes, normal, angle)


def axes_from_points(keyword: Keyword, a: FloatArray, b: FloatArray, c: FloatArray, *, cylindrical: bool) -> FloatArray:
    """Unit axes as rows. Rectangular: a on x, b in the x-y plane, from c. Cylindrical: z along a-b."""
    if cylindrical:
        z = b - a
        if np.linalg.norm(z) == 0.0:
            raise keyword.error("the two points of the axis coincide")
        z = z / np.linalg.norm(z)
        x = np.eye(3)[np.argmin(np.abs(z))]
        x = x - (x @ z) * z
        x = x / np.linalg.norm(x)
        return np.array([x, np.cross(z, x), z])
    x, y = a - c, b - c
    z = np.cross(x, y)
    if float(np.linalg.norm(z)) <= 1e-12 * max(float(np.linalg.norm(x) * np.linalg.norm(y)), 1e-300):
        raise keyword.error("the points of the system lie on one line")
    x, z = x / np.linalg.norm(x), z / np.linalg.norm(z)
    return np.array([x, np.cross(z, x), z])
