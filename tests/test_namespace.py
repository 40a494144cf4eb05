"""The public namespace: light to import, typed, and enough for the README, the documentation and the examples."""

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tisserand
from tisserand.lazy import exports

ROOT = Path(__file__).parents[1]
STUB = Path(tisserand.__file__).with_suffix(".pyi")


def test_every_public_name_exists():
    for name in tisserand.__all__:
        assert getattr(tisserand, name) is not None
    assert set(tisserand.__all__) == {*exports(STUB), "__version__"}


def test_the_core_names_stay():
    """A name that disappears breaks other people's scripts: it is a decision, made here too."""
    core = """
    AssembledModel Body ModalBasis MountedAppendage ReducedAppendage Rotor State StructuralModel TisserandError
    Trajectory Vehicle __version__ assemble ball boom compare fixed gimbal hinge join linearize
    load_record load_trajectory mast merged mirrored mode_table plate read_model read_vehicle reduce save_record
    save_trajectory select simulate slider
    solve_modes system_modes truss tube"""
    assert set(core.split()) <= set(tisserand.__all__)


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="no attribute 'reduse'"):
        _ = tisserand.reduse


def test_importing_the_package_loads_nothing_heavy():
    """``import tisserand`` must not pull in numpy, scipy, numba, h5py or any picture library."""
    code = "import sys, tisserand; print(sorted({'numpy', 'scipy', 'numba', 'h5py', 'pyvista', 'matplotlib'} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def _defined_in(module: str, name: str) -> bool:
    """Whether a module's text defines a name in a way that a type checker follows."""
    source = Path(importlib.import_module(module).__file__)
    if source.with_suffix(".pyi").exists():
        source = source.with_suffix(".pyi")
    if source.parent.joinpath(f"{name}.py").exists() and source.stem == "__init__":
        return True  # a module of the package
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
            return True
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            return True
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            return True
        if isinstance(node, ast.ImportFrom) and any((alias.asname or alias.name) == name for alias in node.names):
            origin = next(alias.name for alias in node.names if (alias.asname or alias.name) == name)
            return _defined_in(node.module, origin)
    return False


def test_type_checkers_can_follow_every_name():
    """Quick form of the test below: each name leads through plain imports to a definition, never to ``__getattr__``."""
    for stub in (STUB, STUB.parent / "appendage" / "__init__.pyi"):
        for public, (module, name) in exports(stub).items():
            assert _defined_in(module, name), f"{public}: {module}.{name}"


@pytest.mark.slow
def test_mypy_knows_the_type_of_every_name(tmp_path):
    pytest.importorskip("mypy")
    snippet = tmp_path / "names.py"
    names = sorted(set(tisserand.__all__) - {"__version__"})
    snippet.write_text("import tisserand\n" + "".join(f"reveal_type(tisserand.{name})\n" for name in names))
    settings = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(tmp_path)]
    command = [sys.executable, "-m", "mypy", *settings, str(snippet)]
    out = subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout
    revealed = re.findall(r'names\.py:(\d+): note: Revealed type is "(.*)"', out)
    assert len(revealed) == len(names), out
    vague = re.compile(r"Any|def \(\*[^,]*Any, \*\*[^,]*Any\).*|def \(\.\.\.\).*")
    assert not [names[int(line) - 2] for line, text in revealed if vague.fullmatch(text)]


#: Objects of other libraries, which have no types here: a plotter or figure, a state space of python-control.
FOREIGN = {"ReducedAppendage.plot_mode", "LinearModel.to_control"}


@pytest.mark.slow
def test_mypy_knows_the_type_of_every_attribute(tmp_path):
    """No attribute of a public type, and no result of its methods, is Any."""
    pytest.importorskip("mypy")
    lines, names = ["import tisserand as ts"], [""]
    for name in sorted(set(tisserand.__all__) - {"__version__"}):
        kind = getattr(tisserand, name)
        if isinstance(kind, type) and not issubclass(kind, Exception):
            fields = getattr(kind, "__dataclass_fields__", {})
            members = sorted(word for word in {*dir(kind), *fields} if not word.startswith("_"))
            lines += [f"def _{name}(x: ts.{name}) -> None:", "    pass", *(f"    reveal_type(x.{m})" for m in members)]
            names += ["", "", *(f"{name}.{m}" for m in members)]
    snippet = tmp_path / "attributes.py"
    snippet.write_text("\n".join(lines) + "\n")
    settings = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(tmp_path)]
    command = [sys.executable, "-m", "mypy", *settings, str(snippet)]
    out = subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout
    revealed = re.findall(r'attributes\.py:(\d+): note: Revealed type is "(.*)"', out)
    assert len(revealed) == sum(map(bool, names)) > 500, out
    vague = re.compile(r"Any|Any \| None|None \| Any|def \(.*\) -> Any|def \(\*[^,]*Any, \*\*[^,]*Any\).*")
    assert {names[int(line) - 1] for line, text in revealed if vague.fullmatch(text)} == FOREIGN


@pytest.mark.slow
def test_mypy_refuses_wrong_keywords(tmp_path):
    """The keywords of tasks, joints and variations are typed: each line below holds one mistake."""
    pytest.importorskip("mypy")
    lines = [
        'ts.modes("wing.bdf", cuont=3)',
        'ts.modes("wing.bdf", count="three")',
        'ts.modes("wing.bdf", mass="lumpd")',
        'ts.check("wing.bdf", "SI")',
        'ts.export("wing.h5", to=3)',
        'ts.sweep("craft.toml", over=3)',
        'ts.open("wing.bdf").reduce(cuont=3)',
        'ts.hinge("h", "a", "b", [0, 0, 1], parent_fram=None)',
        'ts.load_record("wing.h5").varied(frequency_scale="high")',
        'ts.simulate("craft.toml", duration=3.0)',
        'ts.simulate(ts.read_vehicle("craft.toml").vehicle, duration=3.0, csv="a.csv")',
        'ts.linearize("craft.toml").A',
    ]
    right = (
        'ts.modes("wing.bdf", units="SI", count=3, points={"tip": 4}, mass="lumped", output="wing.h5").frequencies_hz; '
        'ts.simulate("craft.toml", set={"simulation.rtol": 1e-8}, csv="a.csv").trajectory; '
        'ts.simulate(ts.read_vehicle("craft.toml").vehicle, duration=3.0).balance\n'
    )
    snippet = tmp_path / "keywords.py"
    snippet.write_text("import tisserand as ts\n" + right + "\n".join(lines) + "\n")
    settings = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(tmp_path)]
    command = [sys.executable, "-m", "mypy", *settings, str(snippet)]
    out = subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout
    refused = {int(line) for line in re.findall(r"keywords\.py:(\d+): error", out)}
    assert refused == set(range(3, 3 + len(lines))), out


def _outside_imports(path: Path) -> list[str]:
    """Imports of the package's inner modules."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "tisserand":
            found.append(f"line {node.lineno}: {node.module}")
        if isinstance(node, ast.Import):
            found += [f"line {node.lineno}: {a.name}" for a in node.names if a.name.startswith("tisserand.")]
    return found


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/*.py")), ids=lambda p: p.name)
def test_examples_use_the_root_namespace_alone(path):
    assert _outside_imports(path) == []
