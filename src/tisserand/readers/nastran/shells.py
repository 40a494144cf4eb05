"""Shells: CQUAD4 CQUADR CTRIA3 CTRIAR CQUAD8 CTRIA6 with PSHELL, PCOMP, PCOMPG."""

from __future__ import annotations

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.model import Isotropic, Material, Ply, ShellBlock, ShellSection
from tisserand.model.laminate import homogeneous_shell, laminate
from tisserand.readers.nastran.book import SectionBook
from tisserand.readers.nastran.cards import INTEGER, CardTable, Row
from tisserand.readers.nastran.draft import Draft
from tisserand.readers.nastran.program import Bending

#: card: (corner columns, number of columns, orientation column, offset column, flag column, thickness columns)
_LAYOUT: dict[str, tuple[int, int, int, int, int, tuple[int, ...]]] = {
    "CQUAD4": (4, 14, 6, 7, 9, (10, 11, 12, 13)),
    "CQUADR": (4, 14, 6, 7, 9, (10, 11, 12, 13)),
    "CTRIA3": (3, 13, 5, 6, 9, (10, 11, 12)),
    "CTRIAR": (3, 13, 5, 6, 9, (10, 11, 12)),
    "CQUAD8": (4, 17, 14, 15, 16, (10, 11, 12, 13)),
    "CTRIA6": (3, 16, 8, 9, 13, (10, 11, 12)),
}

#: Failure theories of PCOMP (FT) and their names here.
_THEORIES = {"HILL": "hill", "HOFF": "hoffman", "TSAI": "tsai-wu"}

#: Eigenvalues of a section below this part of the largest are no round-off of five printed digits.
_INDEFINITE = -1e-5

#: Ids, nodes, sections, material axes, offsets and tapers.
_Shells = tuple[IntArray, IntArray, IntArray, FloatArray, FloatArray, FloatArray]


def read_shells(draft: Draft) -> list[ShellBlock]:
    """Blocks of quads and of triangles, then of those with midside nodes."""
    book = SectionBook(draft, {"PSHELL": _pshell, "PCOMP": _pcomp, "PCOMPG": _pcomp})
    found: dict[int, list[_Shells]] = {4: [], 3: [], 8: [], 6: []}
    for card in _LAYOUT:
        if draft.bulk.has(card):
            for part in _parts(draft, card, _shells(draft, card, book)):
                found[part[1].shape[1]].append(part)
    blocks = []
    for parts in found.values():
        if parts:
            columns = [np.concatenate(column) for column in zip(*parts)]
            order = np.argsort(columns[0], kind="stable")
            ids, nodes, section, axis, offset, taper = (column[order] for column in columns)
            varies = None if (taper == 1.0).all() else taper
            bending: Bending = draft.bending if nodes.shape[1] <= 4 else "waves"
            blocks.append(ShellBlock(ids, nodes, section, axis, offset, varies, bending))
    return blocks


def _parts(draft: Draft, card: str, shells: _Shells) -> list[_Shells]:
    """Shells with midside points and those without any, which are used as CQUAD4 and CTRIA3."""
    nodes, corners = shells[1], _LAYOUT[card][0]
    plain = "CQUAD4" if corners == 4 else "CTRIA3"
    if nodes.shape[1] == corners:
        if card != plain:
            draft.approximations[card] = (
                f"used as {plain}: its rotations about the normal do not bend its sides in the plane"
            )
        return [shells]
    bare = (nodes[:, corners:] == nodes[:, :corners]).all(axis=1)
    parts: list[_Shells] = []
    ids, _, section, axis, offset, taper = shells
    if bare.any():
        draft.approximations[card] = f"{int(bare.sum())} without any midside point are used as {plain}"
        flat, even = nodes[bare][:, :corners], taper[bare][:, :corners]
        parts.append((ids[bare], flat, section[bare], axis[bare], offset[bare], even))
    if not bare.all():
        parts.append((ids[~bare], nodes[~bare], section[~bare], axis[~bare], offset[~bare], taper[~bare]))
    return parts


def _shells(draft: Draft, card: str, book: SectionBook) -> _Shells:
    corners, columns, at_theta, at_offset, at_flag, at_thickness = _LAYOUT[card]
    table = draft.bulk.table(card, columns)
    ids = table.integers(0)
    nodes = np.column_stack([draft.node_indices(table, 2 + k) for k in range(corners)])
    axes = _material_axes(draft, table, nodes, at_theta)
    if card in ("CQUAD8", "CTRIA6"):
        middles = [draft.node_indices(table, 2 + corners + k, optional=True) for k in range(corners)]
        nodes = np.column_stack([nodes, *(np.where(row < 0, nodes[:, k], row) for k, row in enumerate(middles))])
    if draft.nodes.scalar is not None and draft.nodes.scalar[nodes].any():
        raise table.error(
            int(np.argmax(draft.nodes.scalar[nodes].any(axis=1))), 2, "a shell has a scalar point as corner"
        )
    taper = np.ones((len(ids), corners))
    if not all(table.blank(k).all() for k in at_thickness):
        section, taper = _own_thickness(table, book, at_thickness, at_flag)
    else:
        section = draft.section_indices(table, 1, book)
    offset = (
        table.reals(at_offset, 0.0) * draft.units.length if not table.blank(at_offset).all() else np.zeros(len(ids))
    )
    if nodes.shape[1] > corners:
        taper = np.hstack([taper, 0.5 * (taper + np.roll(taper, -1, axis=1))])
    return ids, nodes, section, axes, offset, taper


