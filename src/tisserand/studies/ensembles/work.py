"""What an executor computes: a sample's values in, its result out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, Self

#: The result of a sample, or the sentence of its failure.
Outcome = dict[str, Any] | str
#: Number of a sample and its values by key.
Task = tuple[int, dict[str, float]]

#: How often a sample is tried when the process that computes it dies.
ATTEMPTS = 3


class Work(Protocol):
    """Something that can be sent to another process and called there."""

    def __call__(self, values: dict[str, float], stopped: Callable[[], bool] | None = None) -> dict[str, Any]:
        """The result of a sample; ``stopped`` tells whether to end early. A package error is the sample's failure."""
        ...

    def shipped(self) -> Self:
        """The same work with its files, for a machine that may not have them."""
        ...


def lost_worker(times: int) -> str:
    """The failure of a sample whose processes all died."""
    return (
        f"the process of this sample ended {times} times: it was killed, or memory ran out; run again with fewer jobs."
    )
