"""Loads of a vehicle file that act where a nonlinear unit has drives already."""

from __future__ import annotations

#: Kinds of such loads.
DRIVES = ("joint", "rotor")
