"""Equations as text: C without dependency or allocation, Python, LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import sympy as sp
from sympy.printing.latex import LatexPrinter

from tisserand.errors import one_line
from tisserand.exporters.equations.joints import word
from tisserand.exporters.equations.kane import Equations

Language = Literal["c", "python", "latex"]


def text_of(equations: Equations, language: Language) -> str:
    """The equations in a language."""
    return {"c": _c, "python": _python, "latex": _latex}[language](equations)


def _number(e: Any) -> str:
    return repr(float(e))


def _plain(e: Any, call: str = "") -> str:
    """An expression in C (or Python with ``call='math.'``)."""
    if e.is_Number:
        return _number(e)
    if e.is_Symbol:
        return str(e)
    if e.is_Add:
        terms = [_plain(term, call) for term in e.args]
        text = terms[0]
        for term in terms[1:]:
            text += f" - {term[1:]}" if term.startswith("-") else f" + {term}"
        return text
    if e.is_Mul:
        sign, factors = "", list(e.args)
        if factors[0] == -1:
            sign, factors = "-", factors[1:]
        under = [f for f in factors if f.is_Pow and f.exp.is_negative]
        over = [_inside(f, call) for f in factors if f not in under] or ["1.0"]
        return sign + "*".join(over) + "".join(f"/{_inside(1 / f, call)}" for f in under)
    if e.is_Pow and e.exp == -1:
        return f"1.0/{_inside(e.base, call)}"
    if e.is_Pow:
        return "*".join([_inside(e.base, call)] * int(e.exp))
    return f"{call}{'sin' if isinstance(e, sp.sin) else 'cos'}({_plain(e.args[0], call)})"


def _inside(e: Any, call: str) -> str:
    text = _plain(e, call)
    return f"({text})" if e.is_Add or text.startswith("-") else text


def _lists(equations: Equations) -> list[tuple[str, Sequence[Any]]]:
    return [("q", equations.coordinates), ("u", equations.rates), ("torque", equations.torques)]


def _head(equations: Equations) -> list[str]:
    counts = equations.operations
    return [
        f"Equations of motion of {one_line(equations.name)}, speeds: {equations.speeds}; SI units.",
        *equations.notes,
        f"{counts.total} operations: " + ", ".join(f"{n} {k}" for k, n in counts.as_dict().items() if k != "total"),
        *(f"{name}: " + ", ".join(f"[{i}] {s}" for i, s in enumerate(symbols)) for name, symbols in _lists(equations)),
    ]


def _c(equations: Equations) -> str:
    """One function named after the vehicle."""
    return c_function(equations, word(equations.name))


def c_function(equations: Equations, name: str) -> str:
    """The equations as a C function of that name, with its include."""
    used = {s for _, e in equations.statements for s in e.free_symbols}
    used |= {s for e in (*equations.q_dot, *equations.u_dot) for s in e.free_symbols}
    lines = ["/* " + "\n * ".join(_head(equations)) + " */", "#include <math.h>", ""]
    lines += [f"void {name}(const double *q, const double *u, const double *torque, double *q_dot, double *u_dot)", "{"]
    for list_name, symbols in _lists(equations):
        lines += [f"    const double {s} = {list_name}[{i}];" for i, s in enumerate(symbols) if s in used]
        if not any(s in used for s in symbols):
            lines.append(f"    (void){list_name};")
    lines += [f"    const double {s} = {_plain(e)};" for s, e in equations.statements]
    lines += [f"    q_dot[{i}] = {_plain(e)};" for i, e in enumerate(equations.q_dot)]
    lines += [f"    u_dot[{i}] = {_plain(e)};" for i, e in enumerate(equations.u_dot)]
    return "\n".join([*lines, "}", ""])


def _python(equations: Equations) -> str:
    lines = ['"""' + "\n".join(_head(equations)) + '\n"""', "", "import math", "", ""]
    lines.append(f"def {word(equations.name)}(q, u, torque):")
    lines.append('    """q\' and u\' as two lists."""')
    for list_name, symbols in _lists(equations):
        if symbols:
            lines.append(f"    {', '.join(str(s) for s in symbols)}{',' if len(symbols) == 1 else ''} = {list_name}")
    lines += [f"    {s} = {_plain(e, 'math.')}" for s, e in equations.statements]
    for name, results in (("q_dot", equations.q_dot), ("u_dot", equations.u_dot)):
        lines.append(f"    {name} = [{', '.join(_plain(e, 'math.') for e in results)}]")
    return "\n".join([*lines, "    return q_dot, u_dot", ""])


class _Latex(LatexPrinter):  # type: ignore[misc]
    """Numbers with as many digits as they need."""

    def _print_Float(self, e: Any) -> str:  # the name that sympy looks for
        mantissa, _, power = repr(float(e)).partition("e")
        return rf"{mantissa} \cdot 10^{{{int(power)}}}" if power else mantissa


def _latex(equations: Equations) -> str:
    names = {s: sp.Symbol(f"z_{{{str(s)[1:]}}}") for s, _ in equations.statements}
    meanings = []
    words = ("Coordinates", "Speeds", "Drives and loads")
    for letter, what, (_, symbols) in zip("quT", words, _lists(equations)):
        own = {s: sp.Symbol(f"{letter}_{{{i}}}") for i, s in enumerate(symbols, 1)}
        listed = ", ".join(rf"${new}$ \texttt{{{s}}}" for s, new in own.items()) or "none"
        meanings += [f"{what}: {listed}.".replace("_", r"\_").replace(rf"{letter}\_{{", f"{letter}_{{"), ""]
        names |= own

    printer = _Latex({"mul_symbol": r" \, "})

    def shown(e: Any) -> str:
        whole = {x: sp.Integer(int(x)) for x in e.atoms(sp.Float) if float(x).is_integer()}
        return str(printer.doprint(e.xreplace(names | whole)))

    rows = [f"{shown(s)} &= {shown(e)}" for s, e in equations.statements]
    rows += [rf"\dot q_{{{i}}} &= {shown(e)}" for i, e in enumerate(equations.q_dot, 1)]
    rows += [rf"\dot u_{{{i}}} &= {shown(e)}" for i, e in enumerate(equations.u_dot, 1)]
    head = "\n".join([f"% {line}" for line in _head(equations)[: -len(_lists(equations))]] + meanings)
    return head + "\\allowdisplaybreaks\n\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}\n"
