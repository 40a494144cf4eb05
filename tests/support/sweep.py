"""A sweep of ``modes`` over many decks: workers that can be stopped, a cache, and causes of refusal.

The outcome of every deck is kept in a file of its own, by the state of the sources, in the folder that TISSERAND_SWEEP_RESULTS
names (default: one of the system's temporary folder): a run that is interrupted goes on where it stopped, and pieces of the
sweep may be run one after the other.

``python tests/support/sweep.py [TEXT...]`` prints the outcome of every deck whose path contains one of the texts.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import tisserand
from support.corpus import shared

#: A deck that takes more processor time is a hang; one that takes this many times as long by the clock is stopped.
LONGEST_S = 60.0
PATIENCE = 6.0
#: Modes asked for where the deck's own program printed none.
FEW = 6


def decks() -> list[dict[str, Any]]:
    """Entries of sweep.json: ``file`` (relative), ``today``, and for some ``freqs_hz``; none where the corpus is absent."""
    folder = shared()
    file = None if folder is None else folder / "corpus" / "sweep" / "sweep.json"
    return json.loads(file.read_text()) if file is not None and file.exists() else []


def folder() -> Path:
    base = shared()
    assert base is not None
    return base / "corpus" / "sweep"


def _stamp() -> str:
    """Of the sources: any change makes every outcome new."""
    root, digest = Path(tisserand.__file__).parent, hashlib.sha256()
    for file in sorted(root.rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def run_deck(file: Path, count: int) -> dict[str, Any]:
    """What ``tisserand modes FILE --units consistent --count N`` gives, in this process."""
    from tisserand.errors import TisserandError
    from tisserand.studies.modes import modes
    from tisserand.studies.options import ModesStudy

    start = time.process_time()
    out: dict[str, Any]
    try:
        result = modes(ModesStudy(model=file, units="consistent", count=count))
        out = {
            "outcome": "modes",
            "hz": result.frequencies_hz.tolist(),
            "rigid": result.rigid_body_modes,
            "mechanisms": result.appendage.mode_kinds.count("mechanism"),
            "exit": result.exit_code,
            "warnings": list(result.warnings),
            "ledger": [[e["card"], e["count"], e["fate"]] for e in result.ledger.get("entries", [])],
        }
    except TisserandError as error:
        out = {"outcome": "refused", "error": type(error).__name__, "message": str(error), "exit": error.exit_code}
        out["mass"] = states_mass(file)
        out["other"] = _OTHER_PHYSICS.search(file.read_bytes()) is not None
    except Exception:
        out = {"outcome": "traceback", "message": traceback.format_exc()}
    seconds = round(time.process_time() - start, 2)
    if seconds > LONGEST_S:
        out = {"outcome": "hang", "message": f"over {LONGEST_S:g} s"}
    return {**out, "seconds": seconds}


def states_mass(file: Path) -> bool:
    """Whether a refused deck states any mass, all its cards taken as they come; True where it cannot be read at all."""
    from tisserand.errors import TisserandError
    from tisserand.studies.source import open_appendage

    try:
        model = open_appendage(file, units="consistent", allow=("all",)).structure
    except TisserandError:
        text = file.read_text(errors="replace").upper()
        if "*NODE" in text:  # CalculiX states mass by these keywords only
            return "*DENSITY" in text or "*MASS" in text
        return _states_mass_in_cards(file)
    assert model is not None
    dense = any(getattr(material, "density", 0.0) > 0.0 for material in model.materials)
    return dense or any(block.facts.shape == "body" or "mass" in block.family for block in model.elements)


#: Elements of fluids, heat and axisymmetric bodies.
_OTHER_PHYSICS = re.compile(
    rb"(?im)^(CTRIAX|CQUADX|CTRAX|CTRAPRG|CTRIARG|CTORDRG|CTRAPAX|CTRIAAX|CCONEAX|CONEAX|CHBDY|CFLUID|CAXIF|CSLOT|CFHEX|CFTETRA)"
    rb"|^\*ELEMENT.*TYPE *= *(CAX|SAX|MAX|DC|F3D|AC|DCAX)"
)
#: Place of the density among the data fields of a material card.
_DENSITY = {"MAT1": 4, "MAT2": 7, "MAT8": 7, "MAT9": 22, "MAT11": 10, "MATHP": 4}


def _states_mass_in_cards(file: Path) -> bool:
    """Whether a Nastran deck that cannot be read has a density or a mass element; True where its cards cannot be told apart."""
    from tisserand.errors import TisserandError
    from tisserand.readers.nastran.control import split_sections
    from tisserand.readers.nastran.deck_text import load
    from tisserand.readers.nastran.scan import scan

    try:
        source = load(file)
        bulks = [scan(source, section.text, section.first) for section in split_sections(source)[1]]
    except TisserandError:
        return True
    masses = ("CONM1", "CONM2", "CMASS1", "CMASS2", "CMASS3", "CMASS4", "NSM", "NSM1", "NSML", "NSML1")
    for bulk in bulks:
        if any(bulk.has(card) for card in masses):
            return True
        for card, place in _DENSITY.items():
            if any(row.text(place) and row.real(place) > 0.0 for row in bulk.rows(card)):
                return True
    return False


def complete(outcome: dict[str, Any]) -> bool:
    """Every card it refers to is there, it has stiffness and mass, and neither fluid, heat nor axisymmetric elements.

    Mass and elements of other physics by the deck's own cards; that cards are missing, or that there is no stiffness, by the
    stated cause of a refusal. Decks that move as rigid bodies only, plane elements and every preload count as complete.
    """
    from support.sweep_causes import cause_of

    return outcome["outcome"] != "refused" or (
        outcome["mass"] and not outcome["other"] and cause_of(outcome["message"])[1]
    )


def _work(pipe: Connection) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    while (job := pipe.recv()) is not None:
        pipe.send(run_deck(*job))


class _Worker:
    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_work, args=(other,), daemon=True)
        self.process.start()
        self.job: int | None = None
        self.since = 0.0

    def give(self, number: int, job: tuple[Path, int]) -> None:
        self.job, self.since = number, time.monotonic()
        self.pipe.send(job)

    def stop(self) -> None:
        self.process.kill()
        self.process.join()


def sweep(jobs: Sequence[tuple[Path, int]], workers: int = 2, longest: float = LONGEST_S) -> list[dict[str, Any]]:
    """Outcomes of (file, count) in order; a worker that is late or dies is replaced, and its deck is a hang or a crash."""
    kept = os.environ.get("TISSERAND_SWEEP_RESULTS") or Path(tempfile.gettempdir()) / f"tisserand-sweep-{os.getuid()}"
    cache = Path(kept) / _stamp()
    cache.mkdir(parents=True, exist_ok=True)
    keys = [cache / hashlib.sha256(f"{file}|{count}|".encode() + file.read_bytes()).hexdigest() for file, count in jobs]
    found = [json.loads(key.read_text()) if key.exists() else None for key in keys]
    queue = [i for i in range(len(jobs)) if found[i] is None][::-1]
    crew: list[_Worker] = []

    def settle(number: int, outcome: dict[str, Any]) -> None:
        found[number] = outcome
        keys[number].write_text(json.dumps(outcome))

    while queue or any(worker.job is not None for worker in crew):
        while queue and len(crew) < workers:
            crew.append(_Worker())
        for worker in crew:
            if worker.job is None and queue:
                number = queue.pop()
                worker.give(number, jobs[number])
        busy = {worker.pipe: worker for worker in crew if worker.job is not None}
        for pipe in wait(list(busy), timeout=1.0):
            worker = busy[pipe]
            try:
                settle(worker.job, pipe.recv())
                worker.job = None
            except EOFError:
                settle(worker.job, {"outcome": "traceback", "message": "the process died", "seconds": 0.0})
                worker.stop()
                crew.remove(worker)
        for worker in list(crew):
            if worker.job is not None and time.monotonic() - worker.since > PATIENCE * longest:
                settle(worker.job, {"outcome": "hang", "message": f"over {longest:g} s", "seconds": longest})
                worker.stop()
                crew.remove(worker)
    for worker in crew:
        worker.stop()
    return found


def run(entries: Iterable[dict[str, Any]]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """(entry, outcome) of entries of sweep.json."""
    entries = list(entries)
    jobs = [(folder() / e["file"], max(FEW, len(e.get("freqs_hz", ())))) for e in entries]
    return list(zip(entries, sweep(jobs)))


def brief(message: str) -> str:
    """A message without paths and numbers, for grouping."""
    text = re.sub(r"^\S*/\S+?(, line \d+)?: ", "", message.strip().splitlines()[-1])
    return re.sub(r"\d+(\.\d+)?(e[+-]?\d+)?", "N", text)[:100]


if __name__ == "__main__":
    wanted = [e for e in decks() if not sys.argv[1:] or any(text in e["file"] for text in sys.argv[1:])]
    outcomes = run(wanted)
    for entry, outcome in outcomes:
        tail = outcome["message"].strip().splitlines()[-1] if outcome["outcome"] != "modes" else outcome["hz"][:4]
        print(f"{outcome['outcome']:10s}{outcome['seconds']:6.1f} {entry['file']} | {tail}")
    print(Counter(outcome["outcome"] for _, outcome in outcomes))
    for text, number in Counter(brief(o["message"]) for _, o in outcomes if o["outcome"] != "modes").most_common():
        print(number, text)
