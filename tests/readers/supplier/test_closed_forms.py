"""A chain of equal bodies in closed form, written by pyuff (universal file) and pyyeti (DMIG punch file, OP4) from scratch.

n bodies of mass m on springs k in a row along x, the first spring on the ground: omega_j = 2 sqrt(k / m) sin(t_j / 2),
shape sin(i t_j), t_j = (2 j - 1) pi / (2 n + 1), modal mass m (2 n + 1) / 4; momentum m cot(t_j / 2) / 2.
"""

import numpy as np
import pytest

import tisserand as ts
from tisserand.readers.supplier import read_supplier_modes

COUNT, MASS, SPRING, PITCH = 12, 0.5, 2e4, 0.1
ANGLES = (2.0 * np.arange(1, 6) - 1.0) * np.pi / (2 * COUNT + 1)
HZ = 2.0 * np.sqrt(SPRING / MASS) * np.sin(ANGLES / 2.0) / (2.0 * np.pi)
SHAPES = np.sin(np.outer(np.arange(COUNT + 1), ANGLES))
MODAL = MASS * (2 * COUNT + 1) / 4.0
MOMENTUM = 0.5 * MASS / np.tan(ANGLES / 2.0)


def deck(folder):
    """The chain as Nastran bulk data: scalar springs and bodies on grids that move along x."""
    cards = [f"GRID,{i + 1},,{PITCH * i},0.,0.,,{123456 if i == 0 else 23456}" for i in range(COUNT + 1)]
    cards += [f"CELAS2,{i + 1},{SPRING},{i + 1},1,{i + 2},1" for i in range(COUNT)]
    cards += [f"CONM2,{100 + i},{i + 2},,{MASS}" for i in range(COUNT)]
    path = folder / "chain.bdf"
    path.write_text("SOL 103\nCEND\nMETHOD = 1\nBEGIN BULK\nEIGRL,1,,,5\n" + "\n".join(cards) + "\nENDDATA\n")
    return path


def test_the_closed_form_is_that_of_the_sums():
    np.testing.assert_allclose(MASS * (SHAPES**2).sum(axis=0), MODAL, rtol=1e-12)
    np.testing.assert_allclose(MASS * SHAPES.sum(axis=0), MOMENTUM, rtol=1e-12)


@pytest.mark.parametrize("scale", (1.0, 250.0), ids=("largest near one", "of any size"))
def test_a_universal_file_of_pyuff(tmp_path, scale):
    """Frequencies, modal masses, shapes and momentum of the record, to the six digits of data set 55."""
    pyuff = pytest.importorskip("pyuff")
    ids = list(range(1, COUNT + 2))
    x, zero = [PITCH * i for i in range(COUNT + 1)], [0.0] * (COUNT + 1)
    path = tmp_path / "chain.unv"
    file = pyuff.UFF(str(path))
    flat = {"def_cs": [0] * len(ids), "disp_cs": [0] * len(ids), "color": [1] * len(ids)}
    file.write_sets(pyuff.prepare_2411(node_nums=ids, x=x, y=zero, z=zero, **flat), "overwrite")
    for k, hz in enumerate(HZ):
        file.write_sets(
            pyuff.prepare_55(
                model_type=1, analysis_type=2, data_ch=2, spec_data_type=8, load_case=0, mode_n=k + 1, freq=float(hz),
                modal_m=MODAL * scale**2, modal_damp_vis=0.0, modal_damp_his=0.0, node_nums=ids, r1=scale * SHAPES[:, k],
                r2=np.zeros(len(ids)), r3=np.zeros(len(ids)), data_type=2, n_data_per_node=3,
            ),
            "add",
        )  # fmt: skip
    theirs = read_supplier_modes(path)
    np.testing.assert_allclose(theirs.frequencies_hz, HZ, rtol=2e-5)
    np.testing.assert_allclose(theirs.modal_masses, MODAL * scale**2, rtol=2e-5)
    found = ts.modes(path, units="SI", deck=deck(tmp_path))
    check = found.supplier.verification
    assert check.passed, check.breaches
    assert max(abs(mode.modal_mass) for mode in check.modes) < 5e-5
    record = found.appendage
    np.testing.assert_allclose(np.abs(record.integrals.translation[0]), MOMENTUM / np.sqrt(MODAL), rtol=2e-5)
    own = record.nodes.translation[:, 0] * np.sign(record.nodes.translation[1, 0])
    np.testing.assert_allclose(own, SHAPES / np.sqrt(MODAL), atol=2e-5)


def matrices():
    K = SPRING * (2.0 * np.eye(COUNT) - np.eye(COUNT, k=1) - np.eye(COUNT, k=-1))
    K[-1, -1] = SPRING
    return K, MASS * np.eye(COUNT)


def test_a_punch_file_of_pyyeti(tmp_path):
    """DMIG with ten digits: frequencies 1e-9."""
    bulk = pytest.importorskip("pyyeti.nastran.bulk")
    pandas = pytest.importorskip("pandas")
    index = pandas.MultiIndex.from_product([range(2, COUNT + 2), [1]])
    frames = {name: pandas.DataFrame(m, index=index, columns=index) for name, m in zip(("KAAX", "MAAX"), matrices())}
    path = tmp_path / "chain.pch"
    bulk.wtdmig(str(path), frames)
    found = ts.modes(path, units="SI", count=5)
    np.testing.assert_allclose(found.appendage.frequencies_hz, HZ, rtol=1e-9)


@pytest.mark.parametrize("binary", (True, False), ids=("binary", "text"))
def test_an_op4_file_of_pyyeti(tmp_path, binary):
    op4 = pytest.importorskip("pyyeti.nastran.op4")
    path = tmp_path / "chain.op4"
    op4.write(str(path), dict(zip(("KAA", "MAA"), matrices())), binary=binary)
    found = ts.modes(path, units="SI", count=5)
    np.testing.assert_allclose(found.appendage.frequencies_hz, HZ, rtol=1e-10)
