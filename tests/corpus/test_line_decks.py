"""Decks of rods, bars, beams, springs and nodal bodies against the frequencies their own solver printed.

References: MSC Nastran, Simcenter Nastran, MYSTRAN (f06, op2) as listed in the corpus. Tolerance 1e-5; reduction decks are
condensed here with textbook formulas (Guyan 1965; Craig and Bampton 1968), dense.
"""

import json

import numpy as np
import pytest
import scipy.linalg
from support.corpus import deck, needs_corpus, references, shared
from support.deck_results import elastic

from tisserand.assembly.assemble import assemble
from tisserand.modes import solve_modes
from tisserand.readers.nastran import read_deck, read_nastran

pytestmark = needs_corpus
TOLERANCE = 1e-5

#: deck: number of printed frequencies that are modes (the rest are residual vectors or unconverged Ritz values)
PLAIN = {
    "beam_modes": 10,
    "pn_mwe_s-solution_1": 3,
    "pn_mwe_s-sol_111": 3,  # the deck asks for modes below 2000 Hz; five residual vectors follow
    "bah_plane": 8,  # the deck asks for eight; four unconverged Ritz values follow
    "0012_flutter": 2,
    "004_72_bar_truss": 10,
    "003_svanberg_bar": 10,
    "noReduction": 10,
    "nas2cam_extseout_full": 278,
    "test_1_test_case": 10,
    "BAR-CC-GIV": 4,
}
FIXED_INTERFACE = ("nas2cam_extseout_inboard", "nas2cam_extseout_outboard", "CB-EXAMPLE-12")
REDUCED = ("guyanReduction", "dynamicReduction", "cbSuper1Mode", "cbSuper2Modes", "cbSuper3Modes")


def frequencies(stiffness, mass, shift_hz):
    """All finite frequencies in Hz; a shift keeps free and massless dofs harmless."""
    shift = (2.0 * np.pi * shift_hz) ** 2
    mu = scipy.linalg.eigh(mass, stiffness + shift * mass, eigvals_only=True)
    mu = mu[mu > 1e-13 * mu.max()]
    return np.sort(np.sqrt(np.maximum(1.0 / mu - shift, 0.0))) / (2.0 * np.pi)


def matrices(model, held_rows=None):
    """Dense K and M over free dofs, and the dof table rows kept."""
    assembled = assemble(model)
    held = assembled.held()
    if held_rows is not None:
        index = assembled.dofs.index[held_rows[:, 0], held_rows[:, 1]]
        held[index[index >= 0]] = True
    keep = np.flatnonzero(~held)
    square = np.ix_(keep, keep)
    return assembled.stiffness.toarray()[square], assembled.mass.toarray()[square], assembled, keep


def worst_error(ours, printed):
    wanted = elastic(printed)
    found = ours[ours > 0.5 * wanted[0]][: len(wanted)]
    assert len(found) == len(wanted)
    return float(np.max(np.abs(found / wanted - 1.0)))


@pytest.mark.parametrize("name", PLAIN)
def test_frequencies_of_plain_decks(name):
    """K phi = omega^2 M phi with the deck's own supports and mass recipe."""
    model = read_deck(deck(name), "consistent").main
    printed = references()[name]["freqs_hz"]
    stiffness, mass, *_ = matrices(model)
    ours = frequencies(stiffness, mass, elastic(printed)[0])
    error = worst_error(ours, printed[: PLAIN[name]])
    print(f"{name}: {error:.1e}")
    assert error < TOLERANCE
    assert model.analysis.count is None or model.analysis.count > 0


def test_listing_beyond_the_request_is_unconverged():
    """Ritz values lie above the eigenvalues they stand for (Courant-Fischer); so do the four surplus lines of bah_plane."""
    model = read_deck(deck("bah_plane"), "consistent").main
    printed = np.array(references()["bah_plane"]["freqs_hz"])
    stiffness, mass, *_ = matrices(model)
    ours = frequencies(stiffness, mass, 2.4)
    assert model.analysis.count == 8
    assert (printed[8:] > ours[8:12]).all()


@pytest.mark.parametrize("name", FIXED_INTERFACE)
def test_fixed_interface_frequencies(name):
    """Boundary sets (BSET, SUPORT) read from the deck, held: the printed fixed-interface modes."""
    model = read_deck(deck(name), "consistent").main
    boundary = model.analysis.interface if len(model.analysis.interface) else model.analysis.reference
    assert len(boundary)
    printed = references()[name]["freqs_hz"]
    stiffness, mass, *_ = matrices(model, boundary)
    error = worst_error(frequencies(stiffness, mass, elastic(printed)[0]), printed)
    print(f"{name}: {error:.1e}")
    assert error < TOLERANCE


def craig_bampton(model, modes):
    """Reduced K and M over (boundary dofs, modes), and the boundary rows in order."""
    stiffness, mass, assembled, keep = matrices(model)
    rows = [
        tuple(row) for row in np.stack([assembled.dofs.node[keep], assembled.dofs.component[keep]], axis=1).tolist()
    ]
    boundary = [rows.index(tuple(row)) for row in model.analysis.interface.tolist() if tuple(row) in rows]
    inner = [i for i in range(len(rows)) if i not in boundary]
    kii, mii = stiffness[np.ix_(inner, inner)], mass[np.ix_(inner, inner)]
    constraint = -np.linalg.solve(kii, stiffness[np.ix_(inner, boundary)])
    mu, vectors = scipy.linalg.eigh(mii, kii)
    shapes = vectors[:, np.argsort(-mu)[:modes]]
    basis = np.zeros((len(rows), len(boundary) + modes))
    basis[boundary, range(len(boundary))] = 1.0
    basis[inner, : len(boundary)] = constraint
    basis[inner, len(boundary) :] = shapes
    return basis.T @ stiffness @ basis, basis.T @ mass @ basis, [rows[i] for i in boundary]


