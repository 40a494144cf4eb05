"""Universal files as pyuff reads them."""

import numpy as np
import pytest
from scipy.linalg import eigh
from support.appendages import polynomial_panel, random_bodies

from tisserand.exporters.registry import export_appendage


def test_pyuff_reads_nodes_elements_and_modes(tmp_path):
    pyuff = pytest.importorskip("pyuff")
    panel = polynomial_panel(4, 2)
    export_appendage(panel, "uff", tmp_path / "p.unv", units="mm-t-s")
    file = pyuff.UFF(str(tmp_path / "p.unv"))
    assert [int(kind) for kind in file.get_set_types()] == [164, 2411, 2412, 55, 55]
    units, nodes, elements, *modes = file.read_sets()
    assert units["length"] == pytest.approx(1000.0)
    assert np.column_stack([nodes[a] for a in "xyz"]) == pytest.approx(1000.0 * panel.nodes.positions, abs=1e-9)
    assert len(elements[91]) == len(panel.topology.triangles) and len(elements[11]) == len(panel.topology.lines)
    for k, mode in enumerate(modes):
        assert mode["freq"] == pytest.approx(panel.frequencies_hz[k], rel=1e-5)
        shape = np.column_stack([mode[f"r{i}"] for i in (1, 2, 3)]) / np.sqrt(1000.0)
        assert shape == pytest.approx(
            panel.nodes.translation[:, :, k], abs=1e-5 * np.abs(panel.nodes.translation).max()
        )


def test_coordinates_that_are_not_modes_become_modes(tmp_path):
    """Modes of (Ke, Me): the modal mass is one, and shapes carry the kinetic energy of the coordinates."""
    pyuff = pytest.importorskip("pyuff")
    appendage = random_bodies(3)
    result = export_appendage(appendage, "uff", tmp_path / "p.unv")
    assert any("not modes" in loss for loss in result.losses)
    modes = [s for s in pyuff.UFF(str(tmp_path / "p.unv")).read_sets() if s["type"] == 55]
    exact = np.sqrt(eigh(appendage.stiffness, appendage.integrals.modal_mass, eigvals_only=True)) / (2.0 * np.pi)
    assert [m["freq"] for m in modes] == pytest.approx(exact.tolist(), rel=1e-5)
    assert [m["modal_m"] for m in modes] == pytest.approx([1.0] * 4)
