"""Tisserand: from appendage meshes to flexible multibody spacecraft simulation.

    import tisserand as ts

    boom = ts.boom(3.2, ts.tube(0.05, 0.001), ts.ALUMINUM, tip_mass=2.0)
    basis = ts.solve_modes(ts.assemble(boom), count=8)
    record = ts.reduce(basis, attachment="root", damping=0.005)
    ts.save_record(record, "boom.h5")

The public names are listed in ``__init__.pyi``; each is imported when first used, so that ``import tisserand`` stays light.
"""

from tisserand.lazy import attach as _attach

_names, _find = _attach(__name__, __file__)
__all__ = [*_names, "__version__"]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        value: object = version("tisserand")
    else:
        value = _find(name)
    # `modes` is a package and a task: importing the task binds the package, which can be called
    return globals().setdefault(name, value)


def __dir__() -> list[str]:
    return sorted(__all__)
