"""Files are opened with clear errors and written whole or not at all."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tisserand.errors import FileError


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


def write_text(target: str | Path, text: str, *, overwrite: bool = True) -> Path:
    """Write a text file atomically."""
    with atomic_path(target, overwrite=overwrite) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
    return Path(target)
