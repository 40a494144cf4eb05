"""Pages of responses: what their charts draw is what the tasks found; a record's page carries acceptance and base drive."""

import base64
import json
import re
from pathlib import Path

import numpy as np
import pytest
from support.appendages import random_bodies
from support.writing_commands import VEHICLE

import tisserand as ts
from tisserand.appendage import save_record
from tisserand.views.report.appendage_page import appendage_page

MESHES = Path(__file__).parents[2] / "meshes"
BUDGET = """
vehicle = "bus.toml"
[sight.los]
turn = 2.0
[limits]
los = 1e-10
[wheels.w]
input = "torque"
harmonics = [[1.0, 1e-8], [2.0, 4e-9]]
speeds = [60.0, 1200.0]
"""
CRAFT = """
name = "craft"
[bodies.bus]
mass = 100.0
inertia = [20.0, 30.0, 40.0]
[loads.torque]
kind = "torque"
body = "bus"
direction = [1.0, 0.0, 0.0]
strength = 0.0
[sensors.turn]
kind = "attitude"
body = "bus"
direction = [1.0, 0.0, 0.0]
[simulation]
duration = 1.0
"""


def charts(page: str) -> dict:
    """Every chart of a page by its name, with its numbers unpacked."""
    found = {}
    for name, body in re.findall(
        r'<div class="chart"[^>]* data-name="([^"]*)"><script type="application/json">(.*?)</script>', page
    ):
        spec = json.loads(body)
        for one in spec["series"]:
            for key, kind in (("x", "<f8"), ("y", "<f4"), ("z", "<f4")):
                if key in one:
                    one[key] = np.frombuffer(base64.b64decode(one[key]), kind)
        found[name] = spec
    return found


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """A boom, shaken and judged; its record keeps both. The second judgment by a profile replaces the first."""
    folder = tmp_path_factory.mktemp("boom")
    part, record = folder / "part.h5", folder / "record.h5"
    ts.reduce(
        MESHES / "boom.bdf", units="SI", interface=[1], count=6, sections={"mid": "x>0.5"}, output=part, record=record
    )
    shaken = ts.base_drive(
        part, environment="sine", direction="z", spectrum="0.5:0.1,100:0.1", damping=0.02, record=record,
        plot=folder / "drive.html",
    )  # fmt: skip
    for _ in range(2):
        verdict = ts.accept(part, record=record)
    return folder, shaken, verdict


def test_a_record_carries_its_base_drive(judged):
    folder, shaken, _ = judged
    record = ts.load_record(folder / "record.h5")
    for page in (appendage_page(record), (folder / "drive.html").read_text(encoding="utf-8")):
        drawn = charts(page)
        for unit in set(shaken.units):
            series = drawn[f"{shaken.name}: sine along z, {unit}"]["series"]
            own = [i for i, word in enumerate(shaken.units) if word == unit]
            top = shaken.labels.index(series[0]["name"])
            assert shaken.peaks[top] == pytest.approx(shaken.peaks[own].max(), rel=1e-9)
            assert series[0]["y"].max() == pytest.approx(shaken.peaks[top], rel=1e-6), "thinning keeps the peak"
            assert series[0]["x"][series[0]["y"].argmax()] == pytest.approx(shaken.at[top])
        assert "Responses" in page


def test_a_record_carries_its_acceptance_once_per_profile(judged):
    folder, _, verdict = judged
    record = ts.load_record(folder / "record.h5")
    (kept,) = record.reports["acceptance"]
    assert kept["criteria"] == verdict.as_dict()["criteria"]
    page = appendage_page(record)
    table = page[page.index('<section id="acceptance"') :]
    table = table[: table.index("</section>")]
    for row in kept["criteria"]:
        assert row["measure"] in table
    assert table.count("<tr>") == len(kept["criteria"]) + 1


