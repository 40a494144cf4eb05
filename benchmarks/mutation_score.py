"""Mutation testing of the mechanics, sampled: one operator or constant of a module is changed, and its tests must notice.

    python benchmarks/mutation_score.py --mutants 10 --seed 0

Kernels are compiled by numba, which mutation tools do not follow; here a copy of the package is changed on disk, so that numba
compiles the mutant like any other source. The tests must pass without a change first. Prints every survivor with its line, and
the score (killed / tried) per module; a run that takes too long is not counted.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Modules under test and the tests that must notice a change.
SUBJECTS = {
    "modes/_kernels.py": ["tests/modes/test_solve.py"],
    "modes/rigid.py": ["tests/modes/test_solve.py", "tests/modes/test_frames.py"],
    "appendage/integrals/modal_integrals.py": [
        "tests/appendage/test_reduction.py",
        "tests/appendage/test_transform.py",
    ],
    "appendage/integrals/from_nodal_bodies.py": [
        "tests/appendage/test_reduction.py",
        "tests/appendage/test_exactness.py",
    ],
    "multibody/recursive/_kernels_small.py": ["tests/multibody/test_rigid_tree.py"],
    "multibody/recursive/_kernels_outward.py": ["tests/multibody/test_rigid_tree.py", "tests/multibody/test_joints.py"],
}
_SWAPS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.MatMult: ast.Mult, ast.Pow: ast.Mult,
}  # fmt: skip


def places(tree: ast.AST) -> list[ast.AST]:
    """Nodes that a mutation can change: arithmetic, signs, comparisons, numbers other than indices."""
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        sum_or_product = (
            isinstance(node, ast.BinOp) and type(node.op) in _SWAPS and not isinstance(node.left, ast.JoinedStr)
        )
        sign = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
        if sum_or_product or sign or (isinstance(node, ast.Constant) and isinstance(node.value, float)):
            found.append(node)
    return found


def mutate(node: ast.AST) -> str:
    """Change a node in place; what was done, in words."""
    before = ast.unparse(node)
    if isinstance(node, ast.BinOp):
        node.op = _SWAPS[type(node.op)]()
    elif isinstance(node, ast.UnaryOp):
        node.op = ast.UAdd()
    elif isinstance(node, ast.Constant):
        node.value = node.value * 1.01 + 0.01
    return f"{before} -> {ast.unparse(node)}"


def survives(module: str, source: str, tests: list[str], seconds: float) -> bool | None:
    """Whether the tests pass with ``source`` in place of the module; None for a run that takes too long."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        shutil.copytree(ROOT / "src", copy)
        (copy / "tisserand" / module).write_text(source)
        env = {**os.environ, "PYTHONPATH": str(copy), "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
        try:
            done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        return done.returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", type=int, default=10, help="mutants per module")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=600.0, help="longest run of the tests")
    parser.add_argument("--only", default="", help="modules whose name holds this text")
    wishes = parser.parse_args()
    total = killed = 0
    for module, tests in SUBJECTS.items():
        if wishes.only not in module:
            continue
        text = (ROOT / "src" / "tisserand" / module).read_text()
        rng = random.Random(f"{wishes.seed}/{module}")
        count = len(places(ast.parse(text)))
        numbers = rng.sample(range(count), min(wishes.mutants, count))
        if survives(module, text, tests, wishes.seconds) is not True:
            print(f"{module}: its tests do not pass as they are, or take too long")
            continue
        dead = tried = 0
        for number in numbers:
            tree = ast.parse(text)
            node = places(tree)[number]
            words = mutate(node)
            alive = survives(module, ast.unparse(tree), tests, wishes.seconds)
            tried, dead = tried + (alive is not None), dead + (alive is False)
            if alive:
                print(f"survived: {module}:{node.lineno}: {words}", flush=True)
        total, killed = total + tried, killed + dead
        print(f"{module}: {dead} of {tried} killed ({count} places)", flush=True)
    print(f"score: {killed} of {total}")


if __name__ == "__main__":
    main()
