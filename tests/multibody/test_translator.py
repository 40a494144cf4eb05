"""Kernels that are translated as a whole compute what Python computes, and refuse what they do not know by name and line."""

import math
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import types

from tisserand.multibody.recursive.helper import helper, shared_helper, translated_entry
from tisserand.multibody.recursive.signatures import COMPLEX, FLOATS, INDICES, TABLE
from tisserand.multibody.recursive.table_views import part, records_view, table
from tisserand.multibody.recursive.translator.values import TranslationError

ITEM = np.dtype([("count", np.int64), ("size", np.float64), ("place", np.float64, (2, 3))])
_items = records_view(ITEM)
LIMIT = 3


class Pair(NamedTuple):
    first: Any
    second: Any


def outcome(kernel, signature, *args):
    """Status and arrays after a kernel, translated and in Python."""
    mine, theirs = [np.copy(one) for one in args], [np.copy(one) for one in args]
    names = {name: getattr(thing, "py_func", thing) for name, thing in globals().items()}
    python = FunctionType(
        kernel.__code__, names
    )  # helpers as Python functions: compiled ones have no entry from Python
    return translated_entry(signature)(kernel)(*mine), mine, python(*theirs), theirs


def same(kernel, signature, *args):
    """The kernel leaves the same bits as Python does."""
    status, mine, expected, theirs = outcome(kernel, signature, *args)
    assert status == expected
    for a, b in zip(mine, theirs, strict=True):
        np.testing.assert_array_equal(a, b)
    return mine


def test_whole_numbers_divide_as_in_python():
    def kernel(n, out):
        k = 0
        for a in range(-4, 5, 2):
            for b in range(-3, 4):
                if b == 0:
                    continue
                out[k] = a // b
                out[k + 1] = a % b
                k += 2
        for i in range(6, 0, -2):
            out[k] = i * n[0] ** 2 - n[1]
            k += 1
        return k

    same(kernel, types.int64(INDICES, INDICES), np.array([7, -5]), np.zeros(100, np.int64))


def test_loops_leave_and_skip_and_conditions_stop_early():
    def kernel(x, out):
        found = -1
        i = 0
        while i < 100 and x[i] < 2.0:
            if x[i] < 0.0 or x[i] == 0.5:
                i += 1
                continue
            if not x[i] <= 1.0:
                found = i
                break
            out[0] += x[i] if found < 0 else 0.0
            i += 1
        out[1] = max(min(x[0], 0.25), x[1], -1.0)
        out[2] = abs(x[2]) + len(x)
        return found if 0 <= found < 5 else -2

    same(kernel, types.int64(FLOATS, FLOATS), np.array([0.3, 0.5, -0.7, 0.1, 1.5, 9.0]), np.zeros(3))


def test_functions_of_reals():
    def kernel(x, out):
        a = x[0]
        out[0], out[1], out[2] = math.sin(a), math.cos(a), math.atan2(a, -2.0)
        out[3], out[4], out[5] = math.exp(-(a**2)), math.tanh(a) + math.tan(a), a**-0.125
        out[6], out[7] = int(a + 1.0), math.sqrt(a) / 3
        out[8] = 1 / 3 if a != math.inf else 0
        return 0

    status, mine, _, theirs = outcome(kernel, types.int64(FLOATS, FLOATS), np.array([1.7]), np.zeros(9))
    assert status == 0
    np.testing.assert_allclose(mine[1], theirs[1], rtol=4e-16)


@helper
def _sum_and_product(a, b):
    return a + b, a * b


@shared_helper
def _widened(n, x):
    """A sum that starts real and ends as what ``x`` holds."""
    total = 0.0
    for i in range(n):
        total = total + x[i]
    if n > LIMIT:
        return 0.0, n
    return total, -n


def test_complex_numbers_and_variables_that_widen():
    def kernel(x, out):
        s, p = _sum_and_product(x[0], x[1])
        out[0], out[1] = _widened(2, x)
        out[2], out[3] = _widened(5, x)
        out[4] = (s / p - 2 * s) / 4.0 + (1.0 - s) / (3.0 * x[2])
        out[5] = -(x[0] ** 3) + x[1].real
        pair = Pair(x[2], 2.5)
        out[6] = pair.first * pair.second
        z = (x[0], x[1], x[2])
        for i in range(3):
            out[7] += z[i] * (i + 1)
        return 0

    x = np.array([1.5 - 0.5j, -2.0 + 1e-30j, 0.25 + 3j, 1j, 2.0])
    status, mine, _, theirs = outcome(kernel, types.int64(COMPLEX, COMPLEX), x, np.zeros(8, complex))
    assert status == 0
    np.testing.assert_allclose(mine[1], theirs[1], rtol=4e-16)


def test_records_tables_and_parts_of_views():
    def kernel(M, A, out):
        items = _items(M, 2, 2)
        one, other = items[0], items[1]
        one.size += other.count
        other.count -= 3
        row = one.place[1]
        for j in range(3):
            row[j] = other.place[0, j] * 2.0
        B = table(out, 1, 2, 3)
        C = A[1:, 1:]
        rows, columns = C.shape
        for i in range(rows):
            for j in range(columns):
                B[i, j] = C[i, j] - A[0, j : j + 1][0]
        part(out, 7, 2)[1] = A[2][0]
        return other.count

    M = np.zeros(18)
    M[2:].view(np.int64)[[0, 8]] = 4, 9
    M[3:10], M[11:18] = np.arange(7.0), np.arange(7.0) + 0.5
    A = np.arange(12.0).reshape(3, 4)
    out = np.zeros(9)
    status = translated_entry(types.int64(FLOATS, TABLE, FLOATS))(kernel)(M, A, out)
    assert status == 6
    assert M[3] == 9.0  # the size of the first item, 0, and the count of the second
    np.testing.assert_array_equal(M[7:10], [3.0, 5.0, 7.0])  # twice 1.5, 2.5, 3.5
    np.testing.assert_array_equal(out, [0, *(A[1:, 1:] - A[0, :3]).ravel(), 0, 8.0])


def unknown_call(x):
    return np.linalg.norm(x)


def two_kinds(x):
    y = x[0]
    if y > 0.0:
        y = x
    return 0


def steps(x):
    return int(x[::2][0])


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (unknown_call, "unknown_call.*norm"),
        (two_kinds, "line .* of two_kinds.*one variable cannot hold both"),
        (steps, "steps.*slices with steps"),
    ],
)
def test_what_is_not_translated_is_named(kernel, words):
    with pytest.raises(TranslationError, match=words):
        translated_entry(types.int64(FLOATS))(kernel)
