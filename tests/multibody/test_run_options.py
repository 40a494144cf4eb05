"""The keywords of ``simulate`` and ``Simulation`` are the declared run options, with their defaults."""

import inspect

import pytest

from tisserand.declarations import options
from tisserand.errors import InputError, VehicleError
from tisserand.multibody import Body, Simulation, Vehicle, simulate
from tisserand.multibody.run_options import IntegrationOptions, RunOptions
from tisserand.multibody.vehicle_file import read_vehicle

BUS = Vehicle("bus", (Body("bus", 10.0, inertia=[1.0, 1.0, 1.0]),))


@pytest.mark.parametrize("function", [Simulation.__init__, simulate])
def test_keywords_have_the_declared_names_and_defaults(function):
    keywords = inspect.signature(function).parameters
    for item in options(IntegrationOptions):
        assert keywords[item.name].default == item.default, item.name
    if function is simulate:
        stated = RunOptions(duration=1.0)
        assert all(keywords[word].default == getattr(stated, word) for word in ("samples", "output_step"))


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


@pytest.mark.parametrize("word", ["duration", "samples", "output_step"])
@pytest.mark.parametrize("value", [-1, 0, 1, 2, 2.5, 3e7, 1e-9, 2e12, float("nan"), float("inf"), "3", True, None])
def test_python_toml_and_the_shell_have_the_same_limits(word, value, tmp_path):
    """``simulate(vehicle, ...)``, ``[simulation]`` and ``--set simulation.KEY`` refuse the same values in the same words."""
    stated = {"duration": 1.0, "samples": 3, "output_step": None, word: value}
    path = tmp_path / "bus.toml"
    path.write_text("[bodies.bus]\nmass = 10.0\ninertia = [1.0, 1.0, 1.0]\n[simulation]\nduration = 1.0\n")
    said = []
    for made in (
        lambda: RunOptions(**stated),
        lambda: Simulation(BUS).run(times=[], **stated),  # refused for its times, after the options
        lambda: read_vehicle(path, {f"simulation.{key}": item for key, item in stated.items() if item is not None}),
    ):
        try:
            made()
            said.append("")
        except InputError as error:
            found = str(error).rpartition("simulation.")[2]
            said.append("" if found.startswith("output times") else found)
    if word != "output_step" and value is None:
        said.pop()  # a file cannot state nothing; it may leave the key out
    assert len(set(said)) == 1, said
    assert not said[0] or (said[0].startswith(f"{word}: ") and "found" in said[0] and "expected" in said[0])


def test_a_key_of_the_run_given_to_the_task_is_sent_to_its_file():
    from tisserand.studies.options import SimulateStudy

    assert set(SimulateStudy.elsewhere) == {item.name for item in options(RunOptions)}
    with pytest.raises(InputError, match=r"duration: unknown key.*'set' \(simulation.duration\)"):
        SimulateStudy(vehicle="small.toml", duration=3)
