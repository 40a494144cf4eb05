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
    except Exception:
        out = {"outcome": "traceback", "message": traceback.format_exc()}
    seconds = round(time.process_time() - start, 2)
    if seconds > LONGEST_S:
        out = {"outcome": "hang", "message": f"over {LONGEST_S:g} s"}
    return {**out, "seconds": seconds}


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
