"""Unit systems against the SI brochure's definitions, and the plausibility check."""

import pytest

from tisserand.errors import UnitsError
from tisserand.units import SYSTEMS, implausibilities, unit_system


@pytest.mark.parametrize(
    ("name", "force", "density", "pressure"),
    [
        ("SI", 1.0, 1.0, 1.0),
        ("mm-t-s", 1.0, 1e12, 1e6),
        ("mm-kg-ms", 1e3, 1e9, 1e9),
        ("in-lbf-s", 4.4482216152605, 4.4482216152605 / 0.0254**4, 6894.757293168),
        ("ft-slug-s", 4.4482216152605, 515.3788183932, 47.88025898034),
        ("cm-g-s", 1e-5, 1e3, 0.1),
    ],
)
def test_derived_factors(name, force, density, pressure):
    """Pound-force and inch are exact by definition; the slug and psi follow."""
    system = unit_system(name)
    assert system.force == pytest.approx(force, rel=1e-12)
    assert system.density == pytest.approx(density, rel=1e-9)
    assert system.pressure == pytest.approx(pressure, rel=1e-9)


def test_frequency_does_not_depend_on_the_system():
    """sqrt(k/m) is the same number of rad/s in every system whose time unit is the second."""
    for system in SYSTEMS.values():
        rate = (system.linear_stiffness / system.mass) ** 0.5
        assert rate == pytest.approx(1.0 / system.time)


def test_explicit_factors_and_refusals():
    assert unit_system("0.001,1000,1").pressure == pytest.approx(1e6)
    assert unit_system(" si ") is unit_system("SI")
    for wrong in ("inches", "1,2", "0,1,1", "1,1,inf", "nan,1,1"):
        with pytest.raises(UnitsError, match="unknown unit system"):
            unit_system(wrong)
    with pytest.raises(UnitsError, match="does not state its units"):
        unit_system(None)


def test_steel_in_tonnes_taken_as_si_is_noticed():
    """7.85e-9 t/mm³ read as kg/m³, and 210000 MPa read as Pa."""
    (light,) = implausibilities(density=7.85e-9, young=210e9)
    assert "too light for any solid" in light.message and "millimeters" in light.message
    assert implausibilities(density=7850.0, young=210e9, size=3.0) == []
    assert implausibilities(density=32.0, young=1e6) == []  # honeycomb core
    assert implausibilities(density=0.0) == []  # massless on purpose
    assert [i.quantity for i in implausibilities(size=2e4)] == ["size"]
