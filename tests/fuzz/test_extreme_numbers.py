"""Every number of vehicle and case files, replaced in turn by numbers that nothing has: a result or one sentence, each time."""

import json
import os
from pathlib import Path

import pytest
from fuzz.campaign import Worker
from support.appendages import random_bodies
from support.case_files import cube_mesh, plate_mesh
from support.extremes import CASES, CSV, DECKS, VALUES, VEHICLES, changed, numbers, numeric_keys, stated_keys, text_of

from tisserand.appendage import save_record
from tisserand.declarations import declared
from tisserand.multibody.vehicle_file.whole_file import VehicleFile
from tisserand.readers.case.case_file import CaseFile

FILES = {"flight": (VehicleFile, VEHICLES), "solution": (CaseFile, CASES)}


@pytest.fixture
def home(tmp_path):
    plate_mesh(tmp_path)
    cube_mesh(tmp_path)
    save_record(random_bodies(0), tmp_path / "wing.h5")
    (tmp_path / "table.csv").write_text(CSV)
    for name, text in DECKS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture(scope="module")
def ask():
    """One process for all files, as long as it lives and answers."""
    workers = [Worker()]

    def asked(kind: str, path: Path, text: str) -> dict:
        path.write_text(text)
        said = workers[-1].ask(kind, path)
        if said["outcome"] in ("died", "hung"):
            workers[-1].stop()
            workers.append(Worker())
        return said

    yield asked
    workers[-1].stop()


@pytest.mark.parametrize("kind", FILES)
def test_the_files_state_every_number_that_can_be_stated(kind):
    table, files = FILES[kind]
    stated = {key for name, data in files.items() for key in stated_keys(declared(table, data, Path(name)))}
    assert numeric_keys(table) - stated == set(), "state these numbers in a file of tests/support/extremes.py"


@pytest.mark.fuzz
@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, (_, files) in FILES.items() for name in files])
def test_a_number_that_nothing_has_gives_a_result_or_one_sentence(home, ask, kind, name):
    data, bad, tried = FILES[kind][1][name], [], 0
    said = ask(kind, home / "extreme.toml", text_of(data))
    assert said["outcome"] == "read", f"the file itself: {said}"
    for place in numbers(data):
        for value in VALUES:
            said, tried = ask(kind, home / "extreme.toml", text_of(changed(data, place, value))), tried + 1
            if said["outcome"] not in ("read", "refused"):
                bad.append(f"{'.'.join(map(str, place))} = {str(value)[:12]}: {said['outcome']} {said['error']}")
    if keep := os.environ.get("TISSERAND_FUZZ_KEEP"):
        Path(keep).mkdir(parents=True, exist_ok=True)
        (Path(keep) / f"{kind}-{name}.json").write_text(json.dumps(bad, indent=1))
    assert tried == len(VALUES) * len(list(numbers(data)))
    assert bad == [], "\n".join(bad)
