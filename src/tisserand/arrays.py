"""Array types and the small operations on 3-vectors shared by every layer."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Spelled out, not ``NDArray``: that is an alias which does not tell its class while a program runs, from NumPy 2.5 on.
FloatArray = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
IntArray = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
BoolArray = np.ndarray[tuple[Any, ...], np.dtype[np.bool_]]
ComplexArray = np.ndarray[tuple[Any, ...], np.dtype[np.complex128]]

T = TypeVar("T")

if TYPE_CHECKING:

    class GivenArray:
        """A field of a frozen type that is given as anything NumPy reads as numbers, and is kept as an array."""

        def __get__(self, owner: object, kind: Any = None) -> FloatArray: ...
        def __set__(self, owner: object, value: ArrayLike) -> None: ...

    class GivenTuple(Generic[T]):
        """A field of a frozen type that is given as any sequence, and is kept as a tuple."""

        def __get__(self, owner: object, kind: Any = None) -> tuple[T, ...]: ...
        def __set__(self, owner: object, value: Iterable[T]) -> None: ...

else:
    GivenArray = FloatArray

    class GivenTuple:
        """``GivenTuple[T]`` is ``tuple[T, ...]``; only type checkers see what it is given as."""

        def __class_getitem__(cls, item: Any) -> Any:
            return tuple[item, ...]


#: Defaults of such fields.
NOTHING: Any = ()


def zeros(*shape: int) -> Any:
    """A function that makes an array of zeros."""
    return partial(np.zeros, shape)


def same_axes() -> Any:
    """Axes (3, 3) that are not turned."""
    return np.eye(3)


def no_turn() -> Any:
    """The quaternion (4,) of no rotation, scalar first."""
    return np.array([1.0, 0.0, 0.0, 0.0])


def third_axis() -> Any:
    """The direction z (3,)."""
    return np.array([0.0, 0.0, 1.0])


#: Levi-Civita symbol, shape (3, 3, 3).
LEVI_CIVITA: FloatArray = np.zeros((3, 3, 3))
LEVI_CIVITA[0, 1, 2] = LEVI_CIVITA[1, 2, 0] = LEVI_CIVITA[2, 0, 1] = 1.0
LEVI_CIVITA[0, 2, 1] = LEVI_CIVITA[2, 1, 0] = LEVI_CIVITA[1, 0, 2] = -1.0
LEVI_CIVITA.setflags(write=False)


def frozen(values: ArrayLike, dtype: Any = np.float64, shape: tuple[int, ...] | None = None) -> NDArray[Any]:
    """``values`` read-only and contiguous, copied unless they are that already; a -1 in ``shape`` matches any length."""
    array = np.asarray(values, dtype=dtype, order="C")
    made_here = isinstance(values, list | tuple) or (isinstance(values, np.ndarray) and not _overlap(array, values))
    if not made_here and not _never_written(array):
        array = np.array(array, order="C")
    if shape is not None and (
        array.ndim != len(shape) or any(want not in (-1, got) for want, got in zip(shape, array.shape))
    ):
        raise ValueError(f"array of shape {array.shape} where {shape} is expected")
    array.setflags(write=False)
    return array


def _overlap(array: NDArray[Any], values: NDArray[Any]) -> bool:
    """Whether two arrays may have numbers in common."""
    return array is values or np.may_share_memory(array, values)


def _never_written(array: NDArray[Any]) -> bool:
    """Whether an array and every array that it is a view of are read-only."""
    base: object = array
    while isinstance(base, np.ndarray):
        if base.flags.writeable:
            return False
        base = base.base
    return base is None


def skew(vectors: ArrayLike) -> FloatArray:
    """Skew matrices ``v~`` with ``v~ y = v x y``: shape (..., 3) to (..., 3, 3)."""
    v = np.asarray(vectors, dtype=float)
    out = np.zeros((*v.shape[:-1], 3, 3))
    out[..., 0, 1], out[..., 0, 2] = -v[..., 2], v[..., 1]
    out[..., 1, 0], out[..., 1, 2] = v[..., 2], -v[..., 0]
    out[..., 2, 0], out[..., 2, 1] = -v[..., 1], v[..., 0]
    return out


def symmetric(matrix: ArrayLike) -> FloatArray:
    """Symmetric part over the last two axes."""
    m = np.asarray(matrix, dtype=float)
    return np.asarray(0.5 * (m + np.swapaxes(m, -1, -2)))


def without_roundoff(values: ArrayLike, scale: ArrayLike = 1.0) -> FloatArray:
    """Values for people: 0 where one is below 1e-12 of its scale (round-off of a zero), never -0; data keeps its digits."""
    v = np.asarray(values, dtype=float)
    return np.asarray(np.where(np.abs(v) <= 1e-12 * np.asarray(scale, dtype=float), 0.0, v) + 0.0)
