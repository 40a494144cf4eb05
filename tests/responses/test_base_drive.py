"""Base drive against pyYeti, Miles, closed forms of small chains, and the full model."""

import numpy as np
import pytest
from pyyeti import ode, psd
from pyyeti import srs as yeti_srs
from support.chains import chain
from support.command import run

import tisserand as ts
from tisserand.errors import InputError
from tisserand.responses.base_drive import G, miles, random, shaken, shock, sine
from tisserand.responses.delivered_file import save_delivered
from tisserand.responses.modal_system import modal_motion
from tisserand.responses.notches import force_limited, limited_rows, notched_random, notched_sine
from tisserand.responses.shock_spectrum import shock_spectrum
from tisserand.responses.spectra import Spectrum, spectrum_of


def direct_response(masses, springs, zeta, hz):
    """Absolute accelerations per base acceleration of the chain with modal damping, by matrices of three dofs."""
    n = len(masses)
    M, K = np.diag(masses), np.zeros((n, n))
    for i, k in enumerate(springs):
        K[i, i] += k
        if i:
            K[i - 1, i - 1] += k
            K[i, i - 1] -= k
            K[i - 1, i] -= k
    from scipy.linalg import eigh

    values, X = eigh(K, M)
    B = M @ X @ np.diag(2 * zeta * np.sqrt(values)) @ X.T @ M
    out = []
    for f in hz:
        s = 2j * np.pi * f
        relative = np.linalg.solve(s * s * M + s * B + K, -M @ np.ones(n))
        out.append(1.0 + s * s * relative)
    return np.array(out), np.sqrt(values) / (2 * np.pi)


def test_three_masses_by_hand():
    """Accelerations, spring forces and the force at the base of three masses against matrices solved frequency by frequency."""
    masses, springs = (2.0, 1.0, 0.5), (4e5, 2e5, 1e5)
    system = shaken(chain(masses, springs), damping=0.03)
    found = sine(system, "z", spectrum_of([(5.0, 1.0), (500.0, 1.0)]))
    wanted, hz = direct_response(masses, springs, 0.03, found.hz)
    assert system.w / (2 * np.pi) == pytest.approx(hz, rel=1e-10)
    assert np.abs(found.transfer[:, :3] - wanted).max() < 1e-9 * np.abs(wanted).max()
    force = 3.0 + wanted @ np.array(masses)
    assert np.abs(found.transfer[:, -1] - force).max() < 1e-9 * np.abs(force).max()
    s = 2j * np.pi * found.hz
    relative = (wanted - 1.0) / (s * s)[:, None]
    spring = springs[2] * (relative[:, 2] - relative[:, 1])
    row = system.labels.index("spring: mass 3")
    assert np.abs(found.transfer[:, row] - spring).max() < 1e-8 * np.abs(spring).max()


def test_one_mode_is_miles_within_one_percent():
    """A mass on a spring, 2 % damping, flat input from a tenth to ten times its frequency."""
    one = chain((2.0,), (3e5,))
    system = shaken(one, damping=0.02, recoveries=["acceleration"])
    f = float(system.w[0]) / (2 * np.pi)
    found = random(system, "z", spectrum_of([(f / 10, 1.5), (10 * f, 1.5)]))
    assert found.rms[0] == pytest.approx(miles(f, 0.02, 1.5), rel=0.01)


def test_random_response_is_that_of_pyyeti():
    """solvepsd of pyYeti (SolveUnc, trapezoids) on the same frequencies: densities and root mean squares within 1e-6."""
    model = chain()
    system = shaken(model, damping=0.03)
    spec = spectrum_of([(20.0, 0.01), (80.0, 0.04), (200.0, 0.04), (500.0, 0.01)])
    found = random(system, "z", spec)
    assert spec.area == pytest.approx(float(psd.area(np.column_stack([spec.hz, spec.levels]))[0]), rel=1e-12)
    fs = ode.SolveUnc(np.ones(3), 2 * system.zeta * system.w, system.w**2)
    rms, density = ode.solvepsd(
        fs, found.base, system.inputs[:, 2:3], found.hz, [[system.second, None, system.zeroth, system.direct[:, 2:3]]]
    )
    assert found.density == pytest.approx(density[0].T, rel=1e-6)
    assert found.rms == pytest.approx(rms[0], rel=1e-6)
    assert found.cumulative[-1] == pytest.approx(found.rms, rel=1e-12)


