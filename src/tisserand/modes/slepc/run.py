"""Run the script on MPI ranks of this machine, with the Python that has slepc4py; every failure is one sentence.

Serves the spectrum slicing of [Grimes1994].
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from tisserand.errors import FileError, InputError, SolverError
from tisserand.files import temporary_prefix, writing
from tisserand.modes.slepc.job import RESULT, SCRIPT

#: Environment variable that names the Python with slepc4py, or the launcher of ranks.
PYTHON, LAUNCHER = "TISSERAND_SLEPC_PYTHON", "TISSERAND_MPIEXEC"
_INSTALL = "install them with: apt-get install python3-slepc4py-real (Debian, Ubuntu)"
_SIGNAL = re.compile(r"signal (\d+)")


@contextmanager
def job_folder() -> Iterator[Path]:
    """A temporary folder for matrices and vectors (in TMPDIR), removed afterwards."""
    with writing(tempfile.gettempdir()):
        folder = Path(tempfile.mkdtemp(prefix=temporary_prefix("slepc")))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def launcher() -> str:
    """The program that starts MPI ranks."""
    stated = os.environ.get(LAUNCHER)
    found = next((path for word in (stated, "mpiexec", "mpirun") if word and (path := shutil.which(word))), None)
    if found is None or (stated and not shutil.which(stated)):
        raise InputError(
            "the backend slepc needs mpiexec, which starts its ranks", found=f"no program {stated or 'mpiexec'}",
            advice=_INSTALL,
        )  # fmt: skip
    return found


@cache
def solver_python(stated: str | None = None) -> str:
    """The Python that has petsc4py and slepc4py of real numbers."""
    ours = [sys.executable] if find_spec("slepc4py") else []
    names = [stated] if stated else [*ours, "/usr/bin/python3", shutil.which("python3") or ""]
    script = Path(__file__).with_name("cluster_script.py")
    said = ""
    for name in dict.fromkeys(filter(None, names)):
        with contextlib.suppress(OSError):
            tried = subprocess.run(
                [name, "-s", str(script), "probe"], capture_output=True, text=True, env=_environment(), check=False
            )
            if tried.returncode == 0:
                return name
            said = tried.stderr.strip().splitlines()[-1] if tried.stderr.strip() else ""
    raise InputError(
        "the backend slepc needs petsc4py and slepc4py (real numbers, MUMPS)",
        found=f"no Python with them: {', '.join(filter(None, names))}" + (f" ({said})" if said else ""),
        advice=f"{_INSTALL}, or name a Python that has them in {PYTHON}",
    )


def _environment() -> dict[str, str]:
    """Environment of the ranks: one thread each, ranks that wait let others work, nothing of our own Python's path."""
    kept = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    }
    kept |= {
        "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    }  # fmt: skip
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # Open MPI asks twice
        kept |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return kept


def command(ranks: int) -> list[str]:
    """The command that starts so many ranks of a Python with SLEPc; what is missing is named in one sentence."""
    return [launcher(), "-n", str(ranks), solver_python(os.environ.get(PYTHON)), "-s"]


def run_job(folder: Path, command: list[str]) -> None:
    """Solve the job of a folder; afterwards it holds a result, of a solution or of a failure."""
    words = [*command, str(folder / SCRIPT), str(folder)]
    with (folder / "log.txt").open("wb") as log:
        try:
            process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=_environment(), start_new_session=True
            )
        except OSError as error:
            raise InputError(
                "mpiexec cannot be started", found=f"{words[0]}: {error.strerror}", advice=_INSTALL
            ) from error
        try:
            code = process.wait()
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
            raise
    if not (folder / RESULT).is_file():
        raise _died(folder, code)


def _died(folder: Path, code: int) -> SolverError | FileError:
    """Why the ranks ended without a result."""
    lines = (folder / "log.txt").read_text(errors="replace").splitlines()
    text = "\n".join(lines)
    if "No space left" in text or "ENOSPC" in text:
        return FileError(
            folder.parent,
            "the disk is full: SLEPc could not write its vectors",
            advice="free space, or state another TMPDIR",
        )
    if (killed := _SIGNAL.search(text)) or code < 0:
        number = int(killed[1]) if killed else -code
        name = signal.Signals(number).name if number in signal.valid_signals() else str(number)
        why = (
            "which usually means that memory ran out: use more machines, or fewer modes"
            if number == 9
            else "solve again"
        )
        return SolverError(f"a rank of SLEPc was ended by signal {name}", advice=why)
    last = next((line.strip() for line in reversed(lines) if re.search(r"[Ee]rror|rror:|not|cannot", line)), "")
    return SolverError("SLEPc ended without a result", found=f"exit {code}" + (f": {last[:200]}" if last else ""))
