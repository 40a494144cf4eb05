"""Coupled loads: two delivered chains joined at a node against pyYeti and against the momentum of the whole."""

import json
from dataclasses import replace

import numpy as np
import pytest
from pyyeti import ode
from scipy.linalg import eigh
from support.chains import chain
from support.command import run

import tisserand as ts
from tisserand.errors import InputError
from tisserand.responses.coupled_loads import LoadEvent, coupled_loads, forced, read_event
from tisserand.responses.delivered_file import save_delivered
from tisserand.responses.joined_models import join_models
from tisserand.responses.modal_system import coupled_motion


def system():
    """Two chains of three and two masses on one base node."""
    first, second = chain(), chain((1.5, 0.7), (3e5, 1.2e5), base=1.0)
    return join_models([replace(first, name="first"), replace(second, name="second")]).system


def event(name="kick", peak=1000.0, step=1e-4):
    t = step * np.arange(round(0.3 / step))
    return LoadEvent(name, 0.0, step, ("node 1 T3",), np.where(t < 0.01, peak * np.sin(np.pi * t / 0.01), 0.0)[:, None])


def test_transient_and_extremes_are_those_of_pyyeti():
    """SolveUnc (modes, 2 % damping, rigid modes among them) and the same rows: histories within 1e-6 of their peaks."""
    whole, kick = system(), event()
    found = coupled_loads(whole, [kick], damping=0.02)
    values, phi = eigh(whole.stiffness, whole.mass)
    w = np.sqrt(np.maximum(values, 0.0))
    w[:6] = 0.0
    zeta = np.where(w > 0.0, 0.02, 0.0)
    solver = ode.SolveUnc(np.ones(len(w)), 2 * zeta * w, w**2, kick.step, rb=np.arange(6))
    place = [c.name for c in whole.coordinates].index("node 1 T3")
    sol = solver.tsolve(phi[place][:, None] @ kick.forces.T)
    A, D = (np.vstack([getattr(item, word) for item in whole.recoveries]) for word in ("acceleration", "displacement"))
    theirs = A @ phi @ sol.a + D @ phi @ sol.d
    times, ours = found.histories["kick"]
    for r, label in enumerate(found.extremes.labels):
        assert ours[:, r] == pytest.approx(theirs[r], abs=1e-6 * np.abs(theirs[r]).max()), label
    row = found.extremes.labels.index("first: acceleration: mass 3")
    assert found.extremes.maximum[0, row] == pytest.approx(theirs[row].max(), rel=1e-6)
    assert found.extremes.maximum_time[0, row] == pytest.approx(times[theirs[row].argmax()])


def test_the_parts_take_what_acts():
    """The forces of both parts at the shared node add up to the force there, at every step, within 1e-7 of its peak.

    Neither damping of the parts nor that of system modes acts on a joint that holds them without strain.
    """
    whole, kick = system(), event()

    def taken(**damping):
        model = forced(whole, ["node 1 T3"], **damping)
        rows = model.transient(kick.step, kick.forces)
        return sum(rows[:, model.labels.index(f"{part}: interface force: z")] for part in ("first", "second"))

    for damping in ({"damping": 0.0}, {"damping": 0.02}, {"damping": 0.02, "damped": "parts"}):
        assert taken(**damping) == pytest.approx(kick.forces[:, 0], abs=1e-7 * 1000.0)


def test_the_energy_that_goes_in_is_stored_or_damped():
    """Work of the force = kinetic + strain energy + what the dampers take, at the end, within 1e-5 (trapezoids of the power)."""
    whole, kick = system(), event(step=1e-5)
    model = forced(whole, ["node 1 T3"], damping=0.03, damped="parts")
    eta, rate = coupled_motion(model._state_matrix(), kick.step, kick.forces @ model.inputs.T)
    power = kick.forces[:, 0] * (rate @ model.inputs[:, 0])
    taken = np.einsum("ni,ij,nj->n", rate, model.rates, rate)
    stored = 0.5 * (rate[-1] @ rate[-1] + (model.w * eta[-1]) @ (model.w * eta[-1]))
    work, lost = (np.trapezoid(x, dx=kick.step) for x in (power, taken))
    assert lost > 0.1 * work
    assert work == pytest.approx(stored + lost, rel=1e-5)


