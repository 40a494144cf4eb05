"""The example scripts as modules: they are scripts first, so they are loaded by path."""

import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parents[2] / "examples"


@cache
def example(name: str) -> ModuleType:
    """``examples/NAME.py``."""
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
    spec = spec_from_file_location(f"example_{name}", FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def numbers(name: str) -> dict[str, float]:
    """What the example returns, computed once."""
    return example(name).main()
