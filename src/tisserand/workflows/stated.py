"""What the command line states about a reduction: attachment, named points, damping."""

from __future__ import annotations

from typing import Any

from tisserand.errors import InputError


def stated_options(
    attachment: str | None = None, points: tuple[str, ...] = (), damping: float | None = None
) -> dict[str, Any]:
    """Options of ``reduce``; ``points`` are ``NAME=NODE``, ``attachment`` is a node id or a point's name."""
    options: dict[str, Any] = {}
    if attachment is not None:
        options["attachment"] = int(attachment) if attachment.isdecimal() else attachment
    if points:
        options["interfaces"] = _named(points)
    if damping is not None:
        if not 0.0 <= damping < 1.0:
            raise InputError(
                "the damping is a ratio of critical damping", found=f"--damping {damping:g}", expected="from 0 to below 1"
            )
        options["damping"] = damping
    return options


def _named(points: tuple[str, ...]) -> dict[str, int]:
    named: dict[str, int] = {}
    for text in points:
        name, _, node = text.partition("=")
        name, node = name.strip(), node.strip()
        if not name or not node.isdecimal():
            raise InputError("this names no point", found=f"--point {text}", expected="NAME=NODE, such as tip=4021")
        if name in named:
            raise InputError("two points have one name", found=f"--point {text}", expected="a name of its own for each point")
        named[name] = int(node)
    return named
