"""DMIG: matrix terms given directly, selected by K2GG, M2GG and B2GG."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from tisserand.errors import ReadError
from tisserand.model import DirectMatrix
from tisserand.model.ledger import ASSUMED
from tisserand.readers.nastran.cards import Row
from tisserand.readers.nastran.draft import Draft
from tisserand.readers.nastran.numbers import real_of
from tisserand.readers.nastran.parameters import OF_DIRECT, number_parameter

_Kind = Literal["stiffness", "mass", "damping"]
_KEYS: dict[str, _Kind] = {"K2GG": "stiffness", "M2GG": "mass", "B2GG": "damping"}
#: Largest difference of mirrored terms, over the largest term.
_SYMMETRIC = 1e-6
_LETTERS: dict[str, _Kind] = {"K": "stiffness", "M": "mass", "B": "damping"}


def read_direct(draft: Draft) -> list[DirectMatrix]:
    """Selected matrices.

    In a punch file without case control the first letter of a symmetric matrix's name decides (K, M, B).
    """
    heads: dict[str, Row] = {}
    columns: dict[str, list[Row]] = {}
    for row in draft.bulk.rows("DMIG"):
        name = row.word(0)
        if row.text(1) == b"0":
            heads[name] = row
        else:
            columns.setdefault(name, []).append(row)
    wanted = _wanted(draft, sorted(columns), heads)
    if not columns:
        if heads:
            draft.unused["DMIG"] = "headers without a column"
        return []
    blocks = []
    for name, kind, factor in wanted:
        if name not in heads:
            raise columns[name][0].error(0, "the matrix has no header card (DMIG name 0 ...)", found=name)
        block = _matrix(draft, name, kind, heads[name], columns[name])
        if block is not None:
            blocks.append(block if factor == 1.0 else replace(block, value=factor * block.value))
    if not wanted:
        draft.unused["DMIG"] = "case control selects none of these matrices (K2GG, M2GG, B2GG)"
    return blocks


def _wanted(draft: Draft, names: list[str], heads: dict[str, Row]) -> list[tuple[str, _Kind, float]]:
    """Name, kind and factor of every matrix: the factor of case control times CK2, CM2 or CB2."""
    found: list[tuple[str, _Kind, float]] = []
    for key, kind in _KEYS.items():
        for name, text in draft.selection.matrices(key):
            factor = real_of(text.encode())
            if factor is None:
                raise ReadError(
                    draft.bulk.source.path, None, f"the factor of a matrix that {key} selects is not a number",
                    found=repr(text), expected="for instance 1.25*KAAX",
                )  # fmt: skip
            factor *= number_parameter(draft, OF_DIRECT[key], 1.0)
            if name in names:
                found.append((name, kind, factor))
                if factor != 1.0:
                    draft.notes.append(f"{key}: matrix {name} is multiplied by {factor:g}")
            else:
                draft.notes.append(
                    f"{ASSUMED}case control selects {key} = {name}, which does not exist: nothing is added"
                )
    if not found and (not draft.controlled or draft.bulk.part):
        for name in names:
            symmetric = name in heads and heads[name].text(2) == b"6"
            if symmetric and name[:1] in _LETTERS and not name.startswith("K4"):
                found.append((name, _LETTERS[name[0]], 1.0))
        if found:
            taken = ", ".join(f"{name} as {kind}" for name, kind, _ in found)
            draft.notes.append(f"DMIG matrices taken by the first letter of their names: {taken}")
    return found


def _matrix(draft: Draft, name: str, kind: _Kind, head: Row, columns: list[Row]) -> DirectMatrix | None:
    form = head.integer(2)
    if form not in (1, 6):
        raise head.error(2, "only square (1) and symmetric (6) matrices are supported", found=form)
    if head.integer(3, 1) > 2:
        raise head.error(3, "complex matrices are not supported", found=head.integer(3, 1))
    units = draft.units
    unit = {
        "stiffness": units.force / units.length,
        "mass": units.mass,
        "damping": units.force * units.time / units.length,
    }[kind]
    nodes: list[tuple[int, int]] = []
    components: list[tuple[int, int]] = []
    values: list[float] = []
    stated: dict[tuple[tuple[int, int], tuple[int, int]], tuple[float, Row, int]] = {}
    for row in columns:
        j = _dof(draft, row, 1, 2)
        for at in range(4, len(row.fields), 4):
            if not row.text(at):
                continue
            i, value = _dof(draft, row, at, at + 1), row.real(at + 2, 0.0)
            if (i, j) in stated:
                raise row.error(
                    at, "a term of a matrix is stated twice", found=f"{name} {row.word(at)} {row.word(at + 1)}".rstrip(),
                    advice="state it once; values of one term are not added",
                )  # fmt: skip
            if form == 6 and i != j and (j, i) in stated:
                raise row.error(
                    at, "a term of a symmetric matrix is stated above and below the diagonal", found=f"{name} {row.word(at)}",
                    advice="state it once, or state the matrix as square (form 1)",
                )  # fmt: skip
            stated[i, j] = (value, row, at)
            scale = unit * (units.length if i[1] > 2 else 1.0) * (units.length if j[1] > 2 else 1.0)
            nodes.append((i[0], j[0]))
            components.append((i[1], j[1]))
            values.append(value * scale)
            if form == 6 and i != j:
                nodes.append((j[0], i[0]))
                components.append((j[1], i[1]))
                values.append(value * scale)
    if not values:
        return None
    if form == 1:
        _refuse_asymmetric(stated, name)
    return DirectMatrix(np.arange(1, len(values) + 1), np.array(nodes), np.array(components), np.array(values), kind)


def _refuse_asymmetric(
    stated: dict[tuple[tuple[int, int], tuple[int, int]], tuple[float, Row, int]], name: str
) -> None:
    """Raise where a term of a square matrix and its mirror differ: energies have symmetric matrices."""
    largest = max(abs(value) for value, *_ in stated.values())
    for (i, j), (value, row, at) in stated.items():
        other = stated[j, i][0] if (j, i) in stated else 0.0
        if abs(value - other) > _SYMMETRIC * largest:
            raise row.error(
                at, "a matrix of stiffness, mass or damping is not symmetric",
                found=f"{name}: {value:g} at {row.word(at)} {row.word(at + 1)}".rstrip() + f" and {other:g} mirrored",
            )  # fmt: skip


def _dof(draft: Draft, row: Row, at_node: int, at_component: int) -> tuple[int, int]:
    node, own = draft.node(row, at_node), row.components(at_component, "0")
    if len(own) != 1:
        raise row.error(at_component, "one component is needed", found=repr(row.word(at_component)))
    return node, own[0]
