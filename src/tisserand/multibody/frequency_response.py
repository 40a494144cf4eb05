"""Frequency response of a linear model.

Serves the linear models of S0 Eq 117.
"""

from __future__ import annotations

import numpy as np

from tisserand.arrays import ComplexArray, FloatArray
from tisserand.multibody.linear import LinearModel


def frequency_response(model: LinearModel, hz: FloatArray) -> ComplexArray:
    """(f, outputs, inputs) complex response C (i w - A)^-1 B + D, by one eigendecomposition where A has one, solves else."""
    w = 2j * np.pi * np.asarray(hz, float)
    values, vectors = np.linalg.eig(model.A)
    if np.linalg.cond(vectors) < 1e10:
        left, right = model.C @ vectors, np.linalg.solve(vectors, model.B.astype(complex))
        return np.asarray(np.einsum("ok,fk,ki->foi", left, 1.0 / (w[:, None] - values), right) + model.D)
    eye = np.eye(len(model.A))
    return np.asarray([model.C @ np.linalg.solve(s * eye - model.A, model.B) + model.D for s in w])
