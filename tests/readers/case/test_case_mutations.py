"""Whatever is done to a case file, reading it gives a model or one of our errors in one sentence."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.case_files import PLATE, plate_mesh, write_case

from tisserand.errors import TisserandError
from tisserand.model import StructuralModel
from tisserand.readers.case import model_of_case, read_case

LINES = PLATE.strip().splitlines()
VALUES = [
    "0",
    "-1",
    "1e308",
    "nan",
    "true",
    '""',
    '"x"',
    "[]",
    "{}",
    "[1]",
    "[1, 2, 3]",
    '["a", 1]',
    "[[1]]",
    "1979-05-27",
    "9" * 18,
]


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as name:
        plate_mesh(Path(name))
        yield Path(name)


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_mutated_cases_never_crash(folder, data):
    lines = list(LINES)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        action = data.draw(st.sampled_from(["drop", "value", "swap", "letter", "table"]))
        key, equals, _ = lines[at].partition("=")
        if action == "drop" and len(lines) > 1:
            del lines[at]
        elif action == "value" and equals:
            lines[at] = f"{key}= {data.draw(st.sampled_from(VALUES))}"
        elif action == "swap":
            other = data.draw(st.integers(0, len(lines) - 1))
            lines[at], lines[other] = lines[other], lines[at]
        elif action == "letter" and lines[at]:
            place = data.draw(st.integers(0, len(lines[at]) - 1))
            lines[at] = lines[at][:place] + data.draw(st.sampled_from('abz_1."[]=')) + lines[at][place + 1 :]
        else:
            lines.insert(
                at, data.draw(st.sampled_from(["[mesh]", "[points]", "[[masses]]", "[sections.skin]", "[links.a]"]))
            )
    path = write_case(folder, "\n".join(lines))
    try:
        model = model_of_case(read_case(path))
    except TisserandError as error:
        assert str(error).endswith((".", "?"))
    else:
        assert isinstance(model, StructuralModel)
