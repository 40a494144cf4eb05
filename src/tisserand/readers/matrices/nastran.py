"""Nastran's matrices: OP4 and OP2 through pyyeti, DMIG in punch files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from scipy.sparse import coo_array, csr_array

from tisserand.arrays import IntArray
from tisserand.errors import FileError, InputError, nearest
from tisserand.files import existing_file
from tisserand.model.ledger import ASSUMED
from tisserand.readers.matrices.bulk_text import cards_of, real_number, whole_number
from tisserand.readers.matrices.external import points_of, with_neighbors
from tisserand.readers.matrices.named import matrices_of
from tisserand.readers.matrices.raw import RawMatrices, same_size, square
from tisserand.readers.matrices.sidecar import with_sidecar
from tisserand.stored import bounded


def read_op(path: Path, names: Mapping[str, str], form: Literal["op2", "op4"]) -> RawMatrices:
    """Matrices of an OP4 or OP2 file; a ``.pch`` and ``.asm`` of an external superelement beside it name its points."""
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
            if form == "op4":
                arrays: dict[str, Any] = dict(op4.read(str(path), into="dct"))
            else:
                with op2.OP2(str(path)) as file:
                    arrays = dict(file.rdop2mats())
    except FileError:
        raise  # more memory than a file of its size can need
    except Exception as error:  # pyyeti raises whatever its parsers stumble on; all of it means a bad file
        raise FileError(path, f"is not an {form.upper()} file that can be read ({error})") from error
    raw = matrices_of(path, arrays, names)
    return with_sidecar(path, with_neighbors(path, raw, arrays)) if path.suffix.lower() == ".op4" else raw


def read_punch(path: Path, names: Mapping[str, str]) -> RawMatrices:
    """DMIG matrices of a punch file by name; real, square or symmetric."""
    headers: dict[str, tuple[int, ...]] = {}
    terms: dict[str, list[tuple[int, int, int, int, float]]] = {}
    for card in cards_of(existing_file(path), ("DMIG",)):
        name, second = card[1].upper(), card[2]
        if second == "0":
            headers[name] = tuple(whole_number(path, field or "0") for field in card[3:6])
            terms.setdefault(name, [])
            continue
        column = (whole_number(path, second), whole_number(path, card[3] or "0", 0, 6))
        rest = card[5:]
        for at in range(0, len(rest), 4):
            if at + 2 < len(rest) and rest[at]:
                value = real_number(path, rest[at + 2])
                row = (whole_number(path, rest[at]), whole_number(path, rest[at + 1] or "0", 0, 6))
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
        if headers.get(name, (6,))[0] == 6:  # either term of a pair may be stated
            lower = np.sort(pairs, axis=1)
            pairs = lower if len(np.unique(lower, axis=0)) == count else pairs
        shape = (len(dofs), len(dofs))
        matrices.append(square(path, word, csr_array(coo_array((values, (pairs[:, 1], pairs[:, 0])), shape=shape))))
    same_size(path, *matrices)
    _refuse_cut(path, m_name, matrices[1], dofs)
    points = points_of([path])
    positions = {} if points is None else dict(zip(points.ids.tolist(), points.positions))
    axes = {} if points is None or points.axes is None else dict(zip(points.ids.tolist(), points.axes))
    notes = _note_of_end(m_name, matrices[0], matrices[1], dofs)
    return RawMatrices(
        matrices[0], matrices[1], None, dofs - np.array([0, 1]), positions, (path,), axes=axes, notes=notes
    )


def _refuse_cut(path: Path, name: str, mass: csr_array, dofs: IntArray) -> None:
    """A mass that couples a dof without mass of its own is negative somewhere: its last columns are missing."""
    bare = (mass.diagonal() == 0.0) & (abs(mass).sum(axis=1) > 0.0)
    if bare.any():
        node, component = dofs[int(np.argmax(bare))]
        raise FileError(
            path,
            f"DMIG {name} couples a dof that has no diagonal term",
            found=f"node {node}, component {component}",
            expected="a mass matrix of all columns",
            advice="the file was cut off: write it again",
        )


def _note_of_end(name: str, stiffness: csr_array, mass: csr_array, dofs: IntArray) -> tuple[str, ...]:
    """A note where every displacement up to some point has mass and none after it has any.

    A diagonal mass that was cut off looks like that, and so does a structure whose last points have no mass.
    """
    moves = dofs[:, 1] <= 3  # displacements, and scalar points (component 0)
    heavy, stiff = (mass.diagonal() > 0.0)[moves], (stiffness.diagonal() > 0.0)[moves]
    last = int(np.flatnonzero(heavy).max(initial=-1))
    if last < 0 or not heavy[: last + 1].all() or not stiff[last + 1 :].any():
        return ()
    node, component = dofs[moves][last]
    place = f"node {node}" + (f", component {component}" if component else "")
    count = int(stiff[last + 1 :].sum())
    return (
        f"{ASSUMED}DMIG {name} is complete: it ends at {place}, and {count} displacements after that have stiffness but no mass",
    )


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