def test_dampers_that_couple_the_modes_are_those_of_pyyeti():
    """A damper between two masses, far from proportional: SolveUnc (complex modes) within 1e-6; response by matrices."""
    whole, kick = system(), event()
    D = np.zeros((len(whole), len(whole)))
    first = next(i for i, c in enumerate(whole.coordinates) if c.kind == "elastic")
    D[np.ix_([first, first + 1], [first, first + 1])] = 150.0 * np.array([[1.0, -1.0], [-1.0, 1.0]])
    damped = replace(whole, damping=D)
    found = coupled_loads(damped, [kick], damping=0.01)
    values, phi = eigh(whole.stiffness, whole.mass)
    w = np.sqrt(np.maximum(values, 0.0)) * (np.arange(len(values)) > 5)
    B = phi.T @ D @ phi + np.diag(0.02 * w)
    B[:6], B[:, :6] = 0.0, 0.0
    assert np.abs(B - np.diag(np.diag(B))).max() > 0.1 * np.abs(np.diag(B)).max()
    place = [c.name for c in whole.coordinates].index("node 1 T3")
    sol = ode.SolveUnc(np.ones(len(w)), B, np.diag(w**2), kick.step, rb=np.arange(6)).tsolve(
        phi[place][:, None] @ kick.forces.T
    )
    A, Z = (np.vstack([getattr(item, word) for item in whole.recoveries]) for word in ("acceleration", "displacement"))
    theirs = A @ phi @ sol.a + Z @ phi @ sol.d
    ours = found.histories["kick"][1]
    for r, label in enumerate(found.extremes.labels):
        assert ours[:, r] == pytest.approx(theirs[r], abs=1e-6 * np.abs(theirs[r]).max()), label
    hz = np.array([3.0, 40.0, 77.0])
    model = forced(damped, ["node 1 T3"], damping=0.0)
    for f, row in zip(hz, model.response(hz, 0)):
        s = 2j * np.pi * f
        q = np.linalg.solve(s * s * whole.mass + s * D + whole.stiffness, np.eye(len(whole))[place])
        wanted = (s * s * A + Z) @ q
        assert np.abs(row - wanted).max() < 1e-8 * np.abs(wanted).max()


def test_extremes_between_coarse_samples_are_found():
    """A constant force on one mass on a spring, stated at two samples per period: 2 F / m' of the closed form within 2 %."""
    whole, fine = system(), event(step=1e-5)
    coarse = LoadEvent("kick", 0.0, 0.01, fine.inputs, np.full((31, 1), 100.0))
    close = LoadEvent("kick", 0.0, 1e-5, fine.inputs, np.full((30001, 1), 100.0))
    found, meant = (coupled_loads(whole, [e], damping=0.02).extremes for e in (coarse, close))
    np.testing.assert_allclose(found.maximum, meant.maximum, atol=0.02 * np.abs(meant.maximum).max())
    loose = coupled_loads(whole, [coarse], damping=0.02).histories["kick"]
    assert len(loose[0]) == 31 and (loose[1].max(axis=0) < 0.9 * found.maximum[0]).any()


def test_numbers_that_are_not_finite_are_refused(tmp_path):
    (tmp_path / "e.csv").write_text("time,node 1 T3\n0,0\n0.1,nan\n0.2,0\n")
    with pytest.raises(InputError, match=r"not finite.*nan in row 2"):
        read_event(tmp_path / "e.csv")


def test_envelope_over_events(tmp_path):
    """Twice the force gives twice the extremes, and the envelope names the event; by command, study file and Python."""
    whole = system()
    found = coupled_loads(whole, [event(), event("harder", 2000.0)], damping=0.02)
    assert found.extremes.maximum[1] == pytest.approx(2 * found.extremes.maximum[0], rel=1e-12)
    for label, _, high, _, where, low, _, _ in found.extremes.envelope():
        assert where == "harder" or high == pytest.approx(0.0, abs=1e-9), label
        assert low <= high
    save_delivered(whole, tmp_path / "system.h5")
    for item in (event(), event("harder", 2000.0)):
        times = item.step * np.arange(len(item.forces))
        lines = ["time,node 1 T3", *(f"{t:.10g},{f[0]:.10g}" for t, f in zip(times, item.forces))]
        (tmp_path / f"{item.name}.csv").write_text("\n".join(lines) + "\n")
    files = ("-o", tmp_path / "maxima.csv", "--plot", tmp_path / "p.png")
    both = (tmp_path / "system.h5", "--events", tmp_path / "kick.csv", "--events", tmp_path / "harder.csv")
    done = run("coupled-loads", *both, "--damping", "0.02", *files, "--json")
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)["rows"]
    assert [r["maximum"] for r in told] == pytest.approx(
        [row[2] for row in found.extremes.envelope()], rel=1e-7, abs=1e-7
    )
    (tmp_path / "study.toml").write_text(
        '[coupled-loads]\nmodel = "system.h5"\nevents = ["kick.csv", "harder.csv"]\ndamping = 0.02\n'
    )
    assert ts.study(tmp_path / "study.toml").results[0][1].as_dict()["rows"] == told
    assert "harder" in (tmp_path / "maxima.csv").read_text()


def test_mistakes(tmp_path):
    with pytest.raises(InputError, match="no interface dof"):
        forced(system(), ["node 9 T1"], damping=0.02)
    with pytest.raises(InputError, match="different names"):
        coupled_loads(system(), [event(), event()], damping=0.02)
    (tmp_path / "e.csv").write_text("0,1\n1,2\n")
    with pytest.raises(InputError, match="heading"):
        read_event(tmp_path / "e.csv")
    (tmp_path / "e.csv").write_text("time,node 1 T3\n0,1\n1,2\n5,3\n")
    with pytest.raises(InputError, match="equal steps"):
        read_event(tmp_path / "e.csv")
