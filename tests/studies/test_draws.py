"""Laws, designs, correlations and requirements of Monte Carlo studies, against scipy's distributions and closed forms."""

import numpy as np
import pytest
from scipy import stats
from support.appendages import random_bodies
from support.command import run
from support.writing_commands import VEHICLE

import tisserand as ts
from tisserand.appendage import load_record, save_record
from tisserand.errors import InputError
from tisserand.statistics.expressions import parsed
from tisserand.studies.ensembles.draws import correlated, drawn, ends, points, quantile
from tisserand.studies.ensembles.sample_values import values_of_samples
from tisserand.studies.options import MonteCarloStudy

U = np.linspace(0.001, 0.999, 332)  # none on a step of the whole numbers
LAWS = {
    "normal:3:0.5": stats.norm(3.0, 0.5),
    "normal:3:0.5:2.8:4": stats.truncnorm(-0.4, 2.0, 3.0, 0.5),
    "normal:3:0.5:6:9": stats.truncnorm(6.0, 12.0, 3.0, 0.5),
    "normal:3:0.5:-40:-17": stats.truncnorm(-86.0, -40.0, 3.0, 0.5),
    "normal:100:2:1000:1001": stats.truncnorm(450.0, 450.5, 100.0, 2.0),
    "uniform:-1:4": stats.uniform(-1.0, 5.0),
    "lognormal:2:0.3": stats.lognorm(0.3, scale=2.0),
    "triangular:1:2:5": stats.triang(0.25, 1.0, 4.0),
    "triangular:1:1:5": stats.triang(0.0, 1.0, 4.0),
    "integer:-2:3": stats.randint(-2, 4),
}


@pytest.mark.parametrize("law", LAWS)
def test_quantiles_are_those_of_scipy(law):
    assert np.abs(quantile(law, U) - LAWS[law].ppf(U)).max() <= 1e-12


def test_a_table_has_equal_steps_and_corners_are_ends():
    assert quantile("table:1,5,2,2", np.array([0.01, 0.26, 0.6, 0.999])).tolist() == [1.0, 5.0, 2.0, 2.0]
    assert (
        ends("table:1,5,2") == (1.0, 5.0)
        and ends("normal:1:2:-1:7") == (-1.0, 7.0)
        and ends("uniform:0:2") == (0.0, 2.0)
    )
    assert ends("normal:1:2") == pytest.approx((-5.0, 7.0), abs=1e-12)
    assert ends("lognormal:2:0.1") == pytest.approx((2 * np.exp(-0.3), 2 * np.exp(0.3)), abs=1e-12)
    table, _ = drawn({"a": "uniform:0:1", "b": "triangular:2:3:4"}, "corners", 20, 0, {})
    assert table.tolist() == [[0, 2], [0, 4], [1, 2], [1, 4]]


def test_designs_fill_the_cube_and_depend_on_the_seed_alone():
    latin = points("latin", 50, 3, 4)
    assert all(sorted(np.floor(50 * column).astype(int)) == list(range(50)) for column in latin.T)
    sobol = points("sobol", 64, 2, 4)  # a (0, 6, 2)-net: one point in each elementary interval of volume 2^-6
    for a in range(7):
        cells = np.floor(sobol[:, 0] * 2**a) * 2 ** (6 - a) + np.floor(sobol[:, 1] * 2 ** (6 - a))
        assert len(set(cells)) == 64
    assert np.array_equal(points("random", 7, 2, 9), points("random", 70, 2, 9)[:7])
    for design in ("random", "latin", "sobol"):
        assert np.array_equal(points(design, 9, 2, 1), points(design, 9, 2, 1))
        assert not np.array_equal(points(design, 9, 2, 1), points(design, 9, 2, 2))


def test_correlated_keys_keep_their_laws():
    """10,000 Latin points: normal scores correlate as stated; Kolmogorov-Smirnov accepts the marginals."""
    u = correlated(points("latin", 10_000, 3, 0), ["a", "b", "c"], {"a,c": 0.8, "a,b": -0.3})
    R = np.corrcoef(stats.norm.ppf(u).T)
    assert np.abs(R - [[1, -0.3, 0.8], [-0.3, 1, 0], [0.8, 0, 1]]).max() < 0.04  # four deviations of the estimate
    assert all(stats.kstest(column, "uniform").pvalue > 1e-3 for column in u.T)
    for wrong in ({"a,b": 1.0}, {"a,d": 0.5}, {"a": 0.5}, {"a,b": 0.9, "b,c": 0.9, "a,c": -0.9}):
        with pytest.raises(InputError, match="correlate"):
            correlated(u[:2], ["a", "b", "c"], wrong)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a + 2*b ** 2 > 18.9 and not a < 0", True), ("1 < a <= {x.y-z} < 5", False), ("sqrt(a) == 1", True),
        ("bodies.bus.inertia[0] < hypot(a, 3)", True), ("1/0 > 2", False), ("sqrt(-a) < 9 or a > 5", False),
    ],
)  # fmt: skip
def test_requirements_from_a_fixed_set(text, value):
    values = {"a": 1.0, "b": 3.0, "x.y-z": 0.5, "bodies.bus.inertia.0": 3.1}
    assert (parsed(text).value(values) is True) is value


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')", "a.__class__()",
        "(lambda: 1)()", "[1][0]", "'a'", "a if b else c", "f'{a}'", "a @ b", "", "1 <", "abs()",
    ],
)  # fmt: skip
def test_everything_else_is_refused(text):
    with pytest.raises(InputError, match=r"an expression (cannot be read|holds|calls)"):
        parsed(text)


