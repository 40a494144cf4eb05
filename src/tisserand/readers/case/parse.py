"""From a TOML file to an ``AppendageCase``: schema, types, ranges and units; the mesh is not opened yet."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.arrays import FloatArray
from tisserand.errors import UnitsError
from tisserand.readers.case.materials import materials_of
from tisserand.readers.case.recovery import recovery_rules
from tisserand.readers.case.sections import section_rules
from tisserand.readers.case.supports import components_of, place_of, support_of
from tisserand.readers.case.types import (
    AnalysisWishes,
    AppendageCase,
    At,
    DampingWish,
    LinkRule,
    MassRule,
    MeshSource,
    NewNode,
    PointRule,
    SpringRule,
)
from tisserand.schema import Table, read_toml
from tisserand.units import SYSTEMS, UnitSystem, unit_system

FRAMES = ("connection", "node", "buckens", "tisserand", "milne", "free")
MASS_RECIPES = ("consistent", "lumped", "coupled", "particles", "bodies")
_OUTPUTS = ("record", "modes", "pictures", "report")


def read_case(path: str | Path) -> AppendageCase:
    """Read and check an appendage case file; ``docs/case-files.md`` describes every key."""
    table = read_toml(path)
    units = _units(table, "units")
    materials = materials_of(table, units)
    case = AppendageCase(
        path=table.file,
        name=table.text("name", table.file.stem),
        units=units,
        mesh=_mesh(table.table("mesh"), units),
        materials=materials,
        sections=section_rules(table, materials, units),
        nodes=tuple(_node(n, t, units) for n, t in table.named_tables("nodes")),
        masses=tuple(_mass(n, t, units) for n, t in table.named_tables("masses")),
        links=tuple(_link(n, t, units) for n, t in table.named_tables("links")),
        springs=tuple(_spring(n, t, units) for n, t in table.named_tables("springs")),
        supports=tuple(support_of(t, units) for t in table.list_of_tables("supports")),
        points=_points(table, units),
        analysis=_analysis(table.table("analysis", {}), units),
        damping=_damping(table.table("damping", {})),
        recovery=recovery_rules(table),
        outputs=_outputs(table.table("outputs", {})),
    )
    table.close()
    wanted = case.analysis.attachment
    if wanted is not None and wanted not in [point.name for point in case.points]:
        raise table.table("analysis").unknown(
            "attachment", wanted, [p.name for p in case.points], "is not a named point"
        )
    return case


def _units(table: Table, key: str) -> UnitSystem:
    """A system's name, ``length,mass,time`` factors in one text, or a table of the three factors."""
    if isinstance(table.values.get(key), dict):
        factors = table.table(key)
        length, mass, time = (factors.number(word, above=0.0) for word in ("length", "mass", "time"))
        return unit_system(f"{length!r},{mass!r},{time!r}")
    name = table.text(key)
    try:
        return unit_system(name)
    except UnitsError as error:
        known = table.unknown(key, name, SYSTEMS, error.what)
        raise table.error(
            key, error.what, found=repr(name), expected=error.expected, advice=known.advice
        ) from error


def _mesh(table: Table, units: UnitSystem) -> MeshSource:
    own = _units(table, "units") if table.has("units") else units
    merge = table.maybe_number("merge", above=0.0)
    return MeshSource(
        file=table.path("file"),
        units=own,
        format=table.maybe_text("format"),
        group_by=table.maybe_text("group_by"),
        merge=None if merge is None else merge * own.length,
        ignore=names_or_numbers(table, "ignore"),
        connected=table.flag("connected", True),
    )


def names_or_numbers(table: Table, key: str) -> tuple[str | int, ...]:
    """A name, a number, or a list of them; empty when missing."""
    value = table.raw(key, [])
    items = value if isinstance(value, list) else [value]
    if any(isinstance(item, bool) or not isinstance(item, str | int) for item in items):
        raise table.error(
            key, "is not a group", found=repr(value), expected="a name, a number, or a list of them"
        )
    return tuple(items)


def _at(table: Table, key: str, units: UnitSystem) -> At:
    return place_of(table, key, table.raw(key), units)


def _node(name: str, table: Table, units: UnitSystem) -> NewNode:
    return NewNode(
        table.key, name, table.vector("position", 3) * units.length, table.maybe_integer("id", minimum=1)
    )


def _mass(name: str, table: Table, units: UnitSystem) -> MassRule:
    return MassRule(
        table.key,
        name,
        _at(table, "at", units),
        table.number("mass", minimum=0.0) * units.mass,
        table.vector("offset", 3, np.zeros(3)) * units.length,
        _inertia(table) * units.inertia,
        table.choice("spread", ("one", "each", "divided"), "one"),
    )


