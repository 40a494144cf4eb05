"""Tisserand: from appendage meshes to flexible multibody spacecraft simulation."""

from importlib.metadata import version as _version

__version__ = _version("tisserand")
