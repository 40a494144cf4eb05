"""An Abaqus or CalculiX deck to a structural model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tisserand.errors import ReadError
from tisserand.files import existing_file, storable
from tisserand.model import Ledger, Nodes, StructuralModel
from tisserand.readers.abaqus.blocks import structural_blocks
from tisserand.readers.abaqus.constraints import read_constraints
from tisserand.readers.abaqus.cyclic import account_for_cycles, unfolded
from tisserand.readers.abaqus.deck import flatten
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.flavor import Flavor, flavor_of, state_flavor
from tisserand.readers.abaqus.generation import generated
from tisserand.readers.abaqus.held_ties import fit_to_supports
from tisserand.readers.abaqus.initial_stress import read_initial_stress
from tisserand.readers.abaqus.ledger import account, record_generated, refuse_dropped, spelled
from tisserand.readers.abaqus.mass_recipe import mass_recipe
from tisserand.readers.abaqus.materials import read_materials, read_orientations
from tisserand.readers.abaqus.mesh import read_mesh_keywords
from tisserand.readers.abaqus.normals import account_for_normals
from tisserand.readers.abaqus.parameter_values import insert_parameters
from tisserand.readers.abaqus.parameters import judge_parameters, spell_parameters
from tisserand.readers.abaqus.point_elements import point_blocks
from tisserand.readers.abaqus.removed_elements import without_removed, without_removed_equations
from tisserand.readers.abaqus.scan import keywords
from tisserand.readers.abaqus.sections import SectionTable, read_owners
from tisserand.readers.abaqus.steps import chosen_step, read_preload
from tisserand.readers.abaqus.supports import node_axes, read_analysis, read_supports
from tisserand.readers.abaqus.thicknesses import read_thicknesses
from tisserand.units import UnitSystem, unit_system


def read_abaqus(
    path: str | Path,
    units: str | UnitSystem | None = None,
    *,
    allow: Sequence[str] = (),
    flavor: Flavor | None = None,
    step: int | None = None,
) -> StructuralModel:
    """Read a deck.

    ``units`` names its unit system (decks carry none); ``allow`` names dropped keywords to accept.

    ``flavor`` selects the program whose conventions apply where they differ (mass of first-order elements, CIRC
    beams); None decides by marks that only one of the programs accepts. ``step`` (from 1) is the step whose boundary and preload
    apply;
    None takes the first FREQUENCY step.
    """
    file = existing_file(path)
    system = unit_system(units, where=str(file))
    found, sources = keywords(file)
    spelled(found)
    insert_parameters(found)
    spell_parameters(found)
    program, mark = flavor_of(found, flavor)
    draft = Draft(flatten(generated(found)), system, program)
    record_generated(draft, found)
    read_mesh_keywords(draft)
    if not len(draft.node_ids):
        raise ReadError(file, None, "the deck has no nodes")
    orientations = read_orientations(draft)
    materials = read_materials(draft)
    owners = read_owners(draft, materials, orientations)
    table = SectionTable(draft, materials)
    read_thicknesses(draft, owners)
    account_for_normals(draft, owners)
    draft.initial_stress = read_initial_stress(draft)
    draft.axes = node_axes(draft)
    blocks = structural_blocks(draft, owners, table) + point_blocks(draft, orientations)
    constraints, rotation_nodes = read_constraints(draft, orientations, owners, draft.axes)
    chosen = chosen_step(draft, step, file)
    blocks = without_removed(draft, blocks, chosen)
    constraints = without_removed_equations(draft, constraints, chosen)
    supports = read_supports(draft, rotation_nodes, chosen)
    preload = read_preload(draft, chosen, rotation_nodes)
    analysis = read_analysis(draft, chosen, preload)
    account_for_cycles(draft, preload is not None)
    account(draft)
    judge_parameters(draft)
    state_flavor(draft, mark)
    refuse_dropped(draft, file, allow)
    if not blocks:
        raise ReadError(file, None, "the deck has no elements that can be used")
    recipe = mass_recipe(draft)
    nodes = Nodes(draft.node_ids, draft.positions, draft.axes)
    model = StructuralModel(
        name=storable(file.stem),
        nodes=nodes,
        elements=tuple(blocks),
        sections=tuple(table.sections),
        materials=tuple(materials.values()),
        constraints=tuple(fit_to_supports(constraints, supports, nodes)),
        supports=supports,
        node_sets=_short_names(draft.node_sets),
        element_sets=_short_names(draft.element_sets),
        analysis=analysis,
        mass_recipe=recipe,
        unit_system=system.name,
        ledger=Ledger(str(file), draft.entries(), tuple(draft.notes)),
        sources=sources,
    )
    return unfolded(draft, model)


def _short_names(sets: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Sets of instances are also known by their bare name where that is unambiguous."""
    bare: dict[str, list[str]] = {}
    for name in sets:
        bare.setdefault(name.partition(".")[2] or name, []).append(name)
    extra = {short: sets[names[0]] for short, names in bare.items() if len(names) == 1 and short not in sets}
    return {**sets, **extra}
