"""Model checks as data: what an analyst examines before trusting a frequency."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tisserand.arguments import checked_arguments
from tisserand.arrays import IntArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.check_report import Check, CheckReport, Verdict
from tisserand.assembly.massprops import mass_properties_from_rigid
from tisserand.assembly.mechanisms import find_mechanisms
from tisserand.assembly.motion_words import motion_words
from tisserand.assembly.partmass import PartMass, mass_by_part
from tisserand.assembly.plausibility import GROSS, UNIT_CHECK, implausible_units
from tisserand.assembly.quality import LONG, SKEW, SKEW_NASTRAN, long_and_skew, shape_quality, skew_as_in_nastran
from tisserand.assembly.rigid_clusters import moves_as_one
from tisserand.assembly.singular import rigid_residuals, row_sizes
from tisserand.assembly.tie_motion import TIE_MOTION, tie_motion
from tisserand.assembly.topology import coincident_pairs, separate_parts, tie_arms, used_nodes
from tisserand.model import StructuralModel

__all__ = ["Check", "CheckReport", "check_model"]

_DIRECTIONS = ("translation x", "translation y", "translation z", "rotation x", "rotation y", "rotation z")
#: Limits of the checks, by name: what they compare is in docs/checks.md.
RIGID_STRAIN = 1e-10
MASS_BALANCE = 1e-12
POOR_SHAPE = 0.05


@checked_arguments
def check_model(model: StructuralModel, assembled: AssembledModel, *, mechanisms: bool = True) -> CheckReport:
    """Run every check. ``mechanisms`` False skips the one that needs a factorization of the stiffness.

    Args:
        model: the structural model.
        assembled: the same, assembled.
    """
    parts = mass_by_part(model, assembled.mass_recipe)
    rows = [
        *_rigid_strain(model, assembled),
        _ties(model, assembled),
        _free_nodes(model),
        _coincident(model),
        _parts(model, assembled),
        *([_mechanisms(model, assembled)] if mechanisms else []),
        _loose(assembled),
        _mass_signs(assembled),
        _shapes(model),
        *_long_shells(model),
        *_skew_shells(model),
        *_mass_balance(assembled, parts, model.unit_system != "consistent"),
        *_units(model),
    ]
    return CheckReport(assembled.name, tuple(rows), parts)


def _ids(values: Sequence[int] | IntArray, most: int = 20) -> tuple[int, ...]:
    return tuple(int(v) for v in list(values)[:most])


def _named(ids: tuple[int, ...], word: str = "node") -> str:
    if not ids:
        return ""
    text = ", ".join(str(i) for i in ids[:8]) + (", ..." if len(ids) > 8 else "")
    return f"{word}{'s' if len(ids) > 1 else ''} {text}"


def _rigid_strain(model: StructuralModel, assembled: AssembledModel) -> Iterator[Check]:
    """Force that each unit rigid motion leaves at every dof, against what round-off could leave there."""
    K, S = assembled.stiffness, assembled.rigid_body_vectors
    arms = tie_arms(model)
    ground = any((block.nodes < 0).any() for block in model.elements)
    joule = "" if model.unit_system == "consistent" else " J"
    direct = any(block.facts.one_matrix for block in model.elements)
    stressed = any(section.stressed for section in model.sections)
    ratios, forces = rigid_residuals(K, S, assembled.dofs, arms), K @ S
    for i, name in enumerate(_DIRECTIONS):
        ratio = ratios[:, i]
        energy = 0.5 * float(S[:, i] @ forces[:, i])
        worst = float(ratio.max(initial=0.0))
        where = np.unique(assembled.dofs.node[ratio > max(RIGID_STRAIN, 0.1 * worst)])
        ids = _ids(assembled.nodes.ids[where]) if worst > RIGID_STRAIN else ()
        verdict: Verdict = "ok" if worst <= RIGID_STRAIN else "warn" if ground or direct or stressed else "fail"
        message = f"leaves {worst:.2g} of its stiffness forces (limit {RIGID_STRAIN:g})"
        message += f", strain energy {energy:.3g}{joule} per unit motion"
        if ids:
            cause = "springs to ground or direct matrices restrain it" if ground or direct else "the model is grounded"
            cause = "pretension that supports take up restrains it" if stressed and not (ground or direct) else cause
            message += f"; {cause} at {_named(ids)}"
        yield Check(f"rigid-body strain, {name}", worst, RIGID_STRAIN, verdict, message, ids)


def _ties(model: StructuralModel, assembled: AssembledModel) -> Check:
    """Rigid motion of the independent dofs must arrive as rigid motion at every tied node."""
    name = "ties carry rigid motion"
    if not model.constraints:
        return Check(name, 0.0, TIE_MOTION, "ok", "there are no ties")
    found = tie_motion(model, assembled)
    node, bad, worst = found.node, found.bad, float(found.error.max(initial=0.0))
    ids = _ids(np.unique(assembled.nodes.ids[node[bad]]))
    if not bad.any():
        return Check(name, worst, TIE_MOTION, "ok", f"{len(node)} dependent dofs follow their leaders")
    idle = "" if found.moves[bad].all() else " (some do not move at all)"
    return Check(
        name,
        worst,
        TIE_MOTION,
        "warn",
        f"{_named(ids)} do{'es' if len(ids) == 1 else ''} not follow rigid motion{idle}",
        ids,
    )


def _free_nodes(model: StructuralModel) -> Check:
    idle = np.flatnonzero(~used_nodes(model))
    ids = _ids(model.nodes.ids[idle])
    message = (
        f"{_named(ids)} belong{'s' if len(ids) == 1 else ''} to no element or tie"
        if ids
        else "every node belongs to an element or tie"
    )
    return Check("unused nodes", len(idle), 0.0, "warn" if ids else "ok", message, ids)


def _coincident(model: StructuralModel) -> Check:
    pairs = coincident_pairs(model)
    ids = _ids(model.nodes.ids[pairs.ravel()])
    message = f"{_named(ids)} are coincident but not connected" if ids else "no coincident nodes are unconnected"
    return Check("coincident nodes", len(pairs), 0.0, "warn" if ids else "ok", message, ids)


def _parts(model: StructuralModel, assembled: AssembledModel) -> Check:
    parts = separate_parts(model)
    held = np.zeros(len(model.nodes), np.bool_)
    held[model.supports.nodes[model.supports.fixed.any(axis=1)]] = True
    loose = [part for part in parts if not held[part].any()]
    if len(parts) <= 1:
        return Check("separate parts", len(parts), 1.0, "ok", "the model is connected")
    ids = _ids([int(model.nodes.ids[part[0]]) for part in (loose or parts)[-20:]])
    verdict: Verdict = "warn" if loose else "ok"
    how = f"{len(loose)} of them without a support" if loose else "each with a support"
    return Check(
        "separate parts", len(parts), 1.0, verdict, f"{len(parts)} parts are not joined, {how}: at {_named(ids)}", ids
    )


def _mechanisms(model: StructuralModel, assembled: AssembledModel) -> Check:
    if moves_as_one(model, assembled):
        return Check(
            "mechanisms", 0, 0.0, "ok", "no strain-free motion other than rigid-body motion: the mesh is one piece"
        )
    found = find_mechanisms(assembled, assembled.held())
    count = len(found)
    if count == 0:
        return Check("mechanisms", 0, 0.0, "ok", "no strain-free motion other than rigid-body motion")
    ids = _ids(found.moving_nodes(assembled))
    more = "" if found.complete else " or more"
    text = (
        f"{count}{more} motion{'s' if count > 1 else ''} without strain energy: {motion_words(assembled, found.shapes)}"
    )
    return Check("mechanisms", count, 0.0, "fail", text, ids)


def _loose(assembled: AssembledModel) -> Check:
    automatic = assembled.dofs.fixed_by(assembled.auto_supports)
    automatic &= ~assembled.dofs.fixed_by(assembled.supports)
    count = int(automatic.sum())
    ids = _ids(assembled.nodes.ids[np.unique(assembled.dofs.node[automatic])])
    where = motion_words(assembled, automatic[:, None].astype(float))
    text = f"{count} dofs without stiffness are held automatically: {where}" if count else "none"
    return Check("dofs without stiffness", count, 0.0, "warn" if count else "ok", text, ids)


def _mass_signs(assembled: AssembledModel) -> Check:
    diagonal = assembled.mass.diagonal()
    negative = np.flatnonzero(diagonal < 0.0)
    if len(negative):
        ids = _ids(np.unique(assembled.nodes.ids[assembled.dofs.node[negative]]))
        return Check("negative mass", len(negative), 0.0, "fail", f"negative mass at {_named(ids)}", ids)
    light = int((row_sizes(assembled.mass) == 0.0).sum())
    return Check("negative mass", 0, 0.0, "ok", f"none; {light} of {assembled.size} dofs carry no mass")


def _shapes(model: StructuralModel) -> Check:
    worst, ids, count = 1.0, [], 0
    for block in model.elements:
        quality = shape_quality(model, block)
        if quality is None or not len(quality):
            continue
        worst = min(worst, float(quality.min()))
        poor = np.flatnonzero(quality < POOR_SHAPE)
        count += len(poor)
        ids.extend(block.ids[poor[np.argsort(quality[poor])]][:20].tolist())
    named = _ids(ids)
    text = f"{count} badly shaped: {_named(named, 'element')}" if count else "no badly shaped shell or solid"
    return Check("element shape", worst, POOR_SHAPE, "warn" if count else "ok", text, named)


def _long_shells(model: StructuralModel) -> Iterator[Check]:
    """Our own four-node shells that are long and skew; rectangles may be of any length."""
    found = [block.ids[long_and_skew(model, block)] for block in model.elements if block.facts.shape == "surface"]
    count = sum(map(len, found))
    if count:
        ids = _ids(np.concatenate(found))
        text = (
            f"{count} four-node shells more than {LONG:g} times longer than wide, with middle lines that meet below "
            f"{SKEW:g} degrees: bending is 1 to 3 % off at eight elements a wave; refine them along their long side: "
            f"{_named(ids, 'element')}"
        )
        yield Check("long skew shells", count, 0.0, "warn", text, ids)


def _skew_shells(model: StructuralModel) -> Iterator[Check]:
    """Four-node shells of Nastran decks that are skew; the figures are those of docs/elements-shells-solids.md."""
    surfaces = [block for block in model.elements if block.facts.shape == "surface"]
    angles = [skew_as_in_nastran(model, block) for block in surfaces]
    found = [block.ids[angle < SKEW_NASTRAN] for block, angle in zip(surfaces, angles)]
    count = sum(map(len, found))
    if count:
        ids, least = _ids(np.concatenate(found)), min(float(angle.min(initial=90.0)) for angle in angles)
        text = (
            f"{count} four-node shells that bend as in Nastran, with middle lines that meet below {SKEW_NASTRAN:g} degrees "
            f"(least {least:.0f}): the worst of six modes of a clamped rhombus of 12 x 12 is 3 % off at 40 degrees, 8 % at 30, "
            f"1 % on 24 x 24; refine, or read the deck with --flavor mystran: {_named(ids, 'element')}"
        )
        yield Check("skew shells", count, 0.0, "warn", text, ids)


def _mass_balance(assembled: AssembledModel, parts: tuple[PartMass, ...], known: bool) -> Iterator[Check]:
    """Mass, center and inertia by element integration against those of the rigid-body vectors."""
    total = sum((part.rigid_mass for part in parts), np.zeros((6, 6)))
    S = assembled.rigid_body_vectors
    seen = S.T @ (assembled.mass @ S)
    scale = np.sqrt(np.maximum(np.diag(total), 1e-300))
    error = float((np.abs(seen - total) / np.outer(scale, scale)).max())
    a, b = mass_properties_from_rigid(total), mass_properties_from_rigid(seen)
    verdict: Verdict = "ok" if error <= MASS_BALANCE else "warn"
    unit = "kg" if known else "mass units"
    text = f"{a.mass:.6g} {unit} by elements, {b.mass:.6g} {unit} by rigid motion"
    if verdict == "warn":
        text += "; ties or scalar masses do not carry rigid motion"
    yield Check("mass balance", error, MASS_BALANCE, verdict, text)
    if a.mass == 0.0 and assembled.mass.diagonal().any():
        yield Check(
            "mass", 0.0, 0.0, "warn", "all mass is at dofs without a known place, so mass properties are unknown"
        )
    elif a.mass <= 0.0:
        text = "the total mass is zero, so there are no modes: give the materials their density"
        yield Check(
            "mass", a.mass, 0.0, "fail", text if a.mass == 0.0 else f"the total mass is negative, {a.mass:.6g} {unit}"
        )


def _units(model: StructuralModel) -> Iterator[Check]:
    if model.unit_system == "consistent":
        yield Check(UNIT_CHECK, 0, 0.0, "ok", "skipped: the units of the deck are unknown (consistent)")
        return
    strange = implausible_units(model)
    found = [item for item, _ in strange]
    ids = list(dict.fromkeys(material for _, material in strange if material is not None))
    text = "; ".join(item.message for item in found[:6]) or "densities, moduli and size are plausible"
    if len(found) > 6:
        text += f"; and {len(found) - 6} more such value{'s' * (len(found) > 7)}"
    far = any(not item.low / GROSS <= item.value <= item.high * GROSS for item in found)
    verdict: Verdict = "fail" if far else "warn" if found else "ok"
    yield Check(UNIT_CHECK, len(found), 0.0, verdict, text, _ids(ids))
