"""Kernels that OpenBLAS may choose here: every sum is rounded in another order on another processor."""

import platform
from pathlib import Path


def core_types() -> list[str]:
    """Names for OPENBLAS_CORETYPE whose instructions this processor has, oldest first; none where it is no x86."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return []
    info = Path("/proc/cpuinfo")
    flags = set(info.read_text().split()) if info.exists() else set()
    needs = {"PRESCOTT": "sse3 pni", "SANDYBRIDGE": "avx", "HASWELL": "avx2", "ZEN": "avx2", "SKYLAKEX": "avx512f"}
    return [name for name, words in needs.items() if name == "PRESCOTT" or set(words.split()) & flags]


if __name__ == "__main__":
    print(*core_types())
