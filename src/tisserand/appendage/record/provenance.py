"""Where a record comes from: source files with hashes, versions, options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tisserand
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.files import sha256_of
from tisserand.model import ShellBlock


def provenance_of(model: AssembledModel, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Source files (name, SHA-256), package version, mass recipe, kind of shells and what was chosen of a deck, JSON-able."""
    sources = [] if model.structure is None else list(model.structure.sources)
    elements = () if model.structure is None else model.structure.elements
    shells = sorted({str(block.bending) for block in elements if isinstance(block, ShellBlock)})
    return {
        "tisserand_version": tisserand.__version__,
        "model": model.name,
        "sources": [{"file": path.name, "sha256": sha256_of(path) if path.is_file() else None} for path in sources],
        "mass_recipe": model.mass_recipe,
        "unit_system": model.unit_system,
        "dofs": model.size,
        "nodes": len(model.nodes),
        **({"shells": ", ".join(shells)} if shells else {}),
        "options": dict(options or {}),
    }
