"""Read-only arrays: copied once, and never again."""

import numpy as np
import pytest

from tisserand.arrays import frozen


def test_what_is_frozen_is_not_copied_again():
    first = frozen(np.arange(6.0).reshape(2, 3))
    assert frozen(first) is first
    assert np.shares_memory(frozen(first[1]), first)
    assert frozen(first, shape=(-1, 3)) is first


def test_what_somebody_can_still_write_is_copied():
    mine = np.arange(3.0)
    held = frozen(mine)
    view = mine[:]
    view.setflags(write=False)  # read-only itself, of an array that is not
    seen = frozen(view)
    mine[0] = 7.0
    assert held[0] == seen[0] == 0.0
    assert not held.flags.writeable and not seen.flags.writeable
    with pytest.raises(ValueError):
        held[0] = 1.0


def test_another_type_order_or_shape_is_not_taken_as_it_is():
    fortran = np.asfortranarray(np.eye(3)[:, :2])
    fortran.setflags(write=False)
    assert frozen(fortran).flags.c_contiguous
    assert frozen(frozen([1.0, 2.0]), np.int64).dtype == np.int64
    with pytest.raises(ValueError, match="is expected"):
        frozen(frozen([1.0, 2.0]), shape=(3,))


def test_a_changed_model_shares_what_did_not_change():
    from tisserand.model import Nodes

    nodes = Nodes([1, 2], np.zeros((2, 3)))
    assert Nodes(nodes.ids, nodes.positions).positions is nodes.positions
