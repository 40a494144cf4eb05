"""What the first bytes of a file show, for files that other programs wrote; nothing for decks, meshes and texts."""

import numpy as np
import pytest
import scipy.io
from support.supplier_files import of_pyyeti, result

import tisserand as ts
from tisserand.readers.file_marks import signature
from tisserand.readers.matrices import read_matrices

K, M = np.diag([2.0, 3.0, 5.0]), np.eye(3)
ENDINGS = (".bdf", ".f06", ".op2", ".npz", ".h5", ".toml", ".json", ".mtx", "")


def op4(path, **options):
    module = pytest.importorskip("pyyeti.nastran.op4")
    module.write(str(path), {"K": K, "M": M}, **options)


def old_matlab(path):
    scipy.io.savemat(path, {"K": K, "M": M}, format="4")


def market_pair(path):
    for matrix, name in ((K, path), (M, path.with_name(path.name.replace("_K", "_M")))):
        with open(name, "wb") as stream:
            scipy.io.mmwrite(stream, matrix)


def term_pair(path):
    for matrix, name in ((K, path), (M, path.with_name(path.name.replace("_K", "_M")))):
        name.write_text("".join(f"{i + 1} {i + 1} {matrix[i, i]:.12e}\n" for i in range(3)))


def dmig(path):
    lines = []
    for name, matrix in (("KAAX", K), ("MAAX", M)):
        lines.append(f"DMIG    {name:8s}{0:8d}{6:8d}{1:8d}")
        lines += [
            f"DMIG*   {name:16s}{1:16d}{i + 1:16d}{'':16s}\n*       {1:16d}{i + 1:16d}{matrix[i, i]:16.9E}"
            for i in range(3)
        ]
    path.write_text("\n".join(lines) + "\n")


WRITERS = {
    "op4 little-endian": lambda path: op4(path, endian="<"),
    "op4 big-endian": lambda path: op4(path, endian=">"),
    "op4 text": lambda path: op4(path, binary=False),
    "op4 sparse": lambda path: op4(path, sparse="bigmat"),
    "matlab 4": old_matlab,
    "market": market_pair,
    "terms": term_pair,
    "dmig": dmig,
}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("form", WRITERS)
def test_matrices_are_read_under_any_ending(form, ending, tmp_path):
    path = tmp_path / f"a_K{ending}"
    WRITERS[form](tmp_path / "a_K.raw")
    for name in ("K", "M"):
        if (made := tmp_path / f"a_{name}.raw").exists():
            made.rename(tmp_path / f"a_{name}{ending}")
    names = {"stiffness": "KAAX", "mass": "MAAX"} if form == "dmig" else None
    model = read_matrices(path, "SI", names=names)
    np.testing.assert_allclose(np.sort(model.stiffness.diagonal()), np.sort(np.diag(K)), rtol=1e-9)
    if form != "dmig":
        assert ts.open(path, units="SI").kind == "matrices"


@pytest.mark.parametrize(
    ("name", "shown"),
    [("beam_modes.f06", "f06"), ("0012_flutter.f06", "f06"), ("full.op2", "op2"), ("beam_modes_m1.op2", "op2")],
)
def test_results_of_nastran_show(name, shown):
    with result(name).open("rb") as stream:
        assert signature(stream.read(1 << 16)) == shown


@pytest.mark.parametrize("name", ["nastran_op2_data/rdop2gpwg_1.op2", "nastran_dmig_data/matrix.op2"])
def test_op2_files_of_pyyeti_show(name):
    assert signature(of_pyyeti(name).read_bytes()[: 1 << 16]) == "op2"


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("word", [4, 8])
def test_keys_of_op2_in_both_orders_and_word_lengths(word, swap):
    order = ">" if swap else "<"
    size, key = np.array(word, f"{order}i4").tobytes(), np.array(3, f"{order}i{word}").tobytes()
    date = np.array(3 * word, f"{order}i4").tobytes()
    assert signature(size + key + size + date + bytes(3 * word) + date) == "op2"
    assert signature(size + key + size + size + bytes(word) + size) is None


@pytest.mark.parametrize(
    "text", ["    1C\n    1UUSER\n", "    -1\n   151\n", "%%MatrixMarket matrix array real general\n", "PK\x03\x04"]
)
def test_a_blank_or_a_letter_before_the_sign_hides_it(text):
    assert signature(text.encode()) is not None
    assert signature(b"x" + text.encode()) is None


@pytest.mark.parametrize(
    "text",
    [
        "SOL 103\nCEND\nBEGIN BULK\nGRID,1,,0.,0.,0.\nDMIG,K,0,6,1\nENDDATA\n",
        "$ results of N A S T R A N\nGRID,1\n",
        "*HEADING\n part\n*NODE\n1, 0., 0., 0.\n",
        "[mesh]\nfile = 'a.bdf'\n",
        '{"units": "SI"}',
        "1 2 3\na b c\n" * 3,
        "solid cube\n facet normal 0 0 1\n",
        "",
    ],
)
def test_decks_cases_and_texts_show_nothing(text):
    assert signature(text.encode()) in (None, "terms" if text.startswith("1 2 3") else None)
