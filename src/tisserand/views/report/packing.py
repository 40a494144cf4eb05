"""Arrays inside a page: little-endian numbers in base64."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np


def packed(values: Any, kind: str) -> str:
    """Base64 of little-endian numbers: f4, f8, i2, u4 or u1."""
    return base64.b64encode(np.ascontiguousarray(values, dtype=f"<{kind}").tobytes()).decode("ascii")


def unpacked(text: str, kind: str) -> np.ndarray:
    """The numbers of ``packed``, in double precision or whole numbers."""
    values = np.frombuffer(base64.b64decode(text), f"<{kind}")
    return values.astype(float if kind[0] == "f" else np.int64)
