"""What happens to files on their way: bytes flip, pieces are lost, doubled or moved, numbers become absurd."""

import contextlib
import random
import re

import h5py
import numpy as np

NASTY = [
    b"", b"0", b"-1", b"1e308", b"-1e308", b"1e-320", b"nan", b"inf", b"-inf", b"9" * 20, b"9" * 400, b"999999999", b"-999999999",
    b"1.0.0", b"+", b"-", b"*", b"=", b"==", b"*(1)", b"=(9999999)", b"$", b"'", b'"', b"[", b"]" * 50, b"[" * 3000, b"{", b"}",
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n\n", b"\t", b"%s%n", b"THRU", b"BY", b"INCLUDE 'x'", b"*INCLUDE, INPUT=x",
    b"GENERATE", b"[/bold]", b"\x1b[31m", b"2J", b"1d5", b"1+5", b"true", b"[[a]]", b"{a=1}", b"\xe2\x80\xae",
    b"../../etc/passwd",
]  # fmt: skip
_NUMBER = re.compile(rb"[-+]?\d+\.?\d*(?:[eEdD][-+]?\d+)?")


def mutated(data: bytes, rng: random.Random, *, text: bool) -> bytes:
    """A copy of ``data`` with one to a few dozen changes."""
    for _ in range(rng.choice([1, 1, 1, 2, 3, 5, 10, 30])):
        change = rng.choice(_TEXT_CHANGES if text and rng.random() < 0.8 else _BYTE_CHANGES)
        data = change(data, rng)
        if not data:
            return b"\n"
    return data


def _flip(data, rng):
    at = rng.randrange(len(data))
    return data[:at] + bytes([rng.choice([rng.randrange(256), 0, 255, 127, 128])]) + data[at + 1 :]


def _bit(data, rng):
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _word(data, rng):
    at, size = rng.randrange(len(data)), rng.choice([2, 4, 8])
    value = rng.choice([0, 1, 2 ** (8 * size) - 1, 2 ** (8 * size - 1), rng.randrange(2 ** (8 * size))])
    return data[:at] + value.to_bytes(size, rng.choice(["little", "big"])) + data[at + size :]


def _cut(data, rng):
    return data[: rng.randrange(len(data))]


def _lose(data, rng):
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.choice([1, 2, 8, 64, 512]) :]


def _double(data, rng):
    at, size = rng.randrange(len(data)), rng.choice([1, 8, 64, 512])
    return data[: at + size] + data[at:]


def _copy(data, rng):
    a, b, size = rng.randrange(len(data)), rng.randrange(len(data)), rng.choice([4, 16, 64])
    return data[:a] + data[b : b + size] + data[a + size :]


def _nasty(data, rng):
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(NASTY) + data[at:]


def _number(data, rng):
    found = list(_NUMBER.finditer(data))
    if not found:
        return _flip(data, rng)
    match = rng.choice(found)
    return data[: match.start()] + rng.choice(NASTY[:20]) + data[match.end() :]


def _line(data, rng):
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    act = rng.choice(["lose", "double", "swap", "join", "blank"])
    if act == "lose":
        del lines[at]
    elif act == "double":
        lines[at:at] = [lines[at]] * rng.choice([1, 2, 50])
    elif act == "swap":
        other = rng.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif act == "join" and at + 1 < len(lines):
        lines[at : at + 2] = [lines[at] + lines[at + 1]]
    else:
        lines[at] = b""
    return b"\n".join(lines)


def _field(data, rng):
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    mark = b"," if b"," in lines[at] else b" "
    parts = lines[at].split(mark)
    parts[rng.randrange(len(parts))] = rng.choice([*NASTY, rng.choice(parts)])
    lines[at] = mark.join(parts)
    return b"\n".join(lines)


def _letter_case(data, rng):
    return rng.choice([data.upper(), data.lower(), data.swapcase()])


_BYTE_CHANGES = (_flip, _bit, _word, _cut, _lose, _double, _copy, _nasty)
_TEXT_CHANGES = (_number, _number, _line, _line, _field, _field, _nasty, _flip, _cut, _letter_case)


def mutate_hdf5(path, rng: random.Random) -> None:
    """Change the content of an HDF5 file by its own rules: shapes, types, values, names, attributes."""
    with h5py.File(path, "r+") as file:
        if rng.random() < 0.8:  # without its digest, the content must be judged by itself
            file.attrs.pop("content_sha256", None)
        places: list[str] = []
        file.visit(places.append)
        for _ in range(rng.choice([1, 1, 2, 4])):
            name = rng.choice(["/", *places])
            if name != "/" and name not in file:
                continue
            item = file[name]
            if rng.random() < 0.3 and len(item.attrs):
                key = rng.choice(sorted(item.attrs))
                item.attrs[key] = rng.choice(
                    [0, -1, 99, 1.5, float("nan"), "", "words", "{}", "[1, [2]]", b"\xff", [1, 2]]
                )
            elif isinstance(item, h5py.Dataset):
                _mutate_dataset(file, name, rng)
            elif name != "/" and rng.random() < 0.5:
                del file[name]


def _mutate_dataset(file, name, rng):
    """One data set; whatever HDF5 or NumPy cannot express is left as it came out."""
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        _change_dataset(file, name, rng)


def _change_dataset(file, name, rng):
    if (file[name].size or 0) > 10**6:  # made huge before
        return
    value, attrs = file[name][()], dict(file[name].attrs)
    act = rng.choice(["value", "value", "shape", "type", "lose", "empty", "huge"])
    del file[name]
    if act == "lose":
        return
    if isinstance(value, bytes | str) or getattr(value, "dtype", np.dtype(float)).kind in "OS":
        value = rng.choice(["", "{", "{}", "[]", "null", "[" * 9999, '{"a": 1e999}', 5, [1.0]])
    elif act == "value":
        value = np.array(value)
        if value.size:
            flat = value.reshape(-1)
            bad = [float("nan"), float("inf"), -1e30, 0.0, -5.0] if value.dtype.kind == "f" else [-1, 10**9]
            flat[rng.randrange(flat.size)] = rng.choice(bad)
    elif act == "shape":
        value = rng.choice(
            [np.ravel(value), np.atleast_2d(value)[..., :-1], np.stack([value, value]), np.zeros((0, 3))]
        )
    elif act == "type":
        value = rng.choice(
            [np.asarray(value).astype("S8"), "text", np.asarray(value, complex), np.asarray(value).astype(bool)]
        )
    elif act == "empty":
        value = h5py.Empty("f8")
    if act == "huge":
        made = file.create_dataset(name, shape=(10**6, 10**5), chunks=(1000, 1000), dtype="f8")
    else:
        made = file.create_dataset(name, data=value)
    for key, item in attrs.items():
        made.attrs[key] = item
