"""Structures in a few lines: booms, trusses, frames, masts, plates, cylinders, blocks, and joints between them.

Every builder returns a ``StructuralModel``; points have names (``root``, ``tip``) and so have edges and faces
(node sets ``x-``, ``x+``, ...). SI throughout.
"""
