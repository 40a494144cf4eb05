"""From a modal basis to the reduced appendage: everything a multibody or control tool needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
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
from tisserand.appendage.integrals.directional_sums import rigid_columns
from tisserand.appendage.integrals.effective_masses import reachable_rigid_mass
from tisserand.appendage.integrals.from_elements import FieldIntegrals, field_integrals, matrix_integrals
from tisserand.appendage.integrals.geometric_stiffness import foreshortening, geometric_families, wanted_nodes
from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.integrals.nodal_mass_matrix import mass_at_nodes
from tisserand.appendage.record.bodies_of_sources import bodies_of_structure, with_foreshortening
from tisserand.appendage.record.damping_matrix import Damping, damping_matrix
from tisserand.appendage.record.json_data import plain
from tisserand.appendage.record.mass_source import mass_source
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.packed_pairs import kept_rows
from tisserand.appendage.record.provenance import provenance_of
from tisserand.appendage.record.reduced_appendage import FrameRecord, InertiaLevel, ReducedAppendage
from tisserand.appendage.record.turning_bodies import no_bodies
from tisserand.appendage.recovery.output_matrices import Elements, displacement_output, element_outputs, interface_force
from tisserand.appendage.recovery.strain_energy import nodal_energy
from tisserand.appendage.support_mass import DampingSupport, support_mass
from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray, symmetric
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.model_checks import check_model
from tisserand.assembly.plausibility import implausible_units
from tisserand.assembly.rigid_arms import rigid_arms
from tisserand.assembly.tie_motion import grounding_ties
from tisserand.errors import IdentityError, ModelError
from tisserand.modes.doubts import mechanism_report
from tisserand.modes.floating_frames import converted
from tisserand.modes.modal_basis import MEAN_AXES, FrameConstraint, ModalBasis

#: Identities of exact integrals may be violated by round-off only.
IDENTITY_TOLERANCE = 1e-8
#: Largest mismatch of calibrated mass for which it counts as exact, and for which `full` and `linear` are
#: claimed.
EXACT_MISMATCH, FULL_MISMATCH, LINEAR_MISMATCH = 1e-6, 0.01, 0.1


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
    if basis.frame.name in MEAN_AXES and held_nodes(basis)[1] and _grounded(basis) is None:
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
    found = _integrals(basis, shapes, positions, Phi, choice.point)
    integrals = found.integrals
    level = _level(found)
    identities = _assert_identities(model.name, found, level)

    Ke = symmetric(Phi.T @ (model.stiffness @ Phi))
    points, fits = interfaces_of(basis, shapes, choice, interfaces, interface_axes, fit_rotations)
    points = _on_arms(basis, shapes, points)
    held_by = next((point for point in points if point.name == choice.attachment), None)
    mounted_at = None if basis.frame.name == "connection" else held_by  # held modes are mounted unchanged
    Me = support_mass(integrals, mounted_at, damping_support)
    De, damping_report = damping_matrix(damping, Me, Ke, Phi, model.damping)
    damping_report["support"] = _damping_support(basis, held_by, damping_support)
    outputs, meaning = _outputs(basis, Phi, shapes, choice, points, recovery)
    bodies, turning = no_bodies(len(columns)), {"found": 0, "exact": 0}
    if model.structure is not None:
        bodies, turning = bodies_of_structure(model.structure, positions, shapes[:, :3], shapes[:, 3:])
    families: dict[str, FloatArray] = {}
    second: dict[str, Any] = {}
    shortened: FloatArray | None = None
    if geometric is not False:
        loaded = wanted_nodes(basis, named_nodes(basis, interfaces), geometric)
        at_bodies = {f"body {row}": int(row) for row in bodies.rows}
        field, gauge = foreshortening(basis, Phi)
        families, lacking = geometric_families(basis, Phi, choice.point, {**loaded, **at_bodies}, field)
        bodies, families = with_foreshortening(bodies, list(at_bodies), families)
        fits = [*fits, *(note for note in lacking if "body " not in note)]
        shortened = None if field is None else kept_rows(field)
        second = {"gauge": gauge, "foreshortening_at": "interfaces and bodies" if field is None else "all nodes"}
    own = None if model.structure is None else arm_field(model.structure, shapes)
    if own is not None and model.structure is not None:
        second |= {"arms": len(rigid_arms(model.structure)), "taken_as_linear": rigid_arms(model.structure).linear}
    keep = np.arange(len(model.nodes)) if scalar is None else np.flatnonzero(~scalar)
    bodies = replace(bodies, rows=np.searchsorted(keep, bodies.rows))
    residuals = basis.frame_residuals[columns]
    labels = [basis.labels[c] for c in columns]
    source, lacking_source = mass_source(model, choice.point)
    reports = {
        "reference_point": {"rule": choice.rule, "point": choice.point},
        "integrals": {
            "source": _source(found),
            "without_field": found.without_field,
            "mismatch": found.mismatch,
            "path_spread": found.path_spread,
            "identities": identities,
            "mass_recipe": model.mass_recipe,
            "not_kept": lacking_source,
        },
        "energy_by_group": {key: value / integrals.sizes**2 for key, value in found.energy.items()},
        "turning_bodies": turning,
        "second_degree": second,
        "damping": damping_report,
        "recovery": meaning,
        "proof": None if basis.proof is None else basis.proof.as_dict(),
        "ledger": model.ledger.as_dict(),
        "notes": [*model.notes, *basis.notes, *fits],
        "grounded": _grounded(basis),
        "held": _held_report(basis, integrals, choice.point),
    }
    if model.structure is not None and _at_rest(model):
        reports["checks"] = plain(check_model(model.structure, model, mechanisms=False).as_dict())
    reports |= mechanism_report(basis)
    mount = _mount_report(basis, choice)
    if mount:
        reports["mount"] = mount
    doubts = [] if model.structure is None else [item.message for item, _ in implausible_units(model.structure)]
    if doubts:
        reports["units_doubt"] = doubts
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
            None if own is None else own[keep],
            None if shortened is None else shortened[keep],
        ),
        frame=FrameRecord(basis.frame.name, basis.frame.meaning, tuple(float(r) for r in residuals)),
        reference_point=choice.point,
        interfaces=points,
        attachment=choice.attachment,
        mode_names=_names(labels, mode_names),
        mode_kinds=tuple(basis.kinds[c] for c in columns),
        geometric_stiffness=families,
        inertia_level=level,
        topology=topology_of(model, keep),
        recovery=outputs,
        rigid_body_modes=basis.rigid_body_modes,
        unit_system=model.unit_system,
        reports=plain(reports),
        provenance=plain(provenance_of(model, options)),
        sources=() if source is None else (source,),
        bodies=bodies,
    )


def _integrals(
    basis: ModalBasis, shapes: FloatArray, positions: FloatArray, Phi: FloatArray, point: FloatArray
) -> FieldIntegrals:
    """Integrals of the structure's elements, or of the bare mass matrix, checked against the assembled mass."""
    model = basis.model
    rigid = rigid_columns(positions)
    if model.nodes.scalar is not None:  # a dof without direction takes no part in rigid motion
        rigid = np.where(model.nodes.scalar[:, None, None], 0.0, rigid)
    if model.structure is None:
        mass, nodal = mass_at_nodes(model, Phi)
        X = np.concatenate([rigid, nodal], axis=2)
        return matrix_integrals(mass, positions, X)
    X = np.concatenate([rigid, shapes], axis=2)
    found = field_integrals(model.structure, model.mass_recipe, point, X)
    S = model.rigid_body_vectors @ _moved(point)
    assembled = np.hstack([S, Phi])
    total = assembled.T @ (model.mass @ assembled)
    ours = np.block(
        [
            [found.integrals.rigid_mass, found.integrals.coupling],
            [found.integrals.coupling.T, found.integrals.modal_mass],
        ]
    )
    size = np.sqrt(np.maximum(np.diag(total), 0.0))
    scale = np.maximum(np.outer(size, size), 1e-9 * max(float(size.max(initial=0.0)) ** 2, 1e-300))
    apart = np.abs(ours - total) / scale
    if len(grounding_ties(model)):  # the assembled rigid motions are none there; those of the elements are
        apart = apart[6:, 6:]
    worst = float(apart.max(initial=0.0))
    if worst > 1e-7:
        _refuse_lopsided(model.name, total[:3, :3])
        raise IdentityError(
            "the mass integrals of the elements do not match the assembled mass matrix",
            where=f"model {model.name}",
            found=f"relative difference {worst:.2e}",
            expected="below 1e-7",
            advice="the assembled matrix contains mass that belongs to no element, or the wrong mass recipe was used",
        )
    return found


