"""What the first bytes of a result or matrix file show, whatever its name: one word per format.

Fortran records (length, bytes, length) of OP2 and OP4 in either byte order and word length, the OP4 text header, MATLAB 4, 5 and
7.3, NumPy archives, HDF5, Matrix Market, rows of matrix terms, DMIG cards, SID_FEM, and the printed or text results of Nastran,
CalculiX and universal files.
"""

from __future__ import annotations

import re
import struct

#: In the order in which they are tried; a later one would also match some files of an earlier one.
_STARTS = (
    (b"\x89HDF\r\n\x1a\n", "hdf5"),
    (b"PK\x03\x04", "npz"),
    (b"MATLAB 5.0 MAT-file", "mat"),
    (b"MATLAB 7.3 MAT-file", "mat"),
    (b"%%MatrixMarket", "market"),
    (b"CDF\x01", "netcdf"),
    (b"CDF\x02", "netcdf"),
)
_NUMBER = rb"[-+]?(\d+(\.\d*)?|\.\d+)([EeDd]?[-+]\d+|[EeDd]\d+)?"
#: Text formats: regular expressions over the first 64 KiB, by line. Nothing in them can match one text in two ways, or the time
#: of a search would grow with the square of the text or worse.
_TEXTS = tuple(
    (re.compile(pattern, re.MULTILINE), name)
    for pattern, name in (
        (rb"\A\s*-1[ \t]*\r?\n\s*\d{1,5}b?\b", "universal"),
        (rb"\A {4}1C|\A {4}2C", "frd"),
        (rb"\A\s*E I G E N V A L U E   O U T P U T|\A\s*P A R T I C I P A T I O N   F A C T O R S", "ccx dat"),
        (rb"^\$EIGENVECTOR(?: OUTPUT)? +\d+[ \t]*\r?$", "punch"),  # numbered, so no comment of a deck in a printed file
        (
            rb"^(?![ \t]*\$).*N A S T R A N\b|^1?[^$\n]*R E A L   E I G E N V A L U E S|^ *MYSTRAN +(Version|BEGIN)",
            "f06",
        ),
        (rb"^\$EIGENVECTOR\b", "punch"),
        (
            rb"\A"
            + rb" {0,16}-?\d{1,10}" * 3
            + rb" {0,16}[1-4] {0,8}[A-Za-z]\w{0,7} {0,8}\(?(1P,)?\d{1,3}[ED]\d{1,3}\.\d",
            "op4 text",
        ),
        (rb"\A(?:[^\n]*\n)?\s*part\b[^\n]*\n\s*new modal\b", "sid"),
        (rb"\A(\s*(\d+\s+\d+|\d+,\s*\d+,\s*-?\d+,\s*\d+,)\s+" + _NUMBER + rb"[ \t]*\r?(\n|\Z)){1,20}", "terms"),
    )
)
_DMIG = re.compile(rb"^DMIG(\*| |,|\t)", re.MULTILINE)
_DECK = re.compile(rb"^[ \t]*(GRID|SPOINT|BEGIN|CEND|SOL|ENDDATA|MAT\d|C[A-Z]+\d*)(\*| |,|\t|\r?$)", re.MULTILINE)


def signature(head: bytes) -> str | None:
    """The format that the first 64 KiB of a file show, or None.

    hdf5, npz, mat, market, netcdf, op2, op4, "op4 text", universal, frd, "ccx dat", f06, sid, terms (of a matrix), dmig.
    """
    for start, name in _STARTS:
        if head.startswith(start):
            return name
    for name, shows in (("op2", _op2), ("op4", _op4), ("mat", _matlab_4)):
        if any(shows(head, order) for order in "<>"):
            return name
    for pattern, name in _TEXTS:
        if pattern.search(head):
            return name
    return "dmig" if _DMIG.search(head) and not _DECK.search(head) else None


def _records(head: bytes, order: str) -> list[bytes]:
    """The first two Fortran records, those that are whole."""
    found: list[bytes] = []
    at = 0
    while len(found) < 2 and at + 4 <= len(head):
        (length,) = struct.unpack_from(order + "i", head, at)
        end = at + 4 + length
        if length < 0 or end + 4 > len(head) or head[end : end + 4] != head[at : at + 4]:
            break
        found.append(head[at + 4 : end])
        at = end + 4
    return found


def _op2(head: bytes, order: str) -> bool:
    """A key of one word, then the record of that many words."""
    records = _records(head, order)
    if not records or len(records[0]) not in (4, 8):
        return False
    word = len(records[0])
    (key,) = struct.unpack(order + ("i" if word == 4 else "q"), records[0])
    return 0 < key < 1 << 20 and (len(records) < 2 or len(records[1]) == key * word)


def _op4(head: bytes, order: str) -> bool:
    """A header of columns, rows, form, type and name."""
    records = _records(head, order)
    if not records or len(records[0]) not in (24, 48):
        return False
    columns, rows, form, kind = struct.unpack_from(order + ("4i" if len(records[0]) == 24 else "4q"), records[0])
    return columns > 0 and rows != 0 and 0 < form < 20 and kind in (1, 2, 3, 4)


def _matlab_4(head: bytes, order: str) -> bool:
    """A header of type, rows, columns, complex flag and length of the name, then the name."""
    if len(head) < 22:
        return False
    kind, rows, columns, imaginary, length = struct.unpack_from(order + "5i", head)
    if min(rows, columns, kind) < 0 or imaginary not in (0, 1) or not 1 < length < 64:
        return False
    name = head[20 : 20 + length]
    digits = (kind // 1000, kind // 100 % 10, kind // 10 % 10, kind % 10)
    return (
        digits[0] < 5 and digits[1] == 0 and digits[2] < 6 and digits[3] < 3 and name[:-1].isalnum() and name[-1] == 0
    )
