"""VTU is read by PyVista, glTF by pygltflib."""

import re

import meshio
import numpy as np
import pytest
from support.appendages import polynomial_panel, random_bodies

import tisserand as ts
from tisserand.exporters.gltf import drawn
from tisserand.exporters.registry import export_appendage


@pytest.mark.parametrize("name", ["shapes", "shapes.v1", "shapes.vtk"])
def test_vtu_is_written_under_any_name(tmp_path, name):
    """The target decides what is written, not the ending: every mode is in the file, and the collection names its files."""
    wing = random_bodies(0)
    result = export_appendage(wing, "vtu", tmp_path / name)
    assert result.paths[0] == tmp_path / name and all(path.is_file() for path in result.paths)
    mesh = meshio.vtu.read(tmp_path / name)
    shapes = [values for key, values in mesh.point_data.items() if key.startswith("mode_") and "rotation" not in key]
    assert len(shapes) == wing.count
    for mode, values in enumerate(shapes):
        np.testing.assert_array_equal(values, wing.nodes.translation[:, :, mode])
    (collection,) = tmp_path.glob("*.pvd")
    named = re.findall(r'file="([^"]+)"', collection.read_text())
    assert len(named) == wing.count and all((tmp_path / file).is_file() for file in named)


def test_vtu_is_read_by_vtk(tmp_path):
    pyvista = pytest.importorskip("pyvista")
    panel = polynomial_panel(6, 3)
    result = export_appendage(panel, "vtu", tmp_path / "p.vtu")
    mesh = pyvista.read(tmp_path / "p.vtu")
    name = next(n for n in mesh.point_data if n.startswith("mode_002") and not n.endswith("rotation"))
    assert np.array_equal(np.asarray(mesh.point_data[name]), panel.nodes.translation[:, :, 1])
    series = pyvista.get_reader(str(tmp_path / "p.pvd"))
    assert series.time_values == pytest.approx(panel.frequencies_hz, rel=1e-8)
    assert len(result.paths) == 5


def test_gltf_morph_targets_are_read_by_pygltflib(tmp_path):
    pygltflib = pytest.importorskip("pygltflib")
    panel = polynomial_panel(6, 3)
    export_appendage(panel, "gltf", tmp_path / "p.glb")
    scene = pygltflib.GLTF2().load(str(tmp_path / "p.glb"))
    mesh = scene.meshes[0]
    assert mesh.extras["targetNames"] == ["mode 1", "mode 2"]
    assert [a.name for a in scene.animations] == ["mode 1, 0.7 Hz", "mode 2, 2.1 Hz"]
    accessor = scene.accessors[mesh.primitives[0].targets[1]["POSITION"]]
    view = scene.bufferViews[accessor.bufferView]
    blob = scene.binary_blob()[view.byteOffset : view.byteOffset + view.byteLength]
    assert np.frombuffer(blob, "<f4").reshape(-1, 3) == pytest.approx(drawn(panel).shapes[1], abs=1e-6)


def test_beams_in_gltf_have_their_sections(tmp_path):
    """A boom of a tube: the drawn volume has the extent of the section across the axis, and sections turn with the mode."""
    pygltflib = pytest.importorskip("pygltflib")
    boom = ts.boom(2.0, ts.tube(0.05, 0.002), ts.ALUMINUM)
    record = ts.reduce(ts.solve_modes(ts.assemble(boom), count=3))
    export_appendage(record, "gltf", tmp_path / "b.glb")
    scene = pygltflib.GLTF2().load(str(tmp_path / "b.glb"))
    assert scene.meshes[0].primitives[0].mode == 4
    extent = np.ptp(np.array([scene.accessors[0].min, scene.accessors[0].max]), axis=0)
    assert sorted(extent)[:2] == pytest.approx([0.05, 0.05], rel=0.02)
