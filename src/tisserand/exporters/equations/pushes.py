"""Forces and torques on bodies as generalized forces: strength times V_r.d at the point, or W_r.d (theory section 3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tisserand.errors import VehicleError
from tisserand.exporters.equations.chain import Motion
from tisserand.exporters.equations.joints import at_point, word
from tisserand.exporters.equations.ledger import Expr, Vector, constants
from tisserand.multibody.loads import Load
from tisserand.multibody.tree import Tree


def load_pushes(motion: Motion, tree: Tree, loads: Sequence[Load]) -> list[tuple[Expr, Vector]]:
    """Strength (a new symbol among the torques) and its partial for every speed; other kinds of loads are refused by name."""
    found: list[tuple[Expr, Vector]] = []
    taken = {str(symbol) for symbol in motion.torques}
    for load in loads:
        if load.kind not in ("force", "torque") or load.inertial or load.axes_of:
            axes = " in inertial axes" if load.inertial else f" in axes of {load.axes_of}" if load.axes_of else ""
            raise VehicleError(
                "equations with this kind of load are not generated", where=f"load {load.name}",
                found=load.kind + axes,
                expected="forces and torques in axes of their bodies, drives of joints and rotors",
            )  # fmt: skip
        if word(load.name) in taken:
            raise VehicleError("two loads have names that are the same in code", found=load.name, advice="rename one")
        taken.add(word(load.name))
        moved, along = motion.bodies[tree.index[load.target]], list(constants(np.asarray(load.direction)))
        columns = moved.W
        if load.kind == "force":
            named = isinstance(load.point, str)
            point = tree.vehicle.body(load.target).point(str(load.point)) if named else np.asarray(load.point, float)
            columns = at_point(motion, moved, list(constants(point)))[1]
        found.append((motion.torque(word(load.name)), [motion.ledger.dot(along, column) for column in columns]))
    return found
