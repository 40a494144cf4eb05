"""Child processes that file permissions bind, even where the tests run as root."""

import ctypes
import os
import subprocess

_PR_CAPBSET_DROP, _DAC_OVERRIDE, _DAC_READ_SEARCH = 24, 1, 2


def bound_by_permissions() -> None:
    """For ``preexec_fn``: root gives up the right to write where the mode of a folder forbids it."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in (_DAC_OVERRIDE, _DAC_READ_SEARCH):
            libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)


def run_bound(command: list[str], **options: object) -> subprocess.CompletedProcess:
    return subprocess.run(command, preexec_fn=bound_by_permissions, capture_output=True, text=True, **options)
