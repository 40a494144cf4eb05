"""SOLID, SHELL and BEAM SECTION: which section owns which elements, and the sections themselves (SI)."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field, replace
from typing import cast

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import ModelError, nearest
from tisserand.model import (
    Anisotropic3D,
    Isotropic,
    Material,
    MembraneSection,
    Orthotropic2D,
    Ply,
    RodSection,
    Section,
    ShellSection,
    SolidSection,
)
from tisserand.model.laminate import homogeneous_shell, laminate
from tisserand.readers.abaqus.beams import beam_direction, beam_section
from tisserand.readers.abaqus.deck import Context
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.materials import Orientation
from tisserand.readers.abaqus.oriented_shells import angle_between, facing_axis, lamina, shell_surface
from tisserand.readers.abaqus.plane_elements import plane_section
from tisserand.readers.abaqus.scan import Keyword, fields, label
from tisserand.readers.abaqus.shear_stiffness import NAME as SHEAR_STIFFNESS
from tisserand.readers.abaqus.shear_stiffness import sheared_beam, sheared_shell

_SECTIONS = (
    "SOLID SECTION",
    "SHELL SECTION",
    "SHELL GENERAL SECTION",
    "MEMBRANE SECTION",
    "BEAM SECTION",
    "BEAM GENERAL SECTION",
    "USER SECTION",
)


@dataclass(frozen=True, eq=False)
class Owner:
    """A resolved section keyword: the elements it owns, the section per solid recipe, directions and offset."""

    keyword: Keyword
    context: Context
    elements: IntArray
    material: Material | None
    orientation: Orientation | None
    _: KW_ONLY
    thickness: float = 0.0
    offset: float = 0.0
    plies: tuple[Ply, ...] = ()
    #: Axis of the orientation along the normal of shells; layers turn about it if they are ``signed``, else about the normal.
    facing: int = 0
    signed: bool = False
    #: Mass per area beside that of the materials, kg/m².
    areal_mass: float = 0.0
    shear: Keyword | None = None
    direction: FloatArray = field(default_factory=lambda: np.array([0.0, 0.0, -1.0]))


@dataclass(eq=False)
class SectionTable:
    """Sections made so far; equal requests share one."""

    draft: Draft
    materials: dict[str, Material]
    sections: list[Section] = field(default_factory=list)
    _made: dict[tuple[object, ...], int] = field(default_factory=dict)
    #: Shear center from the nodes, (y, z) m, by index of beam section.
    beside: dict[int, tuple[float, float]] = field(default_factory=dict)

    def _keep(self, key: tuple[object, ...], section: Section) -> int:
        self.sections.append(section)
        self._made[key] = len(self.sections) - 1
        return len(self.sections) - 1

    def solid(self, owner: Owner, integration: str, axes: FloatArray | None) -> int:
        """Index of the solid section with this recipe and material axes."""
        key = (id(owner), integration, None if axes is None else axes.tobytes())
        if key in self._made:
            return self._made[key]
        if not isinstance(owner.material, Isotropic | Anisotropic3D):
            raise owner.keyword.error("a solid needs an isotropic or three-dimensional material")
        name = _name(owner)
        made = SolidSection(len(self.sections) + 1, owner.material, axes, integration, name)  # type: ignore[arg-type]
        return self._keep(key, made)

    def shell(self, owner: Owner, *, turned: bool = False) -> int:
        """Index of the shell section; ``turned``: the normal points against the axis about which layers are turned."""
        key = (id(owner), "shell", turned)
        if key in self._made:
            return self._made[key]
        number, name, extra = len(self.sections) + 1, _name(owner), owner.areal_mass
        try:
            if owner.plies:
                plies = tuple(replace(ply, angle=-ply.angle) for ply in owner.plies) if turned else owner.plies
                section = laminate(number, plies, nonstructural_mass=extra, name=name)
            elif isinstance(owner.material, Isotropic):
                section = homogeneous_shell(
                    number, owner.material, owner.thickness, nonstructural_mass=extra, name=name
                )
            elif isinstance(owner.material, Orthotropic2D):
                plies = (Ply(owner.material, owner.thickness),)
                section = laminate(number, plies, nonstructural_mass=extra, name=name)
            else:
                raise owner.keyword.error("a shell needs an isotropic or orthotropic material")
        except ModelError as error:
            raise owner.keyword.error(error.what, found=error.found, expected=error.expected) from error
        return self._keep(key, sheared_shell(self.draft, section, owner.shear))

    def beam(self, owner: Owner, shear: bool) -> int:
        """Index of the beam section, with or without shear flexibility."""
        key = (id(owner), "beam", shear)
        if key in self._made:
            return self._made[key]
        number = len(self.sections) + 1
        made, beside = beam_section(self.draft, owner.keyword, owner.material, number, shear, _name(owner))
        self.beside[number - 1] = beside
        return self._keep(key, sheared_beam(self.draft, made, owner.shear if shear else None))

    def membrane(self, owner: Owner, stress: tuple[float, float, float]) -> int:
        """Index of the membrane section with a stress at rest (S11, S22, S12), Pa."""
        key = (id(owner), "membrane", stress)
        if key in self._made:
            return self._made[key]
        flat = cast(ShellSection, self.sections[self.shell(owner)])
        made = MembraneSection(
            len(self.sections) + 1,
            membrane=flat.membrane,
            areal_mass=flat.areal_mass,
            thickness=flat.thickness,
            prestress=(stress[0] * flat.thickness, stress[1] * flat.thickness, stress[2] * flat.thickness),
            material=owner.material,
            name=_name(owner),
        )
        return self._keep(key, made)

    def plane(self, owner: Owner, *, strain: bool) -> int:
        """Index of the section of plane elements (SOLID SECTION with a thickness), in plane strain or plane stress."""
        key = (id(owner), "plane", strain)
        if key in self._made:
            return self._made[key]
        made = plane_section(self.draft, owner.keyword, owner.material, len(self.sections) + 1, strain, _name(owner))
        return self._keep(key, made)

    def rod(self, owner: Owner, stress: float = 0.0) -> int:
        """Index of the rod section (SOLID SECTION of trusses: area on the data line) with a stress at rest, Pa."""
        key = (id(owner), "rod", stress)
        if key in self._made:
            return self._made[key]
        if not isinstance(owner.material, Isotropic):
            raise owner.keyword.error("a truss needs an isotropic material")
        rows = [row for row, _ in owner.keyword.rows()]
        area = float(owner.keyword.floats(rows[0], 1)[0]) if rows else 1.0
        if area <= 0.0:
            raise owner.keyword.error("the area of a truss must be above zero", found=area)
        area *= self.draft.units.area
        number, name = len(self.sections) + 1, _name(owner)
        return self._keep(key, RodSection(number, owner.material, area, name=name, tension=stress * area))


def _name(owner: Owner) -> str:
    return owner.keyword.label("ELSET") or ""


def read_owners(draft: Draft, materials: dict[str, Material], orientations: dict[str, Orientation]) -> list[Owner]:
    """Every section keyword with the elements it owns; where sets overlap, the later one counts."""
    owners: list[Owner] = []
    last: Owner | None = None
    for context, keyword in draft.deck.model:
        if keyword.name == SHEAR_STIFFNESS:
            last = _sheared(draft, owners, last, keyword)
        if keyword.name in _SECTIONS:
            last = None
            if not _owns_something(draft, context, keyword):
                draft.record(f"*{keyword.name}", "skipped", "no element that can be used belongs to it")
                continue
            last = _owner(draft, context, keyword, materials, orientations)
            owners.append(last)
            draft.record(f"*{keyword.name}", "used")
    return owners


def _sheared(draft: Draft, owners: list[Owner], last: Owner | None, keyword: Keyword) -> Owner | None:
    """The section before the keyword with its shear stiffness, in the list too."""
    if last is None:
        draft.record(f"*{SHEAR_STIFFNESS}", "skipped", "no section that can be used stands before it")
        return None
    if {"NODAL THICKNESS", "SHELL THICKNESS"} & set(last.keyword.options):
        raise keyword.error("a stated shear stiffness of shells whose thickness varies is not supported")
    owners[-1] = replace(last, shear=keyword)
    draft.record(f"*{SHEAR_STIFFNESS}", "used")
    return owners[-1]


def _owns_something(draft: Draft, context: Context, keyword: Keyword) -> bool:
    """False for sections of fluid, contact or dropped elements alone, whose materials need no elasticity."""
    elements = draft.elements_of(context, keyword.option("ELSET"), keyword)
    return any(np.isin(group.ids, elements).any() for group in draft.groups)


def _owner(
    draft: Draft,
    context: Context,
    keyword: Keyword,
    materials: dict[str, Material],
    orientations: dict[str, Orientation],
) -> Owner:
    elements = draft.elements_of(context, keyword.option("ELSET"), keyword)
    orientation = None
    if keyword.label("ORIENTATION"):
        orientation = _named(context, keyword, orientations, str(keyword.label("ORIENTATION")))
    material = None
    if keyword.label("MATERIAL"):
        material = _lookup(keyword, materials, str(keyword.label("MATERIAL")))
    shell = keyword.name.startswith(("SHELL", "MEMBRANE", "USER"))  # the user element with this section is a shell
    layered = shell and "COMPOSITE" in keyword.options
    if shell and "USER" in keyword.options:
        raise keyword.error("a shell section whose stiffness is stated outside the deck (USER) is not supported")
    if material is None and not layered and keyword.name != "BEAM GENERAL SECTION":
        if keyword.name == "SHELL GENERAL SECTION" and len(list(keyword.rows())) > 1:
            raise keyword.error(
                "a shell section stated by its 21 stiffness terms is not supported",
                expected="layers (COMPOSITE), or MATERIAL= with a thickness",
            )
        raise keyword.error("the section has no material", expected="MATERIAL=")
    if shell:
        return _shell_owner(draft, context, keyword, elements, material, orientation, _Known(materials, orientations))
    direction = np.array([0.0, 0.0, -1.0])
    if keyword.name.startswith("BEAM"):
        direction = beam_direction(keyword)
        if not np.linalg.norm(direction) > 0.0:
            raise keyword.error("the direction of the first beam axis is a zero vector")
        direction = context.rotation @ direction
        if "NODAL THICKNESS" in keyword.options:
            draft.record("NODAL THICKNESS", "dropped", f"beams with dimensions per node (line {keyword.line})")
    return Owner(keyword, context, elements, material, orientation, direction=direction)


@dataclass(frozen=True, eq=False)
class _Known:
    """Materials and orientations of the deck by name."""

    materials: dict[str, Material]
    orientations: dict[str, Orientation]


def _named(
    context: Context, keyword: Keyword, orientations: dict[str, Orientation], wanted: str, row: int | None = None
) -> Orientation:
    found = orientations.get(context.full(wanted), orientations.get(wanted))
    if found is None:
        raise keyword.error(
            "unknown orientation",
            row=row,
            found=wanted,
            expected=", ".join(orientations) or "a name that the deck defines (it defines none)",
        )
    return found


def _lookup(keyword: Keyword, materials: dict[str, Material], name: str, row: int | None = None) -> Material:
    if name not in materials:
        close = nearest(name, materials)
        raise keyword.error(
            "unknown material, or one without *ELASTIC (fluids, user materials and hyperelastic test data have no linear "
            "elasticity here)",
            row=row,
            found=repr(name),
            expected=", ".join(materials) or "a name that the deck defines (it defines none)",
            advice=f"did you mean {close!r}?" if close else None,
        )
    return materials[name]


def _shell_owner(
    draft: Draft,
    context: Context,
    keyword: Keyword,
    elements: IntArray,
    material: Material | None,
    orientation: Orientation | None,
    known: _Known,
) -> Owner:
    rows = [row for row, _ in keyword.rows()]
    if not rows:
        raise keyword.error("the shell section has no thickness")
    if keyword.name == "MEMBRANE SECTION" and "NODAL THICKNESS" in keyword.options:
        raise keyword.error("membranes with a thickness per node are not supported", expected="one thickness")
    plies: tuple[Ply, ...] = ()
    stack = _Stack(draft, context, keyword, elements, known, orientation)
    if "COMPOSITE" in keyword.options:
        plies = tuple(stack.ply(row) for row in rows)
        if "SYMMETRIC" in keyword.options:  # the lower half, to the middle surface
            plies = (*plies, *reversed(plies))
        thickness = sum(ply.thickness for ply in plies)
    else:
        thickness = float(keyword.floats(rows[0], 1)[0]) * draft.units.length
    if not thickness > 0.0:
        raise keyword.error(
            "the thickness of a shell must be above zero", row=rows[0], found=keyword.data[rows[0]].strip()
        )
    text = keyword.options.get("OFFSET", "0").upper()
    fraction = {"SPOS": 0.5, "SNEG": -0.5}.get(text)
    if fraction is None:
        fraction = keyword.number(rows[0], text)
    # Abaqus: the fraction leads from the mid-surface to the nodes; here the offset leads from the nodes to
    # the mid-surface
    return Owner(
        keyword,
        context,
        elements,
        None if material is None else stack.plane(material),
        stack.orientation,
        thickness=thickness,
        offset=-fraction * thickness,
        plies=plies,
        facing=stack.facing,
        signed=stack.signed,
        areal_mass=_areal_mass(draft, keyword, rows[0]),
    )


def _areal_mass(draft: Draft, keyword: Keyword, row: int) -> float:
    """DENSITY of a shell section: mass per area beside that of the materials, kg/m²."""
    value = keyword.number(row, keyword.options.get("DENSITY", "")) * draft.units.areal_density
    if value < 0.0:
        raise keyword.error("the mass per area is negative", found=keyword.options["DENSITY"])
    return value


class _Stack:
    """Layers of one shell section in the axes of its orientation: the section's own, else the first that a layer names."""

    def __init__(
        self,
        draft: Draft,
        context: Context,
        keyword: Keyword,
        elements: IntArray,
        known: _Known,
        own: Orientation | None,
    ) -> None:
        self.draft, self.context, self.keyword, self.elements, self.known = draft, context, keyword, elements, known
        self.orientation = own
        self.facing = 0 if own is None else self._facing(own)
        self.signed = False

    def _facing(self, orientation: Orientation) -> int:
        if self.draft.flavor == "calculix":
            return facing_axis(self.draft, self.keyword, self.elements, orientation)
        return orientation.normal

    def plane(self, material: Material, facing: int | None = None) -> Material:
        """The material in plane stress; one of CalculiX without an orientation has global axes."""
        if not isinstance(material, Anisotropic3D):
            return material
        if self.draft.flavor != "calculix":
            return lamina(self.keyword, material)
        if self.orientation is None:
            self.orientation = Orientation(False, np.zeros(3), np.eye(3), 2, 0.0)
            self.facing = self._facing(self.orientation)
        return lamina(self.keyword, material, self.facing if facing is None else facing)

    def ply(self, row: int) -> Ply:
        """One layer: thickness, points (unused), material, angle in degrees or the name of an orientation."""
        keyword = self.keyword
        items = [*fields(keyword.data[row]), "", "", "", ""]
        angle, facing = 0.0, None
        if items[3]:
            try:
                angle = float(np.radians(float(items[3])))
            except ValueError:
                angle, facing = self._named(row, label(items[3]))
        material = self.plane(_lookup(keyword, self.known.materials, label(items[2]), row), facing)
        return Ply(material, keyword.number(row, items[0]) * self.draft.units.length, angle)

    def _named(self, row: int, name: str) -> tuple[float, int]:
        """Angle (rad) of the orientation that a layer names, and its axis along the normal."""
        named = _named(self.context, self.keyword, self.known.orientations, name, row)
        facing = self._facing(named)
        if self.orientation is None:
            self.orientation, self.facing = named, facing
        self.signed = True
        points, _ = shell_surface(self.draft, self.elements)
        return angle_between(self.keyword, row, (self.orientation, self.facing), (named, facing), points), facing
