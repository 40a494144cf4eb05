"""External superelements: OP4 with the punch files beside it.

Oracles: the deck of the same run (mass, center, positions), Nastran's own component frequencies.
"""

import shutil

import numpy as np
import pytest
from scipy.linalg import eigh
from support.command import run
from support.corpus import deck, needs_corpus, references

from tisserand.assembly import assemble
from tisserand.errors import FileError
from tisserand.readers.matrices import read_matrices
from tisserand.readers.registry import read_model

pytestmark = needs_corpus
NAMES = ("inboard", "outboard")


def files(name):
    pytest.importorskip("pyyeti")
    return deck(f"nas2cam_extseout_{name}")


@pytest.mark.parametrize("name", NAMES)
def test_mass_and_places_are_those_of_the_deck(name):
    """Mass to the digits of the OP4 (1e-7); points of MUG1 are placed by their rigid motion (1e-6 m)."""
    path = files(name)
    model, whole = read_matrices(path.with_suffix(".op4"), "mm-t-s"), assemble(read_model(path, "mm-t-s"))
    own, theirs = model.mass_properties(), whole.mass_properties()
    assert own.mass == pytest.approx(theirs.mass, rel=1e-7)
    np.testing.assert_allclose(own.center, theirs.center, atol=1e-6)
    np.testing.assert_allclose(own.inertia, theirs.inertia, rtol=1e-6, atol=1e-6 * np.abs(theirs.inertia).max())
    grids = model.nodes.ids[~model.nodes.scalar]
    assert len(grids) > 4
    theirs_at = whole.nodes.positions[whole.nodes.indices(grids)]
    np.testing.assert_allclose(model.nodes.positions[model.nodes.indices(grids)], theirs_at, atol=1e-6)
    force = np.abs(model.stiffness @ model.rigid_body_vectors).max() / np.abs(model.stiffness.data).max()
    assert force < 1e-10


@pytest.mark.parametrize("name", NAMES)
def test_component_frequencies_in_any_units(name):
    model = read_matrices(files(name).with_suffix(".op4"), "mm-t-s")
    modal = model.nodes.scalar[model.dofs.node]
    inner = np.ix_(modal, modal)
    K, M = model.stiffness.toarray()[inner], model.mass.toarray()[inner]
    used = np.diag(M) > 0.0
    hz = np.sqrt(eigh(K[np.ix_(used, used)], M[np.ix_(used, used)], eigvals_only=True)) / (2 * np.pi)
    table = references()[f"nas2cam_extseout_{name}"]["component_modes_plus_residual_vectors_hz"][:8]
    np.testing.assert_allclose(hz[:8], table, rtol=5e-7)


def test_without_the_files_beside_it_nothing_but_frequencies(tmp_path):
    """The OP4 alone: frequencies, no mass, no record, not accepted; with --deck: the mass of the deck."""
    path = files("outboard")
    alone = tmp_path / "alone.op4"
    shutil.copyfile(path.with_suffix(".op4"), alone)
    data = run("modes", alone, "-u", "SI", "-n", 4, "--json").data
    assert data["mass"] is None and not data["verdict"]["accepted"] and "unknown" in data["warnings"][0]
    assert "mass unknown" in run("modes", alone, "-u", "SI", "-n", 4).stdout
    refused = run("modes", alone, "-u", "SI", "-n", 4, "-o", tmp_path / "a.h5")
    assert refused.exit_code == 2 and "--deck" in refused.stderr and not (tmp_path / "a.h5").exists()


def test_files_of_another_run_are_refused(tmp_path):
    shutil.copyfile(files("outboard").with_suffix(".op4"), tmp_path / "a.op4")
    shutil.copyfile(files("inboard").with_suffix(".pch"), tmp_path / "a.pch")
    with pytest.raises(FileError, match=r"do not fit them; found EXTRN of a.pch lists 32 dofs, expected 46 dofs"):
        read_matrices(tmp_path / "a.op4", "SI")
