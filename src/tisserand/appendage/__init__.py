"""The reduced appendage: modal integrals, damping, mode selection, comparison, and the HDF5 record.

Names are listed in ``__init__.pyi`` and are imported when first used.
"""

from tisserand.lazy import attach as _attach

__all__, _find = _attach(__name__, __file__)


def __getattr__(name: str) -> object:
    value = globals()[name] = _find(name)
    return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
