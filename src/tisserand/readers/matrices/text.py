"""Text formats: Abaqus ``.mtx``, CalculiX ``.sti/.mas/.dof`` and Matrix Market."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import FileError, ReadError
from tisserand.files import existing_file, text_of
from tisserand.readers.matrices.market import read_market_matrix
from tisserand.readers.matrices.raw import RawMatrices, same_size, square


def read_mtx(path: Path, mass: Path | None = None) -> RawMatrices:
    """Abaqus MATRIX OUTPUT: COORDINATE style (row, column, value) or MATRIX INPUT style (node, dof, node, dof, value).

    The mass file is found beside the stiffness one when its name differs by STIF and MASS only.
    """
    if text_of(path).lstrip().lower().startswith("%%matrixmarket"):
        return read_market(path, mass)
    other = mass or _partner(path, (("STIF", "MASS"), ("stif", "mass"), ("_K", "_M")))
    k_terms, m_terms = _terms(path), _terms(existing_file(other))
    if k_terms.shape[1] != m_terms.shape[1]:
        raise FileError(other, "stiffness and mass files have different styles", found=f"{m_terms.shape[1]} columns")
    if k_terms.shape[1] == 3:
        size = _dof_count(path, k_terms, m_terms)
        stiffness = _matrix(path, k_terms[:, 0], k_terms[:, 1], k_terms[:, 2], size, "stiffness")
        inertia = _matrix(other, m_terms[:, 0], m_terms[:, 1], m_terms[:, 2], size, "mass")
        return RawMatrices(stiffness, inertia, files=(path, other))
    named = np.vstack([k_terms[:, 0:2], k_terms[:, 2:4], m_terms[:, 0:2], m_terms[:, 2:4]]).astype(np.int64)
    if (named[:, 0] < 1).any():
        raise FileError(
            path, "the matrix holds internal nodes or Lagrange multipliers", found=f"node {int(named[:, 0].min())}"
        )
    if (named[:, 1] < 1).any() or (named[:, 1] > 6).any():
        raise FileError(path, "the matrix holds dofs that are not structural", expected="dofs 1 to 6")
    dofs, place = np.unique(named, axis=0, return_inverse=True)
    place = place.ravel()
    a, b = len(k_terms), len(m_terms)
    rows_k, cols_k, rows_m, cols_m = np.split(place, [a, 2 * a, 2 * a + b])
    stiffness = _matrix(path, rows_k + 1, cols_k + 1, k_terms[:, 4], len(dofs), "stiffness")
    inertia = _matrix(other, rows_m + 1, cols_m + 1, m_terms[:, 4], len(dofs), "mass")
    return RawMatrices(stiffness, inertia, dofs=dofs - np.array([0, 1]), files=(path, other))


def read_calculix(path: Path, mass: Path | None = None) -> RawMatrices:
    """CalculiX MATRIXSTORAGE: ``.sti`` and ``.mas`` (one triangle, 1-based), and ``.dof`` (node.component per line)."""
    stiffness_file = path.with_suffix(".sti") if path.suffix.lower() in (".mas", ".dof") else path
    mass_file = mass or stiffness_file.with_suffix(".mas")
    dof_file = stiffness_file.with_suffix(".dof")
    k_terms, m_terms = _terms(existing_file(stiffness_file)), _terms(existing_file(mass_file))
    size = _dof_count(stiffness_file, k_terms, m_terms)
    stiffness = _matrix(stiffness_file, k_terms[:, 0], k_terms[:, 1], k_terms[:, 2], size, "stiffness")
    inertia = _matrix(mass_file, m_terms[:, 0], m_terms[:, 1], m_terms[:, 2], size, "mass")
    same_size(path, stiffness, inertia)
    files, dofs, notes = [stiffness_file, mass_file], None, []
    if dof_file.exists():
        dofs = _calculix_dofs(dof_file)
        files.append(dof_file)
        if len(dofs) != size:
            raise FileError(dof_file, "the dof list does not fit the matrices", found=len(dofs), expected=size)
    else:
        notes.append(f"no {dof_file.name} beside the matrices")
    return RawMatrices(stiffness, inertia, dofs=dofs, files=tuple(files), notes=tuple(notes))


def _calculix_dofs(path: Path) -> IntArray:
    rows = []
    for number, line in enumerate(text_of(path).splitlines(), 1):
        if line.strip():
            node, dot, component = line.strip().partition(".")
            if not (dot and node.isdigit() and component.isdigit() and 1 <= int(component) <= 6):
                raise ReadError(
                    path, number, "not a dof", found=repr(line.strip()), expected="node.component such as 12.3"
                )
            rows.append((int(node), int(component) - 1))
    return np.array(rows, np.int64)


def read_market(path: Path, mass: Path | None = None) -> RawMatrices:
    """A pair of Matrix Market files; dofs are numbered."""
    other = mass or _partner(path, (("stiffness", "mass"), ("STIF", "MASS"), ("stif", "mass"), ("K", "M"), ("k", "m")))
    stiffness, inertia = (
        square(file, name, read_market_matrix(existing_file(file)))
        for file, name in ((path, "stiffness"), (other, "mass"))
    )
    same_size(path, stiffness, inertia)
    return RawMatrices(stiffness, inertia, files=(path, other))


def _partner(path: Path, words: tuple[tuple[str, str], ...]) -> Path:
    """The mass file whose name differs from the stiffness file's by one word."""
    for stiffness_word, mass_word in words:
        head, found, tail = path.name.rpartition(stiffness_word)
        candidate = path.with_name(f"{head}{mass_word}{tail}")
        if found and candidate.exists():
            return candidate
        head, found, tail = path.name.rpartition(mass_word)
        if found and path.with_name(f"{head}{stiffness_word}{tail}").exists():
            stated = path.with_name(f"{head}{stiffness_word}{tail}").name
            raise FileError(path, "is the mass file of a pair", expected="the stiffness file", advice=f"state {stated}")
    raise FileError(
        path,
        "no mass file was found beside the stiffness file",
        advice="name the two alike, such as wing_K.txt and wing_M.txt",
    )


