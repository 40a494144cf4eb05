"""The barycentric equations of TR 32-1576 (Likins 1974), corrected, in the notation of the report.

``build`` translates a vehicle, ``accelerations`` solves it at a state, ``run`` integrates it, ``bookkeeping``
gives energy and momenta.
"""

from tisserand.multibody.likins.build import LikinsModel, build
from tisserand.multibody.likins.engine import Accelerations, Bookkeeping, accelerations, bookkeeping
from tisserand.multibody.likins.motion import LikinsRun, run

__all__ = ["Accelerations", "Bookkeeping", "LikinsModel", "LikinsRun", "accelerations", "bookkeeping", "build", "run"]