def _refuse_lopsided(name: str, rigid_mass: FloatArray) -> None:
    """Refuse masses on single components (CMASS, DMIG) that give a structure a different mass in each direction."""
    mean = float(np.trace(rigid_mass)) / 3.0
    if np.abs(rigid_mass - mean * np.eye(3)).max() > 1e-7 * abs(mean):
        directions = ", ".join(f"{value:.6g}" for value in np.diag(rigid_mass))
        raise IdentityError(
            "scalar or direct masses give the structure a different mass in each direction",
            where=f"model {name}",
            found=f"{directions} kg along x, y, z",
            expected="one mass in all directions, as a body in motion has",
            advice="give these masses in all three directions (CONM2); frequencies alone need no record",
        )


def _moved(point: FloatArray) -> FloatArray:
    """(6, 6) that turns rigid vectors about the basic origin into those about ``point``:
    S_O = S T, T = [1, x~; 0, 1].
    """
    return np.asarray(rigid_columns(-np.asarray(point, dtype=float)[None, :])[0])


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


def _source(found: FieldIntegrals) -> str:
    """Where L and N come from, in words."""
    if not found.without_field:
        return "displacement field"
    if found.mismatch <= EXACT_MISMATCH:
        return "displacement field, and masses at single nodes (exact)"
    return "calibrated to the mass matrix for part of the mass"


