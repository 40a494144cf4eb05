"""Matrix files that are damaged or crafted: one sentence, never a crash; sound ones are read as scipy reads them."""

import h5py
import numpy as np
import pytest
import scipy.io as sio
import scipy.sparse as sp

from tisserand.errors import FileError
from tisserand.readers.matrices import read_matrices
from tisserand.readers.matrices.market import read_market_matrix
from tisserand.readers.matrices.matlab import read_mat
from tisserand.stored import checked_sparse, read_npz


def dense(matrix):
    return matrix.toarray() if sp.issparse(matrix) else np.asarray(matrix)


def symmetric_matrix(n=30):
    part = sp.random_array((n, n), density=0.2, rng=np.random.default_rng(1))
    return (part + part.T + 3.0 * sp.eye_array(n)).tocsc()


@pytest.mark.parametrize(
    "parts",
    [
        {"indptr": [0, 10**6, 2]},
        {"indptr": [0, 2, 1]},
        {"indptr": [5, 1, 2]},
        {"indptr": [0, 1, 2, 2]},
        {"indices": [0, 7]},
        {"indices": [0, -1]},
        {"indices": [0.5, 1.0]},
        {"indices": [0]},
        {"data": [[1.0], [1.0]]},
        {"data": ["a", "b"]},
        {"shape": [2]},
        {"shape": [10**12, 10**12]},
        {"shape": [-2, -2]},
    ],
)
def test_sparse_parts_that_do_not_fit_are_refused_before_scipy_sees_them(tmp_path, parts):
    path = tmp_path / "s.npz"
    sound = {"data": np.ones(2), "indices": [0, 1], "indptr": [0, 1, 2], "shape": [2, 2]}
    np.savez(path, M=np.eye(2), **{f"K_{word}": value for word, value in {**sound, **parts}.items()})
    with pytest.raises(FileError, match=r"s\.npz.*'K'"):
        read_matrices(path, "SI")


def test_sparse_parts_of_hdf5_are_checked_too(tmp_path):
    path = tmp_path / "s.h5"
    with h5py.File(path, "w") as file:
        file["M"] = np.eye(2)
        for word, value in {"data": np.ones(2), "indices": [0, 1], "indptr": [0, 10**6, 2]}.items():
            file[f"K/{word}"] = value
    with pytest.raises(FileError, match="pointers must rise"):
        read_matrices(path, "SI")


def test_sound_sparse_parts_pass_unchanged(tmp_path):
    K, path = symmetric_matrix(), tmp_path / "x"
    path.touch()
    assert np.array_equal(dense(checked_sparse(path, "K", K.data, K.indices, K.indptr, K.shape, "csc")), K.toarray())


@pytest.mark.parametrize("version", ["4", "5"])
@pytest.mark.parametrize("compressed", [False, True])
def test_matlab_files_are_read_as_scipy_reads_them(tmp_path, version, compressed):
    path, content = tmp_path / "a.mat", {"K": symmetric_matrix(), "M": np.eye(30), "i": np.arange(5, dtype=np.int16)}
    content |= {"z": np.eye(3) + 2j * np.ones((3, 3)), "text": "hello", "one": 3.25}
    if version == "5":
        content |= {
            "s": {"a": 1},
            "cell": np.array([1, "x"], object),
            "b": np.array([True, False]),
            "empty": np.zeros((0, 3)),
        }
        content |= {"cube": np.arange(24.0).reshape(2, 3, 4)}
    sio.savemat(path, content, format=version, do_compression=compressed)
    ours, theirs = read_mat(path), sio.loadmat(path)
    assert {"K", "M", "i", "z", "one"} <= set(ours)
    for name, value in ours.items():
        assert np.array_equal(dense(value), dense(theirs[name])), name


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("part", [0.01, 0.1, 0.3, 0.5, 0.6, 0.75, 0.95, 0.99])
def test_a_matlab_file_cut_anywhere_is_refused(tmp_path, part, compressed):
    whole, cut = tmp_path / "whole.mat", tmp_path / "cut.mat"
    sio.savemat(whole, {"K": 4.0 * np.eye(6), "M": np.eye(6)}, do_compression=compressed)
    content = whole.read_bytes()
    cut.write_bytes(content[: int(part * len(content))])
    with pytest.raises(FileError, match=r"cut\.mat"):
        read_matrices(cut, "SI")


