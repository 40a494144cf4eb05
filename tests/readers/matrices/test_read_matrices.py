"""Matrices from other codes: corpus pairs, round trips, units, and mistakes."""

import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest
import scipy.io
import scipy.sparse
from scipy.linalg import eigh
from support.corpus import deck, needs_corpus, references

from tisserand.appendage import reduce
from tisserand.assembly import assemble
from tisserand.errors import FileError, InputError, UnitsError
from tisserand.modes import solve_modes
from tisserand.readers.abaqus import read_abaqus
from tisserand.readers.matrices import read_matrices
from tisserand.readers.registry import read_model


@pytest.fixture
def chain():
    """Three equal masses and springs, the first to ground: closed form 2 sqrt(k/m) sin((2 j - 1) pi / 14)."""
    stiffness = 100.0 * np.array([[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]])
    omega = 2.0 * np.sqrt(100.0 / 4.0) * np.sin((2 * np.arange(1, 4) - 1) * np.pi / 14.0)
    return stiffness, 4.0 * np.eye(3), omega


def frequencies(model):
    return np.sqrt(eigh(model.stiffness.toarray(), model.mass.toarray(), eigvals_only=True))


def lines(matrix, triangle=None):
    terms = scipy.sparse.coo_array(matrix)
    keep = terms.row >= terms.col if triangle == "lower" else np.ones(len(terms.data), bool)
    return [(r + 1, c + 1, v) for r, c, v in zip(terms.row[keep], terms.col[keep], terms.data[keep])]


def write_mat(folder, k, m):
    scipy.io.savemat(folder / "chain.mat", {"K": scipy.sparse.csc_matrix(k), "M": m})
    return folder / "chain.mat"


def write_npz(folder, k, m):
    sparse = scipy.sparse.csr_array(k)
    np.savez(
        folder / "chain.npz",
        K_data=sparse.data,
        K_indices=sparse.indices,
        K_indptr=sparse.indptr,
        K_shape=k.shape,
        mass=m,
    )
    return folder / "chain.npz"


def write_h5(folder, k, m):
    with h5py.File(folder / "chain.h5", "w") as file:
        file["stiffness"], file["mass"] = k, m
    return folder / "chain.h5"


def write_market(folder, k, m):
    scipy.io.mmwrite(folder / "chain_stiffness.mtx", scipy.sparse.coo_array(k), symmetry="symmetric")
    scipy.io.mmwrite(folder / "chain_mass.mtx", scipy.sparse.coo_array(m))
    return folder / "chain_stiffness.mtx"


def write_coordinate(folder, k, m):
    for name, matrix in (("STIF1", k), ("MASS1", m)):
        (folder / f"chain_{name}.mtx").write_text("".join(f"{r} {c} {v:.15e}\n" for r, c, v in lines(matrix)))
    return folder / "chain_STIF1.mtx"


def write_matrix_input(folder, k, m):
    for name, matrix in (("STIF1", k), ("MASS1", m)):
        text = "".join(f"{10 * r},1, {10 * c},1, {v:.15e}\n" for r, c, v in lines(matrix, "lower"))
        (folder / f"chain_{name}.mtx").write_text("** assembled matrix\n" + text)
    return folder / "chain_STIF1.mtx"


def write_calculix(folder, k, m):
    for name, matrix in (("sti", k), ("mas", m)):
        (folder / f"chain.{name}").write_text("".join(f"{c} {r} {v:.15e}\n" for r, c, v in lines(matrix, "lower")))
    (folder / "chain.dof").write_text("10.1\n20.1\n30.1\n")
    return folder / "chain.sti"


def write_punch(folder, k, m):
    cards = []
    for name, matrix in (("KAAX", k), ("MAAX", m)):
        cards.append(f"DMIG    {name:8s}       0       6       2       0")
        for column in range(3):
            rows = [r for r in range(column, 3) if matrix[r, column] != 0.0]
            cards.append(f"DMIG*   {name:16s}{10 * (column + 1):16d}{1:16d}")
            for row in rows:
                cards.append(
                    f"*       {10 * (row + 1):16d}{1:16d}{f'{matrix[row, column]:.9E}'.replace('E', 'D'):>16s}"
                )
    (folder / "chain.pch").write_text("\n".join(cards) + "\n")
    return folder / "chain.pch"


def write_op4(folder, k, m):
    op4 = pytest.importorskip("pyyeti.nastran.op4")
    op4.write(str(folder / "chain.op4"), {"kaa": k, "maa": m})
    return folder / "chain.op4"


