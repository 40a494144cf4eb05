"""What each corpus deck lists, and the same frequencies by the public functions: one entry per deck.

``results(name)`` gives (ours, listed) in Hz over the elastic modes that the deck's own program computed as modes.
"""

from __future__ import annotations

import numpy as np

from support.corpus import deck, references
from tisserand.assembly import AssembledModel, assemble
from tisserand.modes import solve_modes
from tisserand.modes.coupling import couple
from tisserand.modes.reductions import craig_bampton, guyan
from tisserand.readers.abaqus import read_abaqus
from tisserand.readers.nastran import read_deck

#: Decks that print more lines than modes: how many are modes, the rigid ones included.
MODES_LISTED = {
    "pn_mwe_s-sol_111": 3,  # it asks for modes below 2000 Hz; five residual vectors follow
    "bah_plane": 8,  # it asks for eight; four unconverged Ritz values follow
}


def expected(name: str, key: str = "freqs_hz") -> np.ndarray:
    return np.array(references()[name][key], float)


def elastic(printed) -> np.ndarray:
    """Printed frequencies without the rigid-body ones, which are noise."""
    values = np.array(printed)
    return values[values > 2e-6 * values.max()]


def main_model(name: str) -> AssembledModel:
    return assemble(read_deck(deck(name), "consistent").main)


def plain(name: str, recipe: str | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Modes with the deck's own supports and mass recipe (or another)."""
    wanted = elastic(expected(name)[: MODES_LISTED.get(name)])
    file = deck(name)
    read = read_abaqus(file, "consistent") if file.suffix == ".inp" else read_deck(file, "consistent").main
    return solve_modes(assemble(read, recipe), count=len(wanted)).frequencies_hz, wanted


def static_condensation(name: str) -> tuple[np.ndarray, np.ndarray]:
    """ASET: Guyan's reduction."""
    model, wanted = main_model(name), expected(name)
    part = guyan(model, model.structure.analysis.interface)
    return solve_modes(part.as_model(), count=len(wanted)).frequencies_hz, wanted


def dynamic_reduction(name: str) -> tuple[np.ndarray, np.ndarray]:
    """ASET and QSET: fixed-interface modes, then those of the reduced system."""
    model, wanted = main_model(name), expected(name)
    analysis = model.structure.analysis
    part = craig_bampton(model, analysis.interface, count=analysis.modal_points)
    fixed = expected(name, "fixed_interface_hz")[: analysis.modal_points]
    system = solve_modes(part.as_model(), count=len(wanted)).frequencies_hz
    return np.append(part.frequencies_hz[part.modal], system), np.append(fixed, wanted)


def superelements(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Part superelements with their own modes, joined."""
    parts = []
    for part in read_deck(deck(name), "consistent").parts:
        analysis = part.model.analysis
        parts.append(craig_bampton(assemble(part.model), analysis.interface, count=analysis.modal_points))
    wanted = expected(name)
    return solve_modes(couple(parts).model, count=len(wanted)).frequencies_hz, wanted


def held_reference(name: str) -> tuple[np.ndarray, np.ndarray]:
    """SUPORT dofs as the interface: modes with them held."""
    model, wanted = main_model(name), expected(name)
    part = craig_bampton(model, model.structure.analysis.reference, count=len(wanted))
    return part.frequencies_hz[part.modal], wanted


def forces(path) -> dict[int, dict[int, np.ndarray]]:
    """FORCE cards of a deck as {set: {node: vector}}."""
    sets: dict[int, dict[int, np.ndarray]] = {}
    for line in path.read_text().splitlines():
        if line.startswith("FORCE   "):
            field = [line[i : i + 8].strip() for i in range(8, 72, 8)]
            vector = float(field[3]) * np.array([float(v) for v in field[4:7]])
            sets.setdefault(int(field[0]), {})[int(field[1])] = vector
    return sets


def load_columns(model: AssembledModel, sets) -> np.ndarray:
    """Distinct load columns over the dofs (every loaded node has basic axes)."""
    columns = np.zeros((model.size, len(sets)))
    for k, nodes in enumerate(sets.values()):
        for node, vector in nodes.items():
            (row,) = model.nodes.indices([node])
            columns[model.dofs.index[row, :3], k] += vector
    return np.unique(columns, axis=1)


def inboard():
    model = main_model("nas2cam_extseout_inboard")
    loads = load_columns(model, forces(deck("nas2cam_extseout_inboard")))
    interface = model.structure.analysis.interface
    return craig_bampton(model, interface, fmax_hz=50.0, loads=loads, inertia_relief=True)


def outboard():
    model = main_model("nas2cam_extseout_outboard")
    return craig_bampton(model, model.structure.analysis.interface, fmax_hz=50.0, inertia_relief=True)


def component(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Modes below 50 Hz and the residual vectors of unit accelerations (and, inboard, of the deck's FORCEs)."""
    part = inboard() if name.endswith("inboard") else outboard()
    return np.sort(part.frequencies_hz[part.modal]), expected(name, "component_modes_plus_residual_vectors_hz")


def station():
    """Both components joined; the inboard one keeps 8 of its 12 modal coordinates, as its deck does."""
    first, second = inboard(), outboard()
    order = first.modal[np.argsort(first.frequencies_hz[first.modal])][:8]
    return couple([first.keeping([*first.physical, *order]), second]), second


def assembled_station(name: str) -> tuple[np.ndarray, np.ndarray]:
    wanted = expected(name)[6:]
    return solve_modes(station()[0].model, count=len(wanted)).frequencies_hz, wanted


SPECIAL = {
    "guyanReduction": static_condensation,
    "dynamicReduction": dynamic_reduction,
    "cbSuper1Mode": superelements,
    "cbSuper2Modes": superelements,
    "cbSuper3Modes": superelements,
    "CB-EXAMPLE-12": held_reference,
    "nas2cam_extseout_inboard": component,
    "nas2cam_extseout_outboard": component,
    "nas2cam_extseout_assemble": assembled_station,
}


def results(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Our frequencies and the listed ones of any deck, Hz."""
    return SPECIAL.get(name, plain)(name)
