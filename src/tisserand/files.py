"""Files are opened with clear errors and written whole or not at all."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tisserand.errors import CaseError, FileError


def existing_file(path: str | Path) -> Path:
    """The path itself, after checking that it is a readable, non-empty file."""
    path = Path(path)
    if not path.exists():
        raise FileError(path, "the file does not exist")
    if path.is_dir():
        raise FileError(path, "is a directory", expected="a file")
    if not os.access(path, os.R_OK):
        raise FileError(path, "the file cannot be read (no permission)")
    if path.stat().st_size == 0:
        raise FileError(path, "the file is empty")
    return path


def text_of(path: str | Path) -> str:
    """Content of a text file; binary content is refused. Any line ending, UTF-8 or Latin-1."""
    path = existing_file(path)
    raw = path.read_bytes()
    refuse_binary(path, raw, "text")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def refuse_binary(path: Path, raw: bytes, expected: str) -> None:
    """Raise when bytes are no text; UTF-16, which Windows editors write, is called by its name."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError(path, "is encoded as UTF-16", expected=f"{expected} in UTF-8", advice="save it as UTF-8")
    if b"\x00" in raw:
        raise FileError(path, "is a binary file", expected=expected)


def sha256_of(path: str | Path) -> str:
    """SHA-256 of a file as hexadecimal digits."""
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


@contextmanager
def atomic_path(target: str | Path, *, overwrite: bool = True) -> Iterator[Path]:
    """A temporary path beside ``target``, renamed onto it on success and removed on failure."""
    target = Path(target)
    if not overwrite and target.exists():
        raise FileError(target, "the file exists already", advice="use --force to replace it")
    if target.is_dir():
        raise FileError(target, "is a directory", expected="a file name to write")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem}-", suffix=target.suffix)
    except OSError as error:
        raise FileError(target, f"cannot be written ({error.strerror})") from error
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def keep_inputs(targets: Iterable[str | Path | None], inputs: Iterable[str | Path]) -> None:
    """Raise when an output would take the place of an input, by whatever path either is named, or of another output."""
    given = [Path(source) for source in inputs if Path(source).is_file()]
    taken: set[Path] = set()
    for target in (Path(t) for t in targets if t):
        if target.is_file() and any(target.samefile(source) for source in given):
            raise FileError(target, "is the input of this command", expected="another name for the output")
        if target.resolve() in taken:
            raise FileError(target, "two outputs have this name", expected="a name of its own for each")
        taken.add(target.resolve())


def check_outputs(
    file: str | Path, wanted: Mapping[str, Path], endings: Mapping[str, tuple[str, ...]], *, anywhere: bool = False
) -> None:
    """Check ``[outputs]`` of a TOML file before any work: each name ends as its kind does and stays in the file's folder.

    A file that somebody else wrote must not reach the rest of the disk; ``anywhere`` (``--force``) permits it.
    """
    home = Path(file).resolve().parent
    for kind, path in wanted.items():
        if path.suffix.lower() not in endings[kind]:
            raise CaseError(
                file, f"outputs.{kind}", "unsupported file extension", found=path.name, expected=" or ".join(endings[kind])
            )
        if not anywhere and not path.resolve().is_relative_to(home):
            raise CaseError(
                file,
                f"outputs.{kind}",
                "lies outside the folder of the file",
                found=str(path),
                expected=f"a name inside {home}",
                advice="use --force if you trust the file",
            )


def csv_name(name: str) -> str:
    """A column's name in quotes for the first line of a CSV file: line breaks and quotes of names do not break the table."""
    return '"' + " ".join(name.split()).replace('"', "'") + '"'


def write_text(target: str | Path, text: str, *, overwrite: bool = True) -> Path:
    """Write a text file atomically."""
    with atomic_path(target, overwrite=overwrite) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
    return Path(target)
