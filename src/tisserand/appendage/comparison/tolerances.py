"""Tolerances of a comparison, stated in code or in a TOML file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from tisserand.arguments import checked_arguments
from tisserand.errors import CaseError, InputError
from tisserand.files import text_of, toml_of


@checked_arguments
@dataclass(frozen=True, kw_only=True)
class Tolerances:
    """Allowed differences; relative unless stated otherwise. None disables a test.

    frequency: of each mode; mac: smallest allowed MAC (or worst squared cosine of clusters); effective_mass:
    change as a fraction of the rigid body's value in that direction; mass; center: fraction of the model's
    size; inertia: fraction of its trace; damping: absolute change of the ratio; distance: fraction of the
    size within which nodes are partners; cluster: relative gap below which frequencies form one subspace;
    unpaired: modes of the first that have no partner although the second reaches 10 % beyond their frequency
    (True allows them). For a supplier's run with its deck beside it: residual: distance of an eigenvalue of ours from each of
    theirs; orthogonality: largest product of two of their modes over our mass; modal_mass: from the stated one; ties: difference
    of motion where ties or supports carry a node.
    """

    frequency: float | None = 0.005
    mac: float | None = 0.95
    effective_mass: float | None = 0.01
    mass: float | None = 1e-3
    center: float | None = 1e-3
    inertia: float | None = 5e-3
    damping: float | None = None
    distance: float = 0.05
    cluster: float = 1e-3
    unpaired: bool = False
    residual: float | None = 0.02
    orthogonality: float | None = 0.02
    modal_mass: float | None = 0.02
    ties: float | None = 1e-3

    @staticmethod
    def from_dict(values: Mapping[str, Any]) -> Tolerances:
        """Tolerances from a mapping; unknown keys and negative numbers are refused by name.

        Args:
            values: tolerances by name.
        """
        known = [field.name for field in fields(Tolerances)]
        for key, value in values.items():
            if key not in known:
                near = get_close_matches(key, known, 1)
                advice = f"did you mean {near[0]!r}?" if near else None
                raise InputError("unknown tolerance", found=repr(key), expected=", ".join(known), advice=advice)
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if key == "unpaired":
                if not isinstance(value, bool):
                    raise InputError("tolerance 'unpaired' must be true or false", found=repr(value))
            elif (value is not None or key in ("distance", "cluster")) and (
                not number or not 0.0 <= value <= sys.float_info.max
            ):
                raise InputError(f"tolerance {key!r} must be a finite nonnegative number", found=repr(value)[:60])
        return Tolerances(**values)


@checked_arguments
def read_tolerances(path: str | Path) -> Tolerances:
    """Read tolerances from a TOML file, at its root or in a table ``[tolerances]``.

    The string "off" disables a test.

    Args:
        path: the file.
    """
    values = toml_of(path, text_of(path))
    if set(values) == {"tolerances"} and isinstance(values["tolerances"], dict):
        values = values["tolerances"]
    try:
        return Tolerances.from_dict({key: None if value == "off" else value for key, value in values.items()})
    except CaseError:
        raise
    except InputError as error:
        raise CaseError(
            path, "", error.what, found=error.found, expected=error.expected, advice=error.advice
        ) from error
