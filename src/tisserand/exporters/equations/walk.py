"""From the base to the leaves: every body of a tree of rigid bodies set in motion; anything else is refused by name (S3 §3)."""

from __future__ import annotations

import sympy as sp

from tisserand.errors import VehicleError
from tisserand.exporters.equations.chain import Motion, Speeds
from tisserand.exporters.equations.joints import place
from tisserand.exporters.equations.ledger import Ledger
from tisserand.multibody.tree import Tree

#: Symbols of factors on springs and dampers, behind the torques.
SCALES = ("stiffness_scale", "damping_scale")


def moving(tree: Tree, speeds: Speeds, *, translation: bool, scales: bool = False) -> Motion:
    """All bodies of a tree of rigid bodies; anything else is refused by name."""
    _refuse(tree)
    motion = Motion(Ledger(), speeds, _count(tree, translation))
    if scales:
        motion.stiffer, motion.damped = (sp.Symbol(name, real=True) for name in SCALES)
    for body in tree.bodies:
        place(motion, body, translation)
    return motion


def _count(tree: Tree, translation: bool) -> int:
    sizes = {"free": 6 if translation else 3, "fixed": 0, "hinge": 1, "prismatic": 1, "ball": 3}
    return sum(sizes[body.kind] for body in tree.bodies)


def _refuse(tree: Tree) -> None:
    for body in tree.bodies:
        for what, names in (
            ("appendages", [block.name for block in body.blocks]),
            ("rotors", [rotor.name for rotor in body.rotors]),
            ("springs or dampers in balls", [str(body.joint)] if body.kind == "ball" and any(body.law) else []),
            ("joints on nodes of appendages", [str(body.joint)] if body.parent_node or body.child_node else []),
            ("prescribed motions", [str(body.joint)] if body.motion is not None or body.kind == "prescribed" else []),
        ):
            if names:
                raise VehicleError(
                    f"equations of vehicles with {what} are not generated", where=f"body {body.name}", found=", ".join(names),
                    expected="rigid bodies on hinges, sliders, balls and fixed joints",
                )  # fmt: skip
