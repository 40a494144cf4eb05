"""Where compiled kernels are kept and read from. They are programs: no folder that others can write to is used.

numba keeps them beside the sources, else in the user's cache. Where neither can be written they go to a private temporary folder.
What lies beside the sources is read in every case, so that a read-only installation compiles nothing that it came with.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import re
import stat
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import caching

from tisserand.files import only_ours

_InTree: Any = getattr(caching, "InTreeCacheLocator", None) or caching._InTreeCacheLocator  # the name up to numba 0.60


_PACKAGE = Path(__file__).parent
#: Modules that no compiled code is made of: decorators, caches, errors and files.
_NO_NUMBERS = frozenset({"numerics.py", "kernel_cache.py", "errors.py", "files.py"})
#: An import by name: the module, and the words that are taken from it, which may be modules too.
_IMPORT = re.compile(rb"^from ([\w.]+) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


class _Beside(_InTree):  # type: ignore[misc]
    """The folder beside the sources, to be read only."""

    def ensure_cache_path(self) -> None:
        """It is used as it is."""


class _BesideImpl(caching.FunctionCache._impl_class):  # type: ignore[misc]
    _locator_classes = (_Beside,)


class _ReadOnly(caching.FunctionCache):  # type: ignore[misc]
    """A cache of which nothing is ever written."""

    _impl_class = _BesideImpl

    def save_overload(self, sig: Any, data: Any) -> None:
        _announce(None)


def keep_on_disk(compiled: Any, function: Callable[..., Any]) -> None:
    """Give a dispatcher the best cache there is: beside the sources, in the user's cache, in a private folder, or read-only."""
    try:
        compiled.enable_caching()
        refused = _can_be_planted(compiled._cache)
    except RuntimeError:  # numba found no folder to write to: installation read-only, home unwritable
        refused = True
    private = refused and _private_folder()
    if private:
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, private
        try:
            compiled.enable_caching()
        finally:
            numba.config.CACHE_DIR = before
        _told_on_saving(compiled._cache, private)
    elif refused:
        compiled._cache = _ReadOnly(function)
    _stamp(compiled._cache._cache_file, function)
    _read_beside(compiled._cache, function)
    for word in ("load_overload", "save_overload"):
        setattr(compiled._cache, word, _or_none(getattr(compiled._cache, word)))


def _can_be_planted(kept: Any) -> bool:
    """Whether other users could have put kernels there; the folder that ``NUMBA_CACHE_DIR`` names is the user's choice.

    Users who can write to the folder of the sources need no kernels: the folder beside them is refused only if it alone is open.
    """
    folder = Path(kept.cache_path)
    if _is_named(kept):
        return False
    if _is_beside(kept):
        return bool(folder.stat().st_mode & ~folder.parent.stat().st_mode & stat.S_IWOTH)
    return not only_ours(folder)


def _is_beside(kept: Any) -> bool:
    return isinstance(kept._impl.locator, _InTree)


def _is_named(kept: Any) -> bool:
    """Whether the user named the folder."""
    named = numba.config.CACHE_DIR
    return bool(named) and Path(kept.cache_path).is_relative_to(named)


def _read_beside(kept: Any, function: Callable[..., Any]) -> None:
    """What is not in a cache elsewhere is looked for beside the sources; a folder that the user names stands for itself."""
    if isinstance(kept, _ReadOnly):
        kept._cache_file.load = _trusted(kept._cache_file, function)
        return
    if _is_named(kept) or _is_beside(kept) or not os.path.isfile(function.__code__.co_filename):
        return
    shipped = _ReadOnly(function)._cache_file
    _stamp(shipped, function)
    own, there = kept._cache_file.load, _or_none(_trusted(shipped, function))

    def load(key: Any) -> Any:
        found = _or_none(own)(key)
        return there(key) if found is None else found

    kept._cache_file.load = load


def _trusted(shipped: Any, function: Callable[..., Any]) -> Callable[[Any], Any]:
    """Loading of kernels beside the sources from files that only the owner of the sources, root or the user can have written."""
    owners = {Path(function.__code__.co_filename).stat().st_uid, 0, *([os.getuid()] if hasattr(os, "getuid") else [])}

    def written_by_others(path: str) -> bool:
        facts = os.stat(path)
        return hasattr(os, "getuid") and (facts.st_uid not in owners or bool(facts.st_mode & 0o022))

    def load(key: Any) -> Any:
        if written_by_others(shipped._cache_path) or written_by_others(shipped._index_path):
            return None
        name = shipped._load_index().get(key)
        return None if name is None or written_by_others(shipped._data_path(name)) else shipped._load_data(name)

    return load


def _or_none(step: Callable[..., Any]) -> Callable[..., Any]:
    """A step that gives None where its files cannot be read or written."""

    def tried(*args: Any) -> Any:
        try:
            return step(*args)
        except (
            OSError,
            EOFError,
            ValueError,
            LookupError,
            ImportError,
            AttributeError,
            TypeError,
            pickle.UnpicklingError,
        ):
            return None

    return tried


@cache
def _private_folder() -> str | None:
    """A folder for compiled kernels that only this user can write to; None if there is none."""
    folder = Path(tempfile.gettempdir()) / f"tisserand-kernels-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        facts = folder.lstat()
        ours = not hasattr(os, "getuid") or facts.st_uid == os.getuid()
        if stat.S_ISDIR(facts.st_mode) and ours and not facts.st_mode & 0o077 and os.access(folder, os.W_OK):
            return str(folder)
    except OSError:
        pass
    return None


def _told_on_saving(kept: Any, folder: str) -> None:
    """A kernel that is compiled says where it is kept; one that is found is silent."""
    save = kept.save_overload

    def saved(*args: Any) -> None:
        _announce(folder)
        save(*args)

    kept.save_overload = saved


@cache
def _announce(folder: str | None) -> None:
    """One note in the life of a process."""
    note = "tisserand: note: installation and user's cache cannot be written, or others can write to them; "
    if folder is None:
        note += "every run recompiles (set NUMBA_CACHE_DIR to a writable folder)"
    else:
        note += f"compiled code is kept in {folder}"
    logging.getLogger(__name__).warning(note)


def _stamp(index: Any, function: Callable[..., Any]) -> None:
    """Let the stamp of a kernel cover everything its file imports from this package."""
    index._source_stamp = (index._source_stamp, _source_stamp(function.__code__.co_filename))


@cache
def _source_stamp(file: str) -> str:
    """Digest of the sources that a kernel is made of: its file and what that imports from its package, to any depth."""
    sources = [Path(file)]
    digest = hashlib.sha256()
    for path in sources:  # it grows
        text = path.read_bytes() if path.is_file() else b""
        digest.update(path.name.encode() + b"\0" + text)
        sources += [found for found in sorted(_imported(path, text)) if found not in sources]
    return digest.hexdigest()


def _imported(path: Path, text: bytes) -> set[Path]:
    """Files named by the imports of a source: modules of this package, and neighbors by their bare names."""
    found = set()
    for module, words in _IMPORT.findall(text):
        parts = module.decode().split(".")
        names = re.findall(r"\w+", words.decode())
        if parts[0] == _PACKAGE.name:
            base = _PACKAGE.parent.joinpath(*parts)
            found |= {base.with_suffix(".py"), *(base / f"{name}.py" for name in names)}
        else:
            found |= {path.parent / f"{name}.py" for name in (*parts, *names)}
    return {one for one in found if one.is_file() and one.name not in _NO_NUMBERS}
