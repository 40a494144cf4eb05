"""What can be read and written, as data."""

from __future__ import annotations

from typing import Any


def formats() -> dict[str, list[dict[str, Any]]]:
    """Lists ``read`` and ``write``, one entry per format."""
    from tisserand.exporters.registry import targets
    from tisserand.readers.registry import readable

    return {
        "read": [{"name": f.name, "files": f.files, "gives": f.gives} for f in readable()],
        "write": [{"name": t.name, "for": t.title, "files": t.files} for t in targets()],
    }
