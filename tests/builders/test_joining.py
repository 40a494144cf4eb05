"""Parts joined: names, and frequencies against the undivided structure and against rigid bodies on springs."""

import numpy as np
import pytest

import tisserand as ts


def frequencies(model, count=6, **options):
    return ts.solve_modes(ts.assemble(model), count=count, **options).frequencies_hz


def half(name, clamped=False):
    return ts.boom(1.0, ts.rigidities((40.0, 90.0), 0.5), elements=8, clamped=clamped, name=name)


def test_two_halves_are_one_boom():
    whole = ts.boom(2.0, ts.rigidities((40.0, 90.0), 0.5), elements=16)
    two = ts.join(half("inner", True), half("outer"))
    assert dict(two.interfaces).keys() == {"root", "inner.tip", "tip"}
    np.testing.assert_allclose(two.position("tip"), [2, 0, 0], atol=1e-12)
    np.testing.assert_allclose(frequencies(two), frequencies(whole), rtol=1e-9)


def test_a_weld_over_a_gap_is_a_rigid_link():
    """A rigid gap g at the tip of a boom with a tip mass moves the mass outward: the same as an offset body."""
    light = ts.boom(0.01, ts.rigidities(0.1, 1e-6), elements=1, clamped=False, name="stub").with_mass("root", 3.0)
    joined = ts.join(half("inner", True), light, gap=(0.25, 0, 0))
    wanted = ts.boom(1.0, ts.rigidities((40.0, 90.0), 0.5), elements=8, tip_mass=3.0, tip_offset=(0.25, 0, 0))
    np.testing.assert_allclose(frequencies(joined, 4), frequencies(wanted, 4), rtol=1e-6)


@pytest.mark.parametrize("turn", [0.0, 0.6])
def test_a_panel_on_a_spring_hinge(turn):
    """A stiff panel on a hinge line along its edge: f = sqrt(k / (m a^2 / 3)) / 2 pi, whatever its direction."""
    wall = ts.sheet(ts.isotropic(70e12, 0.3, 2000.0), 0.01)
    yoke = ts.plate(0.3, 0.6, wall, elements=(2, 4), name="yoke").with_support("x-")
    panel = ts.plate(0.8, 0.6, wall, elements=(4, 4), name="panel")
    axis = np.array([np.sin(-turn), np.cos(turn), 0.0])
    if turn:
        yoke, panel = yoke.rotated((0, 0, 1), turn), panel.rotated((0, 0, 1), turn)
    wing = ts.join(yoke, panel, at=("x+", "x-"), by=ts.spring_hinge(axis, 12.0), name="wing")
    m = 0.8 * 0.6 * 0.01 * 2000
    assert frequencies(wing, 1)[0] == pytest.approx(np.sqrt(12.0 / (m * 0.8**2 / 3)) / (2 * np.pi), rel=2e-3)


def test_a_stiff_hinge_is_a_weld_and_keeps_rigid_motion_free():
    wall = ts.honeycomb(ts.ALUMINUM, 3e-4, ts.HONEYCOMB, 0.02)
    panels = [ts.plate(0.8, 0.6, wall, elements=(6, 4), name=f"panel {i}") for i in range(3)]
    welded = ts.join(*panels, at=("x+", "x-"))
    hinged = ts.join(*panels, at=("x+", "x-"), by=ts.spring_hinge("y", 1e8))
    one = ts.plate(2.4, 0.6, wall, elements=(18, 4))
    np.testing.assert_allclose(frequencies(welded), frequencies(one), rtol=1e-9)
    np.testing.assert_allclose(frequencies(hinged, 4), frequencies(one, 4), rtol=1e-3)
    assert ts.solve_modes(ts.assemble(hinged), count=2).rigid_body_modes == 6


