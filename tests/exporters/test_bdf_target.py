"""Bulk data as an export target: a deck in other units reads back to the same stiffness and mass."""

import pytest
from support.appendages import random_bodies

import tisserand as ts
from tisserand.errors import InputError
from tisserand.exporters.bdf_target import difference
from tisserand.exporters.registry import export_appendage, export_model


@pytest.mark.parametrize("units", ["SI", "mm-t-s", "in-lbf-s"])
def test_a_boom_reads_back(tmp_path, units):
    boom = ts.boom(2.0, ts.tube(0.05, 0.002), ts.ALUMINUM, tip_mass=1.0)
    result = export_model(boom, "bdf", tmp_path / "boom.bdf", units=units)
    assert result.read_back_error < 1e-8
    assert difference(ts.read_model(tmp_path / "boom.bdf", units), boom) < 1e-8


def test_a_record_is_refused_by_name(tmp_path):
    with pytest.raises(InputError, match="bdf does not take a record; expected a structural model"):
        export_appendage(random_bodies(), "bdf", tmp_path / "a.bdf")
