"""Bodies on springs that are softer by 6 to 16 decades: every stated frequency is right, noted with its value, or refused.

Oracles: two masses on two springs in closed form; a rigid body on springs at its root, which a boom so much stiffer is.
"""

import re

import numpy as np
import pytest
import scipy.linalg as sla
from support.hand_built import matrices_of

import tisserand as ts
from tisserand.appendage import load_record
from tisserand.assembly import assemble
from tisserand.errors import SolverError
from tisserand.modes import solve_modes
from tisserand.readers.nastran import read_nastran
from tisserand.statics.prestress import prestress

CONTRASTS = 10.0 ** np.arange(6, 17)
LENGTH, MASS, TIP = 1.2, 0.972, 1.0


def deck(folder, lines):
    path = folder / "deck.bdf"
    path.write_text("\n".join(["SOL 103", "CEND", "BEGIN BULK", *lines, "ENDDATA", ""]))
    return path


def short(value):
    """A number for a field of 16 characters."""
    return f"{value:.9E}"


def spring(number, k, node, component, other=""):
    return [f"CELAS2* {number:<16}{short(k):<16}{node:<16}{component:<16}", f"*       {other:<32}"]


def stated(path, count):
    """(frequencies solved, frequencies noted, the notes), or None where the modes are refused."""
    return stated_of(assemble(read_nastran(path, "SI")), count)


def stated_of(model, count, **options):
    try:
        basis = solve_modes(model, count=count, **options)
    except SolverError:
        return None
    notes = [note for note in basis.notes if "are listed as rigid" in note or "may not be free" in note]
    words = re.split("alone are|that give", " ".join(notes))[1:]
    words = [text.partition(" Hz")[0] for text in words]
    noted = [float(x) for text in words for x in re.findall(r"[\d.]+(?:e[-+]\d+)?", text)]
    assert len(noted) <= basis.rigid_body_modes
    return basis.frequencies_hz, np.array(noted), notes


def lowest_of_two(k, link, masses):
    """Lower frequency of ground - k - m1 - link - m2, Hz: the product of both eigenvalues over the larger one."""
    a, b = (k + link) / masses[0], link / masses[1]
    high = 0.5 * (a + b) + np.sqrt(0.25 * (a - b) ** 2 + link * link / (masses[0] * masses[1]))
    return np.sqrt(k * link / (masses[0] * masses[1]) / high) / (2 * np.pi)


@pytest.mark.parametrize("contrast", CONTRASTS)
def test_two_masses_on_a_soft_spring(tmp_path, contrast):
    """Frequency to 1e-6, or noted to 1e-3 with the id of the spring; below 1e13 it is solved."""
    rng = np.random.default_rng(int(np.log10(contrast)))
    for _ in range(4):
        k, masses = rng.uniform(0.1, 10.0), rng.uniform(0.1, 10.0, 2)
        lines = [f"GRID,{i},,{i}.,0.,0.,,23456" for i in (1, 2)]
        for i, m in zip((1, 2), masses):
            lines += [f"CONM2*  {100 + i:<16}{i:<16}{'':<16}{m:<16.9f}", "*"]
        lines += [*spring(7, k, 1, 1), *spring(8, k * contrast, 1, 1, f"{2:<16}{1:<16}")]
        exact = lowest_of_two(float(short(k)), float(short(k * contrast)), [float(f"{m:.9f}") for m in masses])
        found = stated(deck(tmp_path, lines), 1)
        assert found is not None or contrast >= 1e13
        if found is not None and len(found[1]):
            assert contrast >= 1e13 and found[1] == pytest.approx([exact], rel=1e-3) and "elements 7)" in found[2][0]
        elif found is not None:
            assert found[0][0] == pytest.approx(exact, rel=1e-6)


def boom(k, turns, count, axis):
    """A boom along ``axis`` with a body at its tip, springs k and k L² ``turns`` at its root in all six components."""
    young, bend = 7e10, 4e-8
    lines = []
    for i in range(count + 1):
        x, y, z = LENGTH * i / count * axis
        lines += [f"GRID*   {i + 1:<16}{'':<16}{x:<16.9f}{y:<16.9f}", f"*       {z:<16.9f}"]
    lines += [f"CBAR,{i},1,{i},{i + 1},0.3,-0.2,1." for i in range(1, count + 1)]
    lines += [f"PBAR,1,1,3.-4,{bend:.1E},{bend:.1E},1.-7".replace("E-0", "-"), f"MAT1,1,{young:.1E},,0.3,2700."]
    lines += [f"CONM2,100,{count + 1},,{TIP}", "+,0.01,,0.01,,,0.01"]
    for c in range(6):
        lines += spring(901 + c, k if c < 3 else k * turns, 1, c + 1)
    return lines


def rigid_boom(k, turns, count):
    """Six frequencies of the rigid boom, Hz: stretch, twist, and twice the pencil of shift and turn about the root.

    The mass of each of ``count`` equal bars is lumped in halves at its ends.
    """
    first, second = (
        MASS * LENGTH / 2 + TIP * LENGTH,
        MASS * LENGTH**2 * (1 / 3 + 1 / (6 * count**2)) + TIP * LENGTH**2 + 0.01,
    )
    bend = sla.eigvalsh(np.diag([1.0, turns]), [[MASS + TIP, first], [first, second]])
    values = [1.0 / (MASS + TIP), turns / 0.01, *bend, *bend]
    return np.sort(np.sqrt(k * np.array(values))) / (2 * np.pi)


