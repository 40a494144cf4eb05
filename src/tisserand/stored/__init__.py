"""Arrays from files nobody vouches for: sizes, links and indices are checked before memory is taken or compiled code runs."""

from tisserand.stored.hdf5 import create_hdf5, open_hdf5
from tisserand.stored.limits import DAMAGE, refuse_oversize
from tisserand.stored.npz import read_npz
from tisserand.stored.sparse import checked_sparse

__all__ = ["DAMAGE", "checked_sparse", "create_hdf5", "open_hdf5", "read_npz", "refuse_oversize"]
