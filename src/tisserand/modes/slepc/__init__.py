"""Modes by SLEPc and MUMPS on any number of MPI ranks, in processes of their own; the proof is ours.

``cluster_script`` is copied beside the matrices and imports nothing of this package, so that it runs on the system's Python or
on a cluster where the package is not installed.

Spectrum slicing with counts of inertia: [Grimes1994].
"""