def test_a_waterfall_draws_every_harmonic_at_its_frequency(tmp_path):
    (tmp_path / "bus.toml").write_text(CRAFT)
    (tmp_path / "jitter.toml").write_text(BUDGET)
    found = ts.jitter(tmp_path / "jitter.toml", plot=tmp_path / "jitter.html")
    page = (tmp_path / "jitter.html").read_text(encoding="utf-8")
    (fall,) = found.waterfalls
    spec = charts(page)["w: los"]
    assert [one["name"] for one in spec["series"]] == ["1 × speed", "2 × speed"]
    for h, one in enumerate(spec["series"]):
        assert one["x"] == pytest.approx(60.0 * fall.speeds_hz)
        assert one["y"] == pytest.approx((h + 1) * fall.speeds_hz, rel=1e-6)
        assert one["z"] == pytest.approx(1e6 * fall.amplitude[:, h, 0], rel=1e-6)
    assert "Above a limit" in page and charts(page)["running rms"]["levels"] == [[pytest.approx(1e-4), "limit of los"]]


def test_envelopes_are_the_quantiles_of_single_runs(tmp_path):
    save_record(random_bodies(0), tmp_path / "wing.h5")
    vehicle = tmp_path / "bus.toml"
    vehicle.write_text(VEHICLE)
    found = ts.montecarlo(
        vehicle, vary={"bodies.bus.mass": "uniform:-20:120"}, count=5, seed=3, report=tmp_path / "spread.html"
    )
    good = [s for s in found.samples if s.result]
    assert 0 < found.failures < 4 and all("histories" not in s.result for s in good)
    runs = [ts.fly(ts.read_vehicle(vehicle, s.values)) for s in good]
    page = (tmp_path / "spread.html").read_text(encoding="utf-8")
    drawn = charts(page)
    names = [name for name in runs[0].signals if "/" not in name]
    assert names and set(names) <= set(drawn)
    for name in names:
        table = np.array([run.signals[name] for run in runs])
        series = drawn[name]["series"]
        scale = np.degrees(1.0) if "deg" in drawn[name]["y_label"] else 1e3 if "(mm)" in drawn[name]["y_label"] else 1.0
        small = 1e-6 * np.abs(scale * table).max()
        assert series[0]["y"] == pytest.approx(scale * table.min(axis=0), rel=1e-5, abs=small)
        assert series[1]["y"] == pytest.approx(scale * table.max(axis=0), rel=1e-5, abs=small)
        assert series[-1]["y"] == pytest.approx(scale * np.median(table, axis=0), rel=1e-5, abs=small)
    assert f"{len(good)} complete runs" in page and "mass" in page
    again = ts.montecarlo(vehicle, vary={"bodies.bus.mass": "normal:80:5"}, count=2, plot=tmp_path / "spread.png")
    assert again.paths[-1].read_bytes()[:4] == b"\x89PNG"


@pytest.mark.slow
def test_pages_of_responses_open_and_show_values(judged, open_page, tmp_path):
    folder, _, _ = judged
    (tmp_path / "bus.toml").write_text(CRAFT)
    (tmp_path / "jitter.toml").write_text(BUDGET)
    ts.jitter(tmp_path / "jitter.toml", plot=tmp_path / "jitter.html")
    for file in (folder / "drive.html", tmp_path / "jitter.html"):
        page = open_page(file.read_text(encoding="utf-8"))
        plot = page.locator(".chart .nsewdrag").first
        plot.wait_for(state="attached")
        box = plot.bounding_box()
        found = page.evaluate(
            "(() => { const g = document.querySelector('.chart .plot'), t = g.data[0], i = Math.floor(t.x.length / 2), a = g._fullLayout;"
            " const p = (axis, v) => axis.l2p(axis.type === 'log' ? Math.log10(v) : v); return [p(a.xaxis, t.x[i]), p(a.yaxis, t.y[i])]; })()"
        )
        for shift in (-3, 0):
            page.mouse.move(box["x"] + found[0] + shift, box["y"] + found[1])
        page.locator(".chart .hoverlayer text").first.wait_for(state="attached")
