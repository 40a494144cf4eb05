"""External superelements of an assembly deck (SEBULK ... EXTOP4): their reduced matrices act on the points of the main structure.

The OP4 that ASSIGN names has K and M (and B) of the boundary and modal dofs, in the order of EXTRN; SECONCT says which point
of the main structure each one is, as [NastranQRG] describes. The matrices become direct terms of the main structure.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
from scipy.sparse import coo_array, csr_array

from tisserand.arrays import FloatArray, IntArray
from tisserand.assembly.assembled_model import AssembledModel, DofTable
from tisserand.errors import FileError, ReadError
from tisserand.model import CardEntry, DirectMatrix, StructuralModel
from tisserand.readers.nastran.deck import NastranDeck, NastranPart
from tisserand.units import UnitSystem, unit_system

Kind = Literal["stiffness", "mass", "damping"]
#: Boundary points of a part lie on those of the main structure, and have the same axes, to this (over the size of the part).
_SAME = 1e-6


def with_external_parts(path: Path, deck: NastranDeck, units: str | UnitSystem | None) -> StructuralModel:
    """The main structure with the matrices of every external part at its points."""
    main = deck.main
    assert main is not None
    blocks: list[DirectMatrix] = []
    notes: list[str] = []
    length = unit_system(units, where=str(path)).length
    for part in deck.parts:
        file = _file(path, part)
        from tisserand.readers.matrices import read_matrices  # the matrices' reader reads decks too

        found = read_matrices(file, units)
        rows = _rows(path, deck, main, part, found)
        named: tuple[tuple[Kind, csr_array | None], ...] = (
            ("stiffness", found.stiffness),
            ("mass", found.mass),
            ("damping", found.damping),
        )
        for kind, matrix in named:
            if matrix is not None and matrix.nnz:
                blocks.append(_block(coo_array(matrix), rows, found.dofs, kind, _scale(found, length)))
        notes.append(f"superelement {part.id}: {found.size} dofs of {file.name} act on the points that SECONCT names")
    entry = CardEntry("BEGIN SUPER", len(deck.parts), "used")
    ledger = replace(main.ledger, entries=(*main.ledger.entries, entry), notes=(*main.ledger.notes, *notes))
    return main.changed(elements=(*main.elements, *blocks), ledger=ledger)


def _file(path: Path, part: NastranPart) -> Path:
    if not part.kind.startswith(("EXTOP4", "EXTOP2")):
        raise ReadError(
            path, None, f"superelement {part.id} is external in a form that is not read", found=f"SEBULK {part.kind}",
            expected="EXTOP4 or EXTOP2, with the file assigned to its unit",
        )  # fmt: skip
    if part.matrices is None:
        raise ReadError(
            path, None, f"no file is assigned to the unit of superelement {part.id}",
            expected="ASSIGN INPUTT4='part.op4',UNIT=n with the unit of its SEBULK card",
        )  # fmt: skip
    if not part.matrices.is_file():
        raise FileError(part.matrices, "the matrices of a superelement do not exist", found=f"assigned in {path.name}")
    return part.matrices


def _rows(path: Path, deck: NastranDeck, main: StructuralModel, part: NastranPart, found: AssembledModel) -> IntArray:
    """(n,) index in the main structure of every node of the matrices; refused where it is missing, elsewhere or turned."""
    known: dict[int, int] = {}
    for link in deck.connections:
        if (link.first, link.second) == (part.id, 0):
            known |= {int(own): int(theirs) for own, theirs in link.points}
        elif (link.first, link.second) == (0, part.id):
            known |= {int(own): int(theirs) for theirs, own in link.points}
    used = np.unique(found.dofs.node)
    ids = found.nodes.ids
    wanted = np.array([known.get(int(ids[k]), int(ids[k])) for k in used])
    missing = ~np.isin(wanted, main.nodes.ids)
    if missing.any():
        raise ReadError(
            path, None, f"a point of superelement {part.id} is not in the main structure",
            found=f"point {int(ids[used[int(np.argmax(missing))]])}", expected="a GRID or SPOINT, joined by SECONCT",
        )  # fmt: skip
    rows = np.full(len(ids), -1, np.int64)
    rows[used] = main.nodes.indices(wanted)
    scalar = np.zeros(len(ids), np.bool_) if found.nodes.scalar is None else np.asarray(found.nodes.scalar)
    real = used[~scalar[used]]
    if found.rigid_body_vectors.any():
        reach = _SAME * max(float(np.ptp(found.nodes.positions[real], axis=0).max()), 1e-300)
        apart = np.linalg.norm(found.nodes.positions[real] - main.nodes.positions[rows[real]], axis=1)
        turned = np.abs(_axes(found.nodes.axes, real) - _axes(main.nodes.axes, rows[real])).max(axis=(1, 2))
        bad = (apart > reach) | (turned > _SAME)
        if bad.any():
            first = real[int(np.argmax(bad))]
            raise ReadError(
                path, None, f"a point of superelement {part.id} has another place or other axes in the main structure",
                found=f"point {int(ids[first])}", advice="give both the same GRID (the .asm file of the run has it)",
            )  # fmt: skip
    return rows


def _axes(axes: np.ndarray | None, rows: IntArray) -> np.ndarray:
    return np.broadcast_to(np.eye(3), (len(rows), 3, 3)) if axes is None else axes[rows]


def _scale(found: AssembledModel, length: float) -> FloatArray:
    """(d,) factors of the dofs: scalar points of a deck count as lengths (CELAS, MPC, DMIG), modal dofs of matrices do not.

    length: m per length unit of the deck.
    """
    scalar = np.zeros(len(found.nodes), np.bool_) if found.nodes.scalar is None else np.asarray(found.nodes.scalar)
    return np.where(scalar[found.dofs.node], 1.0 / length, 1.0)


def _block(matrix: coo_array, rows: IntArray, dofs: DofTable, kind: Kind, scale: FloatArray) -> DirectMatrix:
    """All terms of a matrix over the dofs of a part, at the points of the main structure."""
    i, j = matrix.row, matrix.col
    return DirectMatrix(
        np.arange(1, matrix.nnz + 1),
        np.column_stack([rows[dofs.node[i]], rows[dofs.node[j]]]),
        np.column_stack([dofs.component[i], dofs.component[j]]),
        matrix.data * scale[i] * scale[j],
        kind,
    )
