"""Files are opened with clear errors and written completely or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import re
import shutil
import stat
import tempfile
import time
import tomllib
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tisserand.errors import CaseError, FileError, one_line

#: Parts of one dotted key of a TOML file.
MOST_KEY_PARTS = 64
_PART = r"(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')"
_LONG_KEY = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MOST_KEY_PARTS},}}+")


#: Said of a file that cannot be written.
UNCHANGED = "nothing was changed"
#: Files that this process put in place, in order; the command line names them if it is interrupted.
PLACED: list[Path] = []


def existing_file(path: str | Path) -> Path:
    """The path itself, after checking that it is a readable, non-empty file."""
    path = Path(path)
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        raise FileError(path, "the file does not exist") from None
    except (OSError, ValueError) as error:  # a loop of links, a name too long or with a zero byte
        raise FileError(path, f"the file cannot be opened ({getattr(error, 'strerror', None) or error})") from error
    if stat.S_ISDIR(kind):
        raise FileError(path, "is a directory", expected="a file")
    if not stat.S_ISREG(kind):
        raise FileError(path, "is a pipe or a device", expected="a file")
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


def toml_of(path: str | Path, text: str) -> dict[str, Any]:
    """The content of a TOML file. It is data: nothing in it can execute code."""
    for key in _LONG_KEY.finditer(text):  # tomllib takes memory that grows with the square of the parts
        if text[key.end() : key.end() + 80].lstrip(" \t")[:1] in ("=", "]"):
            line = text.count("\n", 0, key.start()) + 1
            raise CaseError(
                path, "", "a key has too many parts", found=f"line {line}", expected=f"at most {MOST_KEY_PARTS} parts"
            )
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise CaseError(path, "", "tables or lists are nested too deeply") from error
    except tomllib.TOMLDecodeError as error:
        raise CaseError(path, "", f"is not valid TOML: {error}") from error
    except ValueError as error:
        raise CaseError(path, "", "is not valid TOML: a number has thousands of digits") from error


def json_of(path: str | Path, text: str) -> Any:
    """The content of a JSON file."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise FileError(path, "objects or lists are nested too deeply") from error
    except json.JSONDecodeError as error:
        raise FileError(path, f"is not valid JSON: {error}") from error
    except ValueError as error:
        raise FileError(path, "is not valid JSON: a number has thousands of digits") from error


def refuse_binary(path: Path, raw: bytes, expected: str) -> None:
    """Raise if bytes are not text; UTF-16, which Windows editors write, is identified as such."""
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


def place_of(target: str | Path) -> Path:
    """Where an output goes after all links are followed; refused where no file can be: a loop of links, a pipe, a device."""
    try:
        place = Path(target).resolve()
        kind = place.stat().st_mode
    except FileNotFoundError:
        return place
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: how Python up to 3.12 calls a loop of links
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(
            target, f"cannot be written ({reason.splitlines()[0]})", expected="another name for the output"
        ) from error
    if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
        raise FileError(target, "is a pipe or a device", expected="a file name to write")
    return place


def existing_folder(target: str | Path) -> Path:
    """The folder in which ``target``, or what it links to, is written; a missing one is refused, never created."""
    place = place_of(target)
    for folder in (Path(target).parent, place.parent):
        if folder.is_dir():
            continue
        if folder.exists():
            raise FileError(target, "cannot be written", found=f"{folder} is a file", expected="a folder")
        raise FileError(target, "its folder does not exist", advice=f"create it first: mkdir -p {folder}")
    return place.parent


@contextmanager
def atomic_path(target: str | Path, *, overwrite: bool = True) -> Iterator[Path]:
    """A temporary path beside ``target``, renamed onto it on success and removed on failure.

    If ``target`` is a symbolic link, the file goes where it points and the link stays.
    A disk that is full or fails gives a ``FileError`` and leaves ``target`` as it was.
    """
    target = Path(target)
    folder = existing_folder(target)
    if not overwrite and target.exists():
        raise FileError(target, "the file already exists", advice="use --force to replace it")
    if target.is_dir():
        raise FileError(target, "is a directory", expected="a file name to write")
    with writing(target):
        sweep_orphans(folder)
        handle, name = tempfile.mkstemp(dir=folder, prefix=temporary_prefix(target.stem), suffix=target.suffix)
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            _put_in_place(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)


def _put_in_place(temporary: Path, target: Path) -> None:
    """Rename a finished file onto the place of ``target`` once its bytes are on the disk, with the permissions of new files."""
    umask = os.umask(0)
    os.umask(umask)
    temporary.chmod(0o666 & ~umask)
    _settle(temporary)
    os.replace(temporary, place_of(target))
    PLACED.append(target)