def test_transients_are_those_of_pyyeti():
    """SolveUnc.tsolve of pyYeti (piecewise linear, exact) for a half sine of 5 ms, rigid mode included, within 1e-6."""
    system = shaken(chain(), damping=0.03)
    h = 1e-4
    t = np.arange(0.0, 0.2, h)
    base = np.zeros((len(t), 6))
    base[:, 2] = np.where(t < 0.005, 50 * G * np.sin(np.pi * t / 0.005), 0.0)
    ours = system.transient(h, base)
    fs = ode.SolveUnc(np.ones(3), 2 * system.zeta * system.w, system.w**2, h)
    sol = fs.tsolve(system.inputs[:, 2:3] @ base[:, 2][None])
    theirs = system.second @ sol.a + system.zeroth @ sol.d + system.direct[:, 2:3] @ base[:, 2][None]
    for r in range(len(ours.T)):
        assert ours[:, r] == pytest.approx(theirs[r], abs=1e-6 * np.abs(theirs[r]).max())
    eta, rate = modal_motion(0.0, 0.0, h, base[:, 2])
    rigid = ode.SolveUnc(np.ones(1), np.zeros(1), np.zeros(1), h).tsolve(base[:, 2][None])
    assert eta == pytest.approx(rigid.d[0], abs=1e-6 * np.abs(rigid.d).max())
    assert rate == pytest.approx(rigid.v[0], abs=1e-6 * np.abs(rigid.v).max())


def test_shock_spectra_are_those_of_pyyeti():
    """srs of pyYeti (absolute acceleration, zero start, no rolloff, primary) within 1e-6."""
    rng = np.random.default_rng(4)
    h = 1e-4
    values = rng.normal(size=(4000, 2)).cumsum(axis=0)
    values -= values[:1]
    hz = np.geomspace(5.0, 900.0, 25)
    for q in (10.0, 25.0):
        theirs = yeti_srs.srs(values, 1 / h, hz, q, rolloff="none", time="primary")
        assert shock_spectrum(values, h, hz, q=q, residual=False) == pytest.approx(theirs, rel=1e-6)
    with pytest.raises(InputError, match="too far apart"):
        shock_spectrum(values, h, [5000.0])


def test_modal_superposition_of_one_mode_is_exact():
    """One mode: the peak of its acceleration is the level of the spectrum at its frequency."""
    one = chain((2.0,), (3e5,))
    system = shaken(one, damping=0.05, recoveries=["acceleration", "spring"])
    f = float(system.w[0]) / (2 * np.pi)
    found = shock(system, "z", spectrum_of([(f / 4, 100.0), (4 * f, 100.0)]))
    assert found.srss[0] == pytest.approx(100.0, rel=1e-9)
    assert found.absolute[1] == pytest.approx(2.0 * 100.0, rel=1e-9)  # spring force: mass times acceleration
    several = shock(shaken(chain(), damping=0.05), "z", spectrum_of([(5.0, 100.0), (500.0, 100.0)]))
    assert (several.srss <= several.nrl + 1e-9).all() and (several.nrl <= several.absolute + 1e-9).all()


def test_quasi_static_limit():
    """Far below the first mode everything moves with the base: the force at the base is the mass times the acceleration."""
    found = sine(shaken(chain(), damping=0.02), "z", spectrum_of([(0.01, 1.0), (0.02, 1.0)]))
    assert np.abs(found.transfer[0, -1]) == pytest.approx(3.0 + 3.5, rel=1e-5)