@pytest.fixture
def vehicle(tmp_path):
    save_record(random_bodies(0), tmp_path / "wing.h5")
    (tmp_path / "bus.toml").write_text(VEHICLE)
    return tmp_path / "bus.toml"


def test_values_relative_to_the_file_within_requirements_and_physics(vehicle):
    """Inertias (60, 50, 70) with wide factors: draws that violate the triangle inequality or a requirement are replaced."""
    study = MonteCarloStudy(
        vehicle=vehicle,
        vary={
            "bodies.bus.inertia.0": "*normal:1:0.5",
            "bodies.bus.inertia.1": "*normal:1:0.5",
            "loads.kick.strength": "+uniform:-0.01:0.01",
            "bodies.bus.mass": "*table:0.9,1.1",
        },
        require=["bodies.bus.inertia[0] > bodies.bus.inertia[1]", "bodies.bus.inertia[2] >= 70"],
        count=300,
        seed=2,
    )
    grid, redrawn = values_of_samples(study)
    a, b = (np.array([values[f"bodies.bus.inertia.{i}"] for values in grid]) for i in (0, 1))
    assert (a > b).all() and (a + b >= 70 * (1 - 1e-6)).all() and (b + 70 >= a * (1 - 1e-6)).all() and (b > 0).all()
    assert redrawn > 100 and {values["bodies.bus.mass"] for values in grid} == {0.9 * 80.0, 1.1 * 80.0}
    kicks = [values["loads.kick.strength"] for values in grid]
    assert 0.09 <= min(kicks) < 0.095 and 0.105 < max(kicks) <= 0.11
    assert values_of_samples(study.changed(count=40))[0] == grid[:40]
    for changed, said in (
        ({"require": ["bodies.bus.mass > 1000"]}, "exclude nearly all draws"),
        ({"require": ["bodies.bus.mas > 1"]}, "did you mean"),
        ({"design": "sobol"}, "violates a requirement"),
        ({"vary": {"initial.angular_velocity": "*normal:1:1"}, "require": []}, "no number in the file"),
    ):
        with pytest.raises(InputError, match=said):
            values_of_samples(study.changed(**changed))


def test_appendages_are_varied_by_keys(vehicle):
    """Frequencies, damping, participation and mass of the flown record are those of ``record.varied``."""
    record = load_record(vehicle.parent / "wing.h5")
    first = record.mode_names[0]
    values = {
        "appendages.wing.frequency_scale": 1.1, f"appendages.wing.mode_frequency_scale.{first}": 0.9,
        "appendages.wing.damping": 0.02, "appendages.wing.shape_gain": 0.95, "appendages.wing.mass_scale": 1.2,
    }  # fmt: skip
    flown = ts.read_vehicle(vehicle, values).vehicle.appendages[0].record
    factors = np.where(np.arange(record.count) == 0, 0.99, 1.1)
    expected = record.varied(frequency_scale=factors, damping=0.02, shape_gain=0.95, mass_scale=1.2)
    assert np.allclose(flown.stiffness, expected.stiffness, rtol=1e-12) and np.allclose(
        flown.damping, expected.damping, rtol=1e-12
    )
    assert np.allclose(flown.integrals.translation, expected.integrals.translation, rtol=1e-12)
    with pytest.raises(InputError, match="is not a mode"):
        ts.read_vehicle(vehicle, {"appendages.wing.mode_shape_gain.mode 999": 1.1})


def test_a_study_with_everything(vehicle):
    words = [
        "--vary",
        "appendages.wing.frequency_scale=*normal:1:0.05:0.9:1.1",
        "--vary",
        "bodies.bus.mass=triangular:70:80:90",
    ]
    words += ["--correlate", "appendages.wing.frequency_scale,bodies.bus.mass=0.5", "--design", "latin", "-n", 3]
    data = run("montecarlo", vehicle, *words, "--json").data
    assert data["failures"] == 0 and len({s["result"]["final_rate"] for s in data["samples"]}) == 3
    wrong = run("montecarlo", vehicle, "--vary", "bodies.bus.mass=lognormal:-1:0.1", "-n", 2)
    assert wrong.exit_code == 2 and "a median above 0" in wrong.stderr