def _own_thickness(
    table: CardTable, book: SectionBook, columns: tuple[int, ...], at_flag: int
) -> tuple[IntArray, FloatArray]:
    """Sections, and corner thicknesses over those of the sections; TFLAG 1 makes what is stated a factor.

    A blank corner has the thickness of the property.
    """
    values = np.column_stack([table.reals(k, np.nan) for k in columns])
    stated = np.asarray(~np.isnan(values).all(axis=1))
    section, taper = np.zeros(len(table), np.int64), np.ones(values.shape)
    if not stated.all():
        section[~stated] = book.draft.section_indices(table.select(np.flatnonzero(~stated)), 1, book)
    flags = table.integers(at_flag, 0)
    numbers = table.integers(1, -1)
    for row in np.flatnonzero(stated).tolist():
        number = int(numbers[row]) if numbers[row] != -1 else int(table.integers(0)[row])
        section[row], taper[row] = _with_thickness(table, row, book, number, values[row], bool(flags[row] == 1))
    return section, taper


def _material_axes(draft: Draft, table: CardTable, nodes: IntArray, column: int) -> FloatArray:
    """Material x axis: angle from side 1-2, or the x axis of a coordinate system."""
    x = draft.nodes.positions
    side = x[nodes[:, 1]] - x[nodes[:, 0]]
    if table.blank(column).all():
        return side
    kinds = table.kinds(column)
    by_system = kinds == INTEGER
    angle = np.radians(np.where(by_system, 0.0, table.reals(column, 0.0)))
    out = side
    if angle.any():
        other = x[nodes[:, 2]] - x[nodes[:, 0]]
        normal = np.cross(side, other) if nodes.shape[1] == 3 else np.cross(other, x[nodes[:, 3]] - x[nodes[:, 1]])
        size = np.linalg.norm(normal, axis=1, keepdims=True)
        normal = np.divide(normal, size, out=np.zeros_like(normal), where=size > 0.0)
        across = np.cross(normal, side)
        out = side * np.cos(angle)[:, None] + across * np.sin(angle)[:, None]
    if by_system.any():
        part = table.select(by_system)
        numbers = part.integers(column)
        center = x[nodes[by_system]].mean(axis=1)
        axes = np.zeros((len(part), 3))
        for number in np.unique(numbers).tolist():
            at = numbers == number
            if number not in draft.systems:
                raise part.error(int(np.argmax(at)), column, "the coordinate system does not exist", found=number)
            axes[at] = draft.systems[number].axes_at(center[at])[:, 0]
        out = out.copy()
        out[by_system] = axes
    return out


def _with_thickness(
    table: CardTable, row: int, book: SectionBook, number: int, corners: FloatArray, factor: bool
) -> tuple[int, FloatArray]:
    """Section of a property, and the thickness of the corners (NaN where blank) over its own; a laminate keeps its own."""
    card = book.rows.get(number)
    if card is None:
        raise table.error(row, 1, "the property does not exist or is of another kind", found=number)
    if card.card != "PSHELL":
        return book.get(number), np.ones(len(corners))
    own = card.real(2, 0.0)
    each = np.where(np.isnan(corners), own, corners * (own if factor else 1.0))
    if (each < 0.0).any():
        raise table.error(row, 1, "a corner has a negative thickness", found=each.tolist())
    if not each.any():
        raise table.error(
            row, 1, "no corner has a thickness", found=each.tolist(), expected="T of the PSHELL, or Ti above zero"
        )
    if each.max() > each.min() and not card.integer(1, 0):
        raise table.error(
            row, 1, "corners of different thickness need the membrane material of their PSHELL", found="a blank MID1"
        )
    if own > 0.0 and each.max() > each.min():
        return book.get(number), each / own
    mean = float(each.mean())
    section = book.variant((number, mean), number, lambda: _pshell(book.draft, card, number, mean))
    return section, each / mean


def _plane_material(draft: Draft, row: Row, index: int) -> Material | None:
    number = row.integer(index, 0)
    if number == 0:
        return None
    if number == -1:
        raise row.error(index, "plane strain (MID2 = -1) is not supported")
    material = draft.material(row, index)
    if isinstance(material, Isotropic) and number in draft.loose_poisson:
        raise row.error(
            index, "E and G of this material give no physical Poisson's ratio, which a shell needs", found=number
        )
    return material


