"""A count made huge anywhere in a mesh of any format, binary or text: refused, within the memory that the manual states."""

import contextlib
import json
import re
import resource
import subprocess
import sys
from pathlib import Path

import meshio
import numpy as np
import pytest

from tisserand.errors import FileError
from tisserand.readers.meshes import read_mesh
from tisserand.stored import bounded, bounds

#: What a damaged file of up to 100 kB may add to the process, MiB (docs/reliability.md).
MOST = 512
#: Changed places of one file at most.
PLACES = 12
HUGE = 1 << 30
FORMS = {
    "gmsh": "msh", "gmsh22": "msh", "vtk42": "vtk", "vtk51": "vtk", "vtu": "vtu", "xdmf": "xdmf", "medit": "mesh", "med": "med",
    "stl": "stl", "ply": "ply", "off": "off", "obj": "obj", "mdpa": "mdpa", "netgen": "vol", "h5m": "h5m", "hmf": "hmf",
    "cgns": "cgns", "flac3d": "f3grid", "ansys": "msh", "exodus": "e", "wkt": "wkt",
}  # fmt: skip
POINTS = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.5]])
SOLIDS = ("cgns", "flac3d", "ansys")
on_linux = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system keeps no limit of memory")


def written(folder: Path) -> list[Path]:
    """One small mesh in every format that can be written and read here."""
    found = []
    for form, ending in FORMS.items():
        cells = [("tetra", [[0, 1, 2, 3]])] if form in SOLIDS else [("triangle", [[0, 1, 2], [0, 2, 3]])]
        for options in ({"binary": True}, {"binary": False}, {}):
            path = folder / f"{form}-{options.get('binary', '')}.{ending}"
            if not options and any(other.stem.startswith(f"{form}-") for other in found):
                continue
            with contextlib.suppress(ImportError, SystemExit, TypeError, AttributeError, meshio.WriteError):
                meshio.Mesh(POINTS, cells).write(path, file_format=form, **options)
                found.append(path)
    (folder / "su2.su2").write_text(
        "NDIME= 3\nNELEM= 1\n10 0 1 2 3 0\nNPOIN= 4\n0 0 0 0\n1 0 0 1\n0 1 0 2\n0 0 1 3\nNMARK= 0\n"
    )
    found.append(folder / "su2.su2")
    return found


def mutants(content: bytes) -> list[bytes]:
    """Copies with one whole number of the text, or eight bytes anywhere, made huge."""
    words = list(re.finditer(rb"(?<![\w.])\d+(?![\w.])", content))[:PLACES]
    step = max(len(content) // PLACES, 4)
    texts = [content[: w.start()] + str(HUGE).encode() + content[w.end() :] for w in words]
    return texts + [
        content[:at] + HUGE.to_bytes(8, order) + content[at + 8 :]
        for at in range(0, len(content) - 8, step)
        for order in ("little", "big")
    ]


def child(folder: Path) -> dict[str, list]:
    """Read all mutants; per file the growth of memory, MiB, and what was raised that is no error of ours."""
    bounds.LEAST = 0.1
    said = {}
    for path in written(folder):
        read_mesh(path)
        before, leaks, refused = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, [], 0
        for content in mutants(path.read_bytes()):
            victim = folder / f"bad{path.suffix}"
            victim.write_bytes(content)
            try:
                read_mesh(victim)
            except FileError:
                refused += 1
            except BaseException as error:
                leaks.append(repr(error)[:200])
        said[path.name] = [(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10, refused, leaks]
    return said


@pytest.mark.slow
@on_linux
def test_no_huge_count_in_any_mesh_format_takes_memory(tmp_path):
    answer = subprocess.run(
        [sys.executable, __file__, str(tmp_path)], capture_output=True, text=True, check=False, timeout=600
    )
    assert answer.returncode == 0, answer.stderr[-2000:]
    said = json.loads(answer.stdout.splitlines()[-1])
    assert len(said) >= 20
    assert not {name: facts for name, facts in said.items() if facts[0] > MOST or facts[2]}
    assert sum(facts[1] for facts in said.values()) > 300


@on_linux
def test_a_binary_gmsh_file_with_a_node_number_of_a_thousand_million_is_refused(tmp_path):
    path = tmp_path / "plate.msh"
    meshio.Mesh(POINTS, [("triangle", [[0, 1, 2], [0, 2, 3]])]).write(path, file_format="gmsh", binary=True)
    content = path.read_bytes()
    ids = np.arange(1, 5).tobytes()
    assert content.count(ids) == 1
    path.write_bytes(content.replace(ids, np.array([1, 2, 3, HUGE]).tobytes()))
    with pytest.raises(FileError, match="more memory than a file of its size can need"):
        read_mesh(path)


@on_linux
def test_the_limit_of_memory_ends_with_the_parser(tmp_path):
    before = resource.getrlimit(resource.RLIMIT_AS)
    path = tmp_path / "file"
    path.write_bytes(b"1")
    with pytest.raises(FileError, match="memory"), bounded(path), bounded(path):
        assert resource.getrlimit(resource.RLIMIT_AS) != before
        np.ones(1 << 28)
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_a_parser_that_swallows_the_interruption_is_interrupted_again(tmp_path, monkeypatch):
    monkeypatch.setattr(bounds, "LEAST", 0.05)
    monkeypatch.setattr(bounds, "_AGAIN", 0.05)
    path = tmp_path / "file"
    path.write_bytes(b"1")
    swallowed = 0
    with pytest.raises(bounds.OutOfPatience), bounded(path):
        while True:
            try:
                while True:
                    pass
            except bounds.OutOfPatience:
                swallowed += 1
                if swallowed == 3:
                    raise


if __name__ == "__main__":
    print(json.dumps(child(Path(sys.argv[1]))))
