"""Every command that writes, in a folder with what it needs, and a process of its own to run it in."""

import contextlib
import io
import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import h5py
import meshio
import numpy as np
import scipy.io

from support.appendages import random_bodies
from support.case_files import PLATE, plate_mesh, write_case
from tisserand.appendage import load_record, save_record
from tisserand.multibody import load_trajectory
from tisserand.studies.simulate import simulate

VEHICLE = """
[bodies.bus]
mass = 80.0
inertia = [60.0, 50.0, 70.0]
[appendages.wing]
record = "wing.h5"
body = "bus"
[sensors.rate]
kind = "rate"
body = "bus"
direction = [1.0, 0.0, 0.0]
[loads.kick]
kind = "torque"
body = "bus"
direction = [1.0, 0.0, 0.0]
strength = 0.1
[initial]
angular_velocity = [0.01, 0.02, 0.0]
[simulation]
duration = 0.2
output_step = 0.05
segment = 0.05
"""
STUDY = '[modes]\nmodel = "plate.toml"\ncount = 2\nignore_outputs = true\noutput = "out/x.h5"\n'


def _whole_csv(path: Path) -> None:
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    assert path.read_text().endswith("\n") and len({line.count(",") for line in lines}) == 1


def _ends(mark: str) -> Callable[[Path], None]:
    def check(path: Path) -> None:
        assert path.read_text(errors="replace").rstrip().endswith(mark), path

    return check


def _png(path: Path) -> None:
    assert path.read_bytes().endswith(b"IEND\xaeB`\x82")


def _glb(path: Path) -> None:
    data = path.read_bytes()
    assert int.from_bytes(data[8:12], "little") == len(data)


def _run(path: Path) -> None:
    run = load_trajectory(path)
    assert run.complete == bool(np.isclose(run.times[-1], 0.2))


def _hdf5(path: Path) -> None:
    with h5py.File(path) as file:
        file.visititems(lambda _, item: item[()] if isinstance(item, h5py.Dataset) else None)


def _lines(path: Path) -> None:
    assert path.read_text().endswith("\n")


#: Name -> arguments and how to tell that the output, out/x.*, is whole.
COMMANDS: dict[str, tuple[tuple[str, ...], Callable[[Path], object]]] = {
    "modes": (("modes", "plate.toml", "-n", "2", "-o", "out/x.h5"), load_record),
    "modes outputs": (("modes", "plate.toml", "-n", "2"), _whole_csv),
    "study": (("study", "study.toml"), load_record),
    "report": (("report", "wing.h5", "-o", "out/x.html"), _ends("</html>")),
    "view": (("view", "wing.h5", "--save", "out/x.png"), _png),
    "simulate": (("simulate", "bus.toml", "-o", "out/x.h5"), _run),
    "simulate csv": (("simulate", "bus.toml", "--csv", "out/x.csv"), _whole_csv),
    "simulate plot": (("simulate", "bus.toml", "--plot", "out/x.png"), _png),
    "diff": (("diff", "wing.h5", "wing.h5", "--picture", "out/x.png"), _png),
    "frames": (("frames", "run.h5", "-o", "out/x.csv"), _whole_csv),
    "linearize": (("linearize", "bus.toml", "-o", "out/x.npz"), lambda p: dict(np.load(p))),
    "response": (("response", "bus.toml", "-o", "out/x.csv"), _whole_csv),
    "sweep": (("sweep", "bus.toml", "--over", "bodies.bus.mass=80,90", "-o", "out/x.csv"), _whole_csv),
    "montecarlo": (
        ("montecarlo", "bus.toml", "--vary", "bodies.bus.mass=uniform:80:90", "-n", "2", "-o", "out/x.csv"), _whole_csv,
    ),
    "campbell": (
        ("campbell", "plate.toml", "--axis", "0,0,1", "--rates", "0,1", "-n", "2", "-o", "out/x.csv"), _whole_csv,
    ),
    **{
        f"export {target}": (("export", "wing.h5", "--to", target, "--force", "-o", f"out/x{end}"), whole)
        for target, end, whole in (
            ("statespace", ".npz", lambda p: dict(np.load(p))), ("matlab", ".mat", scipy.io.loadmat),
            ("sdtlib", ".mat", scipy.io.loadmat), ("effective-mass", ".csv", _whole_csv), ("op4", ".op4", _lines),
            ("dmig", ".pch", _lines), ("exudyn", ".hdf5", _hdf5), ("42", ".txt", _lines),
            ("sid", ".SID_FEM", _ends("end part")), ("vtu", ".vtu", meshio.vtu.read), ("gltf", ".glb", _glb),
        )
    },
}  # fmt: skip


