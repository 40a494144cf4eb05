"""The scripts that make the shipped meshes, as modules."""

import importlib.util
import sys
from pathlib import Path

MESHES = Path(__file__).parents[2] / "meshes"


def script(name: str):
    """The module ``meshes/NAME.py``."""
    sys.path.insert(0, str(MESHES))
    try:
        spec = importlib.util.spec_from_file_location(f"mesh_{name}", MESHES / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(MESHES))
    return module
