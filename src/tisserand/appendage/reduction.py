"""From a modal basis to the reduced appendage: everything a multibody or control tool needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tisserand.appendage.drawing.drawing_cells import topology_of
from tisserand.appendage.frames.frame_change import in_frame
from tisserand.appendage.frames.reference_points import (
    Reference,
    choose_reference,
    held_nodes,
    interfaces_of,
    named_nodes,
)
from tisserand.appendage.integrals.arm_moments import arm_field, arm_shapes
from tisserand.appendage.integrals.checked_integrals import assert_identities, inertia_level, integrals_of
from tisserand.appendage.integrals.geometric_stiffness import foreshortening, geometric_families, wanted_nodes
from tisserand.appendage.record.bodies_of_sources import bodies_of_structure, with_foreshortening
from tisserand.appendage.record.damping_matrix import Damping, damping_matrix
from tisserand.appendage.record.json_data import plain
from tisserand.appendage.record.mass_source import mass_source
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.packed_pairs import kept_rows
from tisserand.appendage.record.provenance import provenance_of
from tisserand.appendage.record.reduced_appendage import FrameRecord, ReducedAppendage
from tisserand.appendage.record.turning_bodies import TurningBodies, no_bodies
from tisserand.appendage.recovery.output_matrices import Elements, displacement_output, element_outputs, interface_force
from tisserand.appendage.recovery.strain_energy import nodal_energy
from tisserand.appendage.reduction_reports import damping_support_word, grounded, integrals_report, reports_of
from tisserand.appendage.support_mass import DampingSupport, support_mass
from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, symmetric
from tisserand.assembly.rigid_arms import rigid_arms
from tisserand.errors import ModelError
from tisserand.modes.floating_frames import converted
from tisserand.modes.modal_basis import MEAN_AXES, FrameConstraint, ModalBasis


@checked_arguments
def reduce(
    basis: ModalBasis,
    *,
    reference_point: ArrayLike | None = None,
    attachment: int | str | None = None,
    interfaces: Mapping[str, int] | Sequence[int] | None = None,
    interface_axes: Mapping[str, ArrayLike] | None = None,
    fit_rotations: Sequence[str] = (),
    damping: Damping | float | Sequence[Damping | float] | None = None,
    damping_support: DampingSupport = "attachment",
    name: str | None = None,
    mode_names: Mapping[int, str] | Sequence[str] | None = None,
    modes: Sequence[int] | None = None,
    recovery: Mapping[str, Elements] | None = None,
    geometric: bool | Sequence[str] = False,
    options: Mapping[str, Any] | None = None,
) -> ReducedAppendage:
    """Reduce a basis to its modal record.

    reference_point: O in basic coordinates, m; by default the attachment's node, else the centroid of the
    held nodes when they hold the structure rigidly, else the mass center (``reports["reference_point"]`` records the
    choice). attachment: node id or interface name that carries the appendage. interfaces: name -> node id
    (added to the model's own); interface_axes: name -> (3, 3) rows; fit_rotations: names whose node has no
    rotation of its own (solids) and gets one from a least-squares rigid fit of its neighbors. damping: a
    ratio for all modes, a ``Damping``, or several that add up; None takes the model's dampers only. damping_support: what
    holds the appendage when its ratios are stated, ``attachment`` (unchanged if none is named) or ``free``. modes:
    columns of the basis to keep (all). mode_names: names chosen by the user. recovery: label -> element ids
    or element set whose section forces and stresses are wanted as outputs; outputs of the interfaces are
    always made.

    Args:
        geometric: True makes the geometric-stiffness families of frame motion; names of interfaces add unit loads
            there.
        options: options of the run, kept in the provenance.
    """
    stated: dict[str, Any] = {
        "reference_point": reference_point, "attachment": attachment, "interfaces": interfaces, "interface_axes": interface_axes,
        "fit_rotations": fit_rotations, "damping": damping, "damping_support": damping_support, "name": name,
        "mode_names": mode_names, "modes": modes, "recovery": recovery, "geometric": geometric, "options": options,
    }  # fmt: skip
    if basis.frame.name in MEAN_AXES and held_nodes(basis)[1] and grounded(basis) is None:
        # held shapes are exact where they are held: their second degree and their damping follow the change of frame
        words = "shapes vanish where they were held"
        clamped = converted(basis, FrameConstraint("connection", words, None, basis.fixed), drop_dependent=False)
        return in_frame(reduce(clamped, **stated), basis.frame.name)
    model = basis.model
    columns = np.arange(len(basis)) if modes is None else np.asarray(modes, dtype=np.int64)
    Phi = np.ascontiguousarray(basis.shapes[:, columns])
    shapes = model.displacements(Phi)
    choice = choose_reference(basis, reference_point, attachment, interfaces)
    positions = model.nodes.positions - choice.point
    scalar = model.nodes.scalar
    if scalar is not None:
        positions = np.where(scalar[:, None], 0.0, positions)
    found = integrals_of(basis, shapes, positions, Phi, choice.point)
    integrals = found.integrals
    level = inertia_level(found)
    identities = assert_identities(model.name, found, level)

    Ke = symmetric(Phi.T @ (model.stiffness @ Phi))
    points, fits = interfaces_of(basis, shapes, choice, interfaces, interface_axes, fit_rotations)
    points = _on_arms(basis, shapes, points)
    held_by = next((point for point in points if point.name == choice.attachment), None)
    mounted_at = None if basis.frame.name == "connection" else held_by  # held modes are mounted unchanged
    Me = support_mass(integrals, mounted_at, damping_support)
    De, damping_report = damping_matrix(damping, Me, Ke, Phi, model.damping)
    damping_report["support"] = damping_support_word(basis, held_by, damping_support)
    outputs, meaning = _outputs(basis, Phi, shapes, choice, points, recovery)
    bodies, turning = no_bodies(len(columns)), {"found": 0, "exact": 0}
    if model.structure is not None:
        bodies, turning = bodies_of_structure(model.structure, positions, shapes[:, :3], shapes[:, 3:])
    second = _second_degree(basis, Phi, shapes, choice.point, bodies, interfaces, geometric)
    keep = np.arange(len(model.nodes)) if scalar is None else np.flatnonzero(~scalar)
    source, lacking_source = mass_source(model, choice.point)
    reports = reports_of(
        basis, choice, found,
        integrals=integrals_report(model, found, identities, lacking_source), turning_bodies=turning,
        second_degree=second.report, damping=damping_report, recovery=meaning,
        notes=[*model.notes, *basis.notes, *fits, *second.notes],
    )  # fmt: skip
    return ReducedAppendage(
        name=name or model.name,
        integrals=integrals,
        stiffness=Ke,
        damping=De,
        nodes=NodeTable(
            model.nodes.ids[keep],
            positions[keep],
            shapes[keep, :3],
            shapes[keep, 3:],
            nodal_energy(model, shapes),
            None if second.arms is None else second.arms[keep],
            None if second.foreshortening is None else second.foreshortening[keep],
        ),
        frame=FrameRecord(
            basis.frame.name, basis.frame.meaning, tuple(float(r) for r in basis.frame_residuals[columns])
        ),
        reference_point=choice.point,
        interfaces=points,
        attachment=choice.attachment,
        mode_names=_names([basis.labels[c] for c in columns], mode_names),
        mode_kinds=tuple(basis.kinds[c] for c in columns),
        geometric_stiffness=second.families,
        inertia_level=level,
        topology=topology_of(model, keep),
        recovery=outputs,
        rigid_body_modes=basis.rigid_body_modes,
        unit_system=model.unit_system,
        reports=plain(reports),
        provenance=plain(provenance_of(model, options)),
        sources=() if source is None else (source,),
        bodies=replace(second.bodies, rows=np.searchsorted(keep, second.bodies.rows)),
    )


def _on_arms(basis: ModalBasis, shapes: FloatArray, points: Sequence[Interface]) -> tuple[Interface, ...]:
    """Interfaces with the second-degree displacement of the rigid arms that they sit on."""
    structure = basis.model.structure
    places = [i for i, point in enumerate(points) if point.node_id >= 0]
    if structure is None or not places:
        return tuple(points)
    psi = arm_shapes(structure, shapes, basis.model.nodes.indices([points[i].node_id for i in places]))
    out = list(points)
    for place, own in zip(places, psi):
        if own.any():
            out[place] = replace(points[place], second_translation=own)
    return tuple(out)


def _outputs(
    basis: ModalBasis,
    Phi: FloatArray,
    shapes: FloatArray,
    choice: Reference,
    points: Sequence[Interface],
    wanted: Mapping[str, Elements] | None,
) -> tuple[dict[str, FloatArray], dict[str, Any]]:
    """Output matrices of interfaces, of the attachment force if the structure is held, and of chosen elements."""
    outputs = {f"displacement:{point.name}": displacement_output(point) for point in points}
    for point in points:
        if point.name == choice.attachment and basis.fixed.any():
            outputs[f"interface force:{point.name}"] = interface_force(basis, Phi, choice.point, point)
    if not wanted:
        return outputs, {}
    if basis.model.structure is None:
        raise ModelError("element outputs need the elements, not bare matrices", where=f"model {basis.model.name}")
    matrices, meaning = element_outputs(basis.model.structure, shapes, wanted)
    return {**outputs, **matrices}, meaning


def _names(labels: list[str], chosen: Mapping[int, str] | Sequence[str] | None) -> tuple[str, ...]:
    names = list(labels)
    if isinstance(chosen, Mapping):
        for index, text in chosen.items():
            names[index] = text
    elif chosen is not None:
        names = list(chosen)
    return tuple(names)


@dataclass(frozen=True, eq=False)
class _SecondDegree:
    """Displacement of second degree: families of geometric stiffness, and fields at the nodes.

    families: name -> (k, k); arms, foreshortening: fields of rigid arms and of shortened members at all nodes, or None.
    """

    bodies: TurningBodies
    families: dict[str, FloatArray]
    arms: FloatArray | None
    foreshortening: FloatArray | None
    report: dict[str, Any]
    notes: tuple[str, ...]


def _second_degree(
    basis: ModalBasis,
    Phi: FloatArray,
    shapes: FloatArray,
    point: FloatArray,
    bodies: TurningBodies,
    interfaces: Mapping[str, int] | Sequence[int] | None,
    geometric: bool | Sequence[str],
) -> _SecondDegree:
    """What the shapes displace at second degree: by geometric stiffness where it is requested, by rigid arms always."""
    families: dict[str, FloatArray] = {}
    report: dict[str, Any] = {}
    shortened: FloatArray | None = None
    notes: tuple[str, ...] = ()
    if geometric is not False:
        loaded = wanted_nodes(basis, named_nodes(basis, interfaces), geometric)
        at_bodies = {f"body {row}": int(row) for row in bodies.rows}
        field, gauge = foreshortening(basis, Phi)
        families, lacking = geometric_families(basis, Phi, point, {**loaded, **at_bodies}, field)
        bodies, families = with_foreshortening(bodies, list(at_bodies), families)
        notes = tuple(note for note in lacking if "body " not in note)
        shortened = None if field is None else kept_rows(field)
        report = {"gauge": gauge, "foreshortening_at": "interfaces and bodies" if field is None else "all nodes"}
    structure = basis.model.structure
    arms = None if structure is None else arm_field(structure, shapes)
    if arms is not None and structure is not None:
        report |= {"arms": len(rigid_arms(structure)), "taken_as_linear": rigid_arms(structure).linear}
    return _SecondDegree(bodies, families, arms, shortened, report, notes)