def test_a_matlab_file_that_says_it_expands_without_end_is_refused(tmp_path):
    import struct
    import zlib

    path = tmp_path / "bomb.mat"
    inner = zlib.compress(struct.pack("<II", 14, 2**31) + b"\0" * 1000)
    path.write_bytes(
        b"MATLAB".ljust(124) + struct.pack("<H", 0x0100) + b"IM" + struct.pack("<II", 15, len(inner)) + inner
    )
    with pytest.raises(FileError, match="claims more data than it can contain"):
        read_matrices(path, "SI")


@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
@pytest.mark.parametrize("form", ["array", "coordinate"])
def test_matrix_market_files_are_read_as_scipy_reads_them(tmp_path, symmetry, form):
    K = symmetric_matrix()
    sio.mmwrite(tmp_path / "k.mtx", K if form == "coordinate" else K.toarray(), symmetry=symmetry)
    assert dense(read_market_matrix(tmp_path / "k.mtx")) == pytest.approx(K.toarray(), rel=1e-12, abs=0.0)


def test_skew_matrices_and_patterns_follow_the_standard(tmp_path):
    path = tmp_path / "a.mm"
    path.write_text("%%MatrixMarket matrix coordinate real skew-symmetric\n% words\n2 2 1\n2 1 3.0\n")
    assert dense(read_market_matrix(path)).tolist() == [[0.0, -3.0], [3.0, 0.0]]
    path.write_text("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n")
    assert dense(read_market_matrix(path)).tolist() == [[0.0, 0.0], [1.0, 0.0]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("%%MatrixMarket matrix array real general\n1 3\n1.0\n", "found 1, expected 3"),
        ("%%MatrixMarket matrix array real general\n1 1\n2J", "not a number"),
        ("%%MatrixMarket matrix array real general\n1 1\n1.0 2.0\n", "found 2, expected 1"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n", "found 3, expected 6"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1.0\n", "outside the matrix"),
        ("%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 1.0\n", "outside the matrix"),
        ("%%MatrixMarket matrix coordinate real general\n999999999 999999999 1\n1 1 1.0\n", "too large"),
        (
            "%%MatrixMarket matrix coordinate real general\n9999999 9999999 1\n1 1 1.0\n",
            "more data than it can contain",
        ),
        ("%%MatrixMarket matrix coordinate real general\n-2 2 1\n1 1 1.0\n", "size line"),
        ("%%MatrixMarket matrix coordinate real general\n", "size line"),
        ("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n", "complex"),
        ("%%MatrixMarket vector\n1 1\n1\n", "header"),
    ],
)
def test_a_matrix_market_file_that_is_not_whole_is_refused(tmp_path, text, words):
    path = tmp_path / "K.mm"
    path.write_text(text)
    with pytest.raises(FileError, match=words):
        read_market_matrix(path)


def test_a_row_number_of_a_billion_takes_no_memory(tmp_path):
    (tmp_path / "a_STIF1.mtx").write_text("1,1,1\n1000000000,1000000000,1\n")
    (tmp_path / "a_MASS1.mtx").write_text("1,1,1\n")
    with pytest.raises(FileError, match="larger than the number of terms"):
        read_matrices(tmp_path / "a_STIF1.mtx", "SI")


def test_hdf5_that_leaves_its_file_or_lies_about_its_size_is_refused(tmp_path):
    path = tmp_path / "x.h5"
    with h5py.File(path, "w") as file:
        file["K"], file["M"] = h5py.ExternalLink("other.h5", "/K"), np.eye(2)
    with pytest.raises(FileError, match="links to another file"):
        read_matrices(path, "SI")
    with h5py.File(path, "w") as file:
        file.create_dataset("K", shape=(10**6, 10**6), chunks=(1000, 1000), dtype="f8")
        file["M"] = np.eye(2)
    with pytest.raises(FileError, match="more data than it can contain"):
        read_matrices(path, "SI")
    (tmp_path / "secret").write_bytes(np.eye(2).tobytes())
    with h5py.File(path, "w") as file:
        file.create_dataset("K", (2, 2), "f8", external=[(str(tmp_path / "secret"), 0, 32)])
        file["M"] = np.eye(2)
    with pytest.raises(FileError, match="kept in another file"):
        read_matrices(path, "SI")


def test_an_archive_of_objects_or_of_lies_is_refused(tmp_path):
    path = tmp_path / "a.npz"
    np.savez(path, K=np.array([{"a": 1}], object), M=np.eye(1))
    with pytest.raises(FileError, match="Python objects"):
        read_npz(path)
    import io
    import zipfile

    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)})
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("K.npy", stream.getvalue())
    with pytest.raises(FileError, match="ends before its array does"):
        read_npz(path)
