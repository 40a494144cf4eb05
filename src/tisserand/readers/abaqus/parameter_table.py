"""What every parameter of every keyword that the reader uses does here.

A row says for one keyword which parameters are read, which have no effect on a linear model (and why), which are ignored with a
warning, and which change the model in a way that is not supported. Values that leave a changing parameter at its
default stand after it: ``ROTARY INERTIA=EXACT``.
"""

from __future__ import annotations

from dataclasses import dataclass, field


def names_of(text: str) -> tuple[str, ...]:
    """Names of a list that is written with semicolons."""
    return tuple(part for part in (name.strip() for name in text.split(";")) if part)


@dataclass(frozen=True)
class Parameters:
    """Parameters of one keyword.

    used: read. harmless, assumed, changes: by reason. others: reason why any other has no effect. matters: an unknown
    parameter may change stiffness, mass or constraints, so it is refused.
    """

    used: str = ""
    harmless: dict[str, str] = field(default_factory=dict)
    assumed: dict[str, str] = field(default_factory=dict)
    changes: dict[str, str] = field(default_factory=dict)
    others: str = ""
    matters: bool = True

    @property
    def names(self) -> frozenset[str]:
        """Every parameter that is named, whatever it does."""
        texts = (self.used, *self.harmless.values(), *self.assumed.values(), *self.changes.values(), "INPUT")
        return frozenset(item.partition("=")[0] for text in texts for item in names_of(text))


_LABEL = "a label or an order"
_HOURGLASS = "hourglass and distortion controls"
_LARGE = "for large strains"
_NO_ELASTICITY = "not part of a linear elastic model"
_FIELDS = "values that depend on field variables"
_NUMERICS = "how the program computes"
_DAMPING = "damping: state it for the modes"
_TIME = "the course in time"
_BESIDE = Parameters(others=_NO_ELASTICITY)
_SHELL = Parameters(
    "ELSET; MATERIAL; ORIENTATION; COMPOSITE; OFFSET; NODAL THICKNESS; SHELL THICKNESS; DENSITY; SYMMETRIC",
    {
        _HOURGLASS: "CONTROLS",
        _LABEL: "LAYUP",
        "thickness change, for large strains": "POISSON",
        "integration of nonlinear materials": "SECTION INTEGRATION",
        "temperatures through the thickness": "TEMPERATURE",
        "of continuum shells": "STACK DIRECTION; THICKNESS MODULUS",
    },
)

