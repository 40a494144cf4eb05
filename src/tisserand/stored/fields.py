"""Data sets and attributes of an HDF5 file by the type that they must have; anything else is refused by name."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from tisserand.errors import RecordError

#: Largest magnitude in a record or run; squares of larger numbers are none.
LARGEST = 1e150
_WORDS = {"c": "complex numbers", "O": "texts", "S": "texts", "U": "texts", "V": "compounds", "b": "truth values"}


def numbers(group: Any, path: str, *, finite: bool = True) -> Any:
    """A data set of real numbers in the precision in which it is stored; ``finite``: NaN and infinity are refused.

    Args:
        group: file or group.
        path: of the data set in it.
    """
    values = _stored(group, path)
    if values.dtype.kind not in "iuf":
        raise _wrong(group, path, "holds no numbers", found=_words(values), expected="real numbers")
    if finite and values.dtype.kind == "f" and not (np.abs(values.astype(float)) <= LARGEST).all():
        if not np.isfinite(values).all():
            raise _wrong(group, path, "contains values that are not finite numbers")
        raise _wrong(group, path, "contains numbers out of range", expected=f"magnitudes up to {LARGEST:.0e}")
    return values[()]


def whole_numbers(group: Any, path: str) -> Any:
    """A data set of whole numbers, as int64.

    Args:
        group: file or group.
        path: of the data set in it.
    """
    values = np.asarray(numbers(group, path))
    whole = values.astype(np.int64) if (np.abs(values) < 2.0**63).all() else None
    if whole is None or (whole != values).any():
        raise _wrong(group, path, "contains values that are not whole numbers")
    return whole


def text(group: Any, path: str) -> str:
    """A data set that is one text.

    Args:
        group: file or group.
        path: of the data set in it.
    """
    values = _stored(group, path)
    if values.dtype.kind not in "OSU" or values.ndim:
        raise _wrong(group, path, "is not a text", found=_words(values))
    return _decoded(group, path, values[()])


def texts(group: Any, path: str) -> tuple[str, ...]:
    """A data set that is a list of texts.

    Args:
        group: file or group.
        path: of the data set in it.
    """
    values = _stored(group, path)
    if values.ndim != 1 or (values.size and values.dtype.kind not in "OSU"):
        raise _wrong(group, path, "is not a list of texts", found=f"{_words(values)}, shape {values.shape}")
    return tuple(_decoded(group, path, value) for value in values)


def json_data(group: Any, path: str, *, finite: bool = True) -> Any:
    """The table that a text in JSON states; ``finite``: NaN and infinity are refused.

    Args:
        group: file or group.
        path: of the data set in it.
    """
    return _json(group, path, text(group, path), dict, finite)


def attribute(item: Any, name: str, kind: type) -> Any:
    """An attribute of one value: ``str``, ``int``, ``bool``, or ``list`` for a list written as JSON.

    Args:
        item: file, group or data set.
        name: of the attribute.
        kind: type of the value.
    """
    if name not in item.attrs:
        raise _wrong(item, name, "is missing", attribute=True)
    value = item.attrs[name]
    if kind in (str, list):
        if not isinstance(value, str | bytes):
            raise _wrong(item, name, "is not a text", attribute=True, found=repr(value)[:40])
        found = _decoded(item, name, value)
        return found if kind is str else _json(item, name, found, list, True)
    array = np.asarray(value)
    if array.size != 1 or array.dtype.kind not in ("iuf" if kind is int else "biuf") or not np.isfinite(array).all():
        raise _wrong(item, name, "is not a number", attribute=True, found=repr(value)[:40])
    number = array.reshape(()).item()
    if kind(number) != number or abs(number) >= 2**63:
        expected = "true or false" if kind is bool else "a whole number"
        raise _wrong(item, name, "has another value", attribute=True, found=number, expected=expected)
    return kind(number)


def attribute_texts(item: Any, name: str) -> list[str]:
    """An attribute that is a list of texts, written as JSON.

    Args:
        item: file, group or data set.
        name: of the attribute.
    """
    found: list[Any] = attribute(item, name, list)
    if strange := [value for value in found if not isinstance(value, str)]:
        raise _wrong(item, name, "is not a list of texts", attribute=True, found=repr(strange[0])[:40])
    return found


def _json(item: Any, name: str, content: str, kind: type, finite: bool) -> Any:
    def refused(word: str) -> Any:
        raise _wrong(item, name, "contains values that are not finite numbers", found=word)

    try:
        found = json.loads(content, parse_constant=refused if finite else None)
    except RecursionError:
        raise _wrong(item, name, "is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise _wrong(item, name, "is not valid JSON", found=str(error)) from error
    except ValueError as error:
        raise _wrong(item, name, "is not valid JSON", found="a number of thousands of digits") from error
    if not isinstance(found, kind):
        raise _wrong(item, name, f"is not a {'table' if kind is dict else 'list'} in JSON")
    return found


def _stored(group: Any, path: str) -> np.ndarray[Any, Any]:
    import h5py

    item = group.get(path)
    if item is None:
        raise _wrong(group, path, "is missing")
    if not isinstance(item, h5py.Dataset):
        raise _wrong(group, path, "is a group", expected="a data set")
    if item.shape is None:
        raise _wrong(group, path, "is empty")
    return np.asarray(item[()])


def _decoded(item: Any, name: str, value: Any) -> str:
    if isinstance(value, str):
        return str(value)
    try:
        return bytes(value).decode("utf-8")
    except (TypeError, ValueError) as error:
        raise _wrong(item, name, "is not a text", found=repr(value)[:40]) from error


def _words(values: np.ndarray[Any, Any]) -> str:
    return _WORDS.get(values.dtype.kind, "numbers")


def _wrong(item: Any, name: str, what: str, *, attribute: bool = False, **facts: object) -> RecordError:
    home = item.name.strip("/")
    place = f"{home}/{name}" if home else name
    return RecordError(
        item.file.filename,
        f"{'attribute ' if attribute else ''}{place} {what}",
        **{"advice": "write it again from its source", **facts},
    )
