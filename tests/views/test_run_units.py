"""Every curve and column of a run says its unit, also after a journey through a file; controllers keep their inside folded."""

import re

import numpy as np
import pytest
from support.appendages import random_bodies

from tisserand.appendage import normalized
from tisserand.multibody import (
    Body,
    MountedAppendage,
    Vehicle,
    controllers,
    hinge,
    load_trajectory,
    prismatic,
    save_trajectory,
    signals,
    simulate,
)
from tisserand.multibody.histories import history_columns
from tisserand.multibody.loads import KINDS as LOADS
from tisserand.multibody.quantities import LOAD_UNITS, SIGNAL_UNITS, units_of
from tisserand.multibody.signals import KINDS as SIGNALS
from tisserand.views.report.trajectory_page import trajectory_page
from tisserand.views.run_plot import run_figure


@pytest.fixture(scope="module")
def flown(tmp_path_factory):
    bodies = [Body(name, 5.0, inertia=np.eye(3)) for name in ("bus", "arm", "sledge")]
    craft = Vehicle(
        "craft",
        tuple(bodies),
        (hinge("elbow", "bus", "arm", (0, 0, 1)), prismatic("rail", "arm", "sledge", (1, 0, 0))),
        (),
        (MountedAppendage("wing", normalized(random_bodies(0)), "bus"),),
    )
    loops = (controllers.joint_pid("elbow", 3.0, 2.0, reference=0.2), controllers.joint_pid("rail", 3.0, 2.0))
    seen = (
        signals.joint_rate("rail", name="sledge rate"),
        signals.attitude_error("bus", (0, 0, 1), name="turn"),
        signals.gravity_effort("rail", name="weight"),
    )
    run = simulate(craft, 1.0, controllers=loops, outputs=seen)
    return load_trajectory(save_trajectory(run, tmp_path_factory.mktemp("run") / "run.h5"))


def test_no_kind_of_signal_or_load_is_without_a_unit():
    assert set(SIGNALS) == {*SIGNAL_UNITS, "joint", "joint_rate", "gravity", "measured"}
    assert set(LOADS) == {*LOAD_UNITS, "joint"}


def test_modal_coordinates_of_other_scales_do_not_claim_the_unit_of_mass_normalized_ones():
    mounted = MountedAppendage("wing", random_bodies(0), "bus")
    craft = Vehicle("craft", (Body("bus", 5.0, inertia=np.eye(3)),), (), (), (mounted,))
    assert units_of(craft)["modal"] == {"wing": "by the shapes' scale"}


def test_columns_carry_units(flown):
    names = [name for name, _ in history_columns(flown)]
    for wanted in (
        "joint elbow (rad)",
        "joint rail (m)",
        "eta wing 1 (kg^0.5 m)",
        "signal sledge rate (m/s)",
        "signal turn (rad)",
        "signal weight (N)",
    ):
        assert wanted in names
    assert [n for n in names if not n.endswith(")")] == ["time_s"]


def test_axes_carry_units_and_slides_are_not_turned_into_degrees(flown):
    panels = {axes.get_title(loc="left"): axes for axes in run_figure(flown).axes}
    units = {title: axes.get_ylabel() for title, axes in panels.items()}
    assert units["Joint angles"] == "deg" and units["Joint slides"] == "m"
    assert units["sledge rate"] == "m/s" and units["Modal coordinates of wing"] == "modal coordinate (kg½ m)"
    drawn = panels["Joint slides"].lines[0].get_ydata()
    np.testing.assert_array_equal(drawn, flown.joints["rail"][:, 0])


def test_a_page_shows_outputs_and_folds_the_inside_of_controllers(flown):
    page = trajectory_page(flown)
    outputs = re.search(r'<section id="signals">(.*?)</section>', page, re.S).group(1)
    open_part, folded = outputs.split("<summary>Inner signals of 2 controllers</summary>")
    assert [c for c in re.findall("<figcaption>(.*?)</figcaption>", open_part)] == ["sledge rate", "turn", "weight"]
    assert "elbow.rate" in folded and "elbow.rate" not in open_part
    assert page.index('id="signals"') < page.index('id="joints"')
    assert "value (SI)" not in page and ">modal coordinate (-)<" not in page
