"""Kernels in Python, translated to LLVM in one go: no library for each helper, so a cold start compiles in seconds.

numba compiles every helper as a module of its own, with its own type inference, optimization and machine code, and links all of
them again into each caller. The engine's right-hand side, more than a hundred helpers, takes a minute that way. Its kernels use a
small part of Python (numbers, tuples of numbers, views of buffers, records, loops and branches), for which one pass over the
syntax tree is enough: every value's type is known where it is made. The result is handed to numba, which optimizes it, keeps it
on disk and calls it like any kernel of its own.

Serves theory section 5.2.
"""
