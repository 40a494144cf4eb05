"""Containers of named arrays: MATLAB ``.mat``, NumPy ``.npz`` and HDF5."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import FileError, nearest
from tisserand.readers.file_marks import signature
from tisserand.readers.matrices.matlab import read_mat
from tisserand.readers.matrices.raw import RawMatrices, same_size, square
from tisserand.stored import checked_sparse, open_hdf5, parsing, read_npz

STIFFNESS = ("K", "stiffness", "Kaa", "Kxx", "Kaax", "Kgg", "Kff")
MASS = ("M", "mass", "Maa", "Mxx", "Maax", "Mgg", "Mff")
DAMPING = ("C", "D", "damping", "Baa", "Bxx", "Baax", "Bgg")


def read_named(path: Path, names: Mapping[str, str]) -> RawMatrices:
    """Stiffness and mass by their usual names, or by ``names`` (keys stiffness, mass, damping).

    Optional arrays: ``dofs`` (d, 2) node id and component 1..6 (0 for a scalar dof), ``node_ids`` (n,) and
    ``positions`` (n, 3).
    """
    with path.open("rb") as stream:
        shown = signature(stream.read(1 << 10)) or path.suffix.lower()[1:]
    return matrices_of(path, {"npz": _npz, "mat": _mat}.get(shown, _hdf5)(path), names)


def matrices_of(path: Path, arrays: Mapping[str, Any], names: Mapping[str, str]) -> RawMatrices:
    """Pick the matrices out of named arrays."""
    stiffness = square(path, "stiffness", pick(path, arrays, names.get("stiffness"), STIFFNESS, "stiffness"))
    mass = square(path, "mass", pick(path, arrays, names.get("mass"), MASS, "mass"))
    damping = None
    if names.get("damping"):
        damping = square(path, "damping", pick(path, arrays, names["damping"], DAMPING, "damping"))
    same_size(path, stiffness, mass, damping)
    dofs = _dofs(path, arrays["dofs"], stiffness.shape[0]) if "dofs" in arrays else None
    return RawMatrices(stiffness, mass, damping, dofs, _positions(path, arrays), (path,))


def pick(path: Path, arrays: Mapping[str, Any], name: str | None, usual: tuple[str, ...], what: str) -> Any:
    """The array of that name, or of the first usual name present (case does not matter)."""
    by_lower = {key.lower(): key for key in arrays}
    for candidate in (name,) if name else usual:
        if candidate is not None and candidate.lower() in by_lower:
            return arrays[by_lower[candidate.lower()]]
    close = nearest(name, arrays) if name else None
    raise FileError(
        path,
        f"no {what} matrix was found",
        found="arrays " + (", ".join(arrays) or "none"),
        expected=repr(name) if name else "one of " + ", ".join(usual),
        advice=f"did you mean {close!r}?" if close else f"name the {what} array explicitly",
    )


def _dofs(path: Path, values: Any, count: int) -> IntArray:
    table = np.asarray(values)
    whole = table.dtype.kind in "iuf" and table.size and bool(np.isfinite(table).all() and np.abs(table).max() < 2**53)
    if table.shape != (count, 2) or not whole or not np.array_equal(table, table.astype(np.int64)):
        raise FileError(path, "dofs must list a node id and a component per dof", found=f"shape {table.shape}")
    table = table.astype(np.int64)
    if (table[:, 1] < 0).any() or (table[:, 1] > 6).any():
        raise FileError(path, "components of dofs run from 1 to 6 (0 for a scalar dof)", found=int(table[:, 1].max()))
    return np.asarray(table - np.array([0, 1]))


def _positions(path: Path, arrays: Mapping[str, Any]) -> dict[int, FloatArray]:
    if "positions" not in arrays:
        return {}
    with parsing(path, "positions and node_ids must be numbers"):
        places = np.asarray(arrays["positions"], dtype=float)
        ids = np.asarray(arrays.get("node_ids", 1 + np.arange(len(places)))).ravel().astype(np.int64)
    if not np.isfinite(places).all() or places.shape != (len(ids), 3):
        raise FileError(
            path, "positions must be three numbers per node", found=f"shape {places.shape} for {len(ids)} nodes"
        )
    return {int(node): place for node, place in zip(ids, places)}


def _mat(path: Path) -> dict[str, Any]:
    """MATLAB versions 4 to 7 are read here; version 7.3 is HDF5."""
    arrays = read_mat(path)
    return _hdf5(path) if arrays is None else arrays


def _npz(path: Path) -> dict[str, Any]:
    """NumPy archive; sparse matrices as ``K_data, K_indices, K_indptr, K_shape`` (CSR). No pickle."""
    return with_sparse(path, dict(read_npz(path)))


def with_sparse(path: Path, arrays: dict[str, Any]) -> dict[str, Any]:
    """Join the parts of CSR matrices stored as separate arrays."""
    for name in [key[: -len("_indptr")] for key in arrays if key.endswith("_indptr")]:
        for word in ("data", "indices"):
            if f"{name}_{word}" not in arrays:
                raise FileError(path, f"the sparse matrix {name!r} lacks {name}_{word}", found=", ".join(arrays))
        data, indices, pointers = (arrays.pop(f"{name}_{word}") for word in ("data", "indices", "indptr"))
        shape = arrays.pop(f"{name}_shape", (np.size(pointers) - 1,) * 2)
        arrays[name] = checked_sparse(path, name, data, indices, pointers, shape)
    return arrays


def _hdf5(path: Path) -> dict[str, Any]:
    """Data sets of the root; groups with data, indices, indptr are CSR, MATLAB's data, ir, jc are CSC."""
    with open_hdf5(path) as file:
        return {name: value for name, item in file.items() if (value := _root_item(path, name, item)) is not None}


def _root_item(path: Path, name: str, item: Any) -> Any:
    """An array or sparse matrix of the root; None for what is neither."""
    import h5py

    if isinstance(item, h5py.Dataset):
        value = item[()]
        return value.T if "MATLAB_class" in item.attrs and np.ndim(value) == 2 else value
    for words, layout in ((("data", "ir", "jc"), "csc"), (("data", "indices", "indptr"), "csr")):
        if set(words) <= set(item):
            data, indices, pointers = (item[word][()] for word in words)
            n = np.size(pointers) - 1
            rows = int(item.attrs.get("MATLAB_sparse", n)) if layout == "csc" else n
            return checked_sparse(path, name, data, indices, pointers, (rows, n), layout)  # type: ignore[arg-type]
    return None
