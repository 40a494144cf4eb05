"""A campaign: seeds, mutations, a worker that is watched, and the list of what went wrong."""

import json
import os
import random
import select
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from fuzz.mutate import mutate_hdf5, mutated
from fuzz.seeds import Seed

#: A file that takes longer than this to read or refuse, s, hangs.
PATIENCE = 20.0
#: What a file of at most a hundred kilobytes may add to the memory of the process, MiB (docs/reliability.md).
MEMORY = 512


class Worker:
    """The child process, started anew after it dies or hangs."""

    def __init__(self) -> None:
        env = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONFAULTHANDLER": "0"}
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("worker.py"))], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=env,
        )  # fmt: skip
        self.peak = 0
        self.warm = False

    def ask(self, kind: str, path: Path) -> dict:
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(f"{kind} {path}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            return {"outcome": "died", "error": f"code {self.process.wait()}", "place": kind}
        patience = PATIENCE if self.warm else 6 * PATIENCE  # the first file waits for imports and kernels
        started, spent, held = time.monotonic(), self.seconds(), self.resident()
        while not select.select([self.process.stdout], [], [], 0.1)[0]:
            # no limit of ours on the child: a library that runs into one would be taken for a reader that refuses
            if self.warm and self.resident() - held > 2 * MEMORY:
                return {"outcome": "greedy", "error": f"more than {2 * MEMORY} MiB", "place": kind}
            # on a busy machine a file waits for its turn: its own processor time decides, or thirty times the wait
            if self.seconds() - spent > patience or time.monotonic() - started > 30 * patience:
                return {"outcome": "hung", "error": f"{patience:g} s", "place": kind}
        line = self.process.stdout.readline()
        if not line:
            return {"outcome": "died", "error": f"code {self.process.wait()}", "place": kind}
        self.warm = True
        return json.loads(line)

    def seconds(self) -> float:
        """Processor time of the child so far; the time of day where the system does not say."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return time.monotonic()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident(self) -> int:
        """Memory of the child now, MiB; 0 where the system does not say."""
        try:
            pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        except (OSError, IndexError):
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE") >> 20

    def stop(self) -> None:
        self.process.kill()
        self.process.communicate()


@dataclass
class Campaign:
    """Runs mutated seeds in turn; ``failures`` maps what went wrong to the first file that shows it."""

    seeds: list[Seed]
    folder: Path
    seed: int = 0
    keep: Path | None = None
    outcomes: Counter = field(default_factory=Counter)
    failures: dict[str, str] = field(default_factory=dict)
    times: Counter = field(default_factory=Counter)

    def run(self, *, seconds: float | None = None, inputs: int | None = None) -> None:
        worker = Worker()
        end = time.monotonic() + seconds if seconds is not None else float("inf")
        try:
            for seed in self.seeds:  # the sound files first: they must be read
                said = self._judge(worker, seed, seed.path, -1)
                if said["outcome"] != "read" and (seed.sound or said["outcome"] != "refused"):
                    self.failures[f"the seed {seed} is not read: {said}"] = str(seed.path)
                if said["outcome"] in ("hung", "died", "greedy"):  # its answer could still come, for the next file
                    worker.stop()
                    worker = Worker()
            worker.peak = 0
            number = 0
            while (inputs is None or number < inputs) and time.monotonic() < end:
                seed = self.seeds[number % len(self.seeds)]
                if worker.process.poll() is not None:
                    worker = Worker()
                path = self.mutant(seed, number)
                said = self._judge(worker, seed, path, number)
                if said["outcome"] in ("hung", "died", "greedy"):
                    worker.stop()
                    worker = Worker()
                number += 1
        finally:
            worker.stop()

    def mutant(self, seed: Seed, number: int) -> Path:
        """The same mutant for the same campaign seed and number, whatever ran before."""
        rng = random.Random(f"{self.seed}/{seed}/{number}")
        home = self.folder / "mutant"
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(seed.path.parent, home)
        path = home / seed.path.name
        victims = [path, path, path, *(p for p in sorted(home.iterdir()) if p.name not in ("start.msh",))]
        victim = rng.choice(victims)
        if victim.suffix == ".h5" and rng.random() < 0.5:
            mutate_hdf5(victim, rng)
        else:
            victim.write_bytes(mutated(victim.read_bytes(), rng, text=Seed("", victim).text))
        return path

    def _judge(self, worker: Worker, seed: Seed, path: Path, number: int) -> dict:
        started = time.monotonic()
        said = worker.ask(seed.kind, path)
        self.times[str(seed)] += time.monotonic() - started
        outcome = said["outcome"]
        self.outcomes[outcome] += 1
        self.outcomes[f"{seed}: {outcome}"] += 1
        growth = said.get("peak", 0) - (worker.peak or said.get("peak", 0))
        worker.peak = max(worker.peak, said.get("peak", 0))
        if number >= 0 and growth > MEMORY:
            outcome, said = "greedy", {"error": f"{growth} MiB", "place": str(seed), "outcome": "greedy"}
        if outcome in ("leaked", "hung", "died", "greedy"):
            head = said["error"].split(":")[0]
            name = f"{outcome} {head} at {said['place']} ({seed})"
            if name not in self.failures:
                self.failures[name] = f"number {number}: {said['error']}"
                if self.keep is not None:
                    shutil.copytree(path.parent, self.keep / f"{len(self.failures):03d}-{number}", dirs_exist_ok=True)
        return said
