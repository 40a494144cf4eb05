"""What a Monte Carlo study tells: the same on every door, after merging, and when its worst cases are flown again."""

import json
import math

import h5py
import numpy as np
import pytest
from matplotlib.image import imread
from scipy import stats
from support.appendages import random_bodies
from support.command import run
from support.writing_commands import VEHICLE

import tisserand as ts
from tisserand.appendage import save_record
from tisserand.errors import FileError, InputError
from tisserand.multibody import load_trajectory
from tisserand.studies.ensembles.histories import HistoryStore
from tisserand.studies.ensembles.kept_samples import read_kept

#: A rigid body pushed by a steady torque about x: rate = torque t / inertia.
RIGID = """
name = "rigid"
[bodies.bus]
mass = 100.0
inertia = [20.0, 30.0, 40.0]
[loads.push]
kind = "torque"
body = "bus"
direction = [1.0, 0.0, 0.0]
strength = 0.2
[sensors.rate]
kind = "rate"
body = "bus"
direction = [1.0, 0.0, 0.0]
[simulation]
duration = 2.0
output_step = 0.5
"""
STUDY = {"vary": {"loads.push.strength": "normal:0.2:0.02"}, "count": 40, "seed": 1}


@pytest.fixture
def rigid(tmp_path):
    (tmp_path / "rigid.toml").write_text(RIGID)
    return tmp_path / "rigid.toml"


@pytest.fixture
def winged(tmp_path):
    save_record(random_bodies(0), tmp_path / "wing.h5")
    (tmp_path / "bus.toml").write_text(VEHICLE)
    return tmp_path / "bus.toml"


def test_a_linear_system_has_the_statistics_of_its_draws(rigid):
    """rate(t) = torque t / 20: measures of every run in closed form, percentiles those of scipy on the same values."""
    found = ts.montecarlo(
        rigid, **STUDY, measure={"half": "final(before(rate, 1)) / {loads.push.strength}"}, limit=["rate.peak < 0.022"]
    )
    torque = np.array([s.values["loads.push.strength"] for s in found.samples])
    for word, factor in (("peak", 2.0), ("max", 2.0), ("min", 0.0), ("final", 2.0), ("rms", 2.0 / math.sqrt(3.0))):
        assert [s.result[word]["rate"] for s in found.samples] == pytest.approx(
            factor * torque / 20.0, rel=1e-9, abs=1e-15
        ), word
    assert all(s.result["settling"]["rate"] == pytest.approx(0.98 * 2.0, rel=1e-6) for s in found.samples)
    assert all(s.result["overshoot"]["rate"] == 0.0 for s in found.samples)
    assert all(s.result["measure"]["half"] == pytest.approx(1.0 / 20.0, rel=1e-9) for s in found.samples)
    one = found.statistics.of("rate.peak")
    peaks = [s.result["peak"]["rate"] for s in found.samples]
    median = stats.quantile_test(peaks, p=0.5).confidence_interval(0.9)
    assert (one.percentiles[0].low, one.percentiles[0].high) == (median.low, median.high)
    assert one.percentiles[0].low < 0.02 < one.percentiles[0].high and one.percentiles[2].high == math.inf
    assert (
        one.worst == 1 + int(np.argmax(peaks))
        and one.unit == "rad/s"
        and found.statistics.of("rate.settling").unit == "s"
    )
    (limit,) = found.statistics.limits
    assert limit.exceeded.count == int((np.array(peaks) > 0.022).sum()) > 0
    assert limit.exceeded.low < stats.norm.sf(1.0) < limit.exceeded.high
    assert found.statistics.sensitivity["rate.peak"].coefficients == pytest.approx([1.0], abs=1e-9)
    assert found.statistics.needed[0.9973] == 852


