"""Mass matrix, velocity bias, energy and momenta of particles that follow a given displacement field: no modal integrals.

The field is a function ``place(eta) -> (n, 3)`` that accepts complex eta: partial velocities come from complex steps, their
rates from central differences. Rigid bodies are clouds of particles turned by an exact rotation matrix.
"""

import numpy as np

STEP = 1e-30


def rotation(b):
    """exp(b~) (3, 3) of a rotation vector, real or complex, by its series in b.b."""
    t = b @ b
    first = second = 0.0
    term = 1.0
    for i in range(1, 30):  # sin x / x and (1 - cos x)/x^2
        first = first + term
        second = second + term / (2 * i)
        term = -term * t / ((2 * i) * (2 * i + 1))
    tilde = np.array([[0 * t, -b[2], b[1]], [b[2], 0 * t, -b[0]], [-b[1], b[0], 0 * t]])
    return np.eye(3) + first * tilde + second * (tilde @ tilde)


def cloud(mass, center, inertia):
    """Particles (6,), (6, 3) with the mass, mass center and central inertia of a rigid body."""
    second = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    values, axes = np.linalg.eigh(second)
    arms = (axes * np.sqrt(3.0 * np.maximum(values, 0.0) / max(mass, 1e-300))).T
    return np.full(6, mass / 6.0), center + np.concatenate([arms, -arms])


def partial(place, eta):
    """dy/d eta (n, 3, k) by complex steps."""
    columns = []
    for i in range(len(eta)):
        moved = np.array(eta, complex)
        moved[i] += 1j * STEP
        columns.append(np.imag(place(moved)) / STEP)
    return np.stack(columns, axis=-1)


def cross_matrices(y):
    out = np.zeros((len(y), 3, 3))
    out[:, 0, 1], out[:, 0, 2], out[:, 1, 2] = -y[:, 2], y[:, 1], -y[:, 0]
    return out - out.transpose(0, 2, 1)


def columns(place, eta):
    """Z (n, 3, 6 + k) = [1, -y~, Y]."""
    y = np.real(place(np.asarray(eta, complex)))
    ones = np.broadcast_to(np.eye(3), (len(y), 3, 3))
    return np.concatenate([ones, -cross_matrices(y), partial(place, eta)], axis=2)


def mass_matrix(place, masses, eta):
    """M (6 + k, 6 + k) for [v; w; eta'] in the axes of the frame."""
    Z = columns(place, eta)
    return np.einsum("n,nai,naj->ij", masses, Z, Z)


def bias(place, masses, eta, w, rate, step=1e-5):
    """int Z'(w x (w x y) + 2 w x Y eta' + Y' eta') dm, (6 + k,)."""
    Z = columns(place, eta)
    y, Y = np.real(place(np.asarray(eta, complex))), Z[:, :, 6:]
    slope = (partial(place, eta + step * rate) - partial(place, eta - step * rate)) / (2.0 * step)
    v = Y @ rate
    a = np.cross(w, np.cross(w, y)) + 2.0 * np.cross(w, v) + slope @ rate
    return np.einsum("n,nai,na->i", masses, Z, a)
