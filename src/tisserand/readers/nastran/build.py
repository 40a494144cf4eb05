"""One bulk data section to one structural model."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from tisserand.arrays import IntArray
from tisserand.errors import ModelError
from tisserand.model import ElementBlock, Ledger, NodalBodies, Nodes, ScalarMassBlock, StructuralModel
from tisserand.readers.nastran.balance import mass_read
from tisserand.readers.nastran.bends import read_bends
from tisserand.readers.nastran.bodies import read_bodies, read_mass_matrices
from tisserand.readers.nastran.boundary import read_analysis, read_supports, selected_sets
from tisserand.readers.nastran.bushes import read_bushes
from tisserand.readers.nastran.cards import Bulk
from tisserand.readers.nastran.control import Selection
from tisserand.readers.nastran.coordinate_systems import Frames
from tisserand.readers.nastran.direct import read_direct
from tisserand.readers.nastran.draft import Draft
from tisserand.readers.nastran.edge_points import complete_edges
from tisserand.readers.nastran.families import READERS
from tisserand.readers.nastran.fasteners import add_fasteners
from tisserand.readers.nastran.fates import entries
from tisserand.readers.nastran.general import read_general
from tisserand.readers.nastran.glue import account_for_glue
from tisserand.readers.nastran.legacy import modernize
from tisserand.readers.nastran.lines import read_beams, read_rods
from tisserand.readers.nastran.material_temperatures import apply_temperatures
from tisserand.readers.nastran.materials import read_materials
from tisserand.readers.nastran.names import name_materials, name_sections
from tisserand.readers.nastran.nonstructural import add_nonstructural
from tisserand.readers.nastran.parameters import account_for_parameters, number_parameter
from tisserand.readers.nastran.points import read_points, scaled
from tisserand.readers.nastran.preload import read_preload
from tisserand.readers.nastran.program import Bending
from tisserand.readers.nastran.restated import refuse_restated
from tisserand.readers.nastran.scalars import read_scalar_masses, read_springs
from tisserand.readers.nastran.shells import read_shells
from tisserand.readers.nastran.solids import read_solids
from tisserand.readers.nastran.ties import read_ties
from tisserand.units import UnitSystem

#: Header that Simcenter writes; version 2022.1 is known to lump bars with rotary inertia.
_SIMCENTER = re.compile(rb"(?im)^\$.*for Simcenter Nastran version 20(19|2\d|3\d)")


def build_model(
    bulk: Bulk,
    units: UnitSystem,
    selection: Selection,
    *,
    controlled: bool,
    name: str,
    files: tuple[Path, ...],
    spc: int | None = None,
    mpc: int | None = None,
    notes: tuple[str, ...] = (),
    inherited: dict[str, list[str]] | None = None,
    nastran95: bool = False,
    bending: Bending = "nastran",
    static: tuple[Selection, int] | None = None,
) -> StructuralModel | None:
    """The model of a section, or None when it has no points.

    inherited: parameters of the main structure; bending: that of its shells; static: the subcase that the modes start from,
    and its number.
    """
    older = modernize(bulk, nastran95)
    parameters = {**(inherited or {}), **read_parameters(bulk), **selection.parameters}
    draft = Draft(bulk, units, selection, controlled=controlled, parameters=parameters, notes=list(notes))
    draft.bending = bending
    draft.simcenter = _SIMCENTER.search(bulk.source.text, 0, 65536) is not None
    account_for_parameters(draft)
    draft.mass_factor = units.mass * number_parameter(draft, "WTMASS", 1.0)
    frames = Frames(bulk)
    nodes, permanent = read_points(bulk, frames, units, draft.notes)
    if nodes is None:
        return None
    nodes, permanent, edges = complete_edges(bulk, nodes, permanent, draft.notes)
    draft.nodes = nodes
    draft.systems = {number: scaled(system, units) for number, system in frames.systems.items()}
    refuse_restated(bulk)
    account_for_glue(draft)
    apply_temperatures(draft)
    read_materials(draft)
    name_materials(draft)
    blocks: list[ElementBlock] = []
    for read in (
        read_rods,
        read_beams,
        read_shells,
        *(reader.read for reader in READERS.values()),
        read_solids,
        read_springs,
        read_bushes,
        read_scalar_masses,
        read_bodies,
        read_mass_matrices,
        read_direct,
        read_general,
        read_bends,
    ):
        blocks.extend(read(draft))  # type: ignore[arg-type, operator]
    joining, joints = add_fasteners(draft, blocks)
    blocks, nodes = [*blocks, *joining], draft.nodes
    permanent = np.concatenate([permanent, np.zeros((len(nodes) - len(permanent), 6), np.bool_)])
    blocks = _masses_apart(draft, blocks)
    _unique_ids(draft, blocks)
    blocks = add_nonstructural(draft, blocks)
    constraints = (*read_ties(draft, selected_sets(draft, "MPC", ("MPC",), "MPCADD", mpc)), *edges, *joints)
    supports = read_supports(draft, permanent, selected_sets(draft, "SPC", ("SPC", "SPC1"), "SPCADD", spc))
    analysis = read_analysis(draft, supports, constraints)
    if static is not None:
        analysis = replace(analysis, preload=read_preload(draft, permanent, *static))
    if bulk.has("SESET"):
        draft.approximations["SESET"] = "superelement partition: the whole model is read instead"
    name_sections(draft)
    ledger = Ledger(
        str(bulk.source.path),
        entries(_stated(bulk, older, draft), draft.approximations, draft.unused, draft.dropped, _places(bulk)),
        tuple(dict.fromkeys(draft.notes)),
        mass_read(nodes, blocks, draft.sections),
    )
    return StructuralModel(
        name,
        nodes,
        tuple(blocks),
        tuple(draft.sections),
        materials=tuple(draft.materials[k] for k in sorted(draft.materials)),
        constraints=constraints,
        supports=supports,
        coordinate_systems=tuple(draft.systems[k] for k in sorted(draft.systems) if k),
        node_sets=_node_sets(draft, nodes),
        element_sets=_element_sets(draft, blocks),
        interfaces={},
        analysis=analysis,
        mass_recipe="coupled" if number_parameter(draft, "COUPMASS", -1.0) > 0.0 else "lumped",
        drilling=number_parameter(draft, "K6ROT", 100.0),
        auto_constrain=parameters.get("AUTOSPC", ["YES"])[0] != "NO",
        unit_system=units.name,
        ledger=ledger,
        sources=files,
    )


def _stated(bulk: Bulk, older: dict[str, tuple[int, str, str]], draft: Draft) -> dict[str, int]:
    """Number of cards by the names that the deck uses; cards of early versions get their line."""
    counts = bulk.counts()
    for card, (count, new, statement) in older.items():
        counts[new] = counts.get(new, 0) - count
        counts[card] = count
        draft.approximations.setdefault(card, statement or f"read as {new}")
    return {card: count for card, count in sorted(counts.items()) if count > 0}


def _places(bulk: Bulk) -> dict[str, str]:
    """Line of the first card of every name."""
    found = {}
    for card in bulk.counts():
        lines = [int(at.min()) for _, at in bulk.batches.get(card, ()) if len(at)]
        lines += [row.line for row in bulk.singles.get(card, ())]
        path, number = bulk.source.place(min(lines))
        found[card] = f"line {number}" if path == bulk.source.path else f"{path.name} line {number}"
    return found


def read_parameters(bulk: Bulk) -> dict[str, list[str]]:
    """PARAM values by name."""
    return {row.word(0): [row.word(k) for k in range(1, max(2, len(row.fields)))] for row in bulk.rows("PARAM")}


def _masses_apart(draft: Draft, blocks: list[ElementBlock]) -> list[ElementBlock]:
    """Mass elements (CONM, CMASS) may share ids with other elements, as Nastran allows; they are renumbered then."""
    masses = [block for block in blocks if isinstance(block, NodalBodies | ScalarMassBlock)]
    others = [b.ids for b in blocks if not isinstance(b, NodalBodies | ScalarMassBlock) and not b.facts.one_matrix]
    if not masses or not others:
        return blocks
    taken = np.concatenate(others)
    if not any(np.isin(block.ids, taken).any() for block in masses):
        return blocks
    shift = 10 ** len(str(max(int(taken.max()), *(int(block.ids.max()) for block in masses))))
    draft.notes.append(f"mass elements share ids with other elements; {shift} is added to theirs")
    return [replace(b, ids=b.ids + shift) if isinstance(b, NodalBodies | ScalarMassBlock) else b for b in blocks]


def _unique_ids(draft: Draft, blocks: list[ElementBlock]) -> None:
    """Element ids are used once over all families that have elements."""
    ids = [block.ids for block in blocks if not block.facts.one_matrix]
    if not ids:
        return
    every = np.sort(np.concatenate(ids))
    twice = every[1:][every[1:] == every[:-1]]
    if not len(twice):
        return
    cards = [card for card in draft.bulk.counts() if card.startswith("C") and not card.startswith("CORD")]
    rows = [row for row in draft.bulk.rows(*cards) if row.text(0) == str(twice[0]).encode()]
    rows.sort(key=lambda row: row.line)
    if not rows:
        raise ModelError("element ids are used twice", ids=np.unique(twice)[:10].tolist(), found=int(twice[0]))
    raise rows[-1].error(0, "the element id is used twice", found=int(twice[0]), expected="a unique id")


def _node_sets(draft: Draft, nodes: Nodes) -> dict[str, IntArray]:
    """SET1 cards whose members are all points (SET1 may list elements too)."""
    found: dict[str, IntArray] = {}
    for row in draft.bulk.rows("SET1"):
        if row.word(1) == "ALL" or row.word(1) == "SKIN":
            continue
        members = row.identifiers(1)
        single = draft.find(np.array([item for item in members if isinstance(item, int)], np.int64))
        if (single >= 0).all():
            found[f"SET1 {row.integer(0)}"] = nodes.ids[draft.node_list(row, 1)]
    return found


def _element_sets(draft: Draft, blocks: list[ElementBlock]) -> dict[str, IntArray]:
    """Elements by property, under its name where a comment gives one."""
    found: dict[str, list[IntArray]] = {}
    for block in blocks:
        section = getattr(block, "section", None)
        if section is not None:
            for index in np.unique(section).tolist():
                number = draft.sections[index].id
                label = draft.sections[index].name or f"property {number}"
                found.setdefault(label, []).append(block.ids[section == index])
    return {name: np.sort(np.concatenate(ids)) for name, ids in found.items()}
