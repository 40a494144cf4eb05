"""The table of checks: sound components pass every line, and each kind of damage fails its own line."""

from dataclasses import replace

import numpy as np
import pytest
from support.hand_built import beam3d

from tisserand.errors import CheckFailedError
from tisserand.model import Supports
from tisserand.modes.component_checks import check_component
from tisserand.modes.interface import interface_dofs
from tisserand.modes.reductions import craig_bampton, free_interface, guyan


def component(method="craig-bampton", nodes=(1, 9)):
    beam = replace(beam3d(8, EI=(3.0, 4.0)), supports=Supports())
    b = interface_dofs(beam, list(nodes))
    if method == "guyan":
        return guyan(beam, b)
    if method == "craig-bampton":
        return craig_bampton(beam, b, count=5)
    return free_interface(beam, b, method=method, count=6)


@pytest.mark.parametrize("method", ["craig-bampton", "guyan", "craig-chang"])
@pytest.mark.parametrize("nodes", [(1,), (1, 9)])
def test_sound_components_pass(method, nodes):
    table = check_component(component(method, nodes))
    assert table.passed, [row for row in table.rows if not row.passed]
    table.require()
    names = [row.name for row in table.rows]
    assert "grounding force" in names and "mass: reduced against full" in names


def failing(part):
    return {row.name for row in check_component(part).rows if not row.passed}


def test_damage_is_found_line_by_line():
    part = component()
    K = part.stiffness.copy()
    K[1, 1] *= 1.01
    assert {"grounding force", "rigid strain energy y"} <= failing(replace(part, stiffness=K))
    with pytest.raises(CheckFailedError, match="rigid strain energy"):
        check_component(replace(part, stiffness=K)).require()
    M = part.mass.copy()
    M[:12, :12] *= 1.001
    assert "mass: reduced against full" in failing(replace(part, mass=M))
    assert "frequency below the full model's" in failing(replace(part, mass=1.1 * part.mass))
    shrunk = part.keeping(np.r_[0:5, 6 : len(part)])
    assert "rigid motions outside the basis" in failing(shrunk)


def test_effective_mass_grows_with_modes_and_stays_below_the_whole():
    beam = replace(beam3d(8, EI=(3.0, 4.0)), supports=Supports())
    last = 0.0
    for count in (1, 4, 12):
        rows = {
            r.name: r.value for r in check_component(craig_bampton(beam, interface_dofs(beam, [1]), count=count)).rows
        }
        assert last <= rows["effective mass z"] + 1e-12 <= 1.0 + 1e-9
        last = rows["effective mass z"]
    assert last > 0.8
