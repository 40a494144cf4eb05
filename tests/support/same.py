"""Where two results differ, bit for bit."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

import numpy as np

#: What tells one computation from another of the same thing: when it was made and how long it took.
OWN = {"provenance", "wall_seconds", "created", "settings"}


def differences(a, b, path=""):
    """Paths at which two nested results are not identical; NaN is NaN."""
    if path.rsplit(".", 1)[-1] in OWN:
        return []
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        x, y = np.asarray(a), np.asarray(b)
        alike = x.shape == y.shape and x.dtype == y.dtype and x.tobytes() == y.tobytes()
        return [] if alike else [path]
    if type(a) is not type(b):
        return [f"{path} ({type(a).__name__}, {type(b).__name__})"]
    if is_dataclass(a):
        pairs = {item.name: (getattr(a, item.name), getattr(b, item.name)) for item in fields(a)}
    elif isinstance(a, Mapping):
        if set(a) != set(b):
            return [f"{path} keys {sorted(map(str, set(a) ^ set(b)))}"]
        pairs = {str(key): (a[key], b[key]) for key in a}
    elif isinstance(a, list | tuple):
        if len(a) != len(b):
            return [f"{path} length"]
        pairs = {str(i): pair for i, pair in enumerate(zip(a, b))}
    else:
        return [] if a == b or (a != a and b != b) else [f"{path}: {a!r} != {b!r}"]
    return [found for key, (x, y) in pairs.items() for found in differences(x, y, f"{path}.{key}")]
