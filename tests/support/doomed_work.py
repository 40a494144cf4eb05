"""Work for executors whose processes die, fail or take their time, as files in a folder tell them."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from tisserand.errors import VehicleError


@dataclass(frozen=True)
class Doomed:
    """Kills its own process the first ``deaths`` times that sample x = 2 is tried; x = 3 fails; every sample takes ``seconds``.

    folder: where a file for every try is left.
    """

    folder: Path
    deaths: int
    seconds: float = 0.0

    def shipped(self):
        return self

    def __call__(self, values, stopped=None):
        x = values["x"]
        time.sleep(self.seconds)
        if x == 2.0:
            tries = len(list(self.folder.glob("try*")))
            (self.folder / f"try{tries}").write_text("")
            if tries < self.deaths:
                os.kill(os.getpid(), signal.SIGKILL)
        if x == 3.0:
            raise VehicleError("three is refused")
        return {"square": x * x}


class Broken:
    """Work that ends the process that opens it."""

    def __getstate__(self):
        return {"opened": False}

    def __setstate__(self, state):
        os._exit(7)
