"""Two models are the same when every array of theirs has the same bits."""

from dataclasses import fields, is_dataclass

import numpy as np

from tisserand.model import StructuralModel

_IGNORED = {"ledger", "sources", "name"}


def differences(first: object, second: object, path: str = "model") -> list[str]:
    """Places where two values differ; arrays and floats are compared bit by bit."""
    if type(first) is not type(second):
        return [f"{path}: {type(first).__name__} and {type(second).__name__}"]
    if isinstance(first, np.ndarray):
        same = first.dtype == second.dtype and first.shape == second.shape and first.tobytes() == second.tobytes()
        return [] if same else [path]
    if is_dataclass(first):
        out = []
        for item in fields(first):
            if not (isinstance(first, StructuralModel) and item.name in _IGNORED):
                out += differences(getattr(first, item.name), getattr(second, item.name), f"{path}.{item.name}")
        return out
    if isinstance(first, (tuple, list)):
        if len(first) != len(second):
            return [f"{path}: {len(first)} and {len(second)}"]
        return [d for k, pair in enumerate(zip(first, second)) for d in differences(*pair, f"{path}[{k}]")]
    if hasattr(first, "items"):
        return differences(sorted(first.items(), key=str), sorted(second.items(), key=str), path)
    if isinstance(first, float):
        return [] if first.hex() == second.hex() else [f"{path}: {first!r} and {second!r}"]
    return [] if first == second else [f"{path}: {first!r} and {second!r}"]