WRITERS = [
    write_mat, write_npz, write_h5, write_market, write_coordinate, write_matrix_input, write_calculix, write_punch, write_op4
]  # fmt: skip


@pytest.mark.parametrize("write", WRITERS)
def test_every_format_gives_the_chain_of_masses(tmp_path, chain, write):
    stiffness, mass, omega = chain
    model = read_matrices(write(tmp_path, stiffness, mass), "SI")
    np.testing.assert_allclose(frequencies(model), omega, rtol=1e-9)
    assert not model.has_field
    assert model.rigid_body_vectors.shape == (3, 6) and not model.rigid_body_vectors.any()
    assert any("rigid-body vectors are zero" in note for note in model.notes)
    if write in (write_matrix_input, write_calculix, write_punch):
        assert model.nodes.ids.tolist() == [10, 20, 30]


@needs_corpus
@pytest.mark.parametrize("name", ["blockC3D4", "blockC3D10", "blockC3D20"])
def test_abaqus_pairs_reproduce_every_printed_digit(name):
    """Source: scipy eigenvalues of the same pair, printed to eight digits; the mass is that of the block."""
    path = deck(name)
    geometry = read_abaqus(path, "consistent")
    model = read_matrices(path.with_name(f"{path.stem}_STIF1.mtx"), "consistent", geometry=geometry)
    values = eigh(model.stiffness.toarray(), model.mass.toarray(), eigvals_only=True)[6:16]
    found = np.sqrt(values) / (2 * np.pi)
    assert [f"{f:.7e}" for f in found] == [f"{f:.7e}" for f in references()[name]["freqs_hz"][6:16]]
    assert model.mass_properties().mass == pytest.approx(references()[name]["total_mass"], rel=1e-12)
    residual = np.abs(model.stiffness @ model.rigid_body_vectors).max() / np.abs(model.stiffness.data).max()
    assert residual < 1e-12  # the geometry fits the matrices


@needs_corpus
@pytest.mark.parametrize(("name", "scale"), [("blockC3D10", 1e-8), ("blockC3D20", 1e-8)])
def test_abaqus_matrices_are_those_assembled_here(name, scale):
    """Abaqus' exported stiffness and mass against our own elements on the same deck, term by term."""
    path = deck(name)
    own = assemble(read_abaqus(path, "consistent"))
    given = read_matrices(path.with_name(f"{path.stem}_STIF1.mtx"), "consistent", geometry=own.structure)
    place = own.dofs.index[given.dofs.node, given.dofs.component]
    for word in ("stiffness", "mass"):
        mine = getattr(own, word).toarray()[np.ix_(place, place)]
        theirs = getattr(given, word).toarray()
        assert np.abs(mine - theirs).max() < scale * np.abs(theirs).max(), word


@needs_corpus
def test_an_external_superelement_in_op4(tmp_path):
    """Fixed-interface modes of the OP4 pair against Nastran's own table (seven digits); EXTRN names the dofs."""
    pytest.importorskip("pyyeti")
    model = read_matrices(deck("nas2cam_extseout_inboard").with_suffix(".op4"), "consistent")
    modal = model.nodes.scalar[model.dofs.node]
    assert (~modal).sum() == 24
    inner = np.ix_(modal, modal)
    values = eigh(model.stiffness.toarray()[inner], model.mass.toarray()[inner], eigvals_only=True)
    table = references()["nas2cam_extseout_inboard"]["component_modes_plus_residual_vectors_hz"][:8]
    np.testing.assert_allclose(np.sqrt(values) / (2 * np.pi), table, rtol=5e-7)  # half a unit of the seventh digit


@needs_corpus
def test_op4_is_read_as_pyyeti_reads_it():
    op4 = pytest.importorskip("pyyeti.nastran.op4")
    path = deck("nas2cam_extseout_outboard").with_suffix(".op4")
    raw = op4.read(str(path), into="dct")
    model = read_matrices(path, "consistent")
    for word, name in (("stiffness", "kxx"), ("mass", "mxx")):
        theirs = raw[name]
        np.testing.assert_allclose(getattr(model, word).toarray(), theirs, rtol=1e-8, atol=1e-8 * np.abs(theirs).max())


@needs_corpus
def test_a_punched_bar_has_its_rigid_body_motions():
    """barmat.pch: 12 x 12 stiffness of one CBAR with its GRID cards; K times rigid motion is zero."""
    model = read_matrices(deck("003_svanberg_bar").with_name("barmat.pch"), "consistent")
    assert model.size == 12 and model.rigid_body_vectors.any()
    residual = np.abs(model.stiffness @ model.rigid_body_vectors).max() / np.abs(model.stiffness.data).max()
    assert residual < 1e-9


