"""SID files carry the equations of motion: evaluated from the file they equal sums over particles."""

import numpy as np
import pytest
from support.appendages import random_bodies

from tisserand.errors import ReadError
from tisserand.exporters.registry import export_appendage
from tisserand.exporters.sid import six
from tisserand.readers.sid import read_sid, read_sid_appendage


def sid_of(appendage, tmp_path):
    export_appendage(appendage, "sid", tmp_path / "a.SID_FEM", force=True)
    return read_sid(tmp_path / "a.SID_FEM")


@pytest.mark.parametrize("seed", range(3))
def test_equations_of_motion_from_the_file_equal_particle_sums(seed, tmp_path):
    """Modal force int phi.a dm and d(J)/dt w for particles moving as r + phi eta in a frame with a, alpha, w.

    a_p = a + alpha x x + w x (w x x) + 2 w x u' + phi eta''; the file says Ct a + Cr alpha + Ge(eta') w + Oe w_q + Me eta''.
    """
    appendage = random_bodies(seed, offsets=False)
    sid, rng, k = sid_of(appendage, tmp_path), np.random.default_rng(seed + 50), appendage.count
    points, phi = appendage.nodes.positions, appendage.nodes.translation
    generator = np.random.default_rng(seed)
    generator.normal(size=(6, 3))
    masses = generator.uniform(0.5, 2.0, 6)
    a, alpha, w = rng.normal(size=(3, 3))
    eta, rate, acceleration = 0.1 * rng.normal(size=(3, k))
    x, u_dot = points + phi @ eta, phi @ rate
    particle = a + np.cross(alpha, x) + np.cross(w, np.cross(w, x)) + 2 * np.cross(w, u_dot) + phi @ acceleration
    brute = np.einsum("n,nak,na->k", masses, phi, particle)
    o = sid.objects
    taylor = lambda t: t.m0 + (0 if t.m1 is None else np.einsum("rqc,q->rc", t.m1, eta))  # noqa: E731
    w_q = np.array([*w**2, w[0] * w[1], w[1] * w[2], w[0] * w[2]])
    coriolis = np.einsum("lka,k,a->l", o["Ge"].m0.reshape(k, k, 3), rate, w)
    said = taylor(o["Ct"]) @ a + taylor(o["Cr"]) @ alpha + coriolis + taylor(o["Oe"]) @ w_q + o["Me"].m0 @ acceleration
    assert said == pytest.approx(brute, abs=1e-10 * np.abs(brute).max())
    # angular momentum about O to first degree in the shapes: J(eta) and Gr
    J1 = np.einsum("rqc,q->r", o["J"].m1, eta)
    moved = sum(m * (np.dot(p, p) * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, points))
    first = sum(
        m * (2 * np.dot(p, d) * np.eye(3) - np.outer(p, d) - np.outer(d, p))
        for m, p, d in zip(masses, points, phi @ eta)
    )
    assert o["J"].m0.ravel() == pytest.approx(six(moved), abs=1e-10)
    assert pytest.approx(six(first), abs=1e-10) == J1
    gyration = np.einsum("akb,k,b->a", o["Gr"].m0.reshape(3, k, 3), rate, w)
    brute_gyration = sum(-2 * m * np.cross(p, np.cross(d, w)) for m, p, d in zip(masses, points, u_dot))
    assert gyration == pytest.approx(brute_gyration, abs=1e-10 * np.abs(brute_gyration).max())


def test_a_sid_file_becomes_the_same_appendage(tmp_path):
    appendage = random_bodies(11)
    sid_of(appendage, tmp_path)
    found = read_sid_appendage(tmp_path / "a.SID_FEM")
    assert found.inertia_level == "full"
    for word in ("inertia", "translation", "rotation", "position_shape", "shape_shape", "modal_mass"):
        assert getattr(found.integrals, word) == pytest.approx(getattr(appendage.integrals, word), abs=1e-12)
    assert found.interfaces[1].position == pytest.approx(appendage.interfaces[1].position)


def test_ge_stored_axis_by_axis_is_recognized(tmp_path):
    """The public samples of one writer store Ge axis-major."""
    appendage = random_bodies(12)
    sid = sid_of(appendage, tmp_path)
    k = appendage.count
    swapped = sid.objects["Ge"].m0.reshape(k, k, 3).transpose(0, 2, 1).reshape(k, 3 * k)
    from dataclasses import replace

    from tisserand.readers.sid import Taylor, appendage_of_sid

    other = replace(sid, objects={**sid.objects, "Ge": Taylor(swapped)})
    notes = appendage_of_sid(other).reports["notes"]
    assert any("axis by axis" in note for note in notes)
    assert not appendage_of_sid(sid).reports["notes"]


def test_geometric_stiffening_goes_into_the_first_order_terms(tmp_path):
    appendage = random_bodies(13)
    k = appendage.count
    rng = np.random.default_rng(0)
    families = {name: (m := rng.normal(size=(k, k))) + m.T for name in ("ay", "alz", "wzz", "wzx")}
    stiff = appendage.changed(geometric_stiffness=families)
    plain, sid = sid_of(appendage, tmp_path).objects, sid_of(stiff, tmp_path).objects
    assert sid["Ct"].m1[:, :, 1] == pytest.approx(families["ay"])
    assert sid["Cr"].m1[:, :, 2] - plain["Cr"].m1[:, :, 2] == pytest.approx(families["alz"])
    assert sid["Oe"].m1[:, :, 2] - plain["Oe"].m1[:, :, 2] == pytest.approx(families["wzz"])
    assert sid["Oe"].m1[:, :, 5] - plain["Oe"].m1[:, :, 5] == pytest.approx(families["wzx"])


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda t: "\n".join(t.splitlines()[:-30]), "ends inside a block"),
        (lambda t: t.replace("m0(   1,   1)", "m0(   1,  99)", 1), "index out of range"),
        (lambda t: "nonsense\n" + t, "first line"),
        (lambda t: t.replace("  mdCM\n", "  mdXX\n", 1), "unknown keyword"),
    ],
)
def test_damaged_files_are_named_with_their_line(damage, message, tmp_path):
    export_appendage(random_bodies(), "sid", tmp_path / "a.SID_FEM")
    (tmp_path / "b.SID_FEM").write_text(damage((tmp_path / "a.SID_FEM").read_text()))
    with pytest.raises(ReadError, match=message):
        read_sid(tmp_path / "b.SID_FEM")