@contextmanager
def writing(target: str | Path) -> Iterator[None]:
    """What the operating system refuses while ``target`` is made becomes a ``FileError`` in one sentence."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error) or type(error).__name__
        raise FileError(target, f"cannot be written ({reason})", advice=UNCHANGED) from error


def _settle(path: Path) -> None:
    """Wait until the bytes are on the disk: a full disk shows here at the latest, and a rename never outruns its content."""
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


#: Unfinished temporary files are removed after this many seconds.
_ORPHAN_SECONDS = 60.0
_ORPHAN = re.compile(r"\..*-(?P<host>[0-9a-f]{4})-(?P<process>[0-9]+)-[a-z0-9_]{8}(\.[^.]*)?")


def _host() -> str:
    return f"{zlib.crc32(platform.node().encode()) & 0xFFFF:04x}"


def temporary_prefix(stem: str) -> str:
    """Prefix of a temporary name that identifies its process and machine."""
    return f".{stem[:80]}-{_host()}-{os.getpid()}-"


def sweep_orphans(folder: Path) -> None:
    """Remove temporary files and folders that a killed process of this machine left in ``folder``; others stay."""
    with os.scandir(folder) as entries:
        for entry in entries:
            match = _ORPHAN.fullmatch(entry.name)
            if match is None or match["host"] != _host() or _alive(int(match["process"])):
                continue
            with contextlib.suppress(OSError):
                if time.time() - entry.stat(follow_symlinks=False).st_mtime < _ORPHAN_SECONDS:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path)
                else:
                    os.unlink(entry.path)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def only_ours(folder: Path) -> bool:
    """Whether nobody but the user and root can put files into a folder; where users have no numbers, always."""
    if not hasattr(os, "getuid"):
        return True
    ours, places = (os.getuid(), 0), [place for place in (folder, folder.parent) if place.exists()]
    owned = all(place.lstat().st_uid in ours and place.stat().st_uid in ours for place in places)
    return owned and not any(place.stat().st_mode & stat.S_IWOTH for place in places)


def keep_inputs(targets: Iterable[str | Path | None], inputs: Iterable[str | Path]) -> None:
    """Check outputs before any work: each has an existing folder and replaces no input and no other output.

    Files are compared by identity, not by path.
    """
    given = [Path(source) for source in inputs if Path(source).is_file()]
    taken: set[Path] = set()
    for target in (Path(t) for t in targets if t):
        existing_folder(target)
        if target.is_file() and any(target.samefile(source) for source in given):
            raise FileError(target, "is the input of this command", expected="another name for the output")
        place = place_of(target)
        if place in taken:
            raise FileError(target, "two outputs have the same file name", expected="a different name for each")
        taken.add(place)


def check_outputs(
    file: str | Path, wanted: Mapping[str, Path], endings: Mapping[str, tuple[str, ...]], *, anywhere: bool = False
) -> None:
    """Check ``[outputs]`` of a TOML file before any work: each name ends as its kind does and stays in the file's folder.

    A file from someone else must not write elsewhere on the disk; ``anywhere`` (``--force``) permits it.
    """
    home = Path(file).resolve().parent
    for kind, path in wanted.items():
        if path.suffix.lower() not in endings[kind]:
            raise CaseError(
                file,
                f"outputs.{kind}",
                "unsupported file extension",
                found=path.name,
                expected=" or ".join(endings[kind]),
            )
        if not anywhere and not place_of(path).is_relative_to(home):
            raise CaseError(
                file,
                f"outputs.{kind}",
                "is outside the folder of the file",
                found=str(path),
                expected=f"a name inside {home}",
                advice="use --force if you trust the file",
            )


def csv_text(name: str) -> str:
    """A name as one cell of a table: on one line, without quotes, and never a spreadsheet formula."""
    text = one_line(" ".join(name.split()).replace('"', "'"))
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def csv_name(name: str) -> str:
    """A column's name in quotes for the first line of a CSV file."""
    return f'"{csv_text(name)}"'


def markdown_name(name: str) -> str:
    """A name as plain text in Markdown, table cells included: nothing in it is markup, HTML or the end of a line."""
    return re.sub(r"([\\`*_{}\[\]<>#!|~&])", r"\\\1", one_line(" ".join(name.split())))


def storable(text: str) -> str:
    """Text that UTF-8 can hold: bytes of a file name that are none become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def write_text(target: str | Path, text: str, *, overwrite: bool = True) -> Path:
    """Write a text file atomically."""
    with atomic_path(target, overwrite=overwrite) as temporary:
        temporary.write_text(storable(text), encoding="utf-8", newline="\n")
    return Path(target)
