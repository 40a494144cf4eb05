"""Use an installed tisserand from an empty folder: deck to record to flight to export, with numbers that are known."""

import importlib.metadata
import math
import sys
from pathlib import Path

import tisserand as ts
from tisserand.studies.shipped import shipped_mesh

place = Path(ts.__file__).parent
assert "site-packages" in place.parts or "dist-packages" in place.parts, place
assert ts.__version__ == importlib.metadata.version("tisserand")

# The shipped boom, from the package's own data.
deck = shipped_mesh("boom.bdf")
assert place in deck.parents, deck
found = ts.modes(deck, units="SI", count=4, output="boom.h5")
assert found.proof and not found.proof["missed"], found.proof
record = ts.load_record("boom.h5")

# A uniform clamped beam against its closed form: f1 = 1.875104² sqrt(E I / m L⁴) / 2 pi.
length, section = 3.0, ts.rectangle(0.03, 0.02)
beam = ts.reduce(
    ts.solve_modes(ts.assemble(ts.boom(length, section, ts.ALUMINUM, elements=24)), count=2), attachment="root"
)
young, inertia = ts.ALUMINUM.young, 0.03 * 0.02**3 / 12
expected = (
    1.8751040687**2 * math.sqrt(young * inertia / (ts.ALUMINUM.density * 0.03 * 0.02)) / (2 * math.pi * length**2)
)
assert abs(beam.frequencies_hz[0] / expected - 1) < 1e-3, (beam.frequencies_hz[0], expected)

# A free flight keeps its angular momentum; the engine's kernels are compiled here for the first time.
bus = ts.Body("bus", 200.0, inertia=[80.0, 90.0, 100.0])
craft = ts.Vehicle("craft", [bus], appendages=[ts.MountedAppendage("boom", beam, "bus", position=[0.0, 0.5, 0.0])])
run = ts.simulate(craft, duration=2.0, initial=ts.State(angular_velocity=[0.01, 0.02, 0.03]))
start, end = run.balance.angular_momentum[0], run.balance.angular_momentum[-1]
assert max(abs(end - start)) < 1e-7 * max(abs(start)), (start, end)
ts.save_trajectory(run, "flight.h5")
assert len(ts.load_trajectory("flight.h5").times) == len(run.times)

# Exports and a picture.
written = ts.export("boom.h5", to="sid", output="boom.sid")
assert Path("boom.sid").stat().st_size > 0, written
ts.open("boom.h5").record.plot_mode(1)

versions = ", ".join(
    f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "scipy", "numba", "h5py", "pydantic")
)
sys.stdout.write(f"Python {sys.version.split()[0]} with {versions}: first mode {found.frequencies_hz[0]:.12g} Hz\n")
