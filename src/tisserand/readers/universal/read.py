"""Universal files (I-deas, test laboratories) through pyuff: nodes 15 and 2411, elements 2412, shapes 55, axes 2420, units 164.

Layout: University of Cincinnati, "Universal File Formats for Modal Analysis Testing". Complex shapes are refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import FileError, InputError
from tisserand.files import refuse_binary
from tisserand.readers.supplier.subcases import chosen_subcase
from tisserand.readers.supplier.supplier_modes import SupplierModes
from tisserand.readers.universal.sound_sets import sound_set
from tisserand.readers.universal.universal_geometry import read_geometry
from tisserand.stored import parsing

_WANTED = (15, 55, 151, 164, 2411, 2412, 2420)
_NORMAL_MODE, _COMPLEX_MODES = 2, (3, 7)
#: What data set 55 holds: displacements, velocities and accelerations; vectors of three or six components.
_DISPLACEMENT, _MOTIONS, _VECTORS = 8, {8: "displacements", 11: "velocities", 12: "accelerations"}, (2, 3)


def read_universal(path: Path, subcase: int | None = None) -> SupplierModes:
    """Real normal modes (55) with nodes, axes and elements of the same file; modal masses where they are not zero."""
    sets = _sets(path)
    notes = [
        "universal files have no end mark: whether modes followed the last one is not known",
        "universal files do not tell residual vectors from modes",
    ]
    modes = _normal_modes(path, sets, notes)
    case = chosen_subcase(path, sorted({int(s.get("load_case", 0)) for s in modes}), subcase)
    modes = [s for s in modes if int(s.get("load_case", 0)) == case]
    ids = np.sort(np.asarray(modes[0]["node_nums"], np.int64))
    shapes, given = _shapes(path, modes, ids)
    masses = np.array([float(s.get("modal_m", 0.0) or 0.0) for s in modes])
    known = bool((masses > 0.0).all()) and all(s.get("spec_data_type", _DISPLACEMENT) == _DISPLACEMENT for s in modes)
    geometry = read_geometry(path, sets, notes)
    units = [s for s in sets if s["type"] == 164]
    if units:
        notes.append(f"the file states units {str(units[0].get('units_description', '')).strip()!r}; --units decides")
    header = next((s for s in sets if s["type"] == 151), {})
    return SupplierModes(
        path=path,
        program=str(header.get("program", "")).strip() or "universal file",
        numbers=_numbers(modes, notes),
        eigenvalues=(2.0 * np.pi * np.array([float(s["freq"]) for s in modes])) ** 2,
        node_ids=ids,
        shapes=shapes,
        given=given,
        local_axes=True,
        modal_masses=masses if known else None,
        geometry=geometry,
        subcase=case or None,
        parts=tuple(f"data set {kind}" for kind in sorted({s["type"] for s in sets})),
        notes=tuple(notes),
    )


def _normal_modes(path: Path, sets: list[dict[Any, Any]], notes: list[str]) -> list[dict[Any, Any]]:
    """Data sets 55 of real normal modes; complex ones are refused where there are no others, and named where there are."""
    shapes = [s for s in sets if s["type"] == 55]
    modes = [s for s in shapes if s.get("analysis_type") == _NORMAL_MODE]
    others = any(s.get("analysis_type") in _COMPLEX_MODES for s in shapes)
    motions = [
        s for s in modes if s.get("spec_data_type", _DISPLACEMENT) in _MOTIONS and s.get("data_ch", 3) in _VECTORS
    ]
    if not motions:
        what = "the file holds complex modes only" if others and not modes else "the file holds no mode shapes"
        raise FileError(path, what, expected="data set 55 of normal modes (analysis type 2) with displacements",
                        advice="ask for real mode shapes in the same file as the nodes")  # fmt: skip
    if any(np.iscomplexobj(s["r1"]) for s in motions):
        raise FileError(path, "the mode shapes are complex", expected="real shapes (data type 2)",
                        advice="ask for real modes, or for their real parts with the phase removed")  # fmt: skip
    if others:
        notes.append("complex modes in the same file are not used")
    kinds = {_MOTIONS[s.get("spec_data_type", _DISPLACEMENT)] for s in motions}
    if kinds != {"displacements"}:
        notes.append(f"shapes are stated as {' and '.join(sorted(kinds))}: their scale and modal masses are not used")
    return motions


def _numbers(modes: list[dict[str, Any]], notes: list[str]) -> IntArray:
    """(k,) mode numbers; where all are one number (laboratories leave it out), they are counted instead."""
    numbers = np.array([int(s["mode_n"]) for s in modes], np.int64)
    if len(modes) > 1 and (numbers == numbers[0]).all():
        notes.append(f"all modes have the number {numbers[0]}: they are numbered in the order of the file")
        return np.arange(1, len(modes) + 1)
    return numbers


def _sets(path: Path) -> list[dict[Any, Any]]:
    """Every data set that is wanted, as pyuff reads it."""
    try:
        import pyuff
    except ImportError as error:
        raise InputError(
            "reading universal files needs pyuff",
            where=str(path),
            advice="install it with: pip install tisserand[universal]",
        ) from error
    raw = path.read_bytes()
    refuse_binary(path, raw, "a universal file in text form")
    if (
        raw.count(b"\n    -1") + raw.startswith(b"    -1") < 2
        or (raw.count(b"\n    -1") + raw.startswith(b"    -1")) % 2
    ):
        raise FileError(path, "is not a universal file, or was cut off", expected="data sets between pairs of -1 lines")
    with parsing(path, "is not a universal file that can be read"):
        file = pyuff.UFF(str(path))
        kinds = [int(kind) for kind in file.get_set_types()]
        return [sound_set(dict(file.read_sets(place))) for place, kind in enumerate(kinds) if kind in _WANTED]


def _shapes(path: Path, modes: list[dict[str, Any]], ids: IntArray) -> tuple[FloatArray, Any]:
    """Shapes (n, 6, k) and the components that are given (n, 6)."""
    out = np.zeros((len(ids), 6, len(modes)))
    wide = all("r4" in s for s in modes)
    for k, one in enumerate(modes):
        nodes = np.asarray(one["node_nums"], np.int64)
        order = np.argsort(nodes, kind="stable")
        if not np.array_equal(nodes[order], ids):
            raise FileError(path, "modes list different nodes", found=f"mode {one.get('mode_n')}")
        for c in range(6 if wide else 3):
            out[:, c, k] = np.asarray(one[f"r{c + 1}"], float)[order]
    return out, np.tile(np.arange(6) < (6 if wide else 3), (len(ids), 1))
