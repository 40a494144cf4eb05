"""Cards with continuations, replicated line by line as NASTRAN-95 allows."""

import numpy as np
import pytest

from tisserand.errors import ReadError
from tisserand.readers.registry import read_model

DECK = """ID A,NASTRAN
SOL 3,1
CEND
BEGIN BULK
GRID,  1  0  0.  0.  0.
=(3), *(1), =, *(1.), ==
CBAR,  1  1  1  2  0.  1.  0.
=(2), *(1), =, *(1), *(1), ==
PBAR,1,1,1.-4,1.-8,1.-8,1.-8
MAT1,1,7.+10,,.3,2700.
{bodies}ENDDATA
"""
WRITTEN = "".join(f"CONM2,{9 + k},{1 + k},,5.7,0.,0.,0.,,+A{k}\n+A{k},1.{k},0.,2.,0.,0.,3.\n" for k in range(4))
REPLICATED = """CONM2,   9  1,,   5.7  0.  0.  0.  )+C-21
=(3), *(1),*(1),,==
+C-21,  1.0  0.0  2.0,  0.  0.  3.0
=(3), *(.1),==
"""


def bodies(tmp_path, text):
    file = tmp_path / "deck.inp"
    file.write_text(DECK.format(bodies=text))
    model = read_model(file, "consistent")
    return next(block for block in model.elements if block.family == "nodal body")


def test_each_line_of_a_card_is_replicated_by_a_line_of_its_own(tmp_path):
    ours, meant = bodies(tmp_path, REPLICATED), bodies(tmp_path, WRITTEN)
    assert ours.ids.tolist() == meant.ids.tolist() == [9, 10, 11, 12]
    np.testing.assert_array_equal(ours.nodes, meant.nodes)
    np.testing.assert_allclose(ours.inertia, meant.inertia, rtol=1e-15)
    assert meant.inertia[3, 0, 0] == pytest.approx(1.3)


@pytest.mark.parametrize("wrong", ["", "=(2), *(.1),==\n"])
def test_a_missing_or_different_count_is_refused(tmp_path, wrong):
    text = REPLICATED.replace("=(3), *(.1),==\n", wrong)
    with pytest.raises(ReadError, match="one line for each of its lines"):
        bodies(tmp_path, text)