def _pshell(draft: Draft, row: Row, number: int, thickness: float | None = None) -> ShellSection:
    row.nothing_from(
        11,
        "offsets and axes of a property (T0, ZOFFS, THETA of other programs) are not read: state them on the elements",
    )
    t = row.real(2, 0.0) if thickness is None else thickness
    if t <= 0.0:
        if thickness is None and not row.text(2):
            raise row.error(
                2, "the thickness is blank", expected="a thickness here (corner values alone are not supported)"
            )
        raise row.error(2, "the thickness must be positive", found=t)
    membrane, bending, shear, coupling = (_plane_material(draft, row, k) for k in (1, 3, 5, 10))
    if membrane is None and bending is None:
        raise row.error(1, "neither a membrane nor a bending material is given")
    for field, what, material in ((4, "12I/T**3", bending), (6, "TS/T", shear)):
        if material is not None and row.text(field) and not row.real(field) > 0.0:
            raise row.error(
                field, f"{what} must be above zero", found=row.real(field), expected="a ratio, or a blank field"
            )
    section = homogeneous_shell(
        number,
        membrane,
        t * draft.units.length,
        bending=bending,
        shear=shear,
        coupling=coupling,
        bending_factor=row.real(4, 1.0),
        shear_factor=row.real(6, 5.0 / 6.0),
        nonstructural_mass=row.real(7, 0.0) * draft.mass_factor / draft.units.area,
        plane=True,
        fibers=_fibers(draft, row, t),
    )
    _check_stiffness(row, section)
    return section


def _check_stiffness(row: Row, section: ShellSection) -> None:
    """Refuse a section that some strain or curvature relieves: no structure of it could be stable."""
    t = section.thickness
    whole = np.block([[section.membrane, section.coupling / t], [section.coupling / t, section.bending / t**2]])
    shear = np.zeros((1, 1)) if section.shear is None else section.shear
    for matrix, what in (
        (section.membrane, "membrane"),
        (section.bending, "bending"),
        (shear, "transverse shear"),
        (whole, "membrane, coupling and bending together"),
    ):
        values = np.linalg.eigvalsh(matrix)
        if values[0] < _INDEFINITE * np.abs(values).max():
            raise row.error(
                0,
                f"the stiffness of this section is not positive ({what})",
                found=f"an eigenvalue of {values[0]:.4g} beside {values[-1]:.4g}",
                expected="moduli of its materials (MAT2, MID4) that no strain relieves",
            )


def _fibers(draft: Draft, row: Row, thickness: float) -> tuple[float, float] | None:
    """Z1 and Z2 as lower and upper place of the stresses, m; None at the surfaces."""
    if not row.text(8) and not row.text(9):
        return None
    first, second = row.real(8, -thickness / 2.0), row.real(9, thickness / 2.0)
    return min(first, second) * draft.units.length, max(first, second) * draft.units.length


def _pcomp(draft: Draft, row: Row, number: int) -> ShellSection:
    option = row.word(7)
    if option not in ("", "SYM", "MEM", "BEND", "SMEAR", "SMCORE"):
        raise row.error(7, "is not a laminate option", found=repr(option), expected="SYM, MEM, BEND, SMEAR or SMCORE")
    plies: list[Ply] = []
    material: Material | None = None
    thickness = 0.0
    step, skip = (4, 0) if row.card == "PCOMP" else (8, 1)
    for at in range(8, len(row.fields), step):
        if not any(row.text(at + k) for k in range(3 + skip)):
            continue
        if row.text(at + skip):
            material = _plane_material(draft, row, at + skip)
        thickness = row.real(at + skip + 1, thickness)
        if material is None:
            raise row.error(at + skip, "the ply has no material")
        if thickness <= 0.0:
            raise row.error(at + skip + 1, "a ply needs a positive thickness", found=thickness)
        angle = np.radians(row.real(at + skip + 2, 0.0))
        identity = row.integer(at, len(plies) + 1) if skip else len(plies) + 1
        plies.append(Ply(material, thickness * draft.units.length, float(angle), identity))
    bottom = row.real(1) * draft.units.length if row.text(1) else None
    theory = row.word(4)
    if theory and theory not in _THEORIES:
        draft.approximations[row.card] = (
            f"failure theory {theory} is not offered; stresses are, and other theories by name"
        )
    section = laminate(
        number,
        plies,
        bottom=bottom,
        option=option,  # type: ignore[arg-type]
        nonstructural_mass=row.real(2, 0.0) * draft.mass_factor / draft.units.area,
        failure_theory=_THEORIES.get(theory, ""),
        bond_strength=row.real(3, 0.0) * draft.units.pressure,
    )
    _check_stiffness(row, section)
    return section