@pytest.mark.parametrize("count", [12, 90], ids=["dense", "sparse"])
@pytest.mark.parametrize("contrast", CONTRASTS)
def test_a_boom_on_soft_grounds(tmp_path, contrast, count):
    """E I / L³ over the springs is the contrast, and its inverse more than the boom's own bending changes; 1e8 may be refused."""
    axis = np.array([1.0, 0.0, 0.0]) if count == 12 else np.array([2.0, -1.0, 2.0]) / 3.0
    k = float(short(7e10 * 4e-8 / LENGTH**3 / contrast))
    found = stated(deck(tmp_path, boom(k, 1.0, count, axis)), 8)
    if found is None:
        assert contrast == 1e8
        return
    solved, noted, notes = found
    exact = rigid_boom(k, 1.0, count)
    listed = np.concatenate([noted, solved])
    order = np.argsort(listed, kind="stable")[:6]
    limits = np.where(order < len(noted), 1e-3, 1e-6 + 1.0 / contrast)
    assert (np.abs(listed[order] / exact - 1.0) <= limits).all()
    assert len(notes) == (1 if len(noted) else 0)


def test_the_result_warns_and_the_record_keeps_the_note(tmp_path):
    """The warnings are what the command prints and writes as JSON."""
    path = deck(tmp_path, boom(1e-7, 1.0, 12, np.array([1.0, 0.0, 0.0])))
    result = ts.modes(path, units="SI", count=3, output=tmp_path / "boom.h5")
    assert any("901" in text and "listed as rigid" in text for text in result.warnings)
    assert any("listed as rigid" in note for note in load_record(tmp_path / "boom.h5").reports["notes"])


def test_a_boom_without_grounds_has_no_note(tmp_path):
    lines = [line for line in boom(1.0, 1.0, 12, np.array([1.0, 0.0, 0.0])) if not line.startswith("CELAS2")]
    path = deck(tmp_path, [line for line in lines if line.strip() != "*"])
    basis = solve_modes(assemble(read_nastran(path, "SI")), count=2)
    assert basis.rigid_body_modes == 6 and not any("listed as rigid" in note for note in basis.notes)


def test_a_soft_direct_term_is_named(tmp_path):
    """K2GG of 1e-9 N/m at the root: 1e-9 over the whole mass."""
    lines = [line for line in boom(1.0, 1.0, 12, np.array([1.0, 0.0, 0.0])) if not line.startswith("CELAS2")]
    lines = [line for line in lines if line.strip() != "*"]
    lines += ["DMIG,SOFT,0,6,1,0,,,", "DMIG,SOFT,1,1,,1,1,1.-9"]
    path = tmp_path / "deck.bdf"
    path.write_text("\n".join(["SOL 103", "CEND", "K2GG=SOFT", "BEGIN BULK", *lines, "ENDDATA", ""]))
    _, noted, notes = stated(path, 2)
    assert noted == pytest.approx([np.sqrt(1e-9 / (MASS + TIP)) / (2 * np.pi)], rel=1e-3) and "direct terms" in notes[0]


def strung(model, tension):
    """The boom under tension by dead loads at its ends: it swings like a pendulum; shifts and twist feel the springs alone."""
    x = model.nodes.positions
    motion = np.zeros((len(x), 6))
    motion[:, 0] = tension * x[:, 0] / (7e10 * 3e-4)
    ends = {int(model.nodes.ids[-1]): [tension, 0, 0, 0, 0, 0], int(model.nodes.ids[0]): [-tension, 0, 0, 0, 0, 0]}
    return prestress(model, motion[model.dofs.node, model.dofs.component], dead_loads=ends)


ROUTES = {
    "bare": lambda path: matrices_of(assemble(read_nastran(path, "SI"))),
    "prestressed": lambda path: strung(assemble(read_nastran(path, "SI")), 50.0),
    "condensed": lambda path: assemble(read_nastran(path, "SI")),
}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("contrast", CONTRASTS)
def test_other_models_on_soft_grounds(tmp_path, contrast, route):
    """Bare matrices, prestress and a deck's own condensation: every soft motion is solved, noted with its frequency, or refused.

    Springs that are known as elements are noted to 1e-3. Bare matrices hold what is above a hundred roundings of their terms, so
    a noted frequency is good to 1 %; what is softer than that is in no digit of theirs.
    """
    k = float(short(7e10 * 4e-8 / LENGTH**3 / contrast))
    lines = boom(k, 1.0, 12, np.array([1.0, 0.0, 0.0]))
    lines += [f"ASET1,123456,{i}" for i in (1, 4, 7, 10, 13)] if route == "condensed" else []
    found = stated_of(ROUTES[route](deck(tmp_path, lines)), 8)
    if found is None:  # digits of the matrices
        assert contrast <= 1e9
        return
    solved, noted, _ = found
    exact = rigid_boom(k, 1.0, 12)
    if route == "prestressed":
        shift, twist = np.sqrt(k / np.array([MASS + TIP, 0.01])) / (2 * np.pi)
        exact = np.sort([shift, shift, shift, twist])
    soft = solved[solved < 2.0 * exact[-1]]
    # the boom bends, and swings against its tension; digits of the largest term (a bar of 0.1 m) beside the springs
    bound = 1e-6 + (k * LENGTH / 50.0 if route == "prestressed" else 1.0 / contrast)
    bound += np.finfo(float).eps * 7e10 * 3e-4 / 0.1 / k
    limits = np.concatenate([np.full(len(noted), 1e-2 if route == "bare" else 1e-3), np.full(len(soft), bound)])
    errors = np.abs(np.concatenate([noted, soft])[:, None] / exact - 1.0)
    assert (errors.min(axis=1) <= limits).all()
    if route != "bare" or contrast <= 1e7:
        assert len(errors) == len(exact) and (errors.min(axis=0) <= 1e-2).all()
