"""What a profile can ask of a model, a record, a delivered model, and of a comparison with another one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tisserand.appendage.comparison.compare_records import Comparison
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.assembly.check_report import CheckReport
from tisserand.linalg import factorize, pencil_of
from tisserand.modes.asked import solve_modes
from tisserand.modes.modal_basis import ModalBasis
from tisserand.responses.acceptance import Measured
from tisserand.responses.correlation.correlate_modes import Correlation
from tisserand.responses.delivery_checks import DeliveryCheck

Found = dict[str, Measured]


def measures_of_model(model: AssembledModel, report: CheckReport) -> Found:
    """Model checks, the static residual, and the rigid modes of the free structure."""
    strains = [row for row in report.rows if row.name.startswith("rigid-body strain")]
    out: Found = {"failed_checks": Measured(float(sum(row.verdict == "fail" for row in report.rows)), "model checks")}
    if strains:
        worst = max(strains, key=lambda row: row.value)
        out["rigid_strain"] = Measured(worst.value, worst.message)
    for measure, name in (
        ("mass_balance", "mass balance"),
        ("mechanisms", "mechanisms"),
        ("negative_mass", "negative mass"),
    ):
        rows = [row for row in report.rows if row.name == name]
        if rows:
            out[measure] = Measured(float(rows[0].value), rows[0].message)
    out["epsilon"] = static_residual(model)
    free = solve_modes(model, free=True, count=1)
    out["rigid_modes"] = Measured(float(free.rigid_body_modes), "of the structure without its supports")
    if free.proof is not None and free.proof.rigid_rayleigh and len(free):
        rigid = float(np.sqrt(np.abs(free.proof.rigid_rayleigh).max())) / (2.0 * np.pi)
        out["rigid_frequency"] = Measured(rigid / float(free.frequencies_hz[0]), "of the first elastic frequency, free")
    return out


def static_residual(model: AssembledModel) -> Measured:
    """Largest epsilon u'(f - K u) / u'f of unit accelerations in three directions, held as the deck states."""
    held = model.held()
    if not held.any():
        return Measured(None, "the structure has no supports")
    pencil = pencil_of(model.stiffness, model.mass, ~held, model.dofs.node)
    factor = factorize(pencil.k, groups=pencil.groups)
    load = np.asarray(model.mass @ model.rigid_body_vectors[:, :3])[pencil.free]
    u = factor.solve(np.ascontiguousarray(load))
    factor.release()
    rest = np.abs(np.einsum("ik,ik->k", u, load - pencil.k @ u))
    work = np.abs(np.einsum("ik,ik->k", u, load))
    return Measured(float((rest / np.maximum(work, 1e-300)).max()), "work of the residual forces of unit accelerations")


def measures_of_record(record: ReducedAppendage) -> Found:
    """Proof of the modes, frame, identities of the integrals, effective masses, ledger and units."""
    out: Found = {}
    proof = record.reports.get("proof")
    if isinstance(proof, Mapping):
        out["missed_modes"] = Measured(
            float(proof["missed"]), f"below {float(proof['sturm_shift_hz']):.4g} Hz (Sturm count)"
        )
        if "worst_error" in proof:
            out["eigenvalue_error"] = Measured(float(proof["worst_error"]), "largest bound on an eigenvalue")
    out["frame_residual"] = Measured(float(max(record.frame.residuals, default=0.0)), f"{record.frame.name} frame")
    out["identity_error"] = Measured(float(max(record.integrals.identity_errors().values())), "modal integrals")
    if record.rigid_body_modes:
        out["effective_mass"] = Measured(None, "a free body: the frame carries the rigid motion")
    else:
        rigid = np.diag(record.integrals.rigid_mass)[:3]
        share = 1.0 - np.diag(record.integrals.residual_mass)[:3] / np.where(rigid > 0.0, rigid, 1.0)
        words = ", ".join(f"{axis} {100 * value:.1f} %" for axis, value in zip("xyz", share))
        out["effective_mass"] = Measured(float(share.min()), words)
    ledger = record.reports.get("ledger")
    entries: Any = ledger.get("entries", []) if isinstance(ledger, Mapping) else []
    if entries:
        for measure, fate in (("dropped_cards", "dropped"), ("approximated_cards", "approximated")):
            names = [entry["card"] for entry in entries if entry["fate"] == fate]
            out[measure] = Measured(float(len(names)), ", ".join(names[:6]) or "none")
    doubts = record.reports.get("units_doubt", ())
    unknown = record.unit_system == "consistent"
    words = "the length unit is unknown" if unknown else "; ".join(map(str, list(doubts)[:3])) or record.unit_system
    out["unit_doubts"] = Measured(float(len(doubts) + unknown), words)
    return out


def measures_of_delivery(check: DeliveryCheck) -> Found:
    """Figures of a delivered model by its own matrices."""
    model = check.model
    rows = {row.name: row for row in check.rows.rows}
    out: Found = {"negative_part": Measured(rows["mass: negative part"].value, "of the mass matrix")}
    if model.held:
        for word in ("grounding", "rigid_mass_error", "rigid_frequency", "rigid_modes"):
            out[word] = Measured(None, f"supports hold {model.held} dofs inside the model")
        return out
    out["grounding"] = Measured(rows["grounding force"].value, rows["grounding force"].meaning)
    errors = [row.value for name, row in rows.items() if name.startswith("rigid mass")]
    if errors:
        out["rigid_mass_error"] = Measured(max(errors), "stiffness and eigensolution against geometry")
    if "last rigid frequency" in rows:
        out["rigid_frequency"] = Measured(rows["last rigid frequency"].value, "of the first elastic frequency, free")
        count = check.rigid_count
        found = int((check.free_hz < 1e-3 * check.free_hz[count]).sum())
        words = "of the free model" + (f", {6 - count} of them without mass" if count < 6 else "")
        out["rigid_modes"] = Measured(float(found + 6 - count), words)
    if len(check.fixed_hz):
        share = check.effective_percent[:, :3].sum(axis=0) / 100.0
        words = ", ".join(f"{axis} {100 * value:.1f} %" for axis, value in zip("xyz", share))
        out["effective_mass"] = Measured(float(share.min()), f"{words}; the rest moves with the interface")
    return out


def measures_of_comparison(comparison: Comparison) -> Found:
    """Paired modes of two records: frequency, MAC, modes without a partner."""
    out: Found = {"unpaired_modes": Measured(float(len(comparison.unpaired_a)), f"of {comparison.name_a}")}
    if comparison.pairs:
        words = f"{len(comparison.pairs)} pairs"
        out["frequency_error"] = Measured(max(abs(pair.change) for pair in comparison.pairs), words)
        out["mac"] = Measured(min(pair.mac for pair in comparison.pairs), words)
    return out


def measures_of_correlation(found: Correlation) -> Found:
    """Paired modes of a model and a test: frequency, MAC, products over the mass, measured modes without a partner."""
    out: Found = {
        "unpaired_modes": Measured(float(len(found.unpaired_test)), f"of {len(found.test.hz)} measured modes")
    }
    if found.pairs:
        words = f"{len(found.pairs)} pairs at {len(found.rows)} measured directions"
        out["frequency_error"] = Measured(float(np.abs(found.changes()).max()), words)
        out["mac"] = Measured(min(float(found.mac[pair]) for pair in found.pairs), words)
        size = np.abs(found.cross)
        out["cross_orthogonality"] = Measured(min(float(size[pair]) for pair in found.pairs), words)
        rest = size[[t for t, _ in found.pairs]].copy()
        rest[np.arange(len(found.pairs)), [m for _, m in found.pairs]] = 0.0
        out["off_diagonal"] = Measured(float(rest.max(initial=0.0)), words)
    return out


def cross_orthogonality(basis: ModalBasis, record: ReducedAppendage) -> FloatArray | None:
    """(k, m) products of modes of a model with those of a record over the model's mass, of unit size, or None."""
    model = basis.model
    place = {int(node): i for i, node in enumerate(record.nodes.ids)}
    ids = [int(i) for i in model.nodes.ids]
    if any(i not in place for i in ids):
        return None
    rows = [place[i] for i in ids]
    motion = np.stack([record.nodes.translation[rows], record.nodes.rotation[rows]], axis=1)  # (n, 2, 3, m)
    if model.nodes.axes is not None:
        motion = np.einsum("nab,ngbk->ngak", model.nodes.axes, motion)
    theirs = motion.reshape(len(ids), 6, -1)[model.dofs.node, model.dofs.component]
    mass = model.mass
    own = basis.shapes
    size = [np.sqrt(np.einsum("ik,ik->k", x, mass @ x)) for x in (own, theirs)]
    return np.asarray(own.T @ (mass @ theirs)) / np.outer(size[0], np.maximum(size[1], 1e-300))


def measures_of_products(products: FloatArray) -> Found:
    """Smallest product of partners and largest of others, of a cross-orthogonality matrix (k, m)."""
    size = np.abs(products)
    partner = size.argmax(axis=1)
    best = size[np.arange(len(size)), partner]
    rest = size.copy()
    rest[np.arange(len(size)), partner] = 0.0
    return {
        "cross_orthogonality": Measured(float(best.min()), "smallest product of two partners"),
        "off_diagonal": Measured(float(rest.max(initial=0.0)), "largest product of two others"),
    }
