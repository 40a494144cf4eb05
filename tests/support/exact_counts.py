"""Eigenvalue counts in exact rational arithmetic: Sylvester's law of inertia without a rounding, and models to try it on."""

from fractions import Fraction

import numpy as np


def eigenvalues_below(K, M, value):
    """Number of eigenvalues of K - value M below zero; K and M are lists of rows of Fractions, M not negative."""
    A = [[k - value * m for k, m in zip(*rows)] for rows in zip(K, M)]
    left, negative = list(range(len(A))), 0
    while left:
        pivot = next((i for i in left if A[i][i] != 0), None)
        if pivot is None:
            pair = next(((i, j) for i in left for j in left if i < j and A[i][j] != 0), None)
            if pair is None:
                return negative
            i, j = pair  # a congruence that fills a zero diagonal
            for k in left:
                A[i][k] += A[j][k]
            for k in left:
                A[k][i] += A[k][j]
            continue
        left.remove(pivot)
        negative += A[pivot][pivot] < 0
        row = [j for j in left if A[pivot][j] != 0]
        for i in row:
            share = A[i][pivot] / A[pivot][pivot]
            for j in row:
                A[i][j] -= share * A[pivot][j]
    return negative


def misplaced(K, M, values, *, first=0, tolerance=Fraction(2, 10**6)):
    """Those of the ascending values that are not, within the relative tolerance, eigenvalues number first, first + 1, ..."""
    wrong = []
    for place, value in enumerate(values):
        exact = Fraction(float(value))
        low, high = (eigenvalues_below(K, M, exact * (1 + side * tolerance)) for side in (-1, 1))
        if not low <= first + place < high:
            wrong.append(float(value))
    return wrong


def spring_network(size, springs, ground, masses):
    """(K, M) of springs (a, b, N/m) between points on a line and (a, N/m) to ground, exactly as stated."""
    K = [[Fraction(0)] * size for _ in range(size)]
    for a, b, stiffness in springs:
        k = Fraction(float(stiffness))
        K[a][a] += k
        K[b][b] += k
        K[a][b] -= k
        K[b][a] -= k
    for a, stiffness in ground:
        K[a][a] += Fraction(float(stiffness))
    return K, [[Fraction(float(m)) if i == j else Fraction(0) for j in range(size)] for i, m in enumerate(masses)]


def bending_beam(rigidities, lengths, end_masses):
    """(K, M) of a clamped plane Euler beam, dofs (w, turn) of every free node; masses lumped on w, exactly as stated."""
    n = len(rigidities)
    K = [[Fraction(0)] * (2 * n + 2) for _ in range(2 * n + 2)]
    for e, (rigidity, length) in enumerate(zip(rigidities, lengths)):
        ei, h = Fraction(float(rigidity)), Fraction(float(length))
        block = [[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h],
                 [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]]  # fmt: skip
        for i in range(4):
            for j in range(4):
                K[2 * e + i][2 * e + j] += ei / h**3 * block[i][j]
    M = [[Fraction(0)] * (2 * n + 2) for _ in range(2 * n + 2)]
    for i, mass in enumerate(end_masses):
        M[2 * i][2 * i] = Fraction(float(mass))
    return [row[2:] for row in K[2:]], [row[2:] for row in M[2:]]


def as_floats(rows):
    """The matrix as doubles, every term rounded once."""
    return np.array([[float(term) for term in row] for row in rows])
