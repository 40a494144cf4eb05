"""Compile, or load from the cache, everything a simulation needs; to be called early, in a thread, while other work goes on.

Serves the engines of theory section 5.2.
"""

from __future__ import annotations


def warm_up() -> None:
    """Compile the kernels of the recursive engine, or load them from the cache (milliseconds)."""
    from tisserand.multibody.recursive.kernels import kernels

    kernels()
