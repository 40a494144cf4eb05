"""modelDescription.xml of FMI 2.0: model exchange and co-simulation."""

from __future__ import annotations

from tisserand.exporters.fmu.unit import Unit, Variable, attribute
from tisserand.exporters.fmu.unit_definitions import definitions


def model_description(unit: Unit) -> str:
    """The description as the schema of the standard wants it."""
    rows, number = [], 0
    roles = (
        (unit.parameters, 'causality="parameter" variability="tunable" initial="exact"', True),
        (unit.inputs, 'causality="input" variability="continuous"', True),
        (unit.outputs, 'causality="output" variability="continuous" initial="calculated"', False),
        (unit.states, 'causality="local" variability="continuous" initial="exact"', True),
    )
    for variables, role, started in roles:
        for variable in variables:
            rows.append(_row(number, variable, role, f' start="{variable.start!r}"' if started else ""))
            number += 1
    first_state = number - len(unit.states) + 1  # as places among the variables, which count from one
    for offset, rate in enumerate(unit.variables[number:]):
        role = 'causality="local" variability="continuous" initial="calculated"'
        rows.append(_row(number + offset, rate, role, f' derivative="{first_state + offset}"'))
    outputs = range(1 + len(unit.parameters) + len(unit.inputs), first_state)
    rates = range(number + 1, len(unit.variables) + 1)
    files = "".join(f'<File name="{name}"/>' for name in sorted(unit.sources(2)) if name.endswith(".c"))
    place = f'modelIdentifier="{unit.identifier}" canGetAndSetFMUstate="true" canSerializeFMUstate="true"'
    step = 'canHandleVariableCommunicationStepSize="true"'
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<fmiModelDescription fmiVersion="2.0" modelName="{attribute(unit.name)}" guid="{unit.token}" '
        f'description="{attribute(unit.description)}" generationTool="{attribute(unit.written_by)}" '
        'variableNamingConvention="flat" numberOfEventIndicators="0">\n'
        f"<ModelExchange {place}><SourceFiles>{files}</SourceFiles></ModelExchange>\n"
        f"<CoSimulation {place} {step}><SourceFiles>{files}</SourceFiles></CoSimulation>\n"
        f"<UnitDefinitions>{definitions(unit)}</UnitDefinitions>\n"
        '<DefaultExperiment startTime="0" stopTime="10"/>\n'
        "<ModelVariables>\n" + "\n".join(rows) + "\n</ModelVariables>\n"
        f"<ModelStructure>{_unknowns('Outputs', outputs)}{_unknowns('Derivatives', rates)}"
        f"{_unknowns('InitialUnknowns', [*outputs, *rates])}</ModelStructure>\n"
        "</fmiModelDescription>\n"
    )


def _row(reference: int, variable: Variable, role: str, more: str) -> str:
    unit = f' unit="{variable.unit}"' if variable.unit else ""
    return (
        f'<ScalarVariable name="{attribute(variable.name)}" valueReference="{reference}" {role} '
        f'description="{attribute(variable.meaning)}"><Real{unit}{more}/></ScalarVariable>'
    )


def _unknowns(kind: str, places: range | list[int]) -> str:
    return f"<{kind}>" + "".join(f'<Unknown index="{place}"/>' for place in places) + f"</{kind}>" if places else ""
