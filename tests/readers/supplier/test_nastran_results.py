"""OP2 and F06 files that Nastran wrote, against pyyeti's own readings and against the printed digits."""

import re
import struct

import numpy as np
import pytest
from support.op2_files import Op2
from support.supplier_files import of_pyyeti, result

from tisserand.errors import FileError
from tisserand.readers.op2 import tables
from tisserand.readers.op2.data_blocks import DataBlocks
from tisserand.readers.supplier import read_supplier_modes

#: Single precision and seven printed digits.
DIGITS = 2e-7


def test_f06_and_op2_of_one_run_agree():
    """beam_modes printed and binary, by two versions of the program: seven digits; repeated modes may turn in their plane."""
    text, binary = read_supplier_modes(result("beam_modes.f06")), read_supplier_modes(result("beam_modes_m1.op2"))
    assert text.count == binary.count == 10
    np.testing.assert_allclose(text.frequencies_hz, binary.frequencies_hz, rtol=5e-7)
    single = [4, 5]  # torsion and stretching are not repeated
    np.testing.assert_allclose(text.modal_masses[single], binary.modal_masses[single], rtol=5e-7)
    np.testing.assert_array_equal(text.node_ids, binary.node_ids)
    np.testing.assert_allclose(np.abs(text.shapes[:, :, single]), np.abs(binary.shapes[:, :, single]), atol=1e-6)
    np.testing.assert_allclose(text.mass.matrix, binary.mass.matrix, rtol=5e-7, atol=1e-12)
    assert text.normalization == binary.normalization == "largest component is one (MAX)"
    assert text.geometry is None and len(binary.geometry.ids) == 12


def test_grid_point_weights_as_pyyeti_reads_them():
    """rdop2gpwg_1: the 6 x 6 matrix bit for bit; mass and center by pyyeti's own formulas."""
    from pyyeti.nastran import op2

    path = of_pyyeti("nastran_op2_data/rdop2gpwg_1.op2")
    with op2.OP2(str(path)) as file:
        expected = file.rdop2gpwg()
    found = read_supplier_modes(path)
    np.testing.assert_array_equal(found.mass.matrix, expected["m66"])
    assert found.mass.mass == pytest.approx(expected["mass"], rel=DIGITS)
    np.testing.assert_allclose(found.mass.center, expected["cg"], rtol=1e-5)
    assert found.kinds.count("rigid") == 6
    assert read_supplier_modes(of_pyyeti("nastran_op2_data/rdop2gpwg_2.op2")).mass is None


def test_shapes_as_pyyeti_reads_them():
    """inboard_v2007.op2: every component of its modes, bit for bit; some nodes have local axes."""
    from pyyeti.nastran import op2

    path = of_pyyeti("nas2cam_extseout/inboard_v2007.op2")
    with op2.OP2(str(path)) as file:
        expected = file.rdop2oug("OUGV1")
    found = read_supplier_modes(path)
    for place, node in enumerate(found.node_ids):
        rows = expected.loc[[int(node)]].to_numpy()
        np.testing.assert_array_equal(found.shapes[place, : len(rows)], rows)
    assert found.geometry.axes is not None


def test_geometry_as_pyyeti_reads_it():
    """Positions in basic axes and displacement axes by CD, against pyyeti's reading of the deck of the same run."""
    from pyyeti.nastran import bulk

    path = of_pyyeti("nas2cam_extseout/inboard_v2007.op2")
    found = read_supplier_modes(path).geometry
    uset, _ = bulk.bulk2uset(str(of_pyyeti("nas2cam_extseout/inboard.asm").with_name("inboard.pch")))
    seen = 0
    for node, place in zip(found.ids.tolist(), found.positions):
        if node in uset.index.get_level_values("id"):
            np.testing.assert_allclose(place, uset.loc[(node, 1), "x":"z"].to_numpy(float), atol=1e-4)
            seen += 1
    assert seen >= 4


def test_residual_vectors_are_marked():
    """Simcenter prints the table before and after augmentation: nine more modes after it."""
    found = read_supplier_modes(of_pyyeti("cla_test_data_2020/residual.out"))
    assert found.count == 66 and found.kinds.count("residual") == 9 and found.kinds.count("rigid") == 6


def test_effective_masses_of_an_op2():
    """satk: MPFACS and MEFMASS; effective mass is participation squared times modal mass (one)."""
    folder = result("beam_modes.f06").parents[1]
    found = read_supplier_modes(folder / "pyNastran/models/satk/pn_mwe_s-solution_1.op2")
    np.testing.assert_allclose(found.effective.participation**2, found.effective.masses, rtol=1e-9, atol=1e-30)
    assert found.effective.masses[2, 0] == pytest.approx(4.973124, rel=1e-6)
    assert found.mass.mass == pytest.approx(5.076652, rel=1e-6)


def test_matrices_alone_are_no_modes():
    with pytest.raises(FileError, match="holds no modes"):
        read_supplier_modes(of_pyyeti("nastran_dmig_data/matrix.op2"))


def test_complex_modes_are_refused_by_name(tmp_path):
    """A flutter run without its real eigenvalue table."""
    text = result("0012_flutter.f06").read_text(errors="replace").replace("R E A L   E I G E N V A L U E S", "")
    text += "\n1  PAGE 9\n0\n                C O M P L E X   E I G E N V A L U E   S U M M A R Y\n"
    path = tmp_path / "flutter.f06"
    path.write_text(text)
    with pytest.raises(FileError, match="complex modes only"):
        read_supplier_modes(path)


