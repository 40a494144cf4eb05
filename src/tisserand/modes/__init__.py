"""Eigensolver with proof, floating frames, component-mode bases, gyroscopic modes.

References: theory sections 4, 6 and 9.
"""

import inspect
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from tisserand.modes.asked import solve_modes
from tisserand.modes.campbell import Campbell, campbell
from tisserand.modes.component import Coordinate, ReducedComponent, all_dofs, assumed_basis
from tisserand.modes.component_checks import ComponentChecks, check_component
from tisserand.modes.condensations import irs, serep
from tisserand.modes.coupling import CoupledSystem, couple
from tisserand.modes.floating_frames import (
    buckens,
    connection,
    converted,
    frame_of,
    free_frame,
    in_frame,
    milne,
    node_frame,
    tisserand,
)
from tisserand.modes.gyroscopic import GyroscopicModes, modes_of_matrices, reduced_spin_terms
from tisserand.modes.interface import interface_dofs
from tisserand.modes.modal_basis import FrameConstraint, FrameName, ModalBasis, ModeKind, Mount, Proof
from tisserand.modes.reductions import (
    attachment_shapes,
    craig_bampton,
    free_interface,
    guyan,
    mixed_boundary,
    residual_vectors,
)
from tisserand.modes.spinning import gyroscopic_modes

__all__ = [
    "Campbell",
    "ComponentChecks",
    "Coordinate",
    "CoupledSystem",
    "FrameConstraint",
    "FrameName",
    "GyroscopicModes",
    "ModalBasis",
    "ModeKind",
    "Mount",
    "Proof",
    "ReducedComponent",
    "all_dofs",
    "assumed_basis",
    "attachment_shapes",
    "buckens",
    "campbell",
    "check_component",
    "connection",
    "converted",
    "couple",
    "craig_bampton",
    "frame_of",
    "free_frame",
    "free_interface",
    "guyan",
    "gyroscopic_modes",
    "in_frame",
    "interface_dofs",
    "irs",
    "milne",
    "mixed_boundary",
    "modes_of_matrices",
    "node_frame",
    "reduced_spin_terms",
    "residual_vectors",
    "serep",
    "solve_modes",
    "tisserand",
]


class _Package(ModuleType):
    """The package is also callable as a task: ``tisserand.modes("wing.bdf", units="SI")``."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return import_module("tisserand.studies.modes").modes(*arguments, **options)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(import_module("tisserand.studies.modes").modes)


def _words(package: ModuleType) -> str:
    task = import_module("tisserand.studies.modes").modes
    return f"{_OWN}\nmodes{inspect.signature(task)}\n\n{inspect.getdoc(task)}"


_OWN = __doc__
_Package.__doc__ = property(_words)  # type: ignore[assignment]
sys.modules[__name__].__class__ = _Package
