"""Files that do not go with their deck in axes, hold something twice, or end too early: used rightly and named, or refused."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from support.op2_files import op2
from support.result_files import f06, frame_deck, frame_modes, in_basic_axes, mystran, punch, universal

import tisserand as ts
from tisserand.errors import FileError, TisserandError
from tisserand.readers.supplier import read_supplier_modes


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    return frame_deck(tmp_path_factory.mktemp("frame"))


@pytest.fixture(scope="module")
def run(deck):
    return frame_modes(deck)


#: Writers of files in basic axes, though the deck has local ones; whether the file states its axes as those of a node (CD).
BASIC = {
    "op2": lambda folder, run: op2(folder / "run.op2", run),
    "op2, 8-byte words": lambda folder, run: op2(folder / "run.op2", run, word=8),
    "universal, system 0": lambda folder, run: universal(folder / "run.unv", run, system=0),
    "universal, system 1": lambda folder, run: universal(folder / "run.unv", run, system=1),
    "universal, nodes 15, system 0": lambda folder, run: universal(folder / "run.unv", run, nodes=15, system=0),
    "universal, systems of the file": lambda folder, run: universal(folder / "run.unv", run),
}


WRITERS = {
    "op2": (op2, ".op2"),
    "f06": (f06, ".f06"),
    "mystran": (mystran, ".f06"),
    "punch": (punch, ".pch"),
    "universal": (universal, ".unv"),
}


@pytest.mark.parametrize("name", BASIC)
def test_axes_of_the_file_count_and_are_named(tmp_path, deck, run, name):
    """Shapes in basic axes beside a deck with CD: verified, the record of the deck's own run, and the node that differs named."""
    if name.startswith("universal"):
        pytest.importorskip("pyuff")
    found = ts.modes(BASIC[name](tmp_path, in_basic_axes(run)), units="SI", deck=deck)
    check = found.supplier.verification
    assert check.passed, check.breaches
    assert min(mode.mac for mode in check.modes) > 1.0 - 1e-9
    assert any("displacement axes (CD) of 3 nodes differ" in note and "node 2" in note for note in check.notes)
    own = ts.modes(deck, units="SI", count=run.count).appendage
    np.testing.assert_allclose(
        np.abs(found.appendage.integrals.translation), np.abs(own.integrals.translation), atol=2e-5
    )


@pytest.mark.parametrize("name", WRITERS)
def test_equal_axes_are_not_named(tmp_path, deck, run, name):
    write, ending = WRITERS[name]
    if name == "universal":
        pytest.importorskip("pyuff")
    check = ts.modes(write(tmp_path / f"run{ending}", run), units="SI", deck=deck).supplier.verification
    assert check.passed and not any("(CD)" in note for note in check.notes)


def test_a_system_that_the_file_lacks_is_that_of_the_deck(tmp_path, deck, run):
    """Displacement system 77 without data set 2420: the deck's axes are used; alone, the nodes have no place, and it says so."""
    pytest.importorskip("pyuff")
    path = universal(tmp_path / "run.unv", run, system=77)
    check = ts.modes(path, units="SI", deck=deck).supplier.verification
    assert check.passed and any("are not in the file (2420)" in note for note in check.notes)
    with pytest.raises(FileError, match="no node positions"):
        ts.modes(path, units="SI")


@pytest.mark.parametrize("skewed", (np.zeros((3, 3)), np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])))
def test_axes_that_are_no_triad_are_named(tmp_path, run, skewed):
    pytest.importorskip("pyuff")
    axes = np.array(run.geometry.axes)
    axes[2] = skewed
    path = universal(tmp_path / "run.unv", replace(run, geometry=replace(run.geometry, axes=axes)))
    with pytest.raises(FileError, match=r"run.unv: axes of a coordinate system .* found system 12"):
        read_supplier_modes(path)


def test_what_is_in_a_universal_file_twice_is_named(tmp_path, run):
    pytest.importorskip("pyuff")
    path = universal(tmp_path / "run.unv", run)
    path.write_text(2 * path.read_text())
    with pytest.raises(FileError, match="mode number is listed twice; found mode 1;"):
        read_supplier_modes(path)


