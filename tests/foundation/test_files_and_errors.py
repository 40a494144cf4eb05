"""Errors are one sentence with facts; files are written whole or not at all."""

import pytest

from tisserand.errors import CaseError, CheckFailedError, FileError, ReadError, SolverError, TisserandError
from tisserand.files import atomic_path, existing_file, text_of, write_text


def test_a_read_error_names_file_line_card_and_field():
    facts = {"found": "abc", "expected": "a coordinate", "advice": "mend it"}
    error = ReadError("wing.bdf", 12, "not a number", card="GRID", field=4, **facts)
    assert str(error) == "wing.bdf, line 12: GRID field 4: not a number; found abc, expected a coordinate; mend it."
    assert error.facts()["where"] == "wing.bdf, line 12"


def test_exit_codes_follow_the_hierarchy():
    assert [e.exit_code for e in (TisserandError, CaseError, FileError, CheckFailedError, SolverError)] == [
        2,
        2,
        2,
        1,
        3,
    ]


@pytest.mark.parametrize("kind", ["missing", "directory", "empty", "binary"])
def test_files_that_cannot_be_read_are_named(kind, tmp_path):
    path = tmp_path / "deck.bdf"
    if kind == "directory":
        path.mkdir()
    elif kind == "empty":
        path.touch()
    elif kind == "binary":
        path.write_bytes(b"\x00\x01" * 50)
    with pytest.raises(FileError, match=r"deck\.bdf: "):
        text_of(path)


def test_a_failed_write_leaves_nothing_and_keeps_the_old_file(tmp_path):
    target = tmp_path / "out.txt"
    write_text(target, "old")
    with pytest.raises(RuntimeError), atomic_path(target) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["out.txt"]
    with pytest.raises(FileError, match="'force'"):
        write_text(target, "new", overwrite=False)
    assert existing_file(target) == target


def test_a_folder_that_cannot_exist_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(FileError, match="cannot be written"):
        write_text(tmp_path / "file" / "inside.txt", "x")