def furnish(folder: Path) -> None:
    """The inputs of all commands, and an empty folder ``out``."""
    plate_mesh(folder)
    write_case(folder, PLATE.replace('record = "plate.h5"', 'modes = "out/x.csv"\nreport = "out/x.html"'))
    save_record(random_bodies(0), folder / "wing.h5")
    (folder / "bus.toml").write_text(VEHICLE)
    (folder / "study.toml").write_text(STUDY)
    (folder / "run.h5").write_bytes(_a_run())
    (folder / "out").mkdir()


@cache
def _a_run() -> bytes:
    """The file of a short flight, made once."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        save_record(random_bodies(0), folder / "wing.h5")
        (folder / "bus.toml").write_text(VEHICLE)
        simulate(folder / "bus.toml", output=folder / "run.h5")
        return (folder / "run.h5").read_bytes()


#: What a process does to the file system through Python; it can be killed before each of them.
STEPS = ("open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "tempfile.mkstemp", "tempfile.mkdtemp")


def _child(folder, arguments, kill_at, interrupt_at, size_limit, answers) -> None:
    """Run a command; die by SIGKILL before step ``kill_at``, or by SIGXFSZ in the write that passes ``size_limit`` bytes.

    Before step ``interrupt_at`` comes Ctrl-C.
    """
    from support.command import run

    os.chdir(folder)
    steps = 0

    def counted(event: str, details: tuple) -> None:
        nonlocal steps
        if event not in STEPS or (event == "open" and not _writes(details)):
            return
        if steps == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        steps += 1
        if steps == interrupt_at + 1:
            raise KeyboardInterrupt

    if size_limit is not None:
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size_limit, size_limit))
    assert "support.warm_kernels" in sys.modules, "the process was not forked from a warm one"
    sys.addaudithook(counted)
    with contextlib.redirect_stdout(io.StringIO()):
        result = run(*arguments)
    answers.send((result.exit_code, result.stderr, steps))
    answers.close()
    os._exit(0)


def _writes(details: tuple) -> bool:
    path, mode, flags = details
    place = os.fspath(path) if isinstance(path, str | bytes | os.PathLike) else ""
    inside = "out" in os.fsdecode(place).split(os.sep)
    writing = any(c in mode for c in "wax+") if isinstance(mode, str) else bool(flags & (os.O_WRONLY | os.O_RDWR))
    return inside and writing


@cache
def _server() -> Any:
    """Where the processes are forked from, with everything imported and compiled."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["support.warm_kernels"])
    # the server does not take this process's search path over before Python 3.13, and says nothing if it finds no module
    kept, here = os.environ.get("PYTHONPATH"), str(Path(__file__).parents[1])
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [here, *sys.path, kept]))
    try:
        forkserver.ensure_running()
    finally:
        os.environ.pop("PYTHONPATH") if kept is None else os.environ.__setitem__("PYTHONPATH", kept)
    return context


def alone(
    folder: Path,
    arguments: tuple[str, ...],
    *,
    kill_at: int = -1,
    interrupt_at: int = -1,
    size_limit: int | None = None,
):
    """Run a command in a process of its own: its exit code, standard error and number of steps, or None if it was killed."""
    context = _server()
    answers, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(str(folder), arguments, kill_at, interrupt_at, size_limit, theirs))
    process.start()
    theirs.close()
    try:
        answer = answers.recv()
    except EOFError:
        answer = None
    process.join()
    assert (answer is None) == (process.exitcode < 0), f"{arguments} ended with {process.exitcode}"
    return answer
