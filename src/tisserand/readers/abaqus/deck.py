"""Parts, instances, assembly and steps of a deck, flattened into one list of keywords with their context."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tisserand.arrays import FloatArray, skew
from tisserand.errors import ReadError
from tisserand.readers.abaqus.scan import Keyword, is_id, label


@dataclass(frozen=True, eq=False)
class Context:
    """Context of a keyword: the instance it belongs to (empty outside), its id offset and its placement.

    Positions of an instance become ``rotation @ x + shift`` (deck units).
    """

    instance: str = ""
    offset: int = 0
    rotation: FloatArray = field(default_factory=lambda: np.eye(3))
    shift: FloatArray = field(default_factory=lambda: np.zeros(3))

    def full(self, name: str) -> str:
        """A name as seen from the whole model: ``INSTANCE.NAME``."""
        return f"{self.instance}.{name}" if self.instance else name


@dataclass(frozen=True, eq=False)
class Deck:
    """Keywords outside steps with their contexts, contexts by instance name, and the steps."""

    model: list[tuple[Context, Keyword]]
    instances: dict[str, Context]
    steps: list[list[Keyword]]
    structure: list[Keyword]

    @property
    def assemblies(self) -> set[str]:
        """Names of the assembly."""
        return {keyword.label("NAME") or "" for keyword in self.structure if keyword.name == "ASSEMBLY"}


_STRUCTURE = ("PART", "END PART", "ASSEMBLY", "END ASSEMBLY", "INSTANCE", "END INSTANCE", "STEP", "END STEP")


def flatten(found: list[Keyword]) -> Deck:
    """Sort keywords by part, instance, assembly, model and step, then unfold every instance of every part."""
    parts: dict[str, list[Keyword]] = {}
    placed: list[tuple[str, Keyword, list[Keyword]]] = []
    model: list[Keyword] = []
    steps: list[list[Keyword]] = []
    structure: list[Keyword] = []
    target = model
    outer = model
    opened: Keyword | None = None
    ended = any(keyword.name in ("END PART", "INSTANCE") for keyword in found)
    for keyword in found:
        name = keyword.name
        if name == "PART" and not ended:  # a flat deck that names its part
            structure.append(keyword)
            continue
        if name in _STRUCTURE:
            structure.append(keyword)
        if name in ("PART", "INSTANCE", "STEP") and opened is not None and opened.name != "STEP":
            raise _never_ended(opened)
        if name == "PART":
            target = parts.setdefault(label(keyword.option("NAME")), [])
            opened = keyword
        elif name == "INSTANCE":
            own: list[Keyword] = []
            placed.append((label(keyword.option("NAME")), keyword, own))
            target, opened = own, keyword
        elif name == "STEP":
            steps.append([keyword])
            target, outer, opened = steps[-1], model, keyword
        elif name in ("END PART", "END INSTANCE", "END STEP"):
            target, opened = outer, None
        elif name not in ("ASSEMBLY", "END ASSEMBLY"):
            target.append(keyword)
    if opened is not None and opened.name != "STEP":
        raise _never_ended(opened)
    return _unfolded(parts, placed, model, steps, structure)


def _never_ended(opened: Keyword) -> ReadError:
    return opened.error(f"*{opened.name} is never ended", expected=f"*END {opened.name}")


def _unfolded(
    parts: dict[str, list[Keyword]],
    placed: list[tuple[str, Keyword, list[Keyword]]],
    model: list[Keyword],
    steps: list[list[Keyword]],
    structure: list[Keyword],
) -> Deck:
    flat: list[tuple[Context, Keyword]] = []
    contexts: dict[str, Context] = {}
    lists = [*parts.values(), *(own for *_, own in placed), model] if placed else []
    stride = 10 ** len(str(max((_largest_id(keywords) for keywords in lists), default=0)))
    several = len(placed) > 1 or (bool(placed) and _largest_id(model) > 0)
    for number, (name, keyword, own) in enumerate(placed):
        part = label(keyword.option("PART"))
        if part not in parts:
            raise keyword.error("the instance names a part that does not exist", found=part, expected=", ".join(parts))
        if name in contexts:
            raise keyword.error("two instances have the same name", found=name)
        rotation, shift = _placement(keyword)
        context = Context(name, stride * (number + 1) if several else 0, rotation, shift)
        contexts[name] = context
        flat += [(context, k) for k in [*parts[part], *own]]
    root = Context()
    if not placed:  # parts without instances: a flat deck that still uses *PART
        for keywords in parts.values():
            flat += [(root, k) for k in keywords]
    flat += [(root, k) for k in model]
    return Deck(flat, contexts, steps, structure)


def _largest_id(keywords: list[Keyword]) -> int:
    """Largest node or element id that a list of keywords defines; 0 when none."""
    largest = 0
    for keyword in keywords:
        if keyword.name in ("NODE", "ELEMENT"):
            for text in keyword.data:
                head = text.partition(",")[0].strip()
                if is_id(head):
                    largest = max(largest, int(head))
    return largest


def _placement(keyword: Keyword) -> tuple[FloatArray, FloatArray]:
    """Rotation (3, 3) and shift (3,) of an instance: translation first, then a turn about the line a-b."""
    shift, rotation = np.zeros(3), np.eye(3)
    rows = [row for row, _ in keyword.rows()]
    if rows:
        shift = keyword.floats(rows[0], 3)[:3]
    if len(rows) > 1:
        values = keyword.floats(rows[1], 7)
        a, b, angle = values[:3], values[3:6], np.radians(values[6])
        length = np.linalg.norm(b - a)
        if length == 0.0:
            raise keyword.error("the axis of rotation has zero length", row=rows[1])
        n = (b - a) / length
        rotation = turn(n, float(angle))
        shift = rotation @ (shift - a) + a
    return rotation, shift


def turn(axis: FloatArray, angle: float) -> FloatArray:
    """(3, 3) that turns vectors about a unit axis, rad."""
    k = skew(axis)
    return np.asarray(np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * k @ k)