@pytest.mark.slow
def test_calculix_matrix_storage_live(tmp_path):
    """CalculiX writes .sti, .mas, .dof of beam8f's kind of cube; they are our own matrices of the same deck."""
    text = (
        "*NODE, NSET=N\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
        "*ELEMENT, TYPE=C3D8, ELSET=E\n1,1,2,3,4,5,6,7,8\n*MATERIAL, NAME=M\n*ELASTIC\n2.1e11,0.3\n*DENSITY\n7800.\n"
        "*SOLID SECTION, ELSET=E, MATERIAL=M\n*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n10\n*END STEP\n"
    )
    (tmp_path / "cube.inp").write_text(text)
    try:
        subprocess.run(["ccx", "cube"], cwd=tmp_path, capture_output=True, timeout=120, check=False)
    except FileNotFoundError:
        pytest.skip("ccx is not installed")
    own = assemble(read_abaqus(tmp_path / "cube.inp", "SI"))
    given = read_matrices(tmp_path / "cube.sti", "SI", geometry=own.structure)
    place = own.dofs.index[given.dofs.node, given.dofs.component]
    for word in ("stiffness", "mass"):
        theirs = getattr(given, word).toarray()
        mine = getattr(own, word).toarray()[np.ix_(place, place)]
        assert np.abs(mine - theirs).max() < 1e-9 * np.abs(theirs).max()


def test_units_convert_translations_and_rotations(tmp_path):
    """A beam end: k_vv N/m, k_vt N, k_tt N m. In mm-t-s the numbers are 1e-3, 1, 1e3 times those in SI."""
    si = np.array([[12.0, 6.0], [6.0, 4.0]])
    mm = si * np.array([[1e-3, 1.0], [1.0, 1e3]])
    np.savez(tmp_path / "beam.npz", K=mm, M=np.diag([1e-3, 1e3]), dofs=[[1, 2], [1, 6]], positions=[[0.0, 0.0, 0.0]])
    model = read_matrices(tmp_path / "beam.npz", "mm-t-s")
    np.testing.assert_allclose(model.stiffness.toarray(), si, rtol=1e-12)
    np.testing.assert_allclose(model.mass.toarray(), np.diag([1.0, 1.0]), rtol=1e-12)


def test_unnamed_dofs_have_no_units_to_convert(tmp_path, chain):
    with pytest.raises(UnitsError, match="lengths and angles cannot be distinguished"):
        read_matrices(write_mat(tmp_path, *chain[:2]), "mm-t-s")


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"K": np.eye(3)}, "no mass matrix was found"),
        ({"K": np.eye(3), "M": np.eye(2)}, "differ in size"),
        ({"K": np.ones((3, 2)), "M": np.eye(3)}, "is not square"),
        ({"K": np.array([[1.0, 2.0], [3.0, 1.0]]), "M": np.eye(2)}, "is not symmetric"),
        ({"K": np.full((2, 2), np.nan), "M": np.eye(2)}, "not finite"),
        ({"K": np.eye(2), "M": np.eye(2), "dofs": [[1, 1]]}, "dofs must list"),
        ({"K": np.eye(2), "M": np.eye(2), "dofs": [[1, 1], [1, 7]]}, "run from 1 to 6"),
        ({"K": np.array([["a"]]), "M": np.eye(1)}, "not a matrix of numbers"),
    ],
)
def test_matrices_that_cannot_be_right(tmp_path, arrays, words):
    np.savez(tmp_path / "bad.npz", **arrays)
    with pytest.raises(FileError, match=words) as caught:
        read_matrices(tmp_path / "bad.npz", "SI")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", [".npz", ".mat", ".h5", ".op4", ".pch", ".mtx", ".sti"])
def test_rubbish_is_refused(tmp_path, suffix):
    path = tmp_path / f"bad_STIF1{suffix}"
    path.write_bytes(b"this is not a matrix\n" * 5)
    (tmp_path / f"bad_MASS1{suffix}").write_bytes(b"neither is this\n")
    (tmp_path / "bad_STIF1.mas").write_bytes(b"neither is this\n")
    with pytest.raises(InputError) as caught:
        read_matrices(path, "SI")
    assert str(tmp_path) in str(caught.value)


