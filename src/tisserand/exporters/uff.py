"""Universal file (UFF, UNV): units 164, nodes 2411, elements 2412 and one data set 55 per mode; nodes 15 in a second file.

Layout: University of Cincinnati, "Universal File Formats for Modal Analysis Testing". Shapes have the format's six digits.
Data set 15 has six digits too, so it has a file of its own for programs that do not know 2411.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.linalg import eigh

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray, IntArray
from tisserand.errors import one_line
from tisserand.exporters.metadata import comment_lines
from tisserand.exporters.other_units import hertz
from tisserand.exporters.readback import worst
from tisserand.files import write_text
from tisserand.units import unit_system

#: Off-diagonal terms above this part of the diagonal make coordinates that are not modes.
COUPLED = 1e-9
_ROD, _TRIANGLE = 11, 91
#: Number of the unit system in data set 164: SI, millimeters with newtons, inches with pound force, user-defined.
_CODES = {"SI": 1, "mm-t-s": 9, "in-lbf-s": 7}


def losses(appendage: ReducedAppendage) -> list[str]:
    """What a file of shapes cannot carry."""
    lost = ["shapes have six digits, and modal integrals are lost (they follow from a deck with the same nodes)"]
    if not np.nan_to_num(appendage.nodes.translation).any():
        lost.append("the record has no shapes: those in the file are zero")
    if not _diagonal(appendage):
        lost.append("coordinates that are not modes are written as the modes of their matrices")
    return lost


def node_ids(appendage: ReducedAppendage) -> IntArray:
    """Ids of the nodes, counted from 1 where one is not positive."""
    ids = np.asarray(appendage.nodes.ids)
    return ids if (ids > 0).all() else np.arange(1, len(ids) + 1)


def _diagonal(appendage: ReducedAppendage) -> bool:
    for matrix in (appendage.integrals.modal_mass, appendage.stiffness):
        rest = np.abs(matrix - np.diag(np.diag(matrix))).max(initial=0.0)
        if rest > COUPLED * np.abs(matrix).max(initial=0.0):
            return False
    return True


def modes_of(appendage: ReducedAppendage) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Frequencies (k,) Hz, modal masses (k,), damping ratios (k,) and shapes (n, 6, k) as they are written."""
    shapes = np.nan_to_num(np.concatenate([appendage.nodes.translation, appendage.nodes.rotation], axis=1))
    if _diagonal(appendage):
        masses = np.diag(appendage.integrals.modal_mass)
        return np.nan_to_num(hertz(appendage), posinf=0.0), masses, np.asarray(appendage.damping_ratios), shapes
    values, X = eigh(appendage.stiffness, appendage.integrals.modal_mass)
    largest = X[np.abs(X).argmax(axis=0), np.arange(len(X))]
    X = X * np.sign(largest)  # as the coordinate that it is mostly made of
    omega = np.sqrt(np.maximum(values, 0.0))
    damping = np.diag(X.T @ appendage.damping @ X)
    ratios = np.divide(damping, 2.0 * omega, out=np.zeros_like(omega), where=omega > 0.0)
    return omega / (2.0 * np.pi * unit_system(appendage.unit_system).time), np.ones(len(omega)), ratios, shapes @ X


def _set(number: int, lines: Iterator[str]) -> Iterator[str]:
    yield from ("    -1", f"{number:6d}")
    yield from lines
    yield "    -1"


def _units(appendage: ReducedAppendage) -> Iterator[str]:
    """Factors from SI to the units of the file: length, force, temperature and its offset."""
    system = unit_system(appendage.unit_system)
    code, words = _CODES.get(system.name, 10), system.name[:20]
    yield f"{code:10d}{words:>20s}{2:10d}"
    factors = (1.0 / system.length, 1.0 / system.force, 1.0, 0.0)
    yield "".join(f"{value:25.16E}" for value in factors[:3]).replace("E", "D")
    yield f"{factors[3]:25.16E}".replace("E", "D")


def _nodes(ids: IntArray, places: FloatArray) -> Iterator[str]:
    for number, place in zip(ids, places):
        yield f"{number:10d}{0:10d}{0:10d}{1:10d}"
        yield "".join(f"{x:25.16E}" for x in place).replace("E", "D")


