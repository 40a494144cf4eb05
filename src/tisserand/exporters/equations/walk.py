"""From the base to the leaves: every body of a tree set in motion with its appendages and rotors (S3 §3).

Anything else is refused by name.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from tisserand.errors import VehicleError
from tisserand.exporters.equations.appendages import carried_by, mode_count
from tisserand.exporters.equations.chain import Motion, Speeds
from tisserand.exporters.equations.joints import place
from tisserand.exporters.equations.ledger import Ledger
from tisserand.multibody.tree import Tree

#: Symbols of factors on springs and dampers of joints and rotors, and on Ke and De of appendages, behind the torques.
SCALES = ("spring_scale", "damper_scale", "modal_stiffness_scale", "modal_damping_scale")


def moving(tree: Tree, speeds: Speeds, *, translation: bool, scales: bool = False) -> Motion:
    """All bodies of a tree; anything but bodies, held appendages and driven rotors is refused by name."""
    _refuse(tree)
    motion = Motion(Ledger(), speeds, _count(tree, translation), gravity=np.asarray(tree.vehicle.gravity, float))
    if scales:
        symbols = (sp.Symbol(name, real=True) for name in SCALES)
        motion.stiffer, motion.damped, motion.modal_stiffer, motion.modal_damped = symbols
    for body in tree.bodies:
        place(motion, body, translation)
        motion.carried.append(carried_by(motion, body))
    _refuse_same_names(motion)
    return motion


def _refuse_same_names(motion: Motion) -> None:
    """Names of parts that become the same word would be one variable."""
    names = [str(symbol) for symbol in (*motion.coordinates, *motion.rates, *motion.torques)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise VehicleError(
            "two parts have names that are the same in code",
            found=twice[0],
            advice="rename a body, joint, rotor or appendage",
        )


def _count(tree: Tree, translation: bool) -> int:
    sizes = {"free": 6 if translation else 3, "fixed": 0, "hinge": 1, "prismatic": 1, "ball": 3}
    return sum(sizes[body.kind] + mode_count(body) for body in tree.bodies)


def _refuse(tree: Tree) -> None:
    for body in tree.bodies:
        for what, names in (
            (
                "appendages whose frame floats on its mount",
                [body.name] if body.child_node and body.joint is None else [],
            ),
            ("rotors with a given rate or momentum", [r.name for r in body.rotors if r.mode != "torque"]),
            ("springs or dampers in balls", [str(body.joint)] if body.kind == "ball" and any(body.law) else []),
            ("joints on nodes of appendages", [str(body.joint)] if body.parent_node or body.child_node else []),
            (
                "prescribed motions",
                [body.joint or "the base"] if body.motion is not None or body.kind == "prescribed" else [],
            ),
        ):
            if names:
                raise VehicleError(
                    f"equations of vehicles with {what} are not generated", where=f"body {body.name}", found=", ".join(names),
                    expected="bodies on hinges, sliders, balls and fixed joints, held appendages, rotors driven by torques",
                )  # fmt: skip