@pytest.mark.parametrize("name", REDUCED)
def test_condensed_decks(name):
    """ASET: Guyan; ASET and QSET: Craig-Bampton; part superelements joined at the points SECONCT names."""
    read = read_deck(deck(name), "consistent")
    printed = references()[name]["freqs_hz"]
    if not read.parts:
        k, m, _ = craig_bampton(read.main, read.main.analysis.modal_points)
    else:
        joint = sorted({c for part in read.parts for _, c in part.model.analysis.interface.tolist()})
        modal = [part.model.analysis.modal_points for part in read.parts]
        size = len(joint) + sum(modal)
        k, m = np.zeros((size, size)), np.zeros((size, size))
        start = len(joint)
        for part, count in zip(read.parts, modal):
            own = next(c for c in read.connections if c.first == part.id)
            assert own.second == 0 and len(own.points) == 1 + count
            kp, mp, rows = craig_bampton(part.model, count)
            assert {part.model.nodes.ids[node] for node, _ in rows} == {6}
            at = [joint.index(c) for _, c in rows] + list(range(start, start + count))
            k[np.ix_(at, at)] += kp
            m[np.ix_(at, at)] += mp
            start += count
    error = worst_error(frequencies(k, m, printed[0]), printed)
    print(f"{name}: {error:.1e}")
    assert error < TOLERANCE


def test_every_nastran_deck_is_read_with_a_full_ledger():
    """All Nastran decks of the corpus: read, every card accounted for, mass as Nastran weighed it."""
    names = [name for name, entry in references().items() if not entry["file"].endswith(".inp")]
    for name in names:
        read = read_deck(deck(name), "consistent")
        models = [m for m in (read.main, *(part.model for part in read.parts)) if m is not None]
        assert models
        for model in models:
            assert all(entry.count > 0 and (entry.fate == "used" or entry.reason) for entry in model.ledger.entries)
            assert not model.ledger.dropped
    flexible = read_deck(deck("01_FlexibleTip_sol103"), "SI").main
    assert flexible.ledger.balance["mass read"] == pytest.approx(0.2870035, rel=1e-6)  # GPWG
    random = read_deck(deck("random_test_bar_plus_tri"), "consistent").main
    assert random.ledger.balance["mass read"] / 0.00259 == pytest.approx(10000.0205, rel=1e-7)  # GPWG, single precision
    print(f"{len(names)} Nastran decks read; {len(PLAIN) + len(FIXED_INTERFACE) + len(REDUCED)} with frequencies")
    assert len(names) == 26
    assert len(PLAIN) + len(FIXED_INTERFACE) + len(REDUCED) == 19


@pytest.mark.parametrize(
    "name", ["beam_modes", "bah_plane", "004_72_bar_truss", "nas2cam_extseout_full", "CB-EXAMPLE-12"]
)
def test_ledger_balances_mass_and_center(name):
    """Mass and center of the imported blocks and sections equal those of the assembled matrices (rigid-body vectors)."""
    balance = assemble(read_deck(deck(name), "consistent").main).ledger.balance
    assert balance["mass assembled"] == pytest.approx(balance["mass read"], rel=1e-12)
    for axis in "xyz":
        size = 1e-10 * max(abs(balance[f"center {other} read"]) for other in "xyz")
        assert balance[f"center {axis} assembled"] == pytest.approx(balance[f"center {axis} read"], abs=size)


def test_external_parts_keep_their_bookkeeping():
    """EXTSEOUT assembly: boundary points, modal points and the files that hold the reduced matrices."""
    read = read_deck(deck("nas2cam_extseout_assemble"), "consistent")
    assert [(part.id, part.kind, part.matrices.name) for part in read.parts] == [
        (101, "EXTOP4", "outboard.op4"),
        (102, "EXTOP4", "inboard.op4"),
    ]
    sizes = {connection.first: len(connection.points) for connection in read.connections}
    assert sizes == {101: 4 + 22, 102: 4 + 8}
    assert [len(part.model.analysis.interface) for part in read.parts] == [24 + 22, 24 + 8]
    assert len(read.main.constraints) == 2 and any("MPC 701" in note for note in read.main.ledger.notes)


def test_punched_element_matrices():
    """MSC Nastran's own 12x12 K and M of one CBAR (EXTSEOUT punch) against the element: printed to 10 digits."""
    folder = deck("003_svanberg_bar").parent
    punched = read_deck(folder / "barmat.pch", "consistent").parts[0].model
    element = read_deck(folder / "barmat.dat", "consistent").main
    ours, theirs = assemble(element), assemble(punched)
    for word in ("stiffness", "mass"):
        a, b = getattr(ours, word).toarray(), getattr(theirs, word).toarray()
        assert a.shape == b.shape == (12, 12)
        assert np.abs(a - b).max() < 1e-9 * np.abs(a).max()


def test_beams_with_shear_factors():
    """rdop2gpwg_2 of the sweep: CBEAM with K1 and K2, large bodies, free, WTMASS; twelve frequencies to the digits printed."""
    name = "pyyeti/pyyeti/tests/nastran_op2_data/rdop2gpwg_2.dat"
    path = shared() / "corpus" / "sweep" / name
    if not path.exists():
        pytest.skip("the sweep of decks is not in the corpus")
    entries = json.loads((shared() / "corpus" / "sweep" / "sweep.json").read_text())
    reference = np.array([f for entry in entries if entry["file"] == name for f in entry["freqs_hz"] if f > 1e-2])
    assert len(reference) == 12
    found = solve_modes(assemble(read_nastran(path, units="SI")), count=12).frequencies_hz
    assert np.asarray(found) == pytest.approx(reference, rel=5e-7)
