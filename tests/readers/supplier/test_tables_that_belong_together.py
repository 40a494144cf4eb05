"""Tables and shapes of one OP2 file belong together by their eigenvalues; a mass table about a grid is placed by the deck."""

from dataclasses import replace

import numpy as np
import pytest
from support.op2_files import Op2, ident
from support.result_files import FRAME, f06, frame_deck, frame_modes

import tisserand as ts
from tisserand.errors import FileError
from tisserand.readers.supplier import read_supplier_modes


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return frame_modes(frame_deck(tmp_path_factory.mktemp("tables")), scaling="MASS")


def table(file, run, case):
    rows = [
        file.ints(k + 1, k + 1) + file.reals(np.array([v, 0.0, 0.0, 1.0, v])) for k, v in enumerate(run.eigenvalues)
    ]
    return [ident(file, approach=2, table=6, case=case), b"".join(rows)]


def shapes(file, run, case):
    out = []
    for k, value in enumerate(run.eigenvalues):
        rows = [file.ints(10 * int(n) + 1, 1) + file.reals(u) for n, u in zip(run.node_ids, run.shapes[:, :, k])]
        out += [ident(file, approach=2, table=7, case=case, mode=k + 1, value=value), b"".join(rows)]
    return out


@pytest.mark.parametrize("layout", ("one table of pairs", "unnumbered tables", "numbered tables"))
def test_each_subcase_has_its_own_eigenvalues(tmp_path, run, layout):
    runs = {1: run, 2: replace(run, eigenvalues=7.0 * run.eigenvalues)}
    file = Op2()
    if layout == "one table of pairs":
        file.table(b"LAMA", [record for case, own in runs.items() for record in table(file, own, case)])
        file.table(b"OUGV1", [record for case, own in runs.items() for record in shapes(file, own, case)])
    else:
        for case, own in runs.items():
            file.table(b"LAMA", table(file, own, case if layout == "numbered tables" else 0))
            file.table(b"OUGV1", shapes(file, own, case))
    path = file.write(tmp_path / "two.op2")
    for case, own in runs.items():
        np.testing.assert_allclose(read_supplier_modes(path, case).eigenvalues, own.eigenvalues, rtol=1e-6)


def test_a_table_of_another_order_is_refused(tmp_path, run):
    file = Op2()
    file.table(b"LAMA", table(file, run.modes(np.array([1, 0, 2, 3, 4])), 1))
    file.table(b"OUGV1", shapes(file, run, 1))
    with pytest.raises(FileError, match=r"headings differ; found mode 1"):
        read_supplier_modes(file.write(tmp_path / "order.op2"))


def test_the_deck_places_the_point_of_the_mass_table(tmp_path, run):
    """GRDPNT = 4 in an F06 file, which has no positions: a density 1 % off is told, the right one is verified."""
    arm = np.eye(6)
    x, y, z = run.geometry.positions[3]
    arm[:3, 3:] = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]  # S about node 4 = S about O times this
    about = replace(run, mass=replace(run.mass, matrix=arm.T @ run.mass.matrix @ arm))
    path = f06(tmp_path / "run.f06", about)
    path.write_text(path.read_text().replace("REFERENCE POINT =        0", "REFERENCE POINT =        4"))
    right, wrong = (tmp_path / "a", tmp_path / "b")
    right.mkdir(), wrong.mkdir()
    check = ts.modes(path, units="SI", deck=frame_deck(right)).supplier.verification
    assert check.passed and abs(check.mass) < 1e-6 and check.center < 1e-5 and check.inertia < 1e-5, check.breaches
    heavy = frame_deck(wrong, FRAME.replace("2700.", "2727."))
    assert any(
        "mass of the deck" in text for text in ts.modes(path, units="SI", deck=heavy).supplier.verification.breaches
    )


@pytest.mark.parametrize(
    ("rows", "kept", "words"), ((5, 3, "modes 4, 5 are listed"), (3, 5, "modes 4, 5 have a shape"))
)
def test_modes_in_one_table_alone_are_named(tmp_path, run, rows, kept, words):
    file = Op2()
    file.table(b"LAMA", table(file, run.modes(np.arange(rows)), 1))
    file.table(b"OUGV1", shapes(file, run.modes(np.arange(kept)), 1))
    found = read_supplier_modes(file.write(tmp_path / "few.op2"))
    assert found.count == 3 and any(words in note for note in found.notes)
