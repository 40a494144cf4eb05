"""Records of older schemas: missing data are rebuilt from the stored mass, or the record is refused with advice."""

from __future__ import annotations

from pathlib import Path

from tisserand.appendage.record.bodies_of_sources import bodies_of_sources
from tisserand.appendage.record.reduced_appendage import GEOMETRIC_FAMILIES, ReducedAppendage
from tisserand.errors import RecordError


def upgraded(record: ReducedAppendage, path: Path) -> ReducedAppendage:
    """A record of schema 1: a, A are the same, its turning bodies are rebuilt from its mass sources.

    Without sources, or with families whose foreshortening at the bodies is unknown, all of a, A is completed by an affine
    displacement instead. A record whose frame was changed lacks the second-degree displacement of that change and is refused.
    """
    change = record.reports.get("frame_change")
    if change:
        files = [str(entry.get("file")) for entry in record.provenance.get("sources", ())]
        source = files[0] if files else "SOURCE"
        raise RecordError(
            path,
            "the record has schema 1 and a changed frame, so its second-degree displacement is missing",
            found=f"frame {change.get('to')} from {change.get('from')}",
            advice=f"recreate it with 'tisserand modes {source} --frame {change.get('to')} -o {path.name}'",
        )
    families = any(name in record.geometric_stiffness for name in GEOMETRIC_FAMILIES)
    note = "from schema 1: all rotating bodies were recomputed from the mass it was reduced from"
    if not record.integrals.turns:
        return record.changed(reports={**record.reports, "upgraded": "from schema 1: nothing rotates"})
    if families or not record.sources:
        why = "foreshortening at the bodies is unknown" if families else "the mass of the record is unknown"
        note = (
            f"from schema 1: a, A are completed by an affine displacement ({why}); recreate the record for exact bodies"
        )
        return record.changed(reports={**record.reports, "upgraded": note})
    bodies, _ = bodies_of_sources(
        record.sources, record.nodes.positions, record.nodes.translation, record.nodes.rotation
    )
    return record.changed(bodies=bodies, reports={**record.reports, "upgraded": note})
