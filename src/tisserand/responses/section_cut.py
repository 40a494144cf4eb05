"""Cuts through a structure as people state them: beyond a plane of the basic axes, or beyond the nodes of a set."""

from __future__ import annotations

import re

import numpy as np

from tisserand.arrays import BoolArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.errors import InputError

_PLANE = re.compile(r"\s*([xyz])\s*([<>])\s*([-+0-9.eE]+)\s*")


def nodes_beyond(model: AssembledModel, name: str, cut: str) -> BoolArray:
    """(n,) the nodes beyond a cut: ``y>0.35`` (m, basic axes), or the name of a node set."""
    plane = _PLANE.fullmatch(cut)
    if plane is not None:
        axis, sign, text = plane.groups()
        try:
            place = float(text)
        except ValueError:
            raise InputError(
                "is not a plane", where=f"section {name}", found=repr(cut), expected="such as y>0.35"
            ) from None
        values = model.nodes.positions[:, "xyz".index(axis)]
        found = values > place if sign == ">" else values < place
        if model.nodes.scalar is not None:
            found = found & ~model.nodes.scalar
        return np.asarray(found)
    if model.structure is None:
        raise InputError(
            "is not a plane, and this source has no node sets",
            where=f"section {name}",
            found=repr(cut),
            expected="y>0.35",
        )
    found = np.zeros(len(model.nodes), np.bool_)
    found[model.structure.at(cut)] = True
    return found