def test_modes_without_numbers_are_counted(tmp_path, run):
    """Laboratories leave the mode number zero."""
    pytest.importorskip("pyuff")
    found = read_supplier_modes(
        universal(tmp_path / "run.unv", replace(run.modes(np.array([0])), numbers=np.array([0])))
    )
    assert found.numbers.tolist() == [0]
    path = tmp_path / "all.unv"
    text = "".join(
        universal(tmp_path / "one.unv", replace(run.modes(np.array([k])), numbers=np.array([0]))).read_text()
        for k in range(3)
    )
    path.write_text(text)
    found = read_supplier_modes(path)
    assert found.numbers.tolist() == [1, 2, 3] and any("in the order of the file" in note for note in found.notes)
    np.testing.assert_allclose(found.frequencies_hz, run.frequencies_hz[:3], rtol=1e-5)


def with_columns(run, columns, **changes):
    """What a writer needs of a run whose modes are these columns of it; a run that is none cannot be a ``SupplierModes``."""
    facts = {"geometry": run.geometry, "mass": run.mass, "node_ids": run.node_ids, "numbers": run.numbers}
    facts |= {name: getattr(run, name)[columns] for name in ("eigenvalues", "modal_masses", "frequencies_hz")}
    return SimpleNamespace(
        **facts | {"shapes": run.shapes[:, :, columns], "effective": run.effective.columns(columns)} | changes
    )


@pytest.mark.parametrize("name", WRITERS)
def test_one_mode_under_two_numbers_is_named(tmp_path, run, name):
    """Mode 3 again as mode 4, with its frequency and its shape times minus two."""
    if name == "universal":
        pytest.importorskip("pyuff")
    columns = np.array([0, 1, 2, 2, 4])
    again = with_columns(run, columns, shapes=run.shapes[:, :, columns] * np.array([1.0, 1.0, 1.0, -2.0, 1.0]))
    write, ending = WRITERS[name]
    with pytest.raises(FileError, match="one shape at all listed nodes; found modes 3 and 4") as error:
        read_supplier_modes(write(tmp_path / f"run{ending}", again))
    assert "\n" not in str(error.value)


def test_dependent_shapes_of_different_frequencies_are_named(tmp_path, deck, run):
    """Mode 3 again as mode 4 at another frequency: no file is wrong in itself, the deck's mass shows it."""
    again = with_columns(run, np.array([0, 1, 2, 2, 4]), eigenvalues=run.eigenvalues)
    with pytest.raises(FileError, match="combinations of each other over the deck's mass; found modes 3, 4"):
        ts.modes(op2(tmp_path / "run.op2", again), units="SI", deck=deck)


def test_a_second_run_in_one_op2_is_named(tmp_path, deck, run):
    """After the end mark it is refused; before it (two solutions of one file) the last one counts, and the other is named."""
    first = op2(tmp_path / "run.op2", run).read_bytes()
    joined = tmp_path / "joined.op2"
    joined.write_bytes(first + first)
    with pytest.raises(FileError, match="holds a second file after its end mark"):
        read_supplier_modes(joined)
    two = op2(tmp_path / "two.op2", run, cases=(1, 1))
    found = read_supplier_modes(two)
    assert any("2 solutions are in the file" in note and "left out are 5 modes" in note for note in found.notes)
    assert found.count == run.count
    check = ts.modes(two, units="SI", deck=deck).supplier.verification
    assert check.passed and any("left out are 5 modes" in note for note in check.notes)


def test_a_punch_file_cut_after_a_whole_node_is_refused(tmp_path, deck, run):
    """One mode, cut after every node: never taken as an output set that happens to be the first nodes."""
    path = punch(tmp_path / "run.pch", run.modes(np.array([0])))
    lines = path.read_text().splitlines(keepends=True)
    head = sum(line.startswith("$") for line in lines)
    for nodes in range(1, len(run.node_ids)):
        path.write_text("".join(lines[: head + 2 * nodes]))
        # node 1 is held: its shape alone is zero
        with pytest.raises(TisserandError, match="may have been cut off" if nodes > 1 else "zero everywhere"):
            ts.modes(path, units="SI", deck=deck)
    path.write_text("".join(lines))
    assert ts.modes(path, units="SI", deck=deck).supplier.verification.passed
    inner = replace(run, node_ids=run.node_ids[1:], shapes=run.shapes[1:], given=run.given[1:], scalar=None)
    assert ts.modes(punch(path, inner.modes(np.array([0]))), units="SI", deck=deck).supplier.verification.passed
