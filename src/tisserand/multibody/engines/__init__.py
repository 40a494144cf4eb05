"""Engines as a simulation uses them: the protocol, and the two that satisfy it.

Serves theory section 5.2.
"""

from __future__ import annotations

from collections.abc import Sequence

from tisserand.multibody.controllers import Controller
from tisserand.multibody.engines.likins_engine import LikinsEngine
from tisserand.multibody.engines.protocol import Engine
from tisserand.multibody.engines.recursive_engine import RecursiveEngine
from tisserand.multibody.loads import Load
from tisserand.multibody.recursive.compile import CompiledVehicle
from tisserand.multibody.run_options import EngineName


def engine_named(
    name: EngineName, compiled: CompiledVehicle, loads: Sequence[Load] = (), controllers: Sequence[Controller] = ()
) -> Engine:
    """The engine that the option names, for a compiled vehicle under its loads and control laws."""
    if name == "recursive":
        return RecursiveEngine(compiled)
    return LikinsEngine(compiled, loads, controllers)