TABLE: dict[str, Parameters] = {
    "NODE": Parameters("NSET; SYSTEM", matters=False),
    "ELEMENT": Parameters("TYPE; ELSET", {_LABEL: "SOLID ELEMENT NUMBERING"}, matters=False),
    "NSET": Parameters("NSET; ELSET; GENERATE; INSTANCE", {_LABEL: "INTERNAL; UNSORTED"}, matters=False),
    "ELSET": Parameters("ELSET; GENERATE; INSTANCE", {_LABEL: "INTERNAL; UNSORTED"}, matters=False),
    "NGEN": Parameters("NSET; LINE; SYSTEM"),
    "NFILL": Parameters("NSET", changes={"nodes that are spaced unevenly": "BIAS=1.; SINGULAR=0; TWO STEP"}),
    "NCOPY": Parameters("CHANGE NUMBER; OLD SET; NEW SET; SHIFT; REFLECT; MULTIPLE; POLE"),
    "ELGEN": Parameters("ELSET; ALL NODES"),
    "ELCOPY": Parameters("ELEMENT SHIFT; OLD SET; NEW SET; SHIFT NODES; REFLECT"),
    "PART": Parameters("NAME", matters=False),
    "ASSEMBLY": Parameters("NAME", matters=False),
    "INSTANCE": Parameters("NAME; PART", changes={"a part of another analysis": "LIBRARY; INSTANCE"}),
    "STEP": Parameters(
        "PERTURBATION; NLGEOM",
        {
            _LABEL: "NAME",
            _NUMERICS: "INC; INCF; UNSYMM; EXTRAPOLATION; CONVERT SDI; SOLVER; AMPLITUDE; THERMAL NETWORK; SHELL; DIRECT",
        },
        matters=False,
    ),
    "MATERIAL": Parameters("NAME", {_NUMERICS: "RTOL; SRATE FACTOR; STRAIN RATE REGULARIZATION"}),
    "ELASTIC": Parameters(
        "TYPE", {"of viscoelastic materials": "MODULI"},
        changes={_FIELDS: "DEPENDENCIES=0", "another modulus under compression": "COMPRESSION FACTOR=1."},
    ),
    "DENSITY": Parameters(changes={_FIELDS: "DEPENDENCIES=0"}),
    "DAMPING": Parameters("STRUCTURAL", {_DAMPING: "ALPHA; BETA; COMPOSITE"}),
    **dict.fromkeys(
        names_of("EXPANSION; CONDUCTIVITY; SPECIFIC HEAT; PLASTIC; CREEP; DEPVAR; USER MATERIAL"), _BESIDE
    ),
    "HYPERELASTIC": Parameters(
        "NEO HOOKE; MOONEY-RIVLIN; YEOH; POLYNOMIAL; REDUCED POLYNOMIAL; ARRUDA-BOYCE; OGDEN; N",
        {_NO_ELASTICITY: "MODULI; TEST DATA INPUT; MARLOW; VAN DER WAALS; USER; ANISOTROPIC; PROPERTIES; BETA"},
    ),
    "DEFORMATION PLASTICITY": Parameters(),
    "ORIENTATION": Parameters("NAME; SYSTEM; DEFINITION", changes={"turned local directions": "LOCAL DIRECTIONS=0"}),
    "TRANSFORM": Parameters("NSET; TYPE"),
    "SOLID SECTION": Parameters(
        "ELSET; MATERIAL; ORIENTATION",
        {_HOURGLASS: "CONTROLS", _LABEL: "LAYUP", "of plane or acoustic elements": "ORDER; REF NODE; NODAL THICKNESS"},
        changes={"layers within bricks": "COMPOSITE; SYMMETRIC; STACK DIRECTION"},
    ),
    "NORMAL": Parameters(harmless={"normals of contact surfaces": "TYPE"}),
    "PARAMETER": Parameters(changes={"values from a table": "DEPENDENT; TABLE"}),
    "SHELL SECTION": _SHELL,
    "SHELL GENERAL SECTION": Parameters(
        _SHELL.used,
        {**_SHELL.harmless, "temperatures and user sections": "ZERO; I PROPERTIES; PROPERTIES; UNSYMM; VARIABLES"},
        changes={
            "another stiffness of the layers": "BENDING ONLY; MEMBRANE ONLY; SMEAR ALL LAYERS",
            "a stiffness that stands outside the deck": "USER",
            _FIELDS: "DEPENDENCIES=0",
        },
    ),
    "MEMBRANE SECTION": Parameters(
        "ELSET; MATERIAL; ORIENTATION; NODAL THICKNESS",
        {_HOURGLASS: "CONTROLS", _LARGE: "POISSON"},
        changes={"a thickness per element": "MEMBRANE THICKNESS", "a membrane beside its nodes": "OFFSET=0"},
    ),
    "BEAM SECTION": Parameters(
        "ELSET; MATERIAL; SECTION; LUMPED; OFFSET1; OFFSET2; NODAL THICKNESS",
        {_LARGE: "POISSON", "temperatures over the section": "TEMPERATURE", "beams are isotropic": "ORIENTATION"},
        changes={"another rotary inertia": "ROTARY INERTIA=EXACT"},
    ),
    "BEAM GENERAL SECTION": Parameters(
        "ELSET; SECTION; DENSITY; LUMPED; MATERIAL",
        {_LARGE: "POISSON", "temperatures": "ZERO"},
        changes={
            "another rotary inertia": "ROTARY INERTIA=EXACT",
            "a section that varies along the beam": "TAPER",
            "a beam beside its nodes": "OFFSET1=0; OFFSET2=0",
            _FIELDS: "DEPENDENCIES=0",
        },
    ),
    "USER SECTION": Parameters("ELSET; MATERIAL", {_LABEL: "CONSTANTS"}),
    "TRANSVERSE SHEAR STIFFNESS": Parameters(),
    "NODAL THICKNESS": Parameters("GENERATE"),
    "DISTRIBUTION": Parameters("NAME; LOCATION; TABLE", {_LABEL: "WRITE"}),
    "MASS": Parameters("ELSET; TYPE; ORIENTATION", {_DAMPING: "ALPHA; COMPOSITE"}),
    "ROTARY INERTIA": Parameters("ELSET; ORIENTATION", {_DAMPING: "ALPHA; COMPOSITE"}),
    "SPRING": Parameters(
        "ELSET; ORIENTATION; NONLINEAR", {_NUMERICS: "RTOL", _DAMPING: "COMPLEX STIFFNESS"},
        changes={_FIELDS: "DEPENDENCIES=0"},
    ),
    "DASHPOT": Parameters(
        "ELSET; ORIENTATION; NONLINEAR", {_NUMERICS: "RTOL"}, changes={_FIELDS: "DEPENDENCIES=0"}
    ),
    "EQUATION": Parameters("REMOVE; REMOVE ALL"),
    "MPC": Parameters("", {_LABEL: "MODE"}, changes={"a constraint that stands outside the deck": "USER"}),
    "COUPLING": Parameters("REF NODE; SURFACE; CONSTRAINT NAME; ORIENTATION; INFLUENCE RADIUS", {_DAMPING: "ALPHA"}),
    "KINEMATIC": Parameters(),
    "DISTRIBUTING": Parameters("WEIGHTING METHOD; COUPLING"),
    "KINEMATIC COUPLING": Parameters("REF NODE; ORIENTATION"),
    "DISTRIBUTING COUPLING": Parameters(
        "ELSET", changes={"weights that fall with the distance": "WEIGHTING METHOD=UNIFORM"}
    ),
    "RIGID BODY": Parameters(
        "REF NODE; NSET; TIE NSET; PIN NSET; ELSET; ROT NODE",
        {"contact or heat": "ANALYTICAL SURFACE; ISOTHERMAL; OFFSET; NODAL THICKNESS"},
        changes={"another place of the reference node": "POSITION=INPUT", "mass of rigid elements": "DENSITY"},
    ),
    "TIE": Parameters(
        "NAME; ADJUST; POSITION TOLERANCE; CYCLIC SYMMETRY; MULTISTAGE; TIED NSET; NO ROTATION",
        {"ties are node to surface here": "TYPE", "distances are measured between surfaces": "NO THICKNESS"},
        changes={"another offset of shells": "CONSTRAINT RATIO"},
    ),
    "SURFACE": Parameters(
        "NAME; TYPE",
        {_LABEL: "INTERNAL", "contact": "TRIM; MAX RATIO; NO OFFSET; NO THICK; FILLET RADIUS; SCALE THICK; REGION TYPE"},
        changes={"faces that are chosen by other surfaces": "COMBINE; CROP; DEFINITION=COORDINATES"},
    ),
    "BOUNDARY": Parameters(
        "OP; LOAD CASE; AMPLITUDE",
        {
            _TIME: "TYPE; SCALE; TIME DELAY",
            "the dof is held": "FIXED; SUBMODEL; STEP; DATA SET; USER; INC; GLOBAL; TIMESCALE; MASTER",
            "of other codes": "REGION TYPE; PHANTOM",
        },
    ),
    "FREQUENCY": Parameters(
        "",
        {
            _NUMERICS: "EIGENSOLVER; STORAGE; SOLVER; GLOBAL; CYCMPC; NUMBER INTERVAL; BIAS; SIM; NSET",
            "modes are scaled to unit modal mass": "NORMALIZATION",
            _DAMPING: "DAMPING PROJECTION; PROPERTY EVALUATION",
            "added modes; residual modes are an option of modes": "RESIDUAL MODES; RESIDUAL DOF",
            "acoustic media": "ACOUSTIC COUPLING; ACOUSTIC RANGE FACTOR",
            "supports are chosen for the modes": "USER BOUNDARIES",
        },
        matters=False,
    ),
    "CYCLIC SYMMETRY MODEL": Parameters("N; ELSET; TIE; NGRAPH", {_NUMERICS: "CHECK"}),
    "MODEL CHANGE": Parameters("TYPE; REMOVE; ADD", others="strains of added elements"),
    "CONTACT PAIR": Parameters("INTERACTION; TIED; TYPE; ADJUST", others="contact that is open or tied here"),
    "USER ELEMENT": Parameters("TYPE", others="the element of this name is built in"),
    "INITIAL CONDITIONS": Parameters(
        "TYPE", others="of other kinds of conditions", changes={"a state of another analysis": "FILE"}
    ),
    "CLOAD": Parameters(
        "OP; AMPLITUDE", {"of later versions": "REGION TYPE"}, {_TIME: "TIME DELAY; SCALE"},
        changes={"forces that turn, or that waves carry": "FOLLOWER; CYCLIC MODE; OMEGA0; SECTOR; LOAD CASE; SUBMODEL"},
    ),
    "DLOAD": Parameters(
        "OP; AMPLITUDE", {"of later versions": "REGION TYPE"}, {_TIME: "TIME DELAY; SCALE"},
        changes={"forces that turn, or that waves carry": "FOLLOWER; CYCLIC MODE; SECTOR; LOAD CASE; CONSTANT RESULTANT"},
    ),
}  # fmt: skip
