"""Arrays inside a page: little-endian numbers in base64."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np


def packed(values: Any, kind: str) -> str:
    """Base64 of little-endian numbers: f4, f8, i2, u4 or u1."""
    return base64.b64encode(np.ascontiguousarray(values, dtype=f"<{kind}").tobytes()).decode("ascii")
