"""The shipped wing with geometric stiffness and the shipped boom: inertia that stays positive, at any number of modes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from multibody.test_one_field import engine_mass
from support.recursive_calls import flat_state

from tisserand.appendage import keep_modes, reduce
from tisserand.assembly import assemble
from tisserand.modes import solve_modes
from tisserand.multibody import Body, MountedAppendage, State, Vehicle, simulate
from tisserand.multibody.recursive.compile import compile_vehicle
from tisserand.readers.registry import read_model

MESHES = Path(__file__).parents[2] / "meshes"


def smallest(record, eta) -> float:
    """Least eigenvalue of the mass matrix at eta on a hub of 1 g, scaled to a unit diagonal at rest."""
    vehicle = Vehicle(
        "v", [Body("hub", 1e-3, inertia=np.full(3, 1e-6))], appendages=[MountedAppendage("a", record, "hub")]
    )
    compiled = compile_vehicle(vehicle)
    values = []
    for at_eta in (np.zeros(record.count), eta):
        values.append(engine_mass(compiled, flat_state(compiled, State(modal={"a": at_eta})), record.count))
    size = np.sqrt(np.diag(values[0]))
    return float(np.linalg.eigvalsh(values[1] / np.outer(size, size))[0])


@pytest.mark.slow
def test_foreshortening_keeps_the_wing_positive_with_any_number_of_modes():
    """Tip motions of 1 % to 100 % of the length in random mixtures of 6, 12 and 20 modes; smaller motions need no hub."""
    record = reduce(solve_modes(assemble(read_model(MESHES / "wing.bdf", units="SI")), count=20), geometric=True)
    length = float(np.ptp(record.nodes.positions, axis=0).max())
    rng = np.random.default_rng(0)
    for count in (6, 12, 20):
        part = keep_modes(record, range(count))
        for size in (0.01, 0.03, 0.1, 0.3, 1.0):
            for _ in range(5):
                eta = rng.normal(size=count) / np.arange(1, count + 1) ** 2
                eta *= size * length / np.abs(part.nodes.translation @ eta).max()
                assert smallest(part, eta) > 0.0


def test_seventh_mode_of_the_boom_flies():
    """5 mm in mode 7, released: energy and momenta are kept."""
    record = reduce(solve_modes(assemble(read_model(MESHES / "boom.bdf", units="SI")), count=8))
    eta = np.zeros(8)
    eta[6] = 5e-3 / np.abs(record.nodes.translation[:, :, 6]).max()
    vehicle = Vehicle(
        "v", [Body("hub", 50.0, inertia=[9, 10, 11])], appendages=[MountedAppendage("boom", record, "hub")]
    )
    run = simulate(vehicle, 0.05, State(modal={"boom": eta}), rtol=1e-10)
    energy = run.balance.kinetic + run.balance.potential
    assert np.abs(energy - energy[0]).max() < 1e-7 * energy[0]
    assert np.abs(run.balance.momentum).max() < 1e-8 * np.sqrt(energy[0])
