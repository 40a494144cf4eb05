"""From Taylor objects to a reduced appendage: L out of Gr, N out of Oe.m1 and Cr.m1, quirks of known writers detected."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.node_table import Interface, NodeTable
from tisserand.appendage.record.reduced_appendage import FrameRecord, ReducedAppendage
from tisserand.appendage.sound_record import refuse_unsound
from tisserand.arrays import LEVI_CIVITA, FloatArray, symmetric
from tisserand.errors import ReadError
from tisserand.readers.sid.grammar import SidFile, Taylor, read_sid
from tisserand.stored import parsing

#: Pairs of axes in the order of J's and of Oe's off-diagonal entries: they differ.
J_PAIRS = ((0, 1), (0, 2), (1, 2))
OE_PAIRS = ((0, 1), (1, 2), (0, 2))


def read_sid_appendage(path: str | Path) -> ReducedAppendage:
    """Read a SID file as a reduced appendage."""
    sid = read_sid(path)
    if not sid.mass > 0.0:
        raise ReadError(sid.path, None, "the mass is missing or not positive", card="mass", found=sid.mass)
    with parsing(path, "the sizes of the objects do not match"):
        appendage = appendage_of_sid(sid)
    return refuse_unsound(path, appendage)


def appendage_of_sid(sid: SidFile) -> ReducedAppendage:
    """The record described by a SID file.

    If geometric stiffening is mixed into the first-order terms, the second-degree inertia cannot be separated, and the record
    supports constant inertia only.
    """
    k = sid.count
    for needed in ("mdCM", "J", "Ct", "Cr", "Me", "Ke"):
        if needed not in sid.objects:
            raise ReadError(sid.path, None, "a Taylor object is missing", card=needed)
    objects, notes = sid.objects, list(sid.notes)
    mass = sid.mass
    first = objects["mdCM"].m0.ravel()
    P = objects["Ct"].m0.T
    Me = symmetric(objects["Me"].m0)
    L = _position_shape(sid, k)
    stiffened = objects["Ct"].order > 0
    N, exact = _shape_shape(sid, Me, notes) if not stiffened else (np.zeros((3, 3, k, k)), False)
    if stiffened:
        notes.append(
            "Ct has first-order terms: geometric stiffening is mixed into Cr and Oe, so only constant inertia is supported"
        )
    if not exact:
        for a in range(3):
            N[a, a] = Me / 3.0
    integrals = ModalIntegrals(
        mass=mass,
        center=first / mass,
        inertia=_inertia(objects["J"].m0),
        translation=P,
        rotation=objects["Cr"].m0.T,
        position_shape=L,
        shape_shape=N,
        modal_mass=Me,
        turn_first=np.zeros((3, k, k)),
        turn_second=np.zeros((3, 3, k, k)),
    )
    De = objects["De"].m0 if "De" in objects else np.zeros((k, k))
    table, interfaces = _nodes(sid, k)
    families = {}
    if stiffened:
        ct = objects["Ct"].m1
        assert ct is not None
        families = {name: symmetric(ct[:, :, i]) for i, name in enumerate(("ax", "ay", "az"))}
    return ReducedAppendage(
        name=sid.name,
        integrals=integrals,
        stiffness=symmetric(objects["Ke"].m0),
        damping=De,
        nodes=table,
        frame=FrameRecord("prescribed", "the frame of the SID file's shapes; not stated there"),
        interfaces=interfaces,
        mode_names=sid.mode_names,
        geometric_stiffness=families,
        inertia_level="full" if exact else "constant",
        reports={"notes": notes, "integrals": {"source": "SID file"}},
        provenance={"source": str(sid.path), "comment": sid.comment},
    )


def _inertia(entries: FloatArray) -> FloatArray:
    """J as 6 x 1 (xx, yy, zz, xy, xz, yz) or 3 x 3."""
    if entries.shape == (3, 3):
        return symmetric(entries)
    values = entries.ravel()
    J = np.diag(values[:3])
    for value, (a, b) in zip(values[3:], J_PAIRS):
        J[a, b] = J[b, a] = value
    return J


def _position_shape(sid: SidFile, k: int) -> FloatArray:
    """L (3, 3, k) from Gr_k = 2 (tr L 1 - L'); from H and J1 where Gr is missing."""
    if "Gr" in sid.objects:
        Gr = sid.objects["Gr"].m0.reshape(3, k, 3).transpose(0, 2, 1)
        trace = np.trace(Gr) / 4.0
        return np.asarray((np.eye(3)[:, :, None] * trace - Gr / 2.0).transpose(1, 0, 2))
    J = sid.objects["J"]
    if J.m1 is None:
        raise ReadError(sid.path, None, "neither Gr nor the first order of J is given", card="Gr")
    J1 = np.stack([_inertia(J.m1[:, q, :]) for q in range(k)], axis=2) if k else np.zeros((3, 3, 0))
    even = 0.25 * np.eye(3)[:, :, None] * np.trace(J1) - 0.5 * J1
    return np.asarray(even + 0.5 * np.einsum("abc,ck->abk", LEVI_CIVITA, sid.objects["Cr"].m0.T))


def _shape_shape(sid: SidFile, Me: FloatArray, notes: list[str]) -> tuple[FloatArray, bool]:
    """N (3, 3, k, k): even part from Oe.m1, odd part from Cr.m1; checks tr N = Me."""
    k = sid.count
    Oe, Cr = sid.objects.get("Oe"), sid.objects["Cr"]
    if Oe is None or Oe.m1 is None or Cr.m1 is None:
        notes.append("first-order terms of Oe or Cr are missing: only constant inertia is supported")
        return np.zeros((3, 3, k, k)), False
    cross = Cr.m1.transpose(2, 1, 0)  # Kx[a, k, l] = Cr.m1[l, k, a]
    _check_ge(sid, cross, notes)
    even = Oe.m1.transpose(2, 0, 1)  # [entry, l, k]
    if np.abs(even - even.transpose(0, 2, 1)).max(initial=0.0) > 1e-6 * max(
        float(np.abs(even).max(initial=0.0)), 1e-300
    ):
        notes.append("Oe.m1 is not symmetric in the modes; its symmetric part was used")
    even = symmetric(even)
    trace = -0.5 * even[:3].sum(axis=0)
    N = np.zeros((3, 3, k, k))
    for a in range(3):
        N[a, a] = even[a] + trace
    for entry, (a, b) in zip(even[3:], OE_PAIRS):
        c = 3 - a - b
        odd = LEVI_CIVITA[c, a, b] * cross[c]
        N[a, b], N[b, a] = 0.5 * (entry + odd), 0.5 * (entry - odd)
    mismatch = float(np.abs(trace - Me).max(initial=0.0)) / max(float(np.abs(Me).max(initial=0.0)), 1e-300)
    if mismatch > 1e-6:
        notes.append(f"tr N out of Oe differs from Me by {mismatch:.1e}: only constant inertia is supported")
        return np.zeros((3, 3, k, k)), False
    return N, True


def _check_ge(sid: SidFile, cross: FloatArray, notes: list[str]) -> None:
    """Ge is 2 Kx, three columns per mode; one known writer stores it axis by axis instead."""
    Ge, k = sid.objects.get("Ge"), sid.count
    if Ge is None or k == 0:
        return
    meant = 2.0 * cross.transpose(2, 1, 0)  # [l, k, a]
    scale = max(float(np.abs(meant).max()), 1e-300)
    by_mode, by_axis = Ge.m0.reshape(k, k, 3), Ge.m0.reshape(k, 3, k).transpose(0, 2, 1)
    if np.abs(by_mode - meant).max() <= 1e-6 * scale:
        return
    if np.abs(by_axis - meant).max() <= 1e-6 * scale:
        notes.append("Ge is stored axis by axis instead of mode by mode; it was recognized by comparison with 2 Cr.m1")
    else:
        notes.append("Ge agrees with 2 Cr.m1 in neither index order; Cr.m1 was used")


def _nodes(sid: SidFile, k: int) -> tuple[NodeTable, tuple[Interface, ...]]:
    zero = Taylor(np.zeros((3, k)))
    positions, shapes, turns, axes, ids = [], [], [], [], []
    for number, node in enumerate(sid.nodes, 1):
        positions.append(node.objects["origin"].m0.ravel() if "origin" in node.objects else np.zeros(3))
        shapes.append(node.objects.get("phi", zero).m0)
        turns.append(node.objects.get("psi", zero).m0)
        axes.append(node.objects["AP"].m0.T if "AP" in node.objects else np.eye(3))
        ids.append(int(node.id) if node.id.isdigit() else number)
    n = len(ids)
    if n == 0:
        raise ReadError(sid.path, None, "the file has no nodes", card="frame")
    table = NodeTable(
        np.array(ids), np.array(positions), np.array(shapes).reshape(n, 3, k), np.array(turns).reshape(n, 3, k)
    )
    points = tuple(
        Interface(node.id, ids[i], positions[i], axes[i], shapes[i], turns[i]) for i, node in enumerate(sid.nodes)
    )
    return table, points