def _short_nodes(ids: IntArray, places: FloatArray) -> Iterator[str]:
    for number, place in zip(ids, places):
        yield f"{number:10d}{0:10d}{0:10d}{1:10d}" + "".join(f"{x:13.5E}" for x in place)


def _elements(appendage: ReducedAppendage, ids: IntArray) -> Iterator[str]:
    cells, number = appendage.topology, 0
    for pair in np.vstack([cells.lines, cells.links]):
        number += 1
        yield f"{number:10d}{_ROD:10d}{1:10d}{1:10d}{7:10d}{2:10d}"
        yield f"{0:10d}{1:10d}{1:10d}"
        yield "".join(f"{ids[row]:10d}" for row in pair)
    for triple in cells.triangles:
        number += 1
        yield f"{number:10d}{_TRIANGLE:10d}{1:10d}{1:10d}{7:10d}{3:10d}"
        yield "".join(f"{ids[row]:10d}" for row in triple)


def _mode(appendage: ReducedAppendage, mode: int, ids: IntArray) -> Iterator[str]:
    """Data set 55: real normal mode, general motion of six components."""
    frequencies, masses, ratios, shapes = modes_of(appendage)
    facts = comment_lines(appendage)
    name = one_line(f"{appendage.mode_names[mode]}, frame {appendage.frame.name}, units {appendage.unit_system}")
    for line in (appendage.name, name, *facts[1:2], facts[3], "shapes in basic axes"):
        yield f"{one_line(line)[:80]:<80s}"
    yield "".join(f"{value:10d}" for value in (1, 2, 3, 8, 2, 6))
    yield "".join(f"{value:10d}" for value in (2, 4, 1, mode + 1))
    yield "".join(f"{value:13.5E}" for value in (frequencies[mode], masses[mode], ratios[mode], 0.0))
    for number, values in zip(ids, shapes[:, :, mode]):
        yield f"{number:10d}"
        yield "".join(f"{value:13.5E}" for value in values)


def write(appendage: ReducedAppendage, path: Path) -> list[Path]:
    """The file, and ``NAME_15`` with nodes as data set 15 and the same modes."""
    ids, places = node_ids(appendage), appendage.nodes.positions + appendage.reference_point
    units = list(_set(164, _units(appendage)))
    modes = [line for mode in range(appendage.count) for line in _set(55, _mode(appendage, mode, ids))]
    cells = appendage.topology
    elements = (
        list(_set(2412, _elements(appendage, ids)))
        if len(cells.lines) + len(cells.triangles) + len(cells.links)
        else []
    )
    write_text(path, "\n".join([*units, *_set(2411, _nodes(ids, places)), *elements, *modes]) + "\n")
    short = path.with_name(f"{path.stem}_15{path.suffix}")
    write_text(short, "\n".join([*units, *_set(15, _short_nodes(ids, places)), *modes]) + "\n")
    return [path, short]


def read_back(appendage: ReducedAppendage, path: Path) -> float:
    """Nodes, frequencies, modal masses and shapes, read by the columns of the format."""
    sets: dict[int, list[list[str]]] = {}
    for block in path.read_text().split("    -1\n")[1::2]:
        number, *lines = block.splitlines()
        sets.setdefault(int(number), []).append(lines)
    frequencies, masses, ratios, shapes = modes_of(appendage)
    places = [[float(x) for x in line.replace("D", "E").split()] for line in sets[2411][0][1::2]]
    pairs: list[tuple[object, object]] = [(np.array(places), appendage.nodes.positions + appendage.reference_point)]
    heads = np.array([[float(line[7][13 * i : 13 * i + 13]) for i in range(3)] for line in sets.get(55, [])]).reshape(
        -1, 3
    )
    found = [[float(line[13 * i : 13 * i + 13]) for i in range(6)] for one in sets.get(55, []) for line in one[9::2]]
    pairs.append((np.array(found).reshape(appendage.count, -1, 6).transpose(1, 2, 0), shapes))
    pairs += [(heads[:, 0], frequencies), (heads[:, 1], masses), (heads[:, 2], ratios)]
    return worst(pairs)
