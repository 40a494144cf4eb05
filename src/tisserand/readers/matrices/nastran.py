"""Nastran's matrices: OP4 and OP2 through pyyeti, DMIG in punch files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import FileError, InputError, ReadError, nearest
from tisserand.files import existing_file, text_of
from tisserand.readers.matrices.named import matrices_of
from tisserand.readers.matrices.raw import RawMatrices, same_size, square
from tisserand.stored import bounded


def read_op(path: Path, names: Mapping[str, str]) -> RawMatrices:
    """Matrices of an OP4 or OP2 file; a ``.pch`` or ``.asm`` of an external superelement beside it names the dofs (EXTRN)."""
    try:
        from pyyeti.nastran import op2, op4
    except ImportError as error:
        raise InputError(
            "reading OP4 and OP2 files needs pyyeti",
            where=str(path),
            advice="install it with: pip install tisserand[nastran]",
        ) from error
    try:
        with bounded(path):
            if path.suffix.lower() == ".op4":
                arrays: dict[str, Any] = dict(op4.read(str(path), into="dct"))
            else:
                with op2.OP2(str(path)) as file:
                    arrays = dict(file.rdop2mats())
    except FileError:
        raise  # more memory than a file of its size can need
    except Exception as error:  # pyyeti raises whatever its parsers stumble on; all of it means a bad file
        raise FileError(path, f"is not an {path.suffix[1:].upper()} file that can be read ({error})") from error
    raw = matrices_of(path, arrays, names)
    for beside in (path.with_suffix(".pch"), path.with_suffix(".asm")):
        if beside.exists():
            dofs = external_dofs(beside)
            if dofs is not None and len(dofs) == raw.stiffness.shape[0]:
                return RawMatrices(raw.stiffness, raw.mass, raw.damping, dofs, {}, (path, beside))
    return raw


def external_dofs(path: Path) -> IntArray | None:
    """Dofs (d, 2) that EXTRN lists in order of the matrices; None when there is no EXTRN card."""
    for card in _cards(path, ("EXTRN",)):
        fields = [field for field in card[1:] if field]
        if len(fields) % 2:
            raise ReadError(
                path, None, "EXTRN lists pairs of a point and its components", card="EXTRN", found=len(fields)
            )
        rows = []
        for node, digits in zip(fields[::2], fields[1::2]):
            components = [-1] if digits == "0" else [_whole(path, digit, 1, 6) - 1 for digit in digits]
            rows += [(_whole(path, node), component) for component in components]
        return np.array(rows, np.int64)
    return None


def read_punch(path: Path, names: Mapping[str, str]) -> RawMatrices:
    """DMIG matrices of a punch file by name; real, square or symmetric."""
    headers: dict[str, tuple[int, ...]] = {}
    terms: dict[str, list[tuple[int, int, int, int, float]]] = {}
    for card in _cards(existing_file(path), ("DMIG",)):
        name, second = card[1].upper(), card[2]
        if second == "0":
            headers[name] = tuple(_whole(path, field or "0") for field in card[3:6])
            terms.setdefault(name, [])
            continue
        column = (_whole(path, second), _whole(path, card[3] or "0", 0, 6))
        rest = card[5:]
        for at in range(0, len(rest), 4):
            if at + 2 < len(rest) and rest[at]:
                value = _real(path, rest[at + 2])
                row = (_whole(path, rest[at]), _whole(path, rest[at + 1] or "0", 0, 6))
                terms.setdefault(name, []).append((*column, *row, value))
    if not terms:
        raise FileError(path, "the file holds no DMIG matrices")
    k_name = _name(path, terms, names.get("stiffness"), ("KAAX", "KAA", "K2GG", "KGG", "KAAP"), "K", "stiffness")
    m_name = _name(path, terms, names.get("mass"), ("MAAX", "MAA", "M2GG", "MGG", "MAAP"), "M", "mass")
    chosen = [k_name, m_name]
    for name in chosen:
        form = headers.get(name, (6, 2, 0))
        if form[0] not in (1, 6) or (len(form) > 1 and form[1] in (3, 4)):
            raise FileError(path, f"DMIG {name} is not a real square matrix", found=f"form {form[0]}, type {form[1]}")
    every = np.array([pair for name in chosen for t in terms[name] for pair in (t[0:2], t[2:4])], np.int64)
    dofs, place = np.unique(every, axis=0, return_inverse=True)
    place = place.ravel().reshape(-1, 2)
    matrices, at = [], 0
    for name, word in zip(chosen, ("stiffness", "mass")):
        count = len(terms[name])
        pairs, at = place[at : at + count], at + count
        values = np.array([t[4] for t in terms[name]])
        shape = (len(dofs), len(dofs))
        matrices.append(square(path, word, csr_array(coo_array((values, (pairs[:, 1], pairs[:, 0])), shape=shape))))
    same_size(path, *matrices)
    return RawMatrices(matrices[0], matrices[1], None, dofs - np.array([0, 1]), _grids(path), (path,))


def _grids(path: Path) -> dict[int, FloatArray]:
    """Positions of GRID cards in basic coordinates and axes; none when any of them uses a local system."""
    places: dict[int, FloatArray] = {}
    for card in _cards(path, ("GRID",)):
        fields = [*card[1:8], *[""] * 7][:7]
        if fields[1] not in ("", "0") or fields[5] not in ("", "0"):
            return {}
        places[_whole(path, fields[0])] = np.array([_real(path, field or "0") for field in fields[2:5]])
    return places


def _name(
    path: Path, terms: Mapping[str, object], wanted: str | None, usual: tuple[str, ...], letter: str, what: str
) -> str:
    if wanted:
        if wanted.upper() in terms:
            return wanted.upper()
        close = nearest(wanted, terms)
        raise FileError(
            path, f"no DMIG {wanted}", found=", ".join(terms), advice=f"did you mean {close!r}?" if close else None
        )
    found = [name for name in usual if name in terms] or [name for name in terms if name.startswith(letter)]
    if not found:
        raise FileError(path, f"no DMIG holds the {what}", found=", ".join(terms), advice=f"name the {what} matrix")
    return found[0]


def _whole(path: Path, text: str, low: int = 0, high: int = 10**15) -> int:
    """A whole number between two limits: an id, or a component."""
    if not (text.isascii() and text.isdigit() and len(text) < 17 and low <= int(text) <= high):
        raise FileError(path, "an id or component is wrong", found=repr(text[:40]), expected=f"{low} to {high}")
    return int(text)


def _real(path: Path, text: str) -> float:
    """Nastran's reals: D exponents, or a sign alone before the exponent."""
    cleaned = text.upper().replace("D", "E")
    try:
        return float(cleaned)
    except ValueError:
        for at in range(len(cleaned) - 1, 0, -1):
            if cleaned[at] in "+-" and cleaned[at - 1] not in "E+-":
                try:
                    return float(f"{cleaned[:at]}E{cleaned[at:]}")
                except ValueError:
                    break
        raise FileError(path, "a matrix term is not a number", found=repr(text)) from None


def _cards(path: Path, wanted: tuple[str, ...]) -> Iterator[list[str]]:
    """Cards of the given names with their continuation lines joined, small, large and free field."""
    current: list[str] | None = None
    for line in text_of(path).splitlines():
        text = line.split("$")[0].rstrip()
        if not text:
            continue
        head = text[:8]
        follows = head.strip() == "" or head[0] in "+*"
        if follows:
            if current is not None:
                current += _data_fields(text)
            continue
        if current is not None:
            yield current
        name = text.split(",")[0].strip().rstrip("*") if "," in text else head.strip().rstrip("*")
        current = [name, *_data_fields(text)] if name.upper() in wanted else None
    if current is not None:
        yield current


def _data_fields(text: str) -> list[str]:
    if "," in text:
        items = [item.strip() for item in text.split(",")][1:9]
        return items + [""] * (8 - len(items))
    wide = "*" in text[:8]
    width, count = (16, 4) if wide else (8, 8)
    body = text[8:].ljust(width * count)
    return [body[i * width : (i + 1) * width].strip() for i in range(count)]
