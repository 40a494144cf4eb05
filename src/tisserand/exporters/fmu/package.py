"""The archive of a unit: description, sources, and a binary where a compiler is present."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from tisserand.errors import FileError
from tisserand.exporters.fmu import description2, description3
from tisserand.exporters.fmu.unit import Unit, attribute

_FLAGS = ("-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-fvisibility=hidden", "-ffp-contract=off")


def compiler() -> str | None:
    """The C compiler of this machine."""
    return next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)


def _platform(version: int) -> tuple[str, str]:
    """Folder of binaries by the standard's name for this platform, and the ending of a shared library."""
    system = {"linux": "linux", "darwin": "darwin"}.get(sys.platform, "windows")
    ending = {"linux": ".so", "darwin": ".dylib", "windows": ".dll"}[system]
    machine = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
    old = {"linux": "linux64", "darwin": "darwin64", "windows": "win64"}[system]
    return (old if version == 2 else f"{machine}-{system}"), ending


def compiled(unit: Unit, version: int, tool: str) -> bytes:
    """The shared library of the sources."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in unit.sources(version).items():
            (folder / file).write_text(text)
        sources = sorted(str(path) for path in folder.glob("*.c"))
        library = folder / "library"
        done = subprocess.run(
            [tool, *_FLAGS, "-shared", "-fPIC", "-o", str(library), *sources, "-lm"], capture_output=True, text=True
        )
        if done.returncode:
            raise FileError(unit.identifier, "the sources of the unit do not compile", found=done.stderr.strip()[:300])
        return library.read_bytes()


def write_fmu(unit: Unit, path: Path, version: int) -> None:
    """Write the archive; the same unit gives the same entries."""
    parts: dict[str, bytes] = {}
    described = description2 if version == 2 else description3
    parts["modelDescription.xml"] = described.model_description(unit).encode()
    for name, text in sorted(unit.sources(version).items()):
        parts[f"sources/{name}"] = text.encode()
    if version == 3:
        parts["sources/buildDescription.xml"] = description3.build_description(unit).encode()
    parts["documentation/index.html"] = _page(unit).encode()
    tool = compiler()
    if tool is not None:
        folder, ending = _platform(version)
        parts[f"binaries/{folder}/{unit.identifier}{ending}"] = compiled(unit, version, tool)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def _page(unit: Unit) -> str:
    notes = "".join(f"<li>{attribute(note)}</li>" for note in unit.notes)
    rows = "".join(
        f"<tr><td>{attribute(v.name)}</td><td>{attribute(v.unit)}</td><td>{attribute(v.meaning)}</td></tr>"
        for v in (*unit.parameters, *unit.inputs, *unit.outputs)
    )
    return (
        f'<!doctype html><meta charset="utf-8"><title>{attribute(unit.name)}</title><h1>{attribute(unit.name)}</h1>'
        f"<p>{attribute(unit.description)}</p><ul>{notes}</ul><table>{rows}</table>\n"
    )
