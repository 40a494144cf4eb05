"""Ledger entries of the keywords that do not become structure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tisserand.errors import DroppedCardsError
from tisserand.model import CardEntry
from tisserand.readers.abaqus.draft import Draft
from tisserand.readers.abaqus.element_types import CALCULIX_KINDS
from tisserand.readers.abaqus.generation import GENERATING
from tisserand.readers.abaqus.parameters import judge_keyword
from tisserand.readers.abaqus.scan import Keyword


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(";"))


#: Keywords that the parts of the reader account for themselves.
READ = frozenset(
    _names(
        "NODE; ELEMENT; NSET; ELSET; MATERIAL; ELASTIC; DENSITY; DAMPING; EXPANSION; CONDUCTIVITY; "
        "SPECIFIC HEAT; PLASTIC; CREEP; HYPERELASTIC; DEFORMATION PLASTICITY; DEPVAR; USER MATERIAL; ORIENTATION; "
        "SOLID SECTION; SHELL SECTION; SHELL GENERAL SECTION; MEMBRANE SECTION; BEAM SECTION; BEAM GENERAL SECTION; "
        "MASS; ROTARY INERTIA; SPRING; DASHPOT; EQUATION; MPC; COUPLING; KINEMATIC; DISTRIBUTING; "
        "KINEMATIC COUPLING; DISTRIBUTING COUPLING; RIGID BODY; TIE; SURFACE; BOUNDARY; FREQUENCY; TRANSFORM; "
        "NODAL THICKNESS; DISTRIBUTION; USER SECTION; TRANSVERSE SHEAR STIFFNESS; PARAMETER; NORMAL"
    )
)
_OUTPUT, _LOAD, _STEP = (
    "output request",
    "a load that the modes do not start from",
    "procedure or control of another analysis",
)
_SKIPPED = {
    **dict.fromkeys(("HEADING", "PREPRINT", "PHYSICAL CONSTANTS"), "text or general settings"),
    **dict.fromkeys(
        _names(
            "NODE PRINT; EL PRINT; NODE FILE; EL FILE; NODE OUTPUT; ELEMENT OUTPUT; OUTPUT; "
            "FILE FORMAT; CONTACT FILE; CONTACT PRINT; CONTACT OUTPUT; SECTION PRINT; SECTION FILE; "
            "ENERGY OUTPUT; PRINT; MONITOR; RESTART; ENERGY PRINT; MODAL FILE; MODAL OUTPUT; "
            "MODAL PRINT; ENERGY FILE; INTEGRATED OUTPUT; VIEWFACTOR; ELEMENT MATRIX OUTPUT; "
            "MATRIX OUTPUT; MATRIX GENERATE; SUBSTRUCTURE MATRIX OUTPUT; PREPRINT; FILTER"
        ),
        _OUTPUT,
    ),
    **dict.fromkeys(
        _names(
            "CLOAD; DLOAD; DSLOAD; TEMPERATURE; CFLUX; DFLUX; FILM; RADIATE; AMPLITUDE; BASE MOTION; "
            "FIELD; INITIAL CONDITIONS; DFLOW; CHANGE FRICTION; PRE-TENSION SECTION; LOAD CASE; "
            "END LOAD CASE"
        ),
        _LOAD,
    ),
    **dict.fromkeys(
        _names(
            "STATIC; BUCKLE; DYNAMIC; MODAL DYNAMIC; STEADY STATE DYNAMICS; VISCO; HEAT TRANSFER; "
            "CONTROLS; MODAL DAMPING; SELECT EIGENMODES; GLOBAL DAMPING; TIME POINTS; "
            "SOLVER CONTROLS; COMPLEX FREQUENCY; GREEN; UNCOUPLED TEMPERATURE-DISPLACEMENT; "
            "COUPLED TEMPERATURE-DISPLACEMENT; SENSITIVITY; RANDOM RESPONSE; RESPONSE SPECTRUM; "
            "SELECT CYCLIC SYMMETRY MODES; SUBSTRUCTURE GENERATE; RETAINED NODAL DOFS; NO ANALYSIS"
        ),
        _STEP,
    ),
    **dict.fromkeys(
        _names(
            "SURFACE INTERACTION; SURFACE BEHAVIOR; FRICTION; CLEARANCE; "
            "SECTION CONTROLS; HOURGLASS STIFFNESS; IMPERFECTION; SECTION POINTS; "
            "END; SURFACE SMOOTHING; END STEP; ENDSTEP; RANDOM FIELD; CORRELATION LENGTH; DISTRIBUTION TABLE; PHYSICAL CONSTANTS"
        ),
        "does not affect the linear model",
    ),
    **dict.fromkeys(
        _names(
            "DESIGN RESPONSE; DESIGN VARIABLES; DESIGNVARIABLES; OBJECTIVE; CONSTRAINT; FEASIBLE DIRECTION; "
            "GEOMETRIC TOLERANCES; GEOMETRIC CONSTRAINT; ROBUST DESIGN; FILTER; CRITERIA"
        ),
        "optimization and sensitivities",
    ),
    **dict.fromkeys(
        _names(
            "SUBMODEL; REFINE MESH; USE REFINED MESH; ADAPTIVE MESH; MODEL DEFINITION; CONTOUR INTEGRAL; CRACK PROPAGATION"
        ),
        "refinement, submodels or cracks of another analysis: the mesh as stated is used",
    ),
    **dict.fromkeys(
        _names(
            "CYCLIC HARDENING; RATE DEPENDENT; DAMAGE INITIATION; DAMAGE EVOLUTION; CHANGE PLASTIC; "
            "CHANGE MATERIAL; COMPRESSION ONLY; TENSION ONLY; VISCOELASTIC; HYPERFOAM; MOHR COULOMB; MOHR COULOMB HARDENING; "
            "CAP PLASTICITY; PERMEABILITY; FLUID CONSTANTS; SPECIFIC GAS CONSTANT; ELECTRICAL CONDUCTIVITY; "
            "MAGNETIC PERMEABILITY; VALUES AT INFINITY; INELASTIC HEAT FRACTION; DEPVAR; USER OUTPUT VARIABLES"
        ),
        "nonlinear or other physics; here linear about the unloaded state",
    ),
    **dict.fromkeys(
        _names(
            "GAP CONDUCTANCE; GAP HEAT GENERATION; CONTACT DAMPING; CONTACT INITIALIZATION DATA; CONTACT CONTROLS; "
            "CONTACT INCLUSIONS; CONTACT EXCLUSIONS; CONTACT PROPERTY ASSIGNMENT; CONTACT FORMULATION; GAP RADIATION; "
            "CONTACT STABILIZATION; CONTACT INTERFERENCE"
        ),
        "contact, open here: linear about the unloaded state",
    ),
}
_CONTACT = "contact, taken as open: linear about the unloaded state"
#: Keywords whose loss changes the structure, with why.
_MATTERS = {
    **dict.fromkeys(
        _names("EMBEDDED ELEMENT; SHELL TO SOLID COUPLING; CONNECTOR SECTION; CONNECTOR BEHAVIOR; FASTENER"),
        "a connection",
    ),
    **dict.fromkeys(("NMAP", "SYSTEM"), "another placing of nodes"),
    **dict.fromkeys(
        _names(
            "NONSTRUCTURAL MASS; MATRIX INPUT; MATRIX ASSEMBLE; USER ELEMENT; "
            "MATRIX; UEL PROPERTY; GAP; JOINT; RIGID SURFACE; MODEL CHANGE; "
            "SUBSTRUCTURE PROPERTY; COHESIVE SECTION; BEAM ADDED INERTIA; CHANGE SOLID SECTION; FLUID SECTION"
        ),
        "stiffness or mass",
    ),
}


_JOINED = {
    name.replace(" ", ""): name
    for name in (*READ, *_SKIPPED, *_MATTERS, "END STEP", "END PART", "END INSTANCE", "END ASSEMBLY", "CONTACT PAIR")
    if " " in name
}


def spelled(keywords: Sequence[Keyword]) -> None:
    """Give keywords written without their blanks (*NODEFILE, *ENDSTEP) their usual names, in place."""
    for keyword in keywords:
        keyword.name = _JOINED.get(keyword.name, keyword.name)


def record_generated(draft: Draft, found: Sequence[Keyword]) -> None:
    """Ledger lines of the keywords whose nodes and elements are written out, and a word on their parameters."""
    for keyword in found:
        if keyword.name == "PARAMETER":
            draft.record("*PARAMETER", "used", "values of <names> in other lines")
        if keyword.name in GENERATING:
            draft.record(f"*{keyword.name}", "used")
            judge_keyword(draft, keyword)


def account(draft: Draft) -> None:
    """Record every keyword that no part of the reader used."""
    for keyword in draft.deck.structure:
        if not keyword.name.startswith("END"):
            draft.record(f"*{keyword.name}", "used")
    loose = [keyword for _, keyword in draft.deck.model]
    for keyword in [*loose, *(keyword for step in draft.deck.steps for keyword in step)]:
        _fate(draft, keyword)


def _fate(draft: Draft, keyword: Keyword) -> None:
    name = keyword.name
    stress = name == "INITIAL CONDITIONS" and keyword.options.get("TYPE", "").upper() == "STRESS"
    if name in READ or name == "STEP" or stress or id(keyword) in draft.taken:
        return
    if name in _SKIPPED:
        draft.record(f"*{name}", "skipped", _SKIPPED[name])
    elif name == "USER ELEMENT" and draft.flavor == "calculix" and (keyword.label("TYPE") or "") in CALCULIX_KINDS:
        draft.record("*USER ELEMENT", "used")
    elif name in ("CONTACT PAIR", "CONTACT") or (
        name == "MODEL CHANGE" and "CONTACT" in keyword.options.get("TYPE", "").upper()
    ):
        draft.record(f"*{name}", "approximated", _CONTACT)
        draft.assume("contact is open: the modes are those of the unloaded structure, whose parts do not touch")
    elif name in _MATTERS:
        draft.record(f"*{name}", "dropped", f"{_MATTERS[name]} that is not supported (line {keyword.line})")
    elif _names_nothing(draft, keyword):
        reason = f"unknown keyword (line {keyword.line}) of a set without elements: {keyword.options['ELSET']}"
        draft.record(f"*{name}", "skipped", reason)
    else:
        draft.record(f"*{name}", "dropped", f"unknown keyword (line {keyword.line})")


def _names_nothing(draft: Draft, keyword: Keyword) -> bool:
    """Whether a keyword is about an element set that no element of the deck belongs to."""
    if "ELSET" not in keyword.options:
        return False
    name = (keyword.label("ELSET") or "").rpartition(".")[2]
    return not any(known.rpartition(".")[2] == name and len(ids) for known, ids in draft.element_sets.items())


def quoted(name: str) -> str:
    """A keyword as one word of a command line."""
    return f'"{name}"' if " " in name else name


def refuse_dropped(draft: Draft, path: Path, allow: Sequence[str]) -> None:
    """Raise when something that matters was dropped and is not allowed by name (with or without the star)."""
    allowed = {name.strip().lstrip("*").upper() for name in allow}
    if "ALL" in allowed:
        return
    lost = [entry for entry in draft.entries() if entry.fate == "dropped" and entry.card.lstrip("*") not in allowed]
    if lost:
        names = " ".join(f"--allow {quoted(name)}" for name in dict.fromkeys(e.card.lstrip("*") for e in lost))
        raise DroppedCardsError(
            "the deck contains unsupported keywords that matter",
            where=str(path),
            found="; ".join(f"{entry.count} {entry.card} ({entry.reason})" for entry in lost),
            advice="; ".join([f"replace them, or accept the loss with {names}", *dict.fromkeys(map(_effect, lost))]),
        )


def _effect(entry: CardEntry) -> str:
    """What leaving a keyword or an element type out does to the modes."""
    if "connection" in entry.reason or "symmetry" in entry.reason:
        return "without ties parts come apart"
    if "preload" in entry.reason:
        return "without it the modes are those of another state"
    if "placing" in entry.reason:
        return "without it nodes are elsewhere"
    return "without stiffness or mass frequencies come out wrong"
