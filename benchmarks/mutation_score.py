"""Mutation testing, sampled: one operator, sign or constant of a module is changed, and its tests must notice.

In modules that read files a decision may be turned instead: a comparison becomes its opposite.

    python benchmarks/mutation_score.py --mutants 11 --seed 0

A mutant lives in memory only: a forked process imports its source in place of the module's and runs the tests. Kernels run
uncompiled there, because numba's cache knows the file on disk and not the mutant. The tests must pass without a change first.
Prints every survivor with its line, and the score (killed / tried) per module; a mutant that takes too long counts as killed
(its tests would hang), and is listed.
"""

from __future__ import annotations

import argparse
import ast
import importlib.abc
import importlib.util
import os
import random
import resource
import signal
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENGINES = "tests/multibody/test_engines_agree.py"
KERNELS = [
    f"{ENGINES}::test_recursive_full_inertia_is_exact_on_random_trees[0]",
    f"{ENGINES}::test_recursive_full_inertia_is_exact_on_random_trees[3]",
    f"{ENGINES}::test_recursive_full_inertia_is_exact_on_random_trees[5]",
    f"{ENGINES}::test_recursive_flexible_joints_are_exact[0-False]",
    f"{ENGINES}::test_recursive_flexible_joints_are_exact[2-True]",
    f"{ENGINES}::test_recursive_driven_base_is_exact",
    f"{ENGINES}::test_engines_agree_on_joints_of_every_kind[1]",
    f"{ENGINES}::test_engines_agree_with_geometric_stiffness_and_turning_nodes",
]
LIKINS = ["tests/multibody/likins/test_against_particles.py"]
SUPPLIERS = ["tests/readers/supplier/test_every_format.py", "tests/readers/supplier/test_nastran_results.py"]
TABLES = [
    "tests/readers/supplier/test_pairing_of_tables.py",
    "tests/readers/supplier/test_tables_that_belong_together.py",
]
#: Modules under test and the tests that must notice a change.
SUBJECTS = {
    "modes/_kernels.py": ["tests/modes/test_residuals.py"],
    "modes/rigid.py": ["tests/modes/test_rigid.py", "tests/modes/test_frames.py"],
    "modes/floating_frames.py": ["tests/modes/test_frames.py"],
    "modes/orientation.py": ["tests/modes/test_residuals.py"],
    "appendage/integrals/modal_integrals.py": [
        "tests/appendage/test_integrals_of_particles.py",
        "tests/appendage/test_transform.py",
        "tests/appendage/test_identity_errors.py",
    ],
    "appendage/integrals/integral_changes.py": ["tests/appendage/test_transform.py"],
    "appendage/integrals/from_nodal_bodies.py": ["tests/appendage/test_exactness.py"],
    "multibody/recursive/_kernels_small.py": ["tests/multibody/test_small_kernels.py", *KERNELS],
    "multibody/recursive/_kernels_outward.py": [
        "tests/multibody/test_held_base_and_ball.py",
        *KERNELS,
        "tests/multibody/likins/test_recorded_loads.py",
    ],
    "multibody/recursive/_kernels_inward.py": KERNELS,
    "multibody/recursive/_kernels_flex.py": KERNELS,
    "multibody/recursive/_kernels_inertia.py": KERNELS,
    "multibody/recursive/_kernels_joints.py": KERNELS,
    "assembly/massprops.py": ["tests/assembly/test_mass_properties.py", "tests/assembly/test_assemble.py"],
    "assembly/ties.py": ["tests/assembly/test_ties.py"],
    "assembly/rigid_arms.py": ["tests/statics/test_rigid_arms.py", "tests/appendage/test_rigid_arms.py"],
    "elements/beam.py": ["tests/elements/test_beam.py", "tests/elements/test_beam_mass.py"],
    "elements/_beam_mass.py": ["tests/elements/test_beam_mass.py"],
    "elements/rod.py": ["tests/elements/test_rod.py"],
    "elements/solid_shapes.py": ["tests/elements/test_solid.py"],
    "elements/shell_bending.py": ["tests/elements/test_shell_patch.py"],
    "multibody/likins/barycenters.py": ["tests/multibody/likins/test_tree_algebra.py"],
    "multibody/likins/substructure.py": LIKINS,
    "multibody/likins/wrenches.py": ["tests/multibody/likins/test_wrenches.py"],
    "modes/soft_grounds.py": ["tests/modes/test_soft_grounds.py"],
    "elements/shell_moment_slope.py": [
        "tests/elements/test_shell_patch.py",
        "tests/elements/test_shell_shear_force.py",
    ],
    "elements/curved_geometry.py": ["tests/elements/test_curved_patch.py"],
    "readers/op2/tables.py": SUPPLIERS,
    "readers/op2/read.py": [*TABLES, *SUPPLIERS],
    "readers/f06/tables.py": SUPPLIERS,
    "readers/f06/effective.py": SUPPLIERS,
    "readers/universal/sound_sets.py": ["tests/readers/supplier/test_calculix_and_universal.py"],
    "readers/supplier/tables_with_deck.py": [TABLES[0], "tests/readers/supplier/test_without_shapes.py"],
    "readers/nastran/cut_off.py": ["tests/readers/nastran/test_cut_off.py"],
    "stored/seal.py": ["tests/reliability/test_seals.py"],
    "stored/sparse.py": ["tests/reliability/test_damaged_matrices.py"],
}
#: Modules that decide more than they compute.
DECIDING = ("readers/", "stored/")
_SWAPS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.MatMult: ast.Mult, ast.Pow: ast.Mult,
}  # fmt: skip
_TURNS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


