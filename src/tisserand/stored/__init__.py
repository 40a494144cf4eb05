"""Arrays from untrusted files: sizes, links and indices are checked before memory is taken or compiled code runs."""

from tisserand.stored.bounds import bounded
from tisserand.stored.damage import parsing
from tisserand.stored.hdf5 import create_hdf5, open_hdf5
from tisserand.stored.limits import refuse_oversize
from tisserand.stored.mat import write_mat
from tisserand.stored.npz import read_npz
from tisserand.stored.seal import SEAL, broken_seal, refuse_broken
from tisserand.stored.sparse import checked_sparse

__all__ = [
    "SEAL",
    "bounded",
    "broken_seal",
    "checked_sparse",
    "create_hdf5",
    "open_hdf5",
    "parsing",
    "read_npz",
    "refuse_broken",
    "refuse_oversize",
    "write_mat",
]
