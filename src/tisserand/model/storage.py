"""A structural model as plain data and back: a JSON tree and the arrays it refers to. No pickle.

Every frozen type of this package is written as its name and its fields; larger arrays are stored separately under
the path of their field, so that a file that holds them can be read by other tools.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from tisserand import model
from tisserand.errors import ModelError
from tisserand.model.block_base import FAMILIES
from tisserand.model.ledger import Ledger
from tisserand.model.section_base import SECTION_TYPES
from tisserand.model.structure import StructuralModel

#: Arrays up to this many numbers are in the tree itself.
_INLINE = 64
_SHARED = {name: value for name, value in vars(model).items() if isinstance(value, type) and is_dataclass(value)}
_STORED_DTYPES = {"float64", "int64", "bool"}


def to_plain(structure: StructuralModel) -> tuple[str, dict[str, np.ndarray]]:
    """JSON text and arrays by path. The ledger, the names of the source files and the superelements are left out."""
    arrays: dict[str, np.ndarray] = {}
    bare = structure.changed(ledger=Ledger(), sources=(), parts=())
    return json.dumps(_plain(bare, "", arrays), ensure_ascii=False, allow_nan=False), arrays


def from_plain(text: str, arrays: Mapping[str, np.ndarray]) -> StructuralModel:
    """The model that ``to_plain`` serialized."""
    found = _whole(json.loads(text), arrays)
    if not isinstance(found, StructuralModel):
        raise ModelError("the stored object is not a model", found=type(found).__name__, expected="StructuralModel")
    return found


def _types() -> dict[str, Any]:
    """Every type that may be stored, by name; blocks and sections are those registered now."""
    return {**_SHARED, **SECTION_TYPES, **{kind.__name__: kind for kind in FAMILIES.values()}}


def _plain(value: Any, path: str, arrays: dict[str, np.ndarray]) -> Any:
    if isinstance(value, np.ndarray):
        return _plain_array(value, path, arrays)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (tuple, list)):
        return [_plain(item, f"{path}/{place}", arrays) for place, item in enumerate(value)]
    if isinstance(value, Mapping):
        return {"map": {str(key): _plain(item, f"{path}/{_link(key)}", arrays) for key, item in value.items()}}
    name = type(value).__name__
    if _types().get(name) is not type(value):
        raise ModelError("this part of a model cannot be stored", where=path, found=name)
    content = {item.name: _plain(getattr(value, item.name), f"{path}/{item.name}", arrays) for item in fields(value)}
    return {"type": name, "fields": content}


def _plain_array(value: np.ndarray, path: str, arrays: dict[str, np.ndarray]) -> Any:
    if value.dtype.name not in _STORED_DTYPES:
        raise ModelError("this part of a model cannot be stored", where=path, found=f"array of {value.dtype}")
    if value.size <= _INLINE and (value.dtype.kind != "f" or np.isfinite(value).all()):
        return {"values": value.ravel().tolist(), "shape": list(value.shape), "dtype": value.dtype.name}
    place = path.lstrip("/")
    while place in arrays:
        place += "_"
    arrays[place] = value
    return {"array": place}


def _link(key: Any) -> str:
    """A key as part of a path of arrays: no slash, never empty or a dot."""
    return str(key).replace("/", "|").strip(".") or "_"


def _whole(tree: Any, arrays: Mapping[str, np.ndarray]) -> Any:
    if isinstance(tree, list):
        return tuple(_whole(item, arrays) for item in tree)
    if not isinstance(tree, dict):
        return tree
    if "array" in tree:
        return arrays[tree["array"]]
    if "values" in tree:
        return np.array(tree["values"], dtype=tree["dtype"]).reshape(tree["shape"])
    if "float" in tree:
        return float(tree["float"])
    if "map" in tree:
        return {key: _whole(item, arrays) for key, item in tree["map"].items()}
    kind = _types().get(tree["type"])
    if kind is None:
        raise ModelError("the stored model has a part of an unknown type", found=tree["type"])
    return kind(**{name: _whole(item, arrays) for name, item in tree["fields"].items()})
