"""Static response of the full model at the channels of a record: how much of it the record's modes hold.

The computed modes are never all modes of the structure. Their static sum c_k b_k / w_k² against the exact c K^-1 b of
the held
structure shows what the record lacks before any selection.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tisserand.appendage.integrals.geometric_stiffness import held_supports
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.appendage.response.channels import BASE, Channel, channels
from tisserand.appendage.response.modal_response import modal_response
from tisserand.arguments import checked_arguments
from tisserand.arrays import FloatArray
from tisserand.errors import InputError
from tisserand.modes.modal_basis import ModalBasis
from tisserand.statics import acceleration_loads, solve_static


@dataclass(frozen=True, eq=False)
class StaticGap:
    """Static flexibility (ny, nu) of the full model and of the record's modes, and the relative gap between them."""

    exact: FloatArray
    modal: FloatArray
    relative: float

    @property
    def residual(self) -> FloatArray:
        """(ny, nu) what to add to the modes' response below the last mode."""
        return self.exact - self.modal


@checked_arguments
def static_gap(
    basis: ModalBasis, appendage: ReducedAppendage, actuators: Sequence[str | Channel], sensors: Sequence[str | Channel]
) -> StaticGap:
    """Exact static flexibility of the structure behind the basis, compared with that of the appendage's modes.

    Actuators are forces at interfaces or accelerations of the base; sensors are displacements of interfaces.

    Args:
        actuators: input channels, such as ``tip:z`` or ``base:x``.
    """
    into, out = channels(actuators), channels(sensors)
    if any(sensor.interface == BASE or sensor.kind != "displacement" for sensor in out):
        raise InputError("a static response needs displacement sensors", found=[sensor.text for sensor in out])
    loads = np.column_stack([_load(basis, appendage, channel) for channel in into])
    state = solve_static(basis.model, loads, held_supports(basis), inertia_relief=True, uncarried="hold").displacement
    rows = np.stack([_load(basis, appendage, channel) for channel in out])
    exact = rows @ state
    seen = modal_response(appendage, into, out)
    modal = np.einsum("k,ky,ku->yu", seen.static_gains(), seen.outputs, seen.inputs)
    size = np.sqrt(np.maximum(np.abs(exact).max(axis=1, keepdims=True) * np.abs(exact).max(axis=0), 1e-300))
    return StaticGap(exact, modal, float((np.abs(exact - modal) / size).max()))


def _load(basis: ModalBasis, appendage: ReducedAppendage, channel: Channel) -> FloatArray:
    """(d,) unit load of a channel; by reciprocity also the row that reads its displacement."""
    model = basis.model
    if channel.interface == BASE:
        return np.asarray(acceleration_loads(model, appendage.reference_point)[:, channel.component])
    point = appendage.interface(channel.interface)
    if point.node_id < 0:
        return np.zeros(model.size)
    row = int(model.nodes.indices([point.node_id])[0])
    start = 6 * row + 3 * (channel.component // 3)
    block = model.recovery[start : start + 3].toarray()
    return np.asarray(block.T @ point.axes[channel.component % 3])
