"""The keywords of ``simulate`` and ``Simulation`` are the declared run options, with their defaults."""

import inspect

import pytest

from tisserand.declarations import options
from tisserand.errors import VehicleError
from tisserand.multibody import Body, Simulation, Vehicle, simulate
from tisserand.multibody.run_options import IntegrationOptions, RunOptions

BUS = Vehicle("bus", (Body("bus", 10.0, inertia=[1.0, 1.0, 1.0]),))


@pytest.mark.parametrize("function", [Simulation.__init__, simulate])
def test_keywords_have_the_declared_names_and_defaults(function):
    keywords = inspect.signature(function).parameters
    for item in options(IntegrationOptions):
        assert keywords[item.name].default == item.default, item.name
    if function is simulate:
        assert keywords["samples"].default == RunOptions(duration=1.0).samples


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"rtol": 0.0}, "rtol: is out of range"),
        ({"method": "rk5"}, "did you mean 'rk4'?"),
        ({"engine": "likins", "method": "rk4"}, "no fixed-step method"),
        ({"on_limit": "bounce"}, "one of stop, record"),
        ({"step": -1.0}, "above 0, in s"),
    ],
)
def test_mistakes_in_keywords_are_vehicle_errors(keywords, said):
    with pytest.raises(VehicleError, match=said.replace("?", r"\?")):
        Simulation(BUS, **keywords)


def test_methods_are_matched_without_case_and_samples_follow_the_options():
    run = simulate(BUS, 2.0, method="radau", samples=5)
    assert run.settings["method"] == "Radau" and run.times.tolist() == [0.0, 0.5, 1.0, 1.5, 2.0]
    assert RunOptions(duration=1.0, output_step=0.25).output_times.tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