def _level(found: FieldIntegrals) -> InertiaLevel:
    if not found.without_field or found.mismatch <= FULL_MISMATCH:
        return "full"
    return "linear" if found.mismatch <= LINEAR_MISMATCH else "constant"


def _assert_identities(name: str, found: FieldIntegrals, level: InertiaLevel) -> dict[str, float]:
    errors = found.integrals.identity_errors()
    if not found.without_field:
        errors["two ways to L"] = found.path_spread
    for identity, error in errors.items():
        if not error <= IDENTITY_TOLERANCE:
            raise IdentityError(
                f"the modal integrals violate the identity {identity}",
                where=f"appendage {name}",
                found=f"{error:.2e}",
                expected=f"below {IDENTITY_TOLERANCE:g}",
                advice="the mass model has no displacement field although its element family declares one",
            )
    return errors


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


def _held_report(basis: ModalBasis, integrals: ModalIntegrals, point: FloatArray) -> dict[str, Any]:
    """Rigid mass matrices about O: of the free dofs, reached by all modes, and kept by the held dofs."""
    S = np.asarray(basis.model.rigid_body_vectors @ _moved(point))
    if not basis.fixed.any():
        return {"held_dofs": 0}
    reachable, free, exact = reachable_rigid_mass(basis, S)
    return {
        "held_dofs": int(basis.fixed.sum()),
        "free_rigid_mass": free,
        "reachable_rigid_mass": reachable if exact else free,
        "held_rigid_mass": integrals.rigid_mass - (reachable if exact else free),
        "exact": exact,
    }


def _grounded(basis: ModalBasis) -> float | None:
    """Relative stiffness of rigid motion where springs to ground make it more than round-off, else None."""
    K, S = basis.model.stiffness, basis.model.rigid_body_vectors
    scale = float(abs(K).sum(axis=1).max()) if K.nnz else 0.0
    if scale == 0.0:
        return None
    ratio = float(np.abs(K @ S).max() / (scale * max(float(np.abs(S).max()), 1e-300)))
    return ratio if ratio > 1e-7 else None


def _damping_support(basis: ModalBasis, attachment: Interface | None, asked: DampingSupport) -> str:
    """What held the appendage when its damping ratios were measured, as a word for the report."""
    if asked == "free" or (attachment is None and not basis.fixed.any()):
        return "free"
    return "attachment" if attachment is not None else "as held"


def _at_rest(model: AssembledModel) -> bool:
    """False about a static state, whose stresses resist rigid rotation: the checks are those of the unloaded model."""
    return not any("modes about the static state" in note for note in model.ledger.notes)


def _mount_report(basis: ModalBasis, choice: Reference) -> dict[str, Any]:
    """How a basis serves a mount: modes clamped there and seen from elsewhere, free ones with residual shapes, or free alone."""
    if basis.mount is not None:
        return asdict(basis.mount)
    own = basis.model.dofs.node == (-1 if choice.node is None else choice.node)
    if basis.frame.name != "connection" and own.any() and basis.fixed[own].all():
        return {"mounting": "clamped"}
    if choice.attachment is None or basis.frame.name not in MEAN_AXES:
        return {}
    return {"mounting": "free" if all(kind == "elastic" for kind in basis.kinds) else "residual"}


def _names(labels: list[str], chosen: Mapping[int, str] | Sequence[str] | None) -> tuple[str, ...]:
    names = list(labels)
    if isinstance(chosen, Mapping):
        for index, text in chosen.items():
            names[index] = text
    elif chosen is not None:
        names = list(chosen)
    return tuple(names)
