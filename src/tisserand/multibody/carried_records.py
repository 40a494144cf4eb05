"""What a record gives in the axes of the body that carries it, made once for all vehicles that mount it in the same way.

The samples of a study share their records, and mostly their mounting, so that only numbers of the vehicle differ between them.
Serves theory sections 3 and 5.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np

from tisserand.appendage.integrals.modal_integrals import ModalIntegrals
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.record.turning_bodies import TurningBodies, no_bodies
from tisserand.arrays import FloatArray
from tisserand.multibody.body_integrals import carried_integrals, has_geometric_stiffness, with_geometric_stiffness
from tisserand.multibody.displacement_field import DisplacementField, acting_bodies, displacement_field
from tisserand.multibody.vehicle import MountedAppendage

#: Mountings of one record, and reference points of a mounting, that are kept; a study that varies them starts over after as many.
MOUNTINGS = 32


@dataclass(frozen=True, eq=False)
class CarriedRecord:
    """Integrals and exactly turning bodies of a record in the axes and about the origin of its body."""

    integrals: ModalIntegrals
    bodies: TurningBodies
    _about: dict[bytes, ModalIntegrals] = field(default_factory=dict)
    _fields: dict[bytes, DisplacementField] = field(default_factory=dict)

    def integrals_about(self, reference: FloatArray) -> ModalIntegrals:
        """The integrals about a point of the body (3,) m."""
        point = np.asarray(reference, float)
        place, known = point.tobytes(), self._about
        found = known.get(place)
        if found is None:
            found = carried_integrals(self.integrals, np.eye(3), -point)
            if len(known) >= MOUNTINGS:
                known.clear()
            known[place] = found
        return found

    def field(self, reference: FloatArray) -> DisplacementField:
        """The complete displacement field about a point of the body (3,) m."""
        point = np.asarray(reference, float)
        place, known = point.tobytes(), self._fields
        found = known.get(place)
        if found is None:
            found = displacement_field(self.integrals_about(point), self.bodies.shifted(point))
            if len(known) >= MOUNTINGS:
                known.clear()
            known[place] = found
        return found


_MADE: WeakKeyDictionary[ReducedAppendage, dict[tuple[object, ...], CarriedRecord]] = WeakKeyDictionary()


def carried_record(mount: MountedAppendage, R: FloatArray, d: FloatArray) -> CarriedRecord:
    """The record of a mount turned by R (3, 3) and moved by d (3,) m."""
    geometric = mount.geometric_stiffness and has_geometric_stiffness(mount.record)
    key = (np.asarray(R, float).tobytes(), np.asarray(d, float).tobytes(), geometric, mount.inertia == "linear")
    made = _MADE.setdefault(mount.record, {})
    found = made.get(key)
    if found is None:
        integrals = with_geometric_stiffness(mount.record) if geometric else mount.record.integrals
        found = CarriedRecord(carried_integrals(integrals, R, d), exact_bodies(mount, integrals).carried(R, d))
        if len(made) >= MOUNTINGS:
            made.clear()
        made[key] = found
    return found


def exact_bodies(mount: MountedAppendage, integrals: ModalIntegrals) -> TurningBodies:
    """Bodies that turn exactly, in record axes. At ``linear`` inertia none: the completed field moves them to second degree.

    Where the record does not know how their turning works on the shapes (B of theory section 8.2), they stay exact.
    """
    if mount.inertia == "linear" and integrals.second_shapes is not None:
        return no_bodies(mount.record.count)
    return acting_bodies(mount.record, mount.geometric_stiffness and has_geometric_stiffness(mount.record))
