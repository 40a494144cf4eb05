"""Words of results: one line each, and a colon between the word that marks a line and its sentence."""

from __future__ import annotations

import re

import numpy as np
import pytest
from support.appendages import random_bodies
from support.command import run

import tisserand as ts
from tisserand.appendage import save_record
from tisserand.exporters.statespace import StateSpace
from tisserand.multibody import Body, SystemModes, Vehicle, simulate
from tisserand.studies.simulate import SimulationResult
from tisserand.views.report.appendage_page import appendage_page, integrals_report
from tisserand.views.report.page_words import damping_words, identity_words


def test_system_modes_say_their_frequencies_in_one_line():
    modes = SystemModes(("a", "b"), 2j * np.pi * np.arange(1.0, 9.0), np.zeros((2, 8), complex), 6)
    assert repr(modes) == "<SystemModes: 8 modes at 1, 2, 3, ..., 8 Hz, 6 rigid>"
    still = SystemModes(("a",), np.zeros(0, complex), np.zeros((1, 0), complex), 1, real_poles=np.array([-2.0]))
    assert repr(still) == "<SystemModes: 0 modes, 1 rigid, 1 real poles>"


def test_a_state_space_does_not_flood_the_screen():
    n, words = 50, ("states", "inputs", "outputs", "input_units", "output_units")
    made = StateSpace(
        *(np.zeros((n, n)) for _ in range(4)), **{word: tuple(f"{word}{i}" for i in range(n)) for word in words}
    )
    assert str(made) == "<StateSpace: 50 states, 50 inputs, 50 outputs>"


def test_what_an_export_cannot_carry_is_said_with_a_colon(tmp_path):
    record = save_record(random_bodies(9), tmp_path / "r.h5")
    done = run("export", record, "--to", "sid", "-o", tmp_path / "r.sid")
    assert done.exit_code == 0, done.stderr
    assert "not exported: " in done.stdout


def test_warnings_of_a_run_are_said_with_a_colon():
    bus = Body("bus", 10.0, inertia=np.eye(3))
    short = simulate(Vehicle("v", (bus,)), 0.1).changed(warnings=("boom spins",), complete=False, reason="limit")
    lines = SimulationResult(short, ()).summary()
    assert "[yellow]Warning:[/yellow] boom spins" in lines and "[red]Stopped:[/red] limit" in lines


@pytest.mark.parametrize(
    ("damping", "said"),
    [
        (0.005, {"damping ratio of the modes": 0.005}),
        (ts.Rayleigh(0.1, 1e-4), {"Rayleigh damping, alpha M + beta K": {"alpha (1/s)": 0.1, "beta (s)": 1e-4}}),
        (ts.Structural(0.02), {"structural damping, as half of g in every mode": {"g": 0.02}}),
    ],
)
def test_pages_say_damping_in_words(damping, said):
    """Every law that a record can state, under a name that is not that of a class."""
    boom = ts.boom(2.0, ts.tube(0.05, 0.001), ts.ALUMINUM, elements=4)
    record = ts.reduce(ts.solve_modes(ts.assemble(boom), count=2), attachment="root", damping=damping)
    words = damping_words(record.reports["damping"])
    assert {**words, "stated for": None} == {**said, "stated for": None} and words["stated for"].startswith(
        "the append"
    )
    page = re.sub(r'id="plotly">.*?</script>', "", appendage_page(record), flags=re.S)
    assert type(damping).__name__ + "<" not in page and "ModalRatio" not in page


def test_every_identity_has_words():
    """A name of the report stays behind its words only where the words quote it."""
    boom = ts.boom(2.0, ts.tube(0.05, 0.001), ts.ALUMINUM, elements=4)
    record = ts.reduce(ts.solve_modes(ts.assemble(boom), count=2), attachment="root")
    names = integrals_report(record)
    assert len(names) >= 4
    assert all(identity_words(name) != name for name in names)
