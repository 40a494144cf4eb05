"""Shells of materials given in three dimensions, and layers that name their own orientation.

Abaqus puts the third material axis along the shell's normal and the first along the projection of the orientation. CalculiX
expands a shell into solids whose material has the axes of the orientation as they are, so one of them must be the shell's normal.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import BoolArray, FloatArray, IntArray
from tisserand.model import Anisotropic3D, Material, Orthotropic2D
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.materials import Orientation
from tisserand.readers.abaqus.scan import Keyword

#: Material axes of CalculiX may leave the normal of the shell by this much.
_TILT = np.cos(np.radians(1.0))
#: Place of the shear strain of two axes in the order xx, yy, zz, xy, yz, zx.
_SHEAR = {1: 3, 3: 4, 2: 5}


def lamina(keyword: Keyword, material: Material, normal: int = 2) -> Material:
    """The plane-stress material of a shell whose normal is the material's axis ``normal``; other materials as they are."""
    if not isinstance(material, Anisotropic3D):
        return material
    S = np.asarray(np.linalg.inv(material.stiffness), dtype=float)
    size = np.sqrt(np.outer(np.diag(S), np.diag(S)))
    coupled = np.abs(S) / size
    coupled[:3, :3] = 0.0
    np.fill_diagonal(coupled, 0.0)
    if coupled.max() > 1e-9:
        raise keyword.error(
            "a shell needs an orthotropic material", found=f"{material.name}: stretching and shear are coupled",
            expected="isotropic, LAMINA, ENGINEERING CONSTANTS or ORTHOTROPIC constants",
        )  # fmt: skip
    i, j = (normal + 1) % 3, (normal + 2) % 3
    return Orthotropic2D(
        material.id,
        young_1=1.0 / S[i, i],
        young_2=1.0 / S[j, j],
        poisson_12=-S[i, j] / S[i, i],
        shear_12=_shear(S, i, j),
        shear_1z=_shear(S, i, normal),
        shear_2z=_shear(S, j, normal),
        density=material.density,
        structural_damping=material.structural_damping,
        name=material.name,
    )


def _shear(S: FloatArray, i: int, j: int) -> float:
    at = _SHEAR[i + j]
    return float(1.0 / S[at, at])


def shell_surface(draft: Draft, elements: IntArray) -> tuple[FloatArray, FloatArray]:
    """Centers (m, 3) m and unit normals (m, 3) of the shells and membranes among ``elements``."""
    centers, normals = [np.zeros((0, 3))], [np.zeros((0, 3))]
    for group in draft.groups:
        rows = np.flatnonzero(np.isin(group.ids, elements))
        if group.kind.role in ("shell", "membrane") and len(rows):
            count = 3 if group.nodes.shape[1] in (3, 6) else 4
            corners = draft.positions[draft.index(group.nodes[rows, :count])]
            centers.append(corners.mean(axis=1))
            normals.append(corner_normals(corners))
    return np.concatenate(centers), np.concatenate(normals)


def corner_normals(corners: FloatArray) -> FloatArray:
    """Unit normals (m, 3) of triangles and quads, corners (m, 3 or 4 or more, 3) m."""
    last = 2 if corners.shape[1] in (3, 6) else 3
    normal = np.cross(corners[:, 2] - corners[:, 0], corners[:, last] - corners[:, 1])
    return np.asarray(normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300))


def facing_axis(draft: Draft, keyword: Keyword, elements: IntArray, orientation: Orientation) -> int:
    """The axis of the orientation that is the shells' normal, as CalculiX takes it; refused where none is."""
    centers, normals = shell_surface(draft, elements)
    along = np.abs(np.einsum("mai,mi->ma", orientation.axes_at(centers), normals)).min(axis=0, initial=1.0)
    axis = int(along.argmax())
    if along[axis] < _TILT:
        raise keyword.error(
            "the material axes of a shell are not along and across its surface",
            found=f"{np.degrees(np.arccos(along[axis])):.3g} degrees off",
            expected="one axis of the orientation along the normal",
        )
    return axis


def angle_between(
    keyword: Keyword, row: int, first: tuple[Orientation, int], second: tuple[Orientation, int], points: FloatArray
) -> float:
    """Angle (rad) about the first orientation's normal from its x axis to that of the second; the same at all ``points``."""
    (one, n), (two, m) = first, second
    a, b = one.axes_at(points), two.axes_at(points)
    normal, x, other = a[:, n], a[:, (n + 1) % 3], b[:, (m + 1) % 3]
    sine, cosine = np.einsum("pi,pi->p", np.cross(x, other), normal), np.einsum("pi,pi->p", x, other)
    across = np.abs(np.einsum("pi,pi->p", normal, other)).max(initial=0.0)
    if (
        across > 1e-6
        or np.abs(sine - sine[:1]).max(initial=0.0) > 1e-6
        or np.abs(cosine - cosine[:1]).max(initial=0.0) > 1e-6
    ):
        raise keyword.error(
            "the orientation of a layer turns against that of the section from place to place", row=row,
            found=keyword.data[row].strip(), expected="orientations with one normal and a constant angle, or angles in degrees",
        )  # fmt: skip
    return float(np.arctan2(sine[0], cosine[0])) if len(points) else 0.0


def against(orientation: Orientation, facing: int, corners: FloatArray) -> BoolArray:
    """(m,) True where the normal of a shell points against the axis ``facing`` of its orientation."""
    axes = orientation.axes_at(corners.mean(axis=1))
    return np.asarray(np.einsum("mi,mi->m", axes[:, facing], corner_normals(corners)) < 0.0)
