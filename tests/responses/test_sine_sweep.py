"""Swept sines: a slow sweep is a steady sine, a quick one lags and stays below it, against time histories of pyYeti."""

from dataclasses import replace

import numpy as np
import pytest
from pyyeti import ode, ytools
from support.chains import chain

import tisserand as ts
from tisserand.errors import InputError
from tisserand.responses.base_drive import shaken, sine
from tisserand.responses.delivered_file import save_delivered
from tisserand.responses.sine_sweep import swept_sine
from tisserand.responses.spectra import spectrum_of


def flat(hz):
    return np.full(np.shape(hz), 3.0)


def test_a_quick_sweep_is_that_of_pyyeti():
    """gensweep (log, 10 octaves/min) and SolveUnc with 200 points per cycle: peaks of all rows within 0.3 %."""
    system = shaken(chain(), damping=0.005)
    sweep, t, _ = ytools.gensweep(200, 30.0, 120.0, 10.0)
    step = t[1] - t[0]
    solver = ode.SolveUnc(np.ones(3), 2 * system.zeta * system.w, system.w**2, step)
    sol = solver.tsolve(system.inputs[:, 2:3] @ (3.0 * sweep)[None])
    theirs = system.second @ sol.a + system.zeroth @ sol.d + system.direct[:, 2:3] @ (3.0 * sweep)[None]
    ours = swept_sine(system, "z", flat, 30.0, 120.0, 10.0)
    peaks, at = ours.peaks
    assert ours.duration == pytest.approx(12.0)
    assert peaks == pytest.approx(np.abs(theirs).max(axis=1), rel=3e-3)
    steady, where = sine(system, "z", spectrum_of([(30.0, 3.0), (120.0, 3.0)])).peaks
    assert (peaks[:3] < 0.97 * steady[:3]).all() and (at[1:3] > where[1:3]).all()  # it has not settled, and lags
    below, lag = swept_sine(system, "z", flat, 30.0, 120.0, -10.0).peaks
    assert (below[:3] < 0.97 * steady[:3]).all() and (lag[1:3] < where[1:3]).all()


def test_a_slow_sweep_is_a_steady_sine():
    """Two percent damping, a tenth of an octave per minute: within 0.2 % of the steady peaks; with dampers that couple, too."""
    one = chain((2.0,), (3e5,))
    for system in (shaken(one, damping=0.02), shaken(_damped(one), damping=0.0)):
        steady = sine(system, "z", spectrum_of([(50.0, 3.0), (75.0, 3.0)])).peaks[0]
        assert swept_sine(system, "z", flat, 50.0, 75.0, 0.1).peaks[0] == pytest.approx(steady, rel=2e-3)


def _damped(model):
    D = np.zeros((7, 7))
    D[6, 6] = 2 * 0.02 * np.sqrt(3e5 * 2.0)
    return replace(model, damping=D)


def test_a_sweep_by_command_and_its_limits(tmp_path):
    save_delivered(chain(), tmp_path / "chain.h5")
    options = {"environment": "sine", "direction": "z", "spectrum": "30:1,120:1", "damping": 0.01, "si": True}
    steady = ts.base_drive(tmp_path / "chain.h5", **options)
    swept = ts.base_drive(tmp_path / "chain.h5", sweep=8.0, plot=tmp_path / "s.png", **options)
    assert swept.steady_peaks == pytest.approx(steady.peaks) and swept.peaks[0] < steady.peaks[0]
    assert "steady" in str(swept) and (tmp_path / "s.png").exists()
    allowed = 0.5 * float(steady.peaks[0])
    cut = ts.base_drive(tmp_path / "chain.h5", sweep=8.0, limits={swept.labels[0]: allowed}, **options)
    assert allowed < cut.notched_peaks[0] < cut.peaks[0]  # a mode rings on into a notch that is swept quickly
    with pytest.raises(InputError, match="sweep: has no effect with environment random"):
        ts.base_drive(tmp_path / "chain.h5", **{**options, "environment": "random"}, sweep=2.0)
    with pytest.raises(InputError, match="too slow to follow"):
        ts.base_drive(tmp_path / "chain.h5", sweep=1e-3, **options)
