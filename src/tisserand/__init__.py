"""Tisserand: from appendage meshes to flexible multibody spacecraft simulation.

    model = tisserand.read_model("wing.bdf", units="mm-t-s")
    basis = tisserand.solve_modes(tisserand.assemble(model), count=20)
    wing = tisserand.reduce(basis, damping=0.005)
    tisserand.save_record(wing, "wing.h5")

Names are imported when first used, so that ``import tisserand`` stays light.
"""

from importlib import import_module as _import_module
from typing import Any as _Any

#: Public name -> module that defines it.
_PUBLIC = {
    "read_model": "tisserand.readers.registry",
    "assemble": "tisserand.assembly",
    "solve_modes": "tisserand.modes",
    "reduce": "tisserand.appendage",
    "save_record": "tisserand.appendage",
    "load_record": "tisserand.appendage",
    "mode_table": "tisserand.appendage",
    "select": "tisserand.appendage",
    "compare": "tisserand.appendage",
    "mirrored": "tisserand.appendage",
    "merged": "tisserand.appendage",
    "simulate": "tisserand.multibody",
    "Vehicle": "tisserand.multibody",
    "Body": "tisserand.multibody",
    "Rotor": "tisserand.multibody",
    "MountedAppendage": "tisserand.multibody",
    "State": "tisserand.multibody",
    "hinge": "tisserand.multibody",
    "linearise": "tisserand.multibody",
    "system_modes": "tisserand.multibody",
    "save_trajectory": "tisserand.multibody",
    "load_trajectory": "tisserand.multibody",
    "Trajectory": "tisserand.multibody",
    "StructuralModel": "tisserand.model",
    "AssembledModel": "tisserand.assembly.assembled_model",
    "ModalBasis": "tisserand.modes.modal_basis",
    "ReducedAppendage": "tisserand.appendage.record.reduced_appendage",
    "TisserandError": "tisserand.errors",
}

__all__ = [*_PUBLIC, "__version__"]


def __getattr__(name: str) -> _Any:
    if name == "__version__":
        from importlib.metadata import version

        value: _Any = version("tisserand")
    elif name in _PUBLIC:
        value = getattr(_import_module(_PUBLIC[name]), name)
    else:
        raise AttributeError(f"module 'tisserand' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