@pytest.mark.parametrize("part", (0.1, 0.37, 0.66, 0.93, 0.999))
def test_truncated_op2_files_give_one_sentence(tmp_path, part):
    raw = of_pyyeti("nas2cam_extseout/inboard_v2007.op2").read_bytes()
    path = tmp_path / "cut.op2"
    path.write_bytes(raw[: int(part * len(raw))])
    with pytest.raises(FileError, match="cut off"):
        read_supplier_modes(path)


def test_big_endian_files_are_read(tmp_path):
    """The same file with every word swapped: equal numbers."""
    source = of_pyyeti("nas2cam_extseout/inboard_v2007.op2")
    raw = source.read_bytes()
    swapped = np.frombuffer(raw, "<i4").astype(">i4").tobytes()
    path = tmp_path / "big.op2"
    path.write_bytes(_names_restored(raw, swapped))
    a, b = read_supplier_modes(source), read_supplier_modes(path)
    np.testing.assert_array_equal(a.shapes, b.shapes)
    np.testing.assert_array_equal(a.geometry.positions, b.geometry.positions)
    np.testing.assert_array_equal(a.eigenvalues, b.eigenvalues)


def _names_restored(raw: bytes, swapped: bytes) -> bytes:
    """Text keeps its order on every machine: records of two words that are letters are names."""
    out, at = bytearray(swapped), 0
    while at < len(raw):
        (length,) = struct.unpack("<i", raw[at : at + 4])
        body = raw[at + 4 : at + 4 + length]
        if all(32 <= byte < 127 for byte in body):
            out[at + 4 : at + 4 + length] = body
        at += length + 8
    return bytes(out)


@pytest.mark.parametrize("name", ["nas2cam_extseout/inboard_v2007.op2", "cla_test_data_2020/residual.out"])
@pytest.mark.parametrize("ending", [".op2", ".f06", ".frd", ".bdf", ""])
def test_content_decides_under_any_ending(tmp_path, name, ending):
    source = of_pyyeti(name)
    path = tmp_path / f"x{ending}"
    path.write_bytes(source.read_bytes())
    np.testing.assert_array_equal(read_supplier_modes(path).eigenvalues, read_supplier_modes(source).eigenvalues)


def test_an_added_byte_gives_one_sentence(tmp_path):
    binary = of_pyyeti("nas2cam_extseout/inboard_v2007.op2").read_bytes()
    path = tmp_path / "x.op2"
    path.write_bytes(binary[:5000] + b"\x07" + binary[5000:])
    with pytest.raises(FileError) as error:
        read_supplier_modes(path)
    assert str(error.value).count("\n") == 0 and len(str(error.value)) < 400


def test_damaged_op2_files_never_crash(tmp_path):
    """A hundred files with random bytes changed: modes, or one of our errors."""
    raw = of_pyyeti("nas2cam_extseout/inboard_v2007.op2").read_bytes()
    random = np.random.default_rng(7)
    path = tmp_path / "damaged.op2"
    for _ in range(100):
        copy = bytearray(raw)
        for place in random.integers(0, len(raw), 3):
            copy[place] = int(random.integers(0, 256))
        path.write_bytes(bytes(copy))
        try:
            read_supplier_modes(path)
        except Exception as error:
            assert type(error).__module__ == "tisserand.errors", repr(error)


def test_several_subcases_ask_for_one(tmp_path):
    """A run printed twice under two subcases."""
    text = result("beam_modes.f06").read_text(errors="replace")
    start = text.rindex("\n1 ", 0, text.index("R E A L   E I G E N V A L U E S")) + 1
    pages = [re.sub(r"(?m)^0 +$", f"0        SUBCASE {case}", text[start:]) for case in (1, 2)]
    path = tmp_path / "two.f06"
    pages[1] = re.sub(r"PAGE +(\d+)", lambda page: f"PAGE   {int(page[1]) + 100}", pages[1])
    path.write_text(text[:start] + pages[0].replace("* * * END OF JOB * * *", "") + "\n" + pages[1])
    with pytest.raises(FileError, match="several subcases"):
        read_supplier_modes(path)
    assert read_supplier_modes(path, 2).count == 10


@pytest.mark.parametrize("word", [4, 8])
@pytest.mark.parametrize("order", ["<", ">"])
def test_every_type_of_parameter_is_read_by_its_length(tmp_path, word, order):
    """COUPMASS after a text, a double and a complex number: a value of the wrong length would shift all that follow."""
    pytest.importorskip("pyyeti")
    file = Op2(word, order)
    one = file.reals(np.array([1.5]))
    parameters = file.name(b"POST") + file.ints(1, -2) + file.name(b"AUTOSPC") + file.ints(3) + file.name(b"NO")
    parameters += file.name(b"DOUBLE") + file.ints(4) + one + one + file.name(b"COMPLEX") + file.ints(5) + one + one
    parameters += file.name(b"K6ROT") + file.ints(2) + file.reals(np.array([2.5]))
    parameters += file.name(b"LONG") + file.ints(6) + 4 * one + file.name(b"COUPMASS") + file.ints(1, 7)
    file.table(b"PVT0", [parameters])
    with DataBlocks(file.write(tmp_path / "run.op2")) as blocks:
        found = tables.parameters(blocks)
    assert found == {"POST": -2, "AUTOSPC": "NO", "K6ROT": 2.5, "COUPMASS": 7}