def test_sobol_indices_of_a_product_are_known(rigid):
    """rate = torque t / inertia with uniform laws: variances of a product of independent factors in closed form."""
    vary = {
        "loads.push.strength": "uniform:0.1:0.3",
        "bodies.bus.inertia.0": "uniform:20:40",
        "bodies.bus.mass": "uniform:90:110",
    }
    found = ts.montecarlo(
        rigid,
        vary=vary,
        count=64,
        design="sobol",
        sensitivity="sobol",
        confidence=99.0,
        set={"simulation.duration": 1.0},
    )
    assert len(found.samples) == 64 * 5 and found.statistics.runs == 128
    a, va = 0.2, 0.04 / 12.0
    b, vb = math.log(2.0) / 20.0, 1.0 / 800.0 - (math.log(2.0) / 20.0) ** 2
    whole = va * vb + va * b * b + vb * a * a
    one = found.statistics.sensitivity["rate.final"]
    first = np.array([va * b * b, vb * a * a, 0.0]) / whole
    total = np.array([va * b * b + va * vb, vb * a * a + va * vb, 0.0]) / whole
    assert (one.first_low <= first).all() and (first <= one.first_high).all()
    assert (one.total_low <= total).all() and (total <= one.total_high).all()
    assert one.total[2] == one.first[2] == 0.0, "the mass does not matter"


def test_every_door_tells_the_same(rigid, tmp_path):
    by_python = ts.montecarlo(
        rigid, **STUDY, limit=["rate.peak<0.022"], percentiles=(50.0, 90.0), confidence=80.0
    ).as_dict()["statistics"]
    words = ["--vary", "loads.push.strength=normal:0.2:0.02", "-n", 40, "--seed", 1, "--limit", "rate.peak<0.022"]
    words += ["--percentiles", "50,90", "--confidence", 80]
    by_command = run("montecarlo", rigid, *words, "--json").data["statistics"]
    (tmp_path / "study.toml").write_text(
        '[montecarlo]\nvehicle = "rigid.toml"\ncount = 40\nseed = 1\nlimit = ["rate.peak<0.022"]\npercentiles = [50, 90]\n'
        'confidence = 80\n[montecarlo.vary]\n"loads.push.strength" = "normal:0.2:0.02"\n'
    )
    by_file = run("study", tmp_path / "study.toml", "--json").data["results"][0]
    assert by_command["limits"] == (by_file.get("result") or by_file)["statistics"]["limits"]
    assert by_command["limits"][0]["high"] == by_python["limits"][0]["high"]
    shown = run("montecarlo", rigid, *words)
    assert "99.73 %" not in shown.stdout and "rate.peak<0.022" in shown.stdout and "80 %" in shown.stdout


def test_cover_runs_as_many_as_it_needs(rigid):
    assert len(ts.montecarlo(rigid, vary=STUDY["vary"], cover=90.0).samples) == 22


def test_merged_shards_tell_and_draw_what_the_whole_study_does(rigid, tmp_path):
    words = ["montecarlo", rigid, "--vary", "loads.push.strength=normal:0.2:0.02", "-n", 9, "-q"]
    files = [tmp_path / name for name in ("w.png", "w.html", "w.h5")]
    assert run(*words, "--plot", files[0], "--report", files[1], "--histories", files[2]).exit_code == 0
    parts = [tmp_path / f"p{k}.jsonl" for k in (1, 2)]
    for k, part in enumerate(parts, start=1):
        assert run(*words, "--histories", tmp_path / f"h{k}.h5", "--shard", f"{k}/2", "--keep", part).exit_code == 0
    with h5py.File(tmp_path / "h2.h5") as part:
        assert list(part["sample"]) == [2, 4, 6, 8], "a shard writes its own"
    merged = [tmp_path / name for name in ("m.png", "m.html", "m.h5")]
    told = ["--plot", merged[0], "--report", merged[1], "--histories", merged[2]]
    assert run("merge", *parts, "--keep", tmp_path / "all.jsonl", "-q").exit_code == 0
    assert run("merge", tmp_path / "all.jsonl", *told, "-q").exit_code == 0, "a merged file keeps the histories"
    for one, two in zip(files[:2], merged[:2]):
        assert one.read_bytes() == two.read_bytes()
    with h5py.File(files[2]) as a, h5py.File(merged[2]) as b:
        assert np.array_equal(a["outputs/rate"], b["outputs/rate"]) and a["outputs/rate"].shape == (9, 5)
        assert a["outputs/rate"][3, -1] == pytest.approx(a["keys/loads.push.strength"][3] / 10.0, rel=1e-9)
        assert a["outputs/rate"].attrs["unit"] == "rad/s" and list(a["sample"]) == list(range(1, 10))
    assert np.ptp(imread(files[0])) > 0.5
    restated = run("merge", tmp_path / "all.jsonl", "--limit", "rate.peak>0.02", "--json").data["statistics"]["limits"]
    assert restated[0]["runs"] == 9 and 0 < restated[0]["exceeded"] < 9
    bare = tmp_path / "bare.jsonl"
    assert run(*words, "--keep", bare).exit_code == 0
    refused = run("merge", bare, "--plot", tmp_path / "x.png")
    assert refused.exit_code == 2 and "hold no histories" in refused.stderr and not (tmp_path / "x.png").exists()


