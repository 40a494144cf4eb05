"""Runs as films, scenes and pages: the files open in their readers and show the motion that was flown."""

import base64
import json
import struct

import numpy as np
import pytest
from support.appendages import polynomial_panel

from tisserand.errors import InputError
from tisserand.multibody import Body, MountedAppendage, State, Vehicle, simulate
from tisserand.views.moving_scene import moving_scene
from tisserand.views.report.packing import packed, unpacked
from tisserand.views.report.replay import scene_of


@pytest.fixture(scope="module")
def flown():
    bus = Body("bus", 300.0, inertia=np.diag([120.0, 110.0, 130.0]))
    panel = MountedAppendage("wing", polynomial_panel(6, 3), "bus", position=(0.5, 0.0, 0.0))
    craft = Vehicle("craft", (bus,), appendages=(panel,))
    start = State(velocity=(0.2, 0.0, 0.0), angular_velocity=(0.0, 0.3, 0.1), modal={"wing": [0.4, 0.1]})
    run = simulate(craft, 4.0, start, samples=81)
    return craft, run.changed(settings={**run.settings, "scene": scene_of(craft)})


def test_packed_numbers_come_back():
    values = np.array([1.5, -2.25, 3.0])
    assert unpacked(packed(values, "f4"), "f4") == pytest.approx(values)
    assert unpacked(packed([1, 70_000], "u4"), "u4").tolist() == [1, 70_000]
    assert base64.b64decode(packed([1], "u1")) == b"\x01"


def test_points_of_the_scene_are_where_the_run_says(flown):
    """Independent: body pose times (node position + modal displacement), from the histories and the record alone."""
    craft, run = flown
    moving = moving_scene(run, frames=len(run))
    (mounted,) = craft.appendages
    drawn = moving.parts[1]
    for frame in (0, 40, 80):
        local = drawn.points + np.einsum("knc,k->nc", drawn.shapes[:2], run.modal["wing"][frame])
        k = run.body("bus")
        meant = local @ run.rotation[frame, k].T + run.origin[frame, k]
        assert drawn.at(frame) == pytest.approx(meant, abs=2e-3)  # 16-bit shapes, second-degree shortening included
    tip = np.argmax(mounted.record.nodes.positions[:, 0])
    rest = mounted.origin + mounted.attitude @ mounted.record.nodes.positions[tip]
    assert np.linalg.norm(drawn.points - rest, axis=1).min() < 1e-6


def test_a_film_moves(flown, tmp_path, monkeypatch):
    from PIL import Image

    from tisserand.views import run_film

    monkeypatch.setattr(run_film, "FRAMES", 16)
    monkeypatch.setattr(run_film, "PIXELS", (640, 400))

    _, run = flown
    assert run.animate(tmp_path / "x.gif", deflection=2.0) == tmp_path / "x.gif"
    with Image.open(tmp_path / "x.gif") as film:
        frames = []
        for number in (0, film.n_frames // 2):
            film.seek(number)
            frames.append(np.asarray(film.convert("RGB"), float))
        assert film.n_frames == 16
    assert np.abs(frames[1] - frames[0]).mean() > 0.2
    assert np.ptp(frames[0]) > 100.0


def test_a_scene_holds_the_poses_and_weights(flown, tmp_path):
    """Read back by hand from the binary: translation of the base at the last frame, and unit quaternions."""
    _, run = flown
    run.animate(tmp_path / "x.glb")
    raw = (tmp_path / "x.glb").read_bytes()
    length = struct.unpack_from("<I", raw, 12)[0]
    scene, start = json.loads(raw[20 : 20 + length]), 20 + length + 8

    def values(number, width):
        accessor = scene["accessors"][number]
        view = scene["bufferViews"][accessor["bufferView"]]
        return np.frombuffer(raw, "<f4", accessor["count"] * width, start + view["byteOffset"]).reshape(-1, width)

    animation = scene["animations"][0]
    tracks = {c["target"]["path"]: animation["samplers"][c["sampler"]]["output"] for c in animation["channels"]}
    assert values(tracks["translation"], 3)[-1] == pytest.approx(run.position[-1], abs=1e-5)
    assert np.linalg.norm(values(tracks["rotation"], 4), axis=1) == pytest.approx(1.0, abs=1e-5)
    assert set(tracks) == {"translation", "rotation", "weights"}
    pygltflib = pytest.importorskip("pygltflib")
    assert len(pygltflib.GLTF2().load(str(tmp_path / "x.glb")).meshes) == 2


def test_pages_and_refusals(flown, tmp_path):
    craft, run = flown
    assert "replay-canvas" in run.animate(tmp_path / "x.html").read_text(encoding="utf-8")
    assert "replay-canvas" in run.animate().page
    with pytest.raises(InputError, match="unsupported file extension for a run"):
        run.animate(tmp_path / "x.avi")
    with pytest.raises(InputError, match="must be positive"):
        run.animate(tmp_path / "y.gif", deflection=0.0)
    bare = run.changed(settings={})
    with pytest.raises(InputError, match="keeps no scene"):
        bare.animate(tmp_path / "y.gif")
    assert bare.animate(tmp_path / "z.glb", vehicle=craft).exists()
    assert not (tmp_path / "y.gif").exists() and not (tmp_path / "x.avi").exists()
