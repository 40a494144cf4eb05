"""OP4 and DMIG are read by pyYeti."""

import numpy as np
import pytest
from support.appendages import random_bodies

from tisserand.exporters.nastran_matrices import reduced_matrices
from tisserand.exporters.registry import export_appendage


def test_op4_is_read_by_pyyeti_to_the_last_digit(tmp_path):
    op4 = pytest.importorskip("pyyeti.nastran.op4")
    appendage = random_bodies(7)
    export_appendage(appendage, "op4", tmp_path / "a.op4")
    found = op4.load(str(tmp_path / "a.op4"), into="dct")
    for name, meant in reduced_matrices(appendage).items():
        assert np.array_equal(found[name.lower()][0], meant)


def test_dmig_is_read_by_pyyeti(tmp_path):
    bulk = pytest.importorskip("pyyeti.nastran.bulk")
    appendage = random_bodies(8)
    export_appendage(appendage, "dmig", tmp_path / "a.pch")
    found = bulk.rddmig(str(tmp_path / "a.pch"))
    for name in ("MAAX", "KAAX"):
        frame = found[name.lower()]
        values = np.asarray(frame)
        meant = reduced_matrices(appendage)[name]
        used = np.flatnonzero(np.abs(meant).max(axis=0) > 0)
        assert values == pytest.approx(meant[np.ix_(used, used)], abs=1e-9 * np.abs(meant).max())
