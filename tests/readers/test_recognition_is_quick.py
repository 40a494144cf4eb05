"""A file is recognized by its first bytes in a moment, whatever they are: no pattern tries one text in many ways."""

import time

import pytest

from tisserand.readers.file_marks import signature
from tisserand.readers.registry import FORMATS

PIECES = [
    b" ", b"\n", b" \n", b"\r\n", b"\t", b"1", b"1 ", b"1\n", b"1,", b"1.", b"-", b"-1\n", b".", b"E", b"#", b"# \n", b"$",
    b"$ \n", b"*", b"**\n", b"[", b"a", b"a=", b"a\n", b"\"", b"part\n", b"1 1 1.e", b"N A S T R A N", b"DMIG", b"GRID", b"facet",
]  # fmt: skip


@pytest.mark.parametrize("start", [b"", b"1 1 ", b"solid x\n", b"$EIGENVECTOR 1", b"[a"], ids=repr)
def test_64_kib_of_anything_take_no_time(start):
    """Blank lines once took forever to be told from TOML, digits from a matrix. 31 heads and 11 patterns: milliseconds each."""
    for piece in PIECES:
        head = (start + piece * (1 << 16))[: (1 << 16) - 1] + b"!"
        begun = time.process_time()
        signature(head)
        for entry in FORMATS:
            entry.shows_in(head)
        assert time.process_time() - begun < 1.0, piece
