"""Numbers by the column carry the bits that Python's float gives (IEEE 754 correctly rounded)."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tisserand.readers.nastran import numbers

ALPHABET = "0123456789+-.eEdD nax"


def column(texts, width):
    joined = "".join(text[:width].ljust(width) for text in texts).encode("latin-1")
    return np.frombuffer(joined, np.uint8).reshape(len(texts), 1, width)


def as_float(text):
    """Nastran's notation turned into Python's, or None."""
    text = text.strip()
    body = text[1:] if text[:1] in "+-" else text
    if not body or set(body) - set("0123456789.+-eEdD"):
        return None
    body = body.replace("d", "e").replace("D", "e").replace("E", "e")
    if "e" not in body:
        for sign in "+-":
            body = body.replace(sign, "e" + sign)
    try:
        value = float(body)
    except ValueError:
        return None
    return -value if text.startswith("-") else value


reals = st.floats(allow_nan=False, allow_infinity=False).flatmap(
    lambda x: st.sampled_from(
        [f"{x:.6e}", f"{x:.10E}", f"{x:.3e}".replace("e", "D"), f"{x:.9e}".replace("e", ""), f"{x:.4g}"]
    )
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(reals, st.text(ALPHABET, max_size=16)), min_size=1, max_size=40))
def test_every_road_reads_the_same_bits(texts):
    """Single fields, numpy columns and compiled columns against float."""
    chars = column(texts, 16)
    many = np.repeat(chars, -(-numbers.SMALLEST_COMPILED // len(chars)), axis=0)
    by_columns, kinds = numbers.reals_by_columns(chars[:, 0])
    compiled, compiled_kinds = numbers.reals(many, 0)
    step = len(many) // len(chars)
    whole, whole_kinds = numbers.integers_by_columns(chars[:, 0])
    whole_compiled, whole_compiled_kinds = numbers.integers(many, 0)
    for i, text in enumerate(t[:16] for t in texts):
        stripped = text.strip(" ").encode("latin-1")
        single = numbers.real_of(stripped)
        expected = as_float(text.strip(" "))
        assert (single is None) == (expected is None)
        assert kinds[i] == compiled_kinds[i * step] == numbers.kind_of(stripped)
        if expected is not None:
            assert float(single).hex() == float(expected).hex()
            assert float(by_columns[i]).hex() == float(compiled[i * step]).hex() == float(expected).hex()
        number = numbers.integer_of(stripped)
        assert whole_kinds[i] == whole_compiled_kinds[i * step]
        assert (whole_kinds[i] == numbers.INTEGER) == (number is not None and len(stripped.strip(b"+-")) <= 18)
        if number is not None:
            assert whole[i] == whole_compiled[i * step] == number


def test_written_reals_are_the_closest_that_sixteen_columns_hold():
    """The writer's text has at most 16 columns and reads back within 5e-10 (12 digits and more for usual numbers)."""
    from tisserand.exporters.bdf_format import number, real

    generator = np.random.default_rng(3)
    values = np.concatenate(
        [
            generator.normal(size=2000) * 10.0 ** generator.integers(-30, 30, 2000),
            [1.0, -1.0, 0.1, 1e-300, -2.5e300, 1 / 3],
        ]
    )
    for value in values.tolist():
        text = real(value)
        assert len(text) <= 16
        assert numbers.real_of(text.encode()) == number(text)
        limit = 5e-12 if 1e-9 < abs(value) < 1e9 else 5e-10
        assert abs(number(text) / value - 1.0) < limit
