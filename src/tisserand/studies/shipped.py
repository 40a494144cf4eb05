"""Where the shipped meshes are: inside an installed package, or beside the sources."""

from __future__ import annotations

from pathlib import Path

import tisserand
from tisserand.errors import FileError


def shipped_mesh(name: str) -> Path:
    """Path of a shipped mesh or case such as ``wing.toml``."""
    package = Path(tisserand.__file__).parent
    for folder in (package / "_meshes", package.parents[1] / "meshes"):
        if (folder / name).exists():
            return folder / name
    raise FileError(
        name, "this installation does not include the meshes", advice="install the package from its source folder"
    )