def test_missing_pyyeti_says_which_extra_to_install(tmp_path, monkeypatch):
    for name in ("pyyeti", "pyyeti.nastran"):
        monkeypatch.setitem(sys.modules, name, None)
    (tmp_path / "a.op4").write_bytes(b"x")
    with pytest.raises(InputError, match=r"pip install tisserand\[nastran\]"):
        read_matrices(tmp_path / "a.op4", "SI")


def test_op2_matrices_are_listed_by_name():
    """pyyeti ships an OP2 with KHH but no mass matrix: the error lists what is there."""
    pyyeti = pytest.importorskip("pyyeti")
    path = Path(pyyeti.__file__).parent / "tests" / "nas2cam_extseout" / "assemble.op2"
    if not path.exists():
        pytest.skip("this pyyeti has no test data")
    with pytest.raises(FileError, match=r"no mass matrix was found; found arrays .*KHH"):
        read_matrices(path, "consistent", names={"stiffness": "KHH"})


@needs_corpus
def test_a_superelement_with_its_deck_moves_rigidly():
    """Positions and node axes of the deck give rigid motions that the reduced stiffness does not resist."""
    pytest.importorskip("pyyeti")
    path = deck("nas2cam_extseout_inboard")
    model = read_matrices(path.with_suffix(".op4"), "consistent", geometry=read_model(path, "consistent"))
    force = model.stiffness @ model.rigid_body_vectors
    size = np.abs(model.stiffness.data).max() * np.abs(model.rigid_body_vectors).max(axis=0)
    assert (np.abs(force) / size).max() < 1e-8
    assert np.linalg.matrix_rank(model.rigid_body_vectors) == 6


@needs_corpus
def test_given_matrices_reach_the_modal_record():
    """Abaqus' matrices with the deck's geometry, reduced: frequencies of the reference and the mass of the block."""
    path = deck("blockC3D10")
    geometry = read_abaqus(path, "consistent")
    model = read_matrices(path.with_name("blockC3D10_STIF1.mtx"), "consistent", geometry=geometry)
    record = reduce(solve_modes(model, count=6))
    np.testing.assert_allclose(record.frequencies_hz, references()["blockC3D10"]["freqs_hz"][6:12], rtol=5e-8)
    assert record.mass == pytest.approx(11600.0, rel=1e-12)


@pytest.mark.parametrize("last", [1, 2, 3])
def test_a_punched_mass_cut_inside_its_columns_is_refused(tmp_path, last):
    """A consistent mass by columns of the lower triangle: dofs beyond the cut are coupled and have no mass of their own."""
    M = np.diag([4.0] * 4) + np.diag([1.0] * 3, 1) + np.diag([1.0] * 3, -1)
    cards = ["DMIG,KAAX,0,6,1", *(f"DMIG,KAAX,{n},1,,{n},1,{float(n)}" for n in range(1, 5)), "DMIG,MAAX,0,6,1"]
    cards += [f"DMIG,MAAX,{c + 1},1,,{r + 1},1,{M[r, c]}" for c in range(last) for r in range(c, 4) if M[r, c]]
    (tmp_path / "cut.pch").write_text("\n".join(cards) + "\n")
    with pytest.raises(
        FileError, match=f"MAAX couples a dof that has no diagonal term; found node {last + 1}, component 1"
    ):
        read_matrices(tmp_path / "cut.pch", "SI")


@pytest.mark.parametrize("last", [1, 2, 3, 4])
def test_a_punched_diagonal_mass_that_ends_early_is_noted(tmp_path, last):
    """Points after the end have stiffness and no mass, which a whole file may state too: it is read, and says what is assumed.

    Rotations without mass, as in a lumped mass, are no sign of an end.
    """
    cards = ["DMIG,KAAX,0,6,1", *(f"DMIG,KAAX,{n},{c},,{n},{c},{float(n)}" for n in range(1, 5) for c in range(1, 7))]
    cards += ["DMIG,MAAX,0,6,1", *(f"DMIG,MAAX,{n},{c},,{n},{c},2.5" for n in range(1, last + 1) for c in (1, 2, 3))]
    (tmp_path / "cut.pch").write_text("\n".join(cards) + "\n")
    assumed = [note for note in read_matrices(tmp_path / "cut.pch", "SI").notes if note.startswith("assumed: DMIG")]
    after = 3 * (4 - last)
    assert assumed == ([] if last == 4 else [assumed[0]])
    assert last == 4 or f"ends at node {last}, component 3, and {after} displacements after that" in assumed[0]
