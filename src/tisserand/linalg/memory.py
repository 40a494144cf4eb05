"""Memory that is left for a factor: what the system offers, within the limits set for this process."""

from __future__ import annotations

from pathlib import Path


def memory_left() -> int | None:
    """Bytes that can still be used; None where the system does not say."""
    found = [bytes_ for bytes_ in (_of_system(), _of_group(), _of_process()) if bytes_ is not None]
    return min(found, default=None)


def _of_system() -> int | None:
    for line in _lines(Path("/proc/meminfo")):
        if line.startswith("MemAvailable:"):
            return 1024 * int(line.split()[1])
    return None


def _of_group(root: Path = Path("/sys/fs/cgroup")) -> int | None:
    most, used = (_lines(root / name) for name in ("memory.max", "memory.current"))
    if not most or not used or not most[0].strip().isdigit():
        return None
    return max(int(most[0]) - int(used[0]), 0)


def _of_process() -> int | None:
    try:
        import resource
    except ImportError:  # no such limits here
        return None
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    size = _lines(Path("/proc/self/statm"))
    if most == resource.RLIM_INFINITY or not size:
        return None
    return max(most - int(size[0].split()[0]) * resource.getpagesize(), 0)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []
