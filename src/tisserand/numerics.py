"""The one numba decorator used by every ``_kernels.py`` file."""

from __future__ import annotations

import numba

#: Compile without the interpreter lock, cached on disk; kernels take bare arrays and return status integers.
kernel = numba.njit(cache=True, nogil=True, fastmath=False, error_model="numpy")
