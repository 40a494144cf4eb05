"""The step that applies, and the static state that it starts from: CLOAD, gravity and spin of the steps before a perturbation.

CalculiX starts a FREQUENCY step from the preload where *STEP states PERTURBATION; Abaqus starts every FREQUENCY step from the
last general state, whose loads change the stiffness where that step has NLGEOM.
"""

from __future__ import annotations

import numpy as np

from tisserand.errors import ReadError
from tisserand.model import Preload
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.initial_stress import INITIAL_STRESS
from tisserand.readers.abaqus.scan import Keyword
from tisserand.readers.abaqus.step_loads import StepLoads
from tisserand.readers.abaqus.supports import read_supports

_GENERAL = ("STATIC", "VISCO", "COUPLED TEMPERATURE-DISPLACEMENT", "UNCOUPLED TEMPERATURE-DISPLACEMENT", "DYNAMIC")


def step_words(steps: list[list[Keyword]]) -> list[str]:
    """Every step in words, for ``info`` and for errors: ``1: STATIC (NLGEOM)``."""
    known = (
        *_GENERAL,
        "FREQUENCY",
        "BUCKLE",
        "MODAL DYNAMIC",
        "STEADY STATE DYNAMICS",
        "HEAT TRANSFER",
        "COMPLEX FREQUENCY",
    )
    out = []
    for number, step in enumerate(steps, 1):
        kinds = [keyword.name for keyword in step if keyword.name in known] or ["no procedure"]
        extra = [word for word in ("PERTURBATION", "NLGEOM") if word in step[0].options]
        out.append(f"{number}: {', '.join(kinds)}" + (f" ({', '.join(extra)})" if extra else ""))
    return out


def _few(words: list[str], between: str) -> str:
    """At most a dozen words, and how many more there are."""
    more = f"{between}... ({len(words)} in all)" if len(words) > 12 else ""
    return between.join(words[:12]) + more


def chosen_step(draft: Draft, asked: int | None, file: object) -> int | None:
    """Index of the step whose boundary and request apply: the one requested (from 1), else the first FREQUENCY step."""
    steps = draft.deck.steps
    if asked is not None:
        if not 1 <= asked <= len(steps):
            expected = _few(step_words(steps), "; ") or "no step: the deck has none"
            raise ReadError(str(file), None, "the deck has no such step", found=asked, expected=expected)
        return asked - 1
    requests = [i for i, step in enumerate(steps) if any(keyword.name == "FREQUENCY" for keyword in step)]
    if len(requests) > 1:
        listed = _few([str(i + 1) for i in requests], ", ")
        draft.assume(f"steps {listed} ask for frequencies; step {requests[0] + 1} is taken (choose with --step N)")
    return requests[0] if requests else None


def read_preload(draft: Draft, chosen: int | None, rotation_nodes: dict[int, int]) -> Preload | None:
    """The static state before the chosen step; None where it starts from the unloaded structure."""
    if chosen is None:
        return None
    steps = draft.deck.steps
    if not any(keyword.name == "FREQUENCY" for keyword in steps[chosen]):
        return None
    before = [
        (i, step)
        for i, step in enumerate(steps[:chosen])
        if (
            draft.flavor == "calculix" or "PERTURBATION" not in step[0].options
        )  # CalculiX: of FREQUENCY and the like alone
        and any(k.name in _GENERAL for k in step)
    ]
    large = any(
        step[0].options.get("NLGEOM", "NO").upper() != "NO" for _, step in before if "NLGEOM" in step[0].options
    )
    starts = large if draft.flavor == "abaqus" else "PERTURBATION" in steps[chosen][0].options
    if not before or not starts:
        if before:
            draft.assume(f"step {chosen + 1} starts from the unloaded structure: the loads of earlier steps do not act")
        return None
    name = f"step {before[-1][0] + 1}"
    if any(card == INITIAL_STRESS and fate == "skipped" for card, fate, _ in draft.fates):
        draft.record(INITIAL_STRESS, "dropped", f"initial stress of shells, solids or beams in the preload of {name}")
    loads = StepLoads(draft, rotation_nodes)
    for number, step in before:
        loads.take(step, number + 1)
    forces = loads.forces()
    rows = np.flatnonzero(forces.any(axis=1))
    state = Preload(
        name,
        draft.node_ids[rows],
        forces[rows],
        acceleration=loads.acceleration,
        spin=loads.spin,
        about=loads.about,
        supports=read_supports(draft, rotation_nodes, before[-1][0]),
        large=large,
        displaced=True,
        moved=np.argwhere(loads.moved),
        by=loads.moved[loads.moved != 0.0],
    )
    if any(keyword.name == "CONTACT PAIR" for _, keyword in draft.deck.model):
        draft.record("*CONTACT PAIR", "dropped", f"contact closes under the preload of {name}")
    if not state:
        return None
    if large:
        draft.assume(f"{name} asks for large displacements; its state is computed linearly")
    return state
