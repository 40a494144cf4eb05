"""The container of glTF 2.0 binary files: arrays with their accessors, and the two chunks of the file."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np

#: Component types and targets of glTF.
FLOAT, UINT = 5126, 5125
ARRAY, ELEMENT = 34962, 34963


class GlbBuffer:
    """Collects binary arrays and their accessors."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(
        self, array: np.ndarray, component: int, kind: str, target: int | None = None, *, bounds: bool = False
    ) -> int:
        """Number of the accessor of an array; ``bounds`` states its least and largest values, as glTF wants of positions."""
        raw = np.ascontiguousarray(array, dtype="<f4" if component == FLOAT else "<u4")
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.data), "byteLength": raw.nbytes}
        if target is not None:
            view["target"] = target
        self.data += raw.tobytes()
        self.views.append(view)
        accessor: dict[str, Any] = {
            "bufferView": len(self.views) - 1,
            "componentType": component,
            "count": len(raw),
            "type": kind,
        }
        if bounds:
            accessor |= {"min": np.atleast_1d(raw.min(axis=0)).tolist(), "max": np.atleast_1d(raw.max(axis=0)).tolist()}
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def glb(scene: dict[str, Any], buffer: GlbBuffer) -> bytes:
    """The file: header, JSON chunk padded with spaces, binary chunk padded with zeros."""
    whole = scene | {
        "buffers": [{"byteLength": len(buffer.data)}],
        "bufferViews": buffer.views,
        "accessors": buffer.accessors,
    }
    text = json.dumps(whole, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    binary = bytes(buffer.data) + b"\0" * (-len(buffer.data) % 4)
    total = 12 + 8 + len(text) + 8 + len(binary)
    return b"".join(
        [
            struct.pack("<4sII", b"glTF", 2, total),
            struct.pack("<I4s", len(text), b"JSON"),
            text,
            struct.pack("<I4s", len(binary), b"BIN\0"),
            binary,
        ]
    )
