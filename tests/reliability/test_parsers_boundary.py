"""What a file causes is called damage; what the program gets wrong is not hidden behind that word."""

import json

import pytest

from tisserand.errors import FileError, ModelError, RecordError
from tisserand.stored import parsing


@pytest.mark.parametrize(
    "wrong", [ValueError("x"), KeyError("x"), EOFError(), OverflowError(), TypeError(), OSError(5, "x")]
)
def test_content_that_cannot_be_decoded_is_damage(tmp_path, wrong):
    with pytest.raises(RecordError, match="cannot be read") as caught, parsing(tmp_path, "cannot be read", RecordError):
        raise wrong
    assert caught.value.__cause__ is wrong and str(tmp_path) in str(caught.value)


def test_what_a_library_raises_is_damage_whatever_its_kind(tmp_path):
    with pytest.raises(FileError, match="nested"), parsing(tmp_path, "nested"):
        json.loads("[" * 200_000)  # RecursionError inside json


@pytest.mark.parametrize("mistake", ["None.missing", "assert False", "undefined_name", "raise NotImplementedError"])
def test_a_mistake_of_ours_passes(tmp_path, mistake):
    ours = compile(mistake, "decoder", "exec")
    with pytest.raises((AttributeError, AssertionError, NameError, NotImplementedError)), parsing(tmp_path, "damaged"):
        exec(ours, {"__name__": "tisserand.readers.decoder"})


def test_errors_of_ours_keep_their_kind(tmp_path):
    with pytest.raises(ModelError), parsing(tmp_path, "damaged"):
        raise ModelError("two elements of one id")
