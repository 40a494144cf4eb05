"""Checks of data sets read by pyuff, which silently accepts damaged numbers and tables of unequal length."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

_LARGEST = 2**53  # labels are whole numbers that pyuff may have held as floating point
_Set = dict[Any, Any]


def sound_set(one: _Set) -> _Set:
    """The data set itself; raises ``ValueError`` with the field that is damaged.

    Args:
        one: a data set as pyuff returns it.
    """
    check = _CHECKS.get(int(one["type"]))
    if check is not None:
        check(one)
    return one


def _shape(one: _Set) -> None:
    """Data set 55: nodes listed once, as many values of every component, finite numbers of the mode."""
    nodes = _labels(one, "node_nums", unique=True)
    for word in (f"r{c}" for c in range(1, 7)):
        if word in one:
            _values(one, word, (len(nodes),))
    for word in ("mode_n", "load_case", "analysis_type"):
        _labels(one, word, needed=False)
    for word in ("freq", "modal_m", "modal_damp_vis", "modal_damp_his"):
        if one.get(word) is not None:
            _values(one, word, ())


def _nodes(one: _Set) -> None:
    """Data sets 15 and 2411: nodes listed once, each with its place and its coordinate systems."""
    nodes = _labels(one, "node_nums", unique=True)
    for word in "xyz":
        _values(one, word, (len(nodes),))
    for word in ("def_cs", "disp_cs"):
        if len(_labels(one, word)) != len(nodes):
            raise ValueError(f"{word} of {len(_labels(one, word))} nodes, not of {len(nodes)}")


def _elements(one: _Set) -> None:
    """Data set 2412: labels of nodes."""
    for key, elements in one.items():
        for element in elements if isinstance(key, int) else ():
            _labels(element, "nodes_nums")


def _systems(one: _Set) -> None:
    """Data set 2420: a kind and four rows of three numbers for every coordinate system."""
    labels, kinds = _labels(one, "CS_sys_labels", unique=True), _labels(one, "CS_types")
    if not len(labels) == len(kinds) == len(one["CS_matrices"]):
        raise ValueError(f"{len(labels)} coordinate systems, {len(kinds)} kinds, {len(one['CS_matrices'])} matrices")
    if not ((kinds >= 0) & (kinds <= 2)).all():
        raise ValueError(f"a coordinate system of kind {kinds.max()}, not 0, 1 or 2")
    for k in range(len(labels)):
        _values({"matrix": one["CS_matrices"][k]}, "matrix", (4, 3))


_CHECKS: Mapping[int, Callable[[_Set], None]] = {15: _nodes, 55: _shape, 2411: _nodes, 2412: _elements, 2420: _systems}


def _labels(one: _Set, word: str, *, unique: bool = False, needed: bool = True) -> Any:
    """Whole numbers of a field, of any shape, as a vector."""
    if one.get(word) is None and not needed:
        return np.zeros(0)
    values = np.atleast_1d(np.asarray(one[word], float)).ravel()
    if not (np.isfinite(values).all() and (np.abs(values) < _LARGEST).all() and (values == np.round(values)).all()):
        raise ValueError(f"{word} that are not whole numbers")
    if unique and len(np.unique(values)) != len(values):
        raise ValueError(f"{word} that are listed twice")
    return values


def _values(one: _Set, word: str, shape: tuple[int, ...]) -> None:
    """Finite numbers of the given shape."""
    values = np.asarray(one[word])
    if values.dtype.kind not in "iufc" or values.shape != shape or not np.isfinite(values).all():
        raise ValueError(f"{word} that are not {' by '.join(map(str, shape)) or 'one'} finite numbers")