def test_the_worst_cases_fly_again_with_all_histories(rigid, tmp_path):
    keep = tmp_path / "study.jsonl"
    found = ts.montecarlo(rigid, **STUDY, keep=keep, limit=["rate.min > -1"], measure={"twice": "2 * peak(rate)"})
    peaks = np.array([s.result["peak"]["rate"] for s in found.samples])
    again = ts.rerun(keep, worst=3, by="rate.peak", output=tmp_path / "worst")
    assert [one.number for one in again.runs] == (1 + np.argsort(-peaks)[:3]).tolist()
    for one in again.runs:
        flown = load_trajectory(one.path)
        assert np.abs(flown.signals["rate"]).max() == peaks[one.number - 1] == one.measured
        assert flown.balance.kinetic.shape == flown.times.shape
    shown = run("rerun", keep, "--sample", 7, "-o", tmp_path / "seven")
    assert shown.exit_code == 0 and (tmp_path / "seven" / "study-sample-7.h5").is_file()
    assert ts.rerun(keep, output=tmp_path / "by_limit").by == "rate.min"
    for words, said in (
        (["--sample", 99], "no such sample"),
        (["--by", "rate.peek"], "rate.peak"),
        (["--by", "rate.peak", "--sample", 1], "excludes"),
    ):
        refused = run("rerun", keep, *words)
        assert refused.exit_code == 2 and said in refused.stderr, refused.stderr
    rigid.write_text(RIGID.replace("100.0", "101.0"))
    with pytest.raises(FileError, match="has changed since"):
        ts.rerun(keep, by="rate.peak")


def test_frequencies_of_samples_are_followed_by_shape(winged):
    """Modes of samples are numbered as those of the file; the first one of the wing, after two of the spin, follows its scale."""
    vary = {"appendages.wing.frequency_scale": "uniform:0.9:1.1"}
    found = ts.montecarlo(winged, vary=vary, count=8, modes=True, limit=["{mode 3}.hz > 0.1"])
    names = [one.name for one in found.statistics.measures]
    assert "mode 3.hz" in names and found.statistics.limits[0].exceeded.count == 0
    assert found.statistics.sensitivity["mode 3.hz"].coefficients[0] > 0.99
    assert all(s.result["mac"]["mode 3"] > 0.99 for s in found.samples)


def test_parquet_holds_types_numbers_and_units(rigid, tmp_path):
    target = tmp_path / "s.parquet"
    words = [
        "montecarlo",
        rigid,
        "--vary",
        "loads.push.strength=normal:0.2:0.02",
        "--vary",
        "bodies.bus.mass=uniform:-50:100",
        "-n",
        6,
    ]
    shown = run(*words, "-o", target, "-q")
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        assert shown.exit_code == 2 and "tisserand[tables]" in shown.stderr and not target.exists()
        return
    table = parquet.read_table(target)
    assert table.column("sample").to_pylist() == [1, 2, 3, 4, 5, 6]
    assert {str(table.schema.field(n).type) for n in ("peak rate", "complete", "failure")} == {
        "double",
        "bool",
        "string",
    }
    assert json.loads(table.schema.metadata[b"units"]) == {"rate": "rad/s"}
    failed = [text is not None for text in table.column("failure").to_pylist()]
    assert 0 < sum(failed) < 6 and [v is None for v in table.column("peak rate").to_pylist()] == failed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--limit", "rat.peak<1"], "unknown name 'rat.peak'"), (["--measure", "a=peak(gyro)"], "unknown name 'gyro'"),
        (["--measure", "a=open('x')"], "not of the known set"), (["--limit", "rate.peak"], "is not a comparison"),
        (["--percentiles", "50,101"], "numbers between 0 and 100"), (["--confidence", "100"], "below 100"),
        (["--sensitivity", "sobol", "--design", "corners"], "independent keys"), (["--cover", "95", "-n", "3"], "excludes"),
        (["--modes", "--measure", "a=peak(rate)"], "excludes"), (["--closed-loop"], "needs --modes"),
        (["--measure", "rate.peak=rms(rate)"], "is measured already"),
    ],
)  # fmt: skip
def test_mistakes_are_said_before_anything_runs(rigid, tmp_path, words, said):
    refused = run(
        "montecarlo", rigid, "--vary", "loads.push.strength=normal:0.2:0.02", *words, "-o", tmp_path / "x.csv"
    )
    assert refused.exit_code == 2 and said in refused.stderr, refused.stderr
    assert not (tmp_path / "x.csv").exists()