def _terms(path: Path) -> FloatArray:
    """Rows of numbers, commas or blanks between them; comment lines start with * or #."""
    lines = [line for line in text_of(path).splitlines() if line.strip() and line.lstrip()[0] not in "*#%"]
    if not lines:
        raise FileError(path, "the matrix file holds no terms")
    width = len(lines[0].replace(",", " ").split())
    if width not in (3, 5):
        raise ReadError(path, None, "lines of a matrix file have three or five numbers", found=width)
    try:
        table = np.array(" ".join(lines).replace(",", " ").split(), dtype=float).reshape(len(lines), width)
    except ValueError as error:
        raise FileError(
            path, "the matrix file has lines that do not fit", expected=f"{width} numbers per line"
        ) from error
    whole = table[:, :-1]
    if not np.isfinite(table).all() or (whole != np.floor(whole)).any() or np.abs(whole).max() > 2**53:
        raise FileError(path, "the matrix file has row or column numbers that are not whole, or values not finite")
    return table


def _dof_count(path: Path, k_terms: FloatArray, m_terms: FloatArray) -> int:
    """Size of the matrices: the largest row number; each dof needs at least one term, so no file states more than it has."""
    size = int(max(k_terms[:, :2].max(), m_terms[:, :2].max()))
    terms = len(k_terms) + len(m_terms)
    if size > terms:
        raise FileError(
            path, "a row number is larger than the number of terms", found=size, expected=f"at most {terms}",
            advice="every dof needs at least one term; the row number may be damaged",
        )  # fmt: skip
    return size


def _matrix(path: Path, rows: Any, columns: Any, values: FloatArray, size: int, name: str) -> csr_array:
    if rows.min() < 1 or columns.min() < 1:
        raise FileError(path, "row and column numbers start at 1", found=int(min(rows.min(), columns.min())))
    terms = coo_array((values, (rows.astype(np.int64) - 1, columns.astype(np.int64) - 1)), shape=(size, size))
    return square(path, name, csr_array(terms))
