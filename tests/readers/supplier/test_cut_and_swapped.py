"""Files of other programs, cut at every fiftieth and between data blocks, swapped or joined: refused, or whole and right."""

import struct

import numpy as np
import pytest
from support.supplier_files import of_pyyeti, result

from tisserand.errors import TisserandError
from tisserand.readers.supplier import read_supplier_modes

CORPUS = (
    "results/beam_modes_m1.op2", "results/beam_modes.f06", "results/0012_flutter.op2", "results/0012_flutter.f06",
    "results/assemble.op2", "results/full.op2", "results/rdop2gpwg_2.op2", "results/rdop2gpwg_2.f06", "results/sol103.f06",
    "pyNastran/models/satk/pn_mwe_s-solution_1.op2",
)  # fmt: skip
OF_PYYETI = (
    "nas2cam_extseout/inboard_v2007.op2", "nas2cam_extseout/cant_beam.op2", "cla_test_data_2020/residual.op2",
    "cla_test_data_2020/residual.out", "nastran_op2_data/rdop2gpwg_1.op2",
)  # fmt: skip
FILES = (*CORPUS, *OF_PYYETI)


def original(name):
    return result("").parent / name if name in CORPUS else of_pyyeti(name)


def read(path):
    """The modes of a file, or None with one sentence."""
    try:
        return read_supplier_modes(path)
    except TisserandError as error:
        assert "\n" not in str(error) and path.name in str(error) and len(str(error)) < 500, str(error)
        return None


def assert_whole(found, whole):
    """Every number of the file is there."""
    np.testing.assert_array_equal(found.numbers, whole.numbers)
    np.testing.assert_array_equal(found.eigenvalues, whole.eigenvalues)
    np.testing.assert_array_equal(found.shapes, whole.shapes)
    assert found.kinds == whole.kinds and found.wtmass == whole.wtmass
    for word in ("modal_masses", "mass", "effective", "geometry"):
        assert (getattr(found, word) is None) == (getattr(whole, word) is None), word
    assert found.matrices.keys() == whole.matrices.keys()


@pytest.mark.parametrize("name", FILES)
def test_a_file_cut_at_every_fiftieth_is_refused_or_whole(tmp_path, name):
    source = original(name)
    raw = source.read_bytes()
    path, whole = tmp_path / source.name, None
    for part in range(1, 50):
        path.write_bytes(raw[: part * len(raw) // 50])
        found = read(path)
        if found is not None:  # what follows the end of the job in a printed file is no result
            assert raw[: part * len(raw) // 50].count(b"END OF JOB") == 1, f"cut at {part} of 50"
            whole = whole or read_supplier_modes(source)
            assert_whole(found, whole)
            break  # so are the longer ones


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".f06") and "sol103" not in name])
def test_a_printed_run_without_its_last_lines_is_refused_or_whole(tmp_path, name):
    """Cut after each of the last forty lines."""
    source = original(name)
    lines = source.read_bytes().splitlines(keepends=True)
    path, whole = tmp_path / source.name, read_supplier_modes(source)
    for lost in range(1, 41):
        path.write_bytes(b"".join(lines[:-lost]))
        found = read(path)
        if found is not None:
            assert_whole(found, whole)


def block_ends(raw):
    """Where the data blocks of an OP2 file end: after a key of zero."""
    order = "<" if struct.unpack("<i", raw[:4])[0] in (4, 8) else ">"
    word, at, promised, ends = struct.unpack(order + "i", raw[:4])[0], 0, 0, []
    while at < len(raw):
        (length,) = struct.unpack(order + "i", raw[at : at + 4])
        key = (
            0
            if promised
            else int.from_bytes(raw[at + 4 : at + 4 + word], "little" if order == "<" else "big", signed=True)
        )
        if not promised and key == 0:
            ends.append(at + length + 8)
        promised = 0 if promised else max(key, 0)
        at += length + 8
    return ends


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".op2")])
def test_an_op2_cut_between_data_blocks_is_never_silent(tmp_path, name):
    """Such a file is sound in itself: what is there is right, and a note says that its end mark is missing."""
    source = original(name)
    raw = source.read_bytes()
    path, whole = tmp_path / source.name, read_supplier_modes(source)
    ends = block_ends(raw)
    chosen = ends[:-1] if len(ends) < 40 else ends[:-1][:: len(ends) // 40]
    for end in chosen:
        path.write_bytes(raw[:end])
        found = read(path)
        if found is not None:
            assert any("no end mark" in note for note in found.notes), end
            rows = np.isin(whole.numbers, found.numbers)
            if found.count == whole.count and len(found.node_ids) == len(whole.node_ids):
                np.testing.assert_array_equal(found.eigenvalues[: rows.sum()], whole.eigenvalues[rows])


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".op2")])
def test_swapped_words_are_refused_or_whole(tmp_path, name):
    """Every word swapped, names too; every pair of bytes; the first and the second half; the whole file reversed."""
    source = original(name)
    raw = source.read_bytes()
    four, two = raw[: len(raw) // 4 * 4], raw[: len(raw) // 2 * 2]
    half = len(raw) // 8 * 4
    swapped = np.frombuffer(four, "<i4").astype(">i4").tobytes()
    path, whole = tmp_path / source.name, read_supplier_modes(source)
    for damaged in (
        swapped, np.frombuffer(two, "<i2").astype(">i2").tobytes(), swapped[:half] + raw[half:], raw[:half] + swapped[half:],
        raw[::-1],
    ):  # fmt: skip
        path.write_bytes(damaged)
        found = read(path)
        if found is not None:
            assert_whole(found, whole)


@pytest.mark.parametrize("name", FILES)
def test_a_file_joined_to_itself_is_refused_or_named(tmp_path, name):
    source = original(name)
    path = tmp_path / source.name
    path.write_bytes(2 * source.read_bytes())
    assert read(path) is None


@pytest.mark.parametrize(("first", "second"), (("results/beam_modes.f06", "results/0012_flutter.f06"),
                                               ("results/beam_modes_m1.op2", "results/full.op2"),
                                               ("results/beam_modes.f06", "results/beam_modes_m1.op2"),
                                               ("results/beam_modes_m1.op2", "results/beam_modes.f06")))  # fmt: skip
def test_two_files_in_one_are_refused(tmp_path, first, second):
    raw = original(first).read_bytes() + original(second).read_bytes()
    path = tmp_path / original(first).name
    path.write_bytes(raw)
    assert read(path) is None
    cut = len(original(first).read_bytes()) // 2
    path.write_bytes(raw[:cut] + original(second).read_bytes())
    assert read(path) is None