def places(tree: ast.AST, decisions: bool = False) -> list[ast.AST]:
    """Nodes that a mutation can change: arithmetic, signs, numbers other than indices; comparisons among ``decisions``."""
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        sum_or_product = isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _SWAPS
        if sum_or_product and any(isinstance(part, ast.JoinedStr) for part in ast.iter_child_nodes(node)):
            continue
        sign = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
        sign = sign or (decisions and isinstance(node, ast.Compare))
        if sum_or_product or sign or (isinstance(node, ast.Constant) and isinstance(node.value, float)):
            found.append(node)
    return found


def mutate(node: ast.AST) -> str:
    """Change a node in place; what was done, in words."""
    before = ast.unparse(node)
    if isinstance(node, ast.BinOp | ast.AugAssign):
        node.op = _SWAPS[type(node.op)]()
    elif isinstance(node, ast.UnaryOp):
        node.op = ast.UAdd()
    elif isinstance(node, ast.Compare):
        node.ops[0] = _TURNS[type(node.ops[0])]()
    elif isinstance(node, ast.Constant):
        node.value = node.value * 1.01 + 0.01
    return f"{before} -> {ast.unparse(node)}"


class Mutant(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Gives one module another source."""

    def __init__(self, module: str, source: str) -> None:
        self.name = "tisserand." + module.removesuffix(".py").replace("/", ".")
        self.file, self.source = ROOT / "src" / "tisserand" / module, source

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        spec = importlib.util.spec_from_loader(name, self, origin=str(self.file))
        assert spec is not None
        spec.has_location = True
        return spec

    def get_source(self, name: str) -> str:
        return self.source


def verdict(module: str, source: str, tests: list[str], seconds: int) -> str:
    """Outcome of the tests with ``source`` in place of the module: survived, killed, or slow (cut off)."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            return "slow" if os.WTERMSIG(status) == signal.SIGXCPU else "killed"
        return "survived" if os.WEXITSTATUS(status) == 0 else "killed"
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    import numba
    import pytest

    numba.config.DISABLE_JIT = "_kernels" in module
    sys.meta_path.insert(0, Mutant(module, source))
    code = pytest.main(["-q", "-x", "-p", "no:cacheprovider", "--no-header", *tests])
    os._exit(int(code))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", type=int, default=11, help="mutants per module")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=120, help="processor time of the tests of one mutant, s")
    parser.add_argument("--only", default="", help="modules whose name holds this text")
    wishes = parser.parse_args()
    os.chdir(ROOT)
    os.environ.update(OMP_NUM_THREADS="1", MPLBACKEND="Agg")
    sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]
    import h5py  # noqa: F401  imported once for all mutants
    import hypothesis  # noqa: F401
    import numba  # noqa: F401
    import pytest  # noqa: F401
    import scipy.linalg
    import scipy.sparse.linalg
    import scipy.spatial.transform  # noqa: F401

    total = killed = 0
    for module, tests in SUBJECTS.items():
        if wishes.only not in module:
            continue
        text = (ROOT / "src" / "tisserand" / module).read_text()
        rng = random.Random(f"{wishes.seed}/{module}")
        decides = module.startswith(DECIDING)
        count = len(places(ast.parse(text), decides))
        numbers = rng.sample(range(count), min(wishes.mutants, count))
        if (found := verdict(module, text, tests, wishes.seconds)) != "survived":
            print(f"{module}: its tests do not pass as they are ({found})", flush=True)
            continue
        dead = 0
        for number in numbers:
            tree = ast.parse(text)
            node = places(tree, decides)[number]
            words = mutate(node)
            found = verdict(module, ast.unparse(tree), tests, wishes.seconds)
            dead += found != "survived"
            if found != "killed":
                print(f"{found}: {module}:{node.lineno}: {words}", flush=True)  # type: ignore[attr-defined]
        total, killed = total + len(numbers), killed + dead
        print(f"{module}: {dead} of {len(numbers)} killed ({count} places)", flush=True)
    print(f"score: {killed} of {total}")


if __name__ == "__main__":
    main()