def test_notches_keep_limits_and_cut_no_more():
    system = shaken(chain(), damping=0.02)
    found = sine(system, "z", spectrum_of([(5.0, 10.0), (200.0, 10.0)]))
    limits = {"acceleration: mass 3": 60.0, "interface force": 200.0}
    base = notched_sine(found, limits)
    rows = limited_rows(found.labels, limits)
    ratio = np.array([np.abs(found.transfer[:, r]) * base / limit for r, limit in rows.items()])
    assert ratio.max() == pytest.approx(1.0, rel=1e-12)
    touched = base < found.base
    assert touched.any() and (ratio.max(axis=0)[touched] > 1 - 1e-12).all()  # only where a row is at its limit
    wide = random(system, "z", Spectrum(np.array([20.0, 500.0]), np.array([0.5, 0.5])))
    cut = notched_random(wide, {"interface force": 100.0})
    row = next(iter(limited_rows(wide.labels, {"interface force": 1.0})))
    rms = np.sqrt(np.trapezoid(np.abs(wide.transfer[:, row]) ** 2 * cut, wide.hz))
    assert 3 * wide.rms[row] > 100.0 and 3 * rms == pytest.approx(100.0, rel=1e-6)
    f0 = float(system.w[0]) / (2 * np.pi)
    lowered = force_limited(wide, row, 6.5, factor=1.5, break_hz=f0)
    allowed = (1.5 * 6.5) ** 2 * wide.base * np.where(wide.hz > f0, (f0 / wide.hz) ** 2, 1.0)
    assert (np.abs(wide.transfer[:, row]) ** 2 * lowered <= allowed * (1 + 1e-12)).all() and (lowered < wide.base).any()
    with pytest.raises(InputError, match="concerns no recovered row"):
        limited_rows(found.labels, {"nothing": 1.0})


def test_mistakes():
    with pytest.raises(InputError, match="ascending"):
        spectrum_of([(10.0, 1.0), (5.0, 1.0)])
    with pytest.raises(InputError, match="above zero"):
        spectrum_of([(10.0, 1.0), (20.0, -1.0)])
    with pytest.raises(InputError, match="ratios from 0"):
        shaken(chain(), damping=1.5)


def test_peaks_of_coarse_histories_are_found_between_samples(tmp_path):
    """A constant acceleration of 1 m/s², sampled about once per period of an undamped mode, doubles in it: within 2 %."""
    part = save_delivered(chain((1.0,), ((2 * np.pi * 50.0) ** 2,)), tmp_path / "part.h5")
    times = 0.0201 * np.arange(20)
    table = tmp_path / "history.csv"
    np.savetxt(table, np.column_stack([times, np.ones(20)]), delimiter=",")
    found = ts.base_drive(part, environment="transient", history=table, direction="z", damping=0.0, si=True)
    row = found.labels.index("acceleration: mass 1")
    assert found.peaks[row] == pytest.approx(2.0, rel=0.02)
    assert found.at[row] % 0.02 == pytest.approx(0.01, abs=0.02 / 16)
    np.savetxt(table, np.column_stack([times, times, times]), delimiter=",")
    with pytest.raises(InputError, match="history of one direction"):
        ts.base_drive(part, environment="transient", history=table, direction="z", damping=0.0)


def test_what_input_and_modes_do_not_cover_is_said(tmp_path):
    """A random input above the highest mode, and modes outside a shock spectrum; nothing where they cover each other."""
    part = save_delivered(chain((1.0,), ((2 * np.pi * 50.0) ** 2,)), tmp_path / "part.h5")
    ask = {"direction": "z", "damping": 0.02}
    assert not ts.base_drive(part, environment="sine", spectrum="10:1,50:1", **ask).notes
    assert not ts.base_drive(part, environment="shock", spectrum="10:1,60:1", **ask).notes
    (note,) = ts.base_drive(part, environment="random", spectrum="10:1,80:1", **ask).notes
    assert "up to 80 Hz" in note and "up to 50 Hz" in note
    (note,) = ts.base_drive(part, environment="shock", spectrum="60:1,80:1", **ask).notes
    assert "1 of 1 modes are below" in note
    words = ["--environment", "shock", "--spectrum", "10:1,20:1", "--direction", "z", "--damping", "0.05"]
    shown = run("base-drive", part, *words)
    assert shown.exit_code == 0 and "warning" in shown.stderr and "level at 20 Hz" in shown.stderr