def _inertia(table: Table) -> FloatArray:
    """About the body's own mass centre: three principal values, or a symmetric 3 x 3 matrix."""
    value = table.raw("inertia", [0.0, 0.0, 0.0])
    if not isinstance(value, list) or not any(isinstance(row, list) for row in value):
        inertia = np.diag(table.vector("inertia", 3, np.zeros(3), minimum=0.0))
    else:
        inertia = table.matrix("inertia", 3, 3)
        if not np.allclose(inertia, inertia.T, rtol=1e-9, atol=0.0):
            raise table.error("inertia", "is not symmetric", found=value)
    a, b, c = np.linalg.eigvalsh(inertia)
    slack = 1e-9 * max(c, 0.0)
    if a < -slack or a + b < c - slack:
        raise table.error(
            "inertia",
            "belongs to no rigid body",
            found=f"principal values {a:.6g}, {b:.6g}, {c:.6g}",
            expected="none negative and none above the sum of the other two",
        )
    return np.asarray(inertia)


def _link(name: str, table: Table, units: UnitSystem) -> LinkRule:
    nodes = table.raw("nodes")
    single = not isinstance(nodes, list) or (len(nodes) == 3 and all(isinstance(x, float) for x in nodes))
    places = [nodes] if single else nodes
    if not places:
        raise table.error("nodes", "is an empty list", expected="a set, or node ids")
    return LinkRule(
        table.key,
        name,
        _at(table, "reference", units),
        tuple(place_of(table, f"nodes[{i}]", item, units) for i, item in enumerate(places)),
        components_of(table, "123456"),
        table.choice("kind", ("rigid", "average"), "rigid"),
    )


def _spring(name: str, table: Table, units: UnitSystem) -> SpringRule:
    places = table.raw("between")
    if not isinstance(places, list) or len(places) not in (1, 2):
        raise table.error(
            "between", "is not one or two places", found=repr(places), expected="[a, b], or [a] to ground"
        )
    linear, angular = units.linear_stiffness, units.moment
    scale = np.array([linear] * 3 + [angular] * 3)
    rates = np.array([units.linear_damping] * 3 + [units.rotational_damping] * 3)
    axes = table.matrix("axes", 3, 3, np.eye(3))
    if not np.allclose(axes @ axes.T, np.eye(3), atol=1e-6) or np.linalg.det(axes) < 0.0:
        raise table.error("axes", "are not three perpendicular right-handed unit vectors")
    return SpringRule(
        table.key,
        name,
        tuple(place_of(table, f"between[{i}]", item, units) for i, item in enumerate(places)),
        table.vector("stiffness", 6, minimum=0.0) * scale,
        table.vector("damping", 6, np.zeros(6), minimum=0.0) * rates,
        axes,
    )


def _points(table: Table, units: UnitSystem) -> tuple[PointRule, ...]:
    """``[points]`` entries: a place, or a table with ``at`` and ``rigid``."""
    parent = table.table("points", {})
    points = []
    for name, value in parent.values.items():
        if isinstance(value, dict):
            entry = parent.table(name)
            points.append(PointRule(entry.key, name, _at(entry, "at", units), entry.flag("rigid", False)))
        else:
            points.append(PointRule(parent.path_of(name), name, _at(parent, name, units)))
    return tuple(points)


def _analysis(table: Table, units: UnitSystem) -> AnalysisWishes:
    if table.has("count") and table.has("fmax_hz"):
        table.one_of("count", "fmax_hz")
    point = table.vector("reference_point", 3, None)
    return AnalysisWishes(
        frame=table.maybe_choice("frame", FRAMES),
        attachment=table.maybe_text("attachment"),
        count=table.maybe_integer("count", minimum=1),
        fmin_hz=table.maybe_number("fmin_hz", minimum=0.0),
        fmax_hz=table.maybe_number("fmax_hz", above=0.0),
        mass=table.maybe_choice("mass", MASS_RECIPES),  # type: ignore[arg-type]
        free=table.flag("free", False),
        geometric=table.flag("geometric", False),
        reference_point=None if point is None else tuple(float(x) for x in point * units.length),  # type: ignore[arg-type]
    )


def _damping(table: Table) -> DampingWish | None:
    if not table.values:
        return None
    kind = table.one_of("ratio", "ratios", "structural", "rayleigh")
    if kind == "ratio":
        return DampingWish("ratio", (table.number("ratio", minimum=0.0, below=1.0),))
    if kind == "structural":
        return DampingWish("structural", (table.number("structural", minimum=0.0),))
    if kind == "ratios":
        return DampingWish("ratios", tuple(table.vector("ratios", minimum=0.0).tolist()))
    return DampingWish("rayleigh", tuple(table.vector("rayleigh", 2, minimum=0.0).tolist()))


def _outputs(table: Table) -> dict[str, Path]:
    return {key: table.path(key) for key in _OUTPUTS if table.has(key)}
