"""What can be read and written, as data."""

from __future__ import annotations

from typing import Any

#: What commands take besides models: matrices, modes computed elsewhere, reduced records.
OTHER_SOURCES: list[dict[str, Any]] = [
    {"name": "matrices", "files": ".op4 .op2 .pch .mtx .mm .sti/.mas .mat .npz .h5", "gives": "stiffness and mass"},
    {"name": "given modes", "files": ".json .toml .npz", "gives": "reduced appendage"},
    {"name": "record", "files": ".h5 .hdf5", "gives": "reduced appendage"},
    {"name": "sid", "files": ".SID_FEM", "gives": "reduced appendage"},
]


def formats() -> dict[str, list[dict[str, Any]]]:
    """Lists ``read`` and ``write``, one entry per format."""
    from tisserand.exporters.registry import targets
    from tisserand.readers.registry import readable

    return {
        "read": [{"name": f.name, "files": f.files, "gives": f.gives} for f in readable()] + OTHER_SOURCES,
        "write": [{"name": t.name, "for": t.title, "files": t.files} for t in targets()],
    }
