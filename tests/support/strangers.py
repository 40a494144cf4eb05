"""What tests on decks of other tools share: closed forms, and modes of a deck given as text."""

import numpy as np

from tisserand.assembly import assemble
from tisserand.modes import solve_modes
from tisserand.readers.registry import read_model

#: (beta L) of a cantilever; E, rho in mm-t-s.
BETA = np.array([1.87510407, 4.69409113, 7.85475744])
E, RHO = 70000.0, 2.7e-9


def cantilever_hz(length, inertia, area, young=E, density=RHO):
    """Euler-Bernoulli, Hz (units of the deck)."""
    return BETA**2 / (2.0 * np.pi * length**2) * np.sqrt(young * inertia / (density * area))


def modes_hz(folder, name, text, count, units="mm-t-s", **options):
    file = folder / name
    file.write_bytes(text.encode("latin-1"))
    model = read_model(file, units=units, **options)
    return model, solve_modes(assemble(model), count=count).frequencies_hz
