"""Records in mean axes on a vehicle: without an attachment they hold on to nothing, with one they converge slowly."""

from dataclasses import replace

import numpy as np
import pytest
from support.lines import STEEL, steel_strip

from tisserand.appendage import in_frame, reduce
from tisserand.assembly import assemble
from tisserand.errors import VehicleError
from tisserand.model import Supports
from tisserand.modes import free_interface, solve_modes
from tisserand.multibody import Body, MountedAppendage, State, Vehicle, ball, hinge, linearize, simulate, system_modes

ELEMENTS = 40
ROOT = 1.875104068711961  # first root of cos x cosh x = -1: the cantilever beam


@pytest.fixture(scope="module")
def beam():
    """A steel strip of 2 m, 50 mm x 4 mm."""
    return assemble(steel_strip(ELEMENTS))


def floating(beam, count=14, **options):
    return reduce(solve_modes(beam, count=count, free=True, frame="buckens"), name="strip", **options)


def craft(record, mass=50.0, **options):
    hub = Body("hub", mass, inertia=mass * np.ones(3))
    return Vehicle("v", (hub,), appendages=(MountedAppendage("wing", record, "hub"),), **options)


@pytest.mark.parametrize("frame", ["buckens", "tisserand", "milne"])
def test_a_record_that_holds_on_to_nothing_is_refused_on_a_body_with_mass(beam, frame):
    record = in_frame(floating(beam), frame)
    with pytest.raises(VehicleError, match=rf"appendage wing.*{frame} frame has no attachment.*attachment interface"):
        craft(record)
    with pytest.raises(VehicleError, match=r"no attachment"):  # the stated mass is more than the record's
        craft(record, mass=50.0, bodies_include_appendages=True)


def test_a_massless_body_behind_a_joint_holds_it_no_better(beam):
    record = floating(beam, interfaces={"tip": ELEMENTS + 1})
    bodies = (Body("hub", 50.0, inertia=[50.0, 50.0, 50.0]), Body("drive"))
    mount = MountedAppendage("wing", record, "drive")
    with pytest.raises(VehicleError, match=r"appendage wing.*joint drive_hinge"):
        Vehicle("v", bodies, (hinge("drive_hinge", "hub", "drive", [0, 1, 0]),), appendages=(mount,))
    # a joint at a node of the record is a real one
    real = ball("tip_joint", "drive", "hub", parent_interface=("wing", "tip"))
    assert Vehicle("v", bodies, (real,), appendages=(mount,)).base == "drive"


def test_a_free_flying_body_in_its_own_mean_axes_keeps_its_free_frequencies(beam):
    record = floating(beam, count=4)
    modes = system_modes(craft(record, mass=0.0))
    assert modes.rigid == 6
    assert modes.frequencies_hz == pytest.approx(np.sort(record.frequencies_hz), rel=1e-6)
    half = craft(record, mass=record.mass, bodies_include_appendages=True)  # the stated mass is the record's own
    assert half.mass == pytest.approx(record.mass)


def test_slow_convergence_of_mean_axis_modes_on_a_mount_is_reported(beam):
    """The monitor's frequency is that of the vehicle with a fixed base: 0.904 Hz by 14 modes, the cantilever has 0.838 Hz."""
    record = floating(beam, attachment=1)
    fixed = craft(record, base_motion="fixed")
    lowest = float(system_modes(fixed).frequencies_hz[0])
    young, density = STEEL.young, STEEL.density
    exact = ROOT**2 / (2 * np.pi * 4.0) * np.sqrt(young * 0.004**2 / (12.0 * density))
    assert lowest > 1.05 * exact
    (doubt,) = simulate(fixed, 0.01, State()).warnings
    assert f"lowest frequency of {lowest:.5g} Hz" in doubt
    assert doubt.startswith("wing moves at its attachment by 14 elastic modes") and "residual vectors" in doubt
    assert system_modes(fixed).doubts == linearize(fixed).notes == (doubt,)


def test_clamped_modes_and_residual_vectors_raise_no_doubt(beam):
    """With the residual vectors of its six root dofs the floating record has the cantilever's frequency."""
    clamped = reduce(solve_modes(beam, count=4), name="strip", attachment=1)
    assert simulate(craft(clamped), 0.01, State()).warnings == ()
    loose = assemble(replace(beam.structure, supports=Supports.clamp([])))
    rubin = free_interface(loose, np.array([(0, c) for c in range(6)]), count=14).as_basis()
    enriched = in_frame(reduce(rubin, name="strip", attachment=1), "buckens")
    mounted = craft(enriched, base_motion="fixed")
    assert mounted.appendages[0].moves_at_attachment
    assert simulate(mounted, 1e-4, State()).warnings == ()
    assert system_modes(mounted).frequencies_hz[0] == pytest.approx(clamped.frequencies_hz[0], rel=1e-6)