def test_histories_in_a_file_of_samples_are_exact(rigid, tmp_path):
    keep = tmp_path / "k.jsonl"
    found = ts.montecarlo(rigid, **{**STUDY, "count": 3}, keep=keep, histories=tmp_path / "h.h5")
    store = HistoryStore()
    read_kept(keep, store.add)
    for sample in found.samples:
        flown = ts.fly(ts.read_vehicle(rigid, sample.values))
        assert np.array_equal(store.row(sample.number - 1, "rate"), flown.signals["rate"])
    assert all("histories" not in s.result for s in found.samples)
    with pytest.raises(InputError, match="unknown measure"):
        ts.merge([keep], limit=["rate.pek<1"])


def test_a_sweep_numbers_modes_by_shape_and_lists_crossings(winged, tmp_path):
    """Two wings with the frequencies of one of them scaled through those of the other."""
    text = VEHICLE + '\n[appendages.other]\nrecord = "wing.h5"\nbody = "bus"\nposition = [0.0, -0.9, 0.0]\n'
    winged.write_text(text)
    over = {"appendages.other.frequency_scale": "0.8:1.25:7"}
    plain = ts.sweep(winged, over=over)
    found = ts.sweep(winged, over=over, track=True, output=tmp_path / "t.csv", plot=tmp_path / "t.png")
    assert found.crossings and all(0.8 <= c.value <= 1.25 for c in found.crossings)
    for a, b in zip(plain.samples, found.samples):
        assert sorted(a.result["frequencies_hz"]) == sorted(f for f in b.result["frequencies_hz"] if f is not None)
    numbered = np.array([s.result["frequencies_hz"][:6] for s in found.samples], float)
    assert (np.diff(numbered, axis=1) < 0.0).any(), "behind a crossing the numbers are not in the order of frequency"
    shown = run("sweep", winged, "--over", "appendages.other.frequency_scale=0.8:1.25:7", "--track")
    assert "Crossings of modes" in shown.stdout


def test_runs_that_a_measure_leaves_out_and_designs_without_bounds_are_told(rigid):
    """The logarithm of a negative rate is no number: the limit counts the other runs, and a warning says how many it lost."""
    study = {"vary": {"loads.push.strength": "uniform:-1:1"}, "count": 16, "measure": {"level": "log(final(rate))"}}
    found = ts.montecarlo(rigid, **study, limit=["level < -3"])
    good = [
        math.log(s.values["loads.push.strength"] / 10.0) for s in found.samples if s.values["loads.push.strength"] > 0.0
    ]
    assert 0 < len(good) < 16 and found.statistics.limits[0].exceeded.count == sum(x > -3.0 for x in good)
    assert found.warnings == (f"level is not a number in {16 - len(good)} of 16 runs; its statistics leave them out",)
    latin = ts.montecarlo(rigid, **STUDY | {"count": 4}, design="latin")
    assert any("hold for random draws" in sentence and "latin" in sentence for sentence in latin.warnings)
    assert not ts.montecarlo(rigid, **STUDY | {"count": 4}).warnings
