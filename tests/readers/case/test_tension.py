"""Tension of cables and prestress of membranes in case files; numbers in the case's units."""

from __future__ import annotations

import meshio
import numpy as np
import pytest

from tisserand.errors import CaseError
from tisserand.readers.registry import read_model

CASE = """units = "mm-t-s"

[mesh]
file = "sheet.vtk"

[materials.foil]
young = 4000.0
poisson = 0.3
density = 1.4e-9

[sections.sheet]
kind = "membrane"
material = "foil"
thickness = 0.05
prestress = [0.05, 0.1, 0.0]
orientation = [1.0, 0.0, 0.0]

[sections.rope]
kind = "cable"
material = "foil"
area = 1.0
{tension}
"""


def write(tmp_path, tension):
    points = np.array([[0.0, 0, 0], [1000, 0, 0], [1000, 1000, 0], [0, 1000, 0]])
    mesh = meshio.Mesh(points, [("quad", np.array([[0, 1, 2, 3]])), ("line", np.array([[0, 2]]))])
    mesh.write(tmp_path / "sheet.vtk")
    file = tmp_path / "case.toml"
    file.write_text(CASE.format(tension=tension))
    return file


def test_units_and_sections(tmp_path):
    """0.05 N/mm is 50 N/m, 5 N is 5 N; 0.05 mm of 1400 kg/m³ is 0.07 kg/m²."""
    model = read_model(write(tmp_path, "tension = 5.0"))
    by_family = {section.family: section for section in model.sections}
    assert by_family["membrane"].prestress == pytest.approx((50.0, 100.0, 0.0))
    assert by_family["membrane"].areal_mass == pytest.approx(0.07)
    assert by_family["rod"].tension == pytest.approx(5.0)


def test_a_cable_needs_its_tension(tmp_path):
    with pytest.raises(CaseError, match="tension"):
        read_model(write(tmp_path, ""))
