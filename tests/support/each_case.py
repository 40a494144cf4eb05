"""Many small cases in one test: an item of its own costs pytest more than most such cases."""

from collections.abc import Callable, Iterable
from typing import Any


def check_each(cases: Iterable[tuple[Any, ...]], check: Callable[..., None]) -> None:
    """``check(*case)`` for every case; the failure names every case that failed, with its reason."""
    failed = []
    for case in cases:
        try:
            check(*case)
        except Exception as error:
            failed.append(f"{' '.join(map(str, case))}: {type(error).__name__}: {error}")
    assert not failed, f"{len(failed)} cases failed:\n" + "\n".join(failed)
