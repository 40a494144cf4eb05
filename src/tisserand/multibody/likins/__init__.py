"""The barycentric equations of TR 32-1576 (Likins 1974), corrected, in the notation of the report.

``build`` translates a vehicle, ``accelerations`` solves it at a state, ``run`` integrates it, ``bookkeeping``
gives energy and momenta, ``poses`` the motion of bodies. Nothing here refers to the other engine (tested).
"""

from tisserand.multibody.likins.build import LikinsModel, build
from tisserand.multibody.likins.engine import accelerations, bookkeeping, poses
from tisserand.multibody.likins.motion import LikinsRun, run
from tisserand.multibody.likins.results import Accelerations, Bookkeeping, Poses

__all__ = [
    "Accelerations",
    "Bookkeeping",
    "LikinsModel",
    "LikinsRun",
    "Poses",
    "accelerations",
    "bookkeeping",
    "build",
    "poses",
    "run",
]