def test_names_of_a_chain():
    wall = ts.sheet(ts.STEEL, 0.01)
    panels = [ts.plate(1.0, 0.5, wall, elements=(2, 2), name=name) for name in ("a", "b", "c")]
    chain = ts.join(*panels, at=("x+", "x-"), by=ts.spring_hinge("y", 1.0), gap=(0.1, 0, 0), name="wing")
    np.testing.assert_allclose(chain.position("x-"), [0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(chain.position("x+"), [3.2, 0, 0], atol=1e-12)
    np.testing.assert_allclose(chain.position("b.x-"), [1.1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(chain.position("c.tip"), [3.2, 0, 0], atol=1e-12)
    assert "y+" not in chain.node_sets and chain.name == "wing"


def test_a_bushing_between_two_bodies():
    """Two masses on a spring: f = sqrt(k (1/m1 + 1/m2)) / 2 pi along it."""

    def stiff(name):
        return ts.boom(0.1, ts.rigidities(1e6, 1e-6), elements=1, clamped=False, name=name)

    a = stiff("a").with_mass("tip", 2.0, inertia=(5.0, 5.0, 5.0))
    b = stiff("b").with_mass("root", 3.0, inertia=(5.0, 5.0, 5.0))
    pair = ts.join(a, b, by=ts.bushing((800.0, 9e5, 9e5, 9e6, 9e6, 9e6)))
    found = frequencies(pair, 1, free=True)[0]
    assert found == pytest.approx(np.sqrt(800 * (1 / 2 + 1 / 3)) / (2 * np.pi), rel=1e-5)


def test_turning_and_moving_change_no_frequency():
    wall = ts.laminate([(ts.CARBON_T300, 2e-4, 30.0), (ts.CARBON_T300, 2e-4, -45.0)])
    part = ts.plate(1.0, 0.5, wall, elements=(6, 4)).with_mass(
        "tip", 0.3, offset=(0, 0, 0.1), inertia=(1e-3, 2e-3, 3e-3)
    )
    part = part.with_support("x-", "123").with_support("x+", "3")
    moved = part.rotated((1, -2, 0.5), 1.1, about=(0.2, 0, 0)).moved((3, 4, 5))
    np.testing.assert_allclose(frequencies(moved), frequencies(part), rtol=1e-8)
    before, after = (ts.mass_properties_of(ts.assemble(m)) for m in (part, moved))
    np.testing.assert_allclose(after.principal[0], before.principal[0], rtol=1e-9)


def test_a_hub_that_only_follows_adds_no_stiffness():
    plate = ts.plate(1.0, 0.5, ts.sheet(ts.ALUMINUM, 0.004), elements=(8, 4)).with_support("x-")
    free, rigid = plate.with_hub("end", "x+", rigid=False), plate.with_hub("end", "x+")
    np.testing.assert_allclose(frequencies(free, 4), frequencies(plate, 4), rtol=1e-8)
    assert frequencies(rigid, 4)[1] > frequencies(plate, 4)[1] * 1.0001


def test_a_solid_on_a_boom_through_a_hub():
    """A stiff block at the tip of a boom is a tip body of the block's mass properties."""
    block = ts.block((0.2, 0.1, 0.1), ts.isotropic(7e9, 0.3, 1500.0), elements=(2, 1, 1)).with_hub("foot", "x-")
    boom = ts.boom(1.0, ts.rigidities(40.0, 0.5), elements=8)
    joined = ts.join(boom, block, at=("tip", "foot"))
    m = 1500 * 0.2 * 0.1 * 0.1
    own = m / 12 * np.array([0.02, 0.05, 0.05])
    wanted = ts.boom(1.0, ts.rigidities(40.0, 0.5), elements=8, tip_mass=m, tip_offset=(0.1, 0, 0), tip_inertia=own)
    np.testing.assert_allclose(frequencies(joined, 4), frequencies(wanted, 4), rtol=1e-4)


def test_joined_models_fly_and_are_stored(tmp_path):
    wing = ts.join(half("inner", True), half("outer"), name="wing")
    record = ts.reduce(ts.solve_modes(ts.assemble(wing), count=4), attachment="root", damping=0.01)
    ts.save_record(record, tmp_path / "wing.h5")
    again = ts.load_record(tmp_path / "wing.h5")
    bus = ts.Body("bus", 50.0, inertia=[10, 12, 14])
    craft = ts.Vehicle("craft", [bus], appendages=[ts.MountedAppendage("wing", again, "bus")])
    run = ts.simulate(craft, 2.0, ts.State(angular_velocity=[0.02, 0.01, 0.05]))
    assert run.complete and max(run.balance.worst().values()) < 1e-7


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: ts.join(half("a")), "two parts"),
        (lambda: ts.join(half("a"), half("b"), at=("tip", "end")), "unknown point or node set"),
        (
            lambda: ts.join(
                ts.plate(1.0, 1.0, ts.sheet(ts.STEEL, 0.01), elements=(2, 2)),
                ts.plate(1.0, 1.0, ts.sheet(ts.STEEL, 0.01), elements=(2, 3)),
                at=("x+", "x-"),
            ),
            "different numbers",
        ),
        (
            lambda: ts.join(
                ts.block((1, 1, 1), ts.STEEL),
                ts.block((1, 1, 1), ts.STEEL),
                at=("x+", "x-"),
                by=ts.spring_hinge("y", 1.0),
            ),
            "hub",
        ),
        (lambda: ts.join(half("a"), half("b").changed(mass_recipe="lumped")), "differ in mass_recipe"),
        (lambda: ts.spring_hinge("w", 1.0), "axis"),
        (lambda: ts.bushing((1.0, 2.0)), "six"),
        (lambda: ts.spring_hinge("x", -1.0), "zero or more"),
        (lambda: ts.plate(1, 1, ts.sheet(ts.STEEL, 0.01)).with_point("p", "x-"), "more than one node"),
    ],
)
def test_refusals_say_what_is_wrong(make, words):
    with pytest.raises(ts.InputError, match=words):
        make()
