"""The identities of modal integrals are judged relative to the body's own size: a body of twice the mass has the same errors."""

from dataclasses import fields, replace

import pytest
from support.appendages import random_bodies


def heavier(integrals, factor):
    """The same body of another density: every integral but the mass center is proportional to it."""
    values = {item.name: getattr(integrals, item.name) for item in fields(integrals) if item.name != "center"}
    return replace(integrals, **{name: value * factor for name, value in values.items() if value is not None})


def test_violations_do_not_depend_on_the_density():
    sound = random_bodies(0).integrals
    broken = replace(sound, rotation=sound.rotation * 1.001, modal_mass=sound.modal_mass * 1.001)
    errors = broken.identity_errors()
    assert errors["eps L = H"] > 1e-9 and errors["tr N = Me"] == pytest.approx(1e-3, rel=0.01)
    for factor in (1e-6, 1e6):
        assert heavier(broken, factor).identity_errors() == pytest.approx(errors, rel=1e-9, abs=1e-15)
