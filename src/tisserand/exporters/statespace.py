"""Two-input two-output port (TITOP) state space of an appendage about rest.

Me eta'' + De eta' + Ke eta = -A a_P + sum phi_C' W_C;  a_C = tau_C a_P + phi_C eta'';
W_P = -M_rr a_P - A' eta'' + sum tau_C' W_C.
W_P is the wrench of the appendage on its base at P, W_C a wrench applied to the appendage at C. At zero frequency
W_P/a_P = -M_rr, a_C/a_P = tau, W_P/W_C = tau'.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import FloatArray
from tisserand.errors import InputError
from tisserand.exporters.clamped import clamped_view
from tisserand.exporters.other_units import unit_words

if TYPE_CHECKING:
    import control

_MOTION = ("ax", "ay", "az", "alx", "aly", "alz")
_WRENCH = ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz")


@dataclass(frozen=True, eq=False, repr=False)
class StateSpace:
    """x' = A x + B u, y = C x + D u; x = [eta; eta'] (2k). Names carry the interface; with units."""

    A: FloatArray
    B: FloatArray
    C: FloatArray
    D: FloatArray
    _: KW_ONLY
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    input_units: tuple[str, ...]
    output_units: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<StateSpace: {len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs>"

    def to_control(self) -> control.StateSpace:
        """The same as a python-control object (extra ``control``)."""
        try:
            import control
        except ImportError as error:
            raise InputError("python-control is not installed", advice="pip install 'tisserand[control]'") from error

        def plain(labels: tuple[str, ...]) -> list[str]:
            return [label.replace(".", "_") for label in labels]  # dots are not allowed there

        names: dict[str, Any] = {
            "states": plain(self.states),
            "inputs": plain(self.inputs),
            "outputs": plain(self.outputs),
        }
        return control.ss(self.A, self.B, self.C, self.D, **names)


def state_space(appendage: ReducedAppendage) -> StateSpace:
    """State-space model of the appendage.

    Inputs: six accelerations of the base at P, then a wrench at every other interface. Outputs: the wrench on the base at P, the
    acceleration of every other interface, then eta and eta'.
    """
    view = clamped_view(appendage)
    k, c = view.count, len(view.ports)
    inverse = np.linalg.inv(view.mass) if k else np.zeros((0, 0))
    A = np.block([[np.zeros((k, k)), np.eye(k)], [-inverse @ view.stiffness, -inverse @ view.damping]])
    phi = view.shapes.reshape(6 * c, k)  # stacked port shapes
    tau = view.transfer.reshape(6 * c, 6)
    drive = np.hstack([-view.coupling, phi.T])  # modal force of the inputs
    B = np.vstack([np.zeros((k, 6 + 6 * c)), inverse @ drive])
    rates = np.hstack([-inverse @ view.stiffness, -inverse @ view.damping])  # eta'' out of the state
    C = np.vstack([-view.coupling.T @ rates, phi @ rates, np.eye(2 * k)])
    direct = np.zeros((6 + 6 * c, 6 + 6 * c))
    direct[:6, :6], direct[:6, 6:], direct[6:, :6] = -view.rigid_mass, tau.T, tau
    D = np.vstack([direct + np.vstack([-view.coupling.T, phi]) @ inverse @ drive, np.zeros((2 * k, 6 + 6 * c))])
    ports = [p.name for p in view.ports]
    names = appendage.mode_names
    length, _, time, force, moment = unit_words(appendage)
    motion_units = (*(f"{length}/{time}2",) * 3, *(f"rad/{time}2",) * 3)
    wrench_units = (*(force,) * 3, *(moment,) * 3)
    return StateSpace(
        A,
        B,
        C,
        D,
        states=(*(f"eta[{n}]" for n in names), *(f"eta_dot[{n}]" for n in names)),
        inputs=(*(f"{view.attachment}.{m}" for m in _MOTION), *(f"{p}.{w}" for p in ports for w in _WRENCH)),
        outputs=(
            *(f"{view.attachment}.{w}" for w in _WRENCH),
            *(f"{p}.{m}" for p in ports for m in _MOTION),
            *(f"eta[{n}]" for n in names),
            *(f"eta_dot[{n}]" for n in names),
        ),
        input_units=(*motion_units, *wrench_units * c),
        output_units=(*wrench_units, *motion_units * c, *("eta",) * k, *(f"eta/{time}",) * k),
    )
