"""Operations of expressions, counted as in S3 Table 3."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp


@dataclass(frozen=True, kw_only=True)
class Operations:
    """Numbers of operations of one evaluation."""

    additions: int = 0
    subtractions: int = 0
    multiplications: int = 0
    divisions: int = 0
    sines: int = 0
    cosines: int = 0
    negations: int = 0
    assignments: int = 0

    @property
    def total(self) -> int:
        """All of them, assignments included, as in the paper."""
        return sum(vars(self).values())

    @property
    def arithmetic(self) -> int:
        """All but assignments."""
        return self.total - self.assignments

    def as_dict(self) -> dict[str, int]:
        return {**vars(self), "total": self.total}


def counted(statements: Sequence[Any], results: Iterable[Any]) -> Operations:
    """Operations of statements and of what is returned; each is one assignment."""
    counts = dict.fromkeys(Operations.__dataclass_fields__, 0)
    for expression in (*statements, *results):
        _count(expression, counts)
        counts["assignments"] += 1
    return Operations(**counts)


def _count(e: Any, counts: dict[str, int]) -> None:
    if e.is_Add:
        negative = [term for term in e.args if _minus(term)]
        counts["subtractions"] += min(len(negative), len(e.args) - 1)
        counts["additions"] += len(e.args) - 1 - min(len(negative), len(e.args) - 1)
        if len(negative) == len(e.args):
            counts["negations"] += 1
        for term in e.args:
            _count(-term if _minus(term) else term, counts)
    elif e.is_Mul:
        factors = [f for f in e.args if f != -1]
        if len(factors) < len(e.args):
            counts["negations"] += 1
        under = [f for f in factors if f.is_Pow and f.exp.is_negative]
        counts["divisions"] += len(under)
        counts["multiplications"] += max(len(factors) - len(under) - 1, 0)
        for f in factors:
            _count(1 / f if f in under else f, counts)
    elif e.is_Pow:
        if e.exp == -1:
            counts["divisions"] += 1
        else:
            counts["multiplications"] += int(e.exp) - 1
        _count(e.base, counts)
    elif isinstance(e, sp.sin):
        counts["sines"] += 1
    elif isinstance(e, sp.cos):
        counts["cosines"] += 1


def _minus(term: Any) -> bool:
    """Whether a term of a sum is subtracted."""
    return bool(term.is_Mul and term.args[0].is_number and term.args[0].is_negative and not isinstance(term, sp.Symbol))
