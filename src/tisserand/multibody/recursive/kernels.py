"""The compiled kernels of the recursive engine, loaded on first use: importing numba takes most of a second.

Serves theory section 5.2.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple


class Kernels(NamedTuple):
    """rhs: state derivative; observe: histories; dop853, rk4: steppers."""

    rhs: Any
    observe: Any
    dop853: Any
    rk4: Any


@cache
def kernels() -> Kernels:
    """The kernels, compiled or taken from the cache on disk by their first call."""
    from tisserand.multibody.recursive._kernels_fixed import rk4
    from tisserand.multibody.recursive._kernels_integrate import dop853
    from tisserand.multibody.recursive._kernels_observe import observe
    from tisserand.multibody.recursive._kernels_solve import rhs

    return Kernels(rhs, observe, dop853, rk4)


@cache
def implicit_kernel() -> Any:
    """The implicit stepper; compiled on first use."""
    from tisserand.multibody.recursive._kernels_esdirk import esdirk

    return esdirk


@cache
def tangent() -> Any:
    """The complex version of the right-hand side for many displaced states; compiled on first use."""
    from tisserand.multibody.recursive._kernels_tangent import displaced

    return displaced


@cache
def element_kernels() -> Any:
    """The module of force elements; compiled on first use."""
    from tisserand.multibody.recursive import _kernels_elements

    return _kernels_elements


@cache
def loop_row_kernels() -> Any:
    """The module of the rows of loops; compiled on first use."""
    from tisserand.multibody.recursive import _kernels_loop_rows

    return _kernels_loop_rows


@cache
def loop_kernels() -> Any:
    """The module of loops; compiled on first use."""
    from tisserand.multibody.recursive import _kernels_loops

    return _kernels_loops


@cache
def loop_tangent() -> Any:
    """The forces of elements and loops at many displaced states; compiled on first use, after the complex engine."""
    tangent()
    return loop_kernels().compiled_fill_displaced()


@cache
def environment_kernels() -> Any:
    """The module of the surroundings; compiled on first use."""
    from tisserand.multibody.recursive import _kernels_environment

    return _kernels_environment


def environment_rhs() -> Any:
    """The right-hand side of vehicles in their surroundings."""
    return environment_kernels().rhs_in_surroundings


@cache
def environment_tangent() -> Any:
    """The inputs of the surroundings at many displaced states; compiled on first use, after the complex engine."""
    tangent()
    return environment_kernels().compiled_fill_displaced()


def element_rhs() -> Any:
    """The right-hand side of vehicles with force elements."""
    return element_kernels().rhs_with_elements


@cache
def hardware_kernels() -> Any:
    """The module of wheels and compiled laws; compiled on first use."""
    from tisserand.multibody.recursive import _kernels_hardware

    return _kernels_hardware


@cache
def element_tangent() -> Any:
    """The forces of elements at many displaced states; compiled on first use, after the complex engine."""
    tangent()
    return element_kernels().compiled_fill_displaced()
