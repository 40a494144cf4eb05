"""Intermediate variables: every sum of products gets a name once, and the same expression gets the same name.

Serves S3 §4 and S4 9.6: constants are folded, shared intermediate variables Z are introduced as the equations are formed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import sympy as sp

from tisserand.arrays import FloatArray

Expr = Any
Vector = list[Expr]
#: Rows of three, one per speed.
Columns = list[Vector]
#: Constants below this part of the largest of their vector are zeros of round-off.
ROUNDOFF = 1e-15


def constant(value: float) -> Expr:
    """A number; whole ones exact, so that products with 0 and 1 vanish."""
    return sp.Integer(round(value)) if value == round(value) and abs(value) < 2**31 else sp.Float(value, 17)


def constants(values: FloatArray) -> Any:
    """An array of numbers, round-off left out."""
    values = np.asarray(values, float)
    limit = ROUNDOFF * float(np.abs(values).max(initial=0.0))
    return np.vectorize(lambda x: constant(0.0 if abs(x) <= limit else float(x)), otypes=[object])(values)


class Ledger:
    """Statements ``name = expression`` in order; expressions hold names, numbers and one operation deep products and sums."""

    def __init__(self) -> None:
        self.statements: list[tuple[sp.Symbol, Expr]] = []
        self._names: dict[Expr, sp.Symbol] = {}

    def keep(self, expression: Expr) -> Expr:
        """The name of an expression; atoms, and names with a minus sign, stay as they are."""
        expression = sp.sympify(expression)
        if expression.is_Atom:
            return expression
        if expression.could_extract_minus_sign():
            return -self.keep(-expression)
        known = self._names.get(expression)
        if known is None:
            known = sp.Symbol(f"z{len(self.statements)}", real=True)
            self._names[expression] = known
            self.statements.append((known, expression))
        return known

    def total(self, pairs: Iterable[tuple[Expr, Expr]]) -> Expr:
        """The name of a sum of products; products of two names are shared, products with numbers are not."""
        terms = []
        for a, b in pairs:
            if a == 0 or b == 0:
                continue
            product = a * b
            plain = product.is_Atom or any(f.is_number for f in (a, b)) or (-product).is_Atom
            terms.append(product if plain else self.keep(product))
        return self.keep(sp.Add(*terms)) if terms else sp.Integer(0)

    def dot(self, a: Sequence[Expr], b: Sequence[Expr]) -> Expr:
        return self.total(zip(a, b))

    def add(self, *vectors: Sequence[Expr]) -> Vector:
        return [self.keep(sp.Add(*parts)) for parts in zip(*vectors)]

    def cross(self, a: Sequence[Expr], b: Sequence[Expr]) -> Vector:
        return [self.total([(a[i], b[j]), (-a[j], b[i])]) for i, j in ((1, 2), (2, 0), (0, 1))]

    def times(self, matrix: Any, vector: Sequence[Expr]) -> Vector:
        return [self.dot(row, vector) for row in matrix]

    def scaled(self, factor: Expr, vector: Sequence[Expr]) -> Vector:
        return [self.total([(factor, x)]) for x in vector]

    def without_single_use(self, wanted: list[Expr]) -> tuple[list[tuple[sp.Symbol, Expr]], list[Expr]]:
        """The statements that are needed, products that one expression alone uses put into it; and the wanted expressions."""
        statements = self.needed(wanted)
        uses: dict[Expr, int] = {}
        for expression in [*(e for _, e in statements), *wanted]:
            for name in sp.sympify(expression).free_symbols:
                uses[name] = uses.get(name, 0) + 1
        inside: dict[Expr, Expr] = {}
        left = []
        for name, expression in statements:
            expression = expression.xreplace(inside)
            if expression.is_Mul and uses[name] == 1:
                inside[name] = expression
            else:
                left.append((name, expression))
        return left, [sp.sympify(e).xreplace(inside) for e in wanted]

    def needed(self, wanted: Iterable[Expr]) -> list[tuple[sp.Symbol, Expr]]:
        """The statements that the wanted expressions depend on, in order."""
        known = dict(self.statements)
        used: set[sp.Symbol] = set()
        waiting = [s for e in wanted for s in sp.sympify(e).free_symbols]
        while waiting:
            name = waiting.pop()
            if name in known and name not in used:
                used.add(name)
                waiting += known[name].free_symbols
        return [(name, expression) for name, expression in self.statements if name in used]
