"""Refusal of options that have no effect on the file at hand, which only the task can know."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tisserand.declarations.rules import stated
from tisserand.errors import InputError
from tisserand.studies.study_type import Study


def refuse_idle(study: Study, names: Iterable[str], of: str, *, where: Path | None = None) -> None:
    """Refuse the first option that is stated although it has no effect on what ``of`` describes.

    Args:
        study: the options as they were given.
        names: those that have no effect here.
        of: what they have no effect on, such as "a run".
        where: the file at fault.
    """
    for name in names:
        if stated(study, name):
            raise InputError(
                f"{name}: has no effect on {of}",
                where=None if where is None else str(where),
                found=str(getattr(study, name)),
                advice="leave it out",
            )
