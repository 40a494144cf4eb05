"""modelDescription.xml and buildDescription.xml of FMI 3.0: model exchange and co-simulation."""

from __future__ import annotations

from tisserand.exporters.fmu.unit import Unit, Variable, attribute
from tisserand.exporters.fmu.unit_definitions import definitions


def model_description(unit: Unit) -> str:
    """The description as the schema of the standard wants it."""
    rows, number = [], 0
    roles = (
        (unit.parameters, 'causality="parameter" variability="tunable"', True),
        (unit.inputs, 'causality="input" variability="continuous"', True),
        (unit.outputs, 'causality="output" variability="continuous" initial="calculated"', False),
        (unit.states, 'causality="local" variability="continuous" initial="exact"', True),
    )
    for variables, role, started in roles:
        for variable in variables:
            rows.append(_row(number, variable, role, f' start="{variable.start!r}"' if started else ""))
            number += 1
    first_state = number - len(unit.states)
    for offset, rate in enumerate(unit.variables[number:]):
        role = 'causality="local" variability="continuous" initial="calculated"'
        rows.append(_row(number + offset, rate, role, f' derivative="{first_state + offset}"'))
    rows.append(
        f'<Float64 name="time" valueReference="{len(unit.variables)}" causality="independent" variability="continuous" '
        'description="simulation time" unit="s"/>'
    )
    outputs = range(len(unit.parameters) + len(unit.inputs), first_state)
    rates = range(number, len(unit.variables))
    place = f'modelIdentifier="{unit.identifier}" canGetAndSetFMUState="true" canSerializeFMUState="true"'
    step = 'canHandleVariableCommunicationStepSize="true"'
    structure = [("Output", outputs), ("ContinuousStateDerivative", rates), ("InitialUnknown", [*outputs, *rates])]
    unknowns = "".join(f'<{kind} valueReference="{r}"/>' for kind, references in structure for r in references)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<fmiModelDescription fmiVersion="3.0" modelName="{attribute(unit.name)}" instantiationToken="{unit.token}" '
        f'description="{attribute(unit.description)}" generationTool="{attribute(unit.written_by)}" '
        'variableNamingConvention="flat">\n'
        f"<ModelExchange {place}/>\n<CoSimulation {place} {step}/>\n"
        f"<UnitDefinitions>{definitions(unit)}</UnitDefinitions>\n"
        '<DefaultExperiment startTime="0" stopTime="10"/>\n'
        "<ModelVariables>\n" + "\n".join(rows) + f"\n</ModelVariables>\n<ModelStructure>{unknowns}</ModelStructure>\n"
        "</fmiModelDescription>\n"
    )


def build_description(unit: Unit) -> str:
    """Which sources make the binary."""
    files = "".join(f'<SourceFile name="{name}"/>' for name in sorted(unit.sources(3)) if name.endswith(".c"))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<fmiBuildDescription fmiVersion="3.0">\n'
        f'<BuildConfiguration modelIdentifier="{unit.identifier}"><SourceFileSet language="C99">{files}</SourceFileSet>'
        "</BuildConfiguration>\n</fmiBuildDescription>\n"
    )


def _row(reference: int, variable: Variable, role: str, more: str) -> str:
    unit = f' unit="{variable.unit}"' if variable.unit else ""
    return (
        f'<Float64 name="{attribute(variable.name)}" valueReference="{reference}" {role} '
        f'description="{attribute(variable.meaning)}"{unit}{more}/>'
    )
