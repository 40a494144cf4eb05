"""Notch filters that keep a control law out of a structural mode.

Serves the torques of theory section 5.
"""

from __future__ import annotations

import numpy as np

from tisserand.multibody.controllers import LinearController


def with_notch(controller: LinearController, frequency_hz: float, width: float, depth: float) -> LinearController:
    """The same law with every command through (s² + 2 depth width w s + w²)/(s² + 2 width w s + w²)."""
    w, m = 2.0 * np.pi * frequency_hz, len(controller.outputs)
    a = np.array([[0.0, 1.0], [-w * w, -2.0 * width * w]])
    b, c = np.array([[0.0], [1.0]]), np.array([[0.0, -2.0 * width * w * (1.0 - depth)]])
    A2, B2, C2 = np.kron(np.eye(m), a), np.kron(np.eye(m), b), np.kron(np.eye(m), c)
    n = len(controller.A)
    A = np.block([[controller.A, np.zeros((n, 2 * m))], [B2 @ controller.C, A2]])
    B = np.vstack([controller.B.reshape(n, len(controller.inputs)), B2 @ controller.D])
    C = np.hstack([controller.C.reshape(m, n), C2])
    return LinearController(
        controller.name, controller.inputs, controller.outputs, controller.D, A=A, B=B, C=C, limits=controller.limits
    )
