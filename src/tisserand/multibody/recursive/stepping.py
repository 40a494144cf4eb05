"""What steppers count and remember between stretches of a run.

Serves the integrators of theory section 5.2.
"""

from __future__ import annotations

import numpy as np

STATISTICS = np.dtype([
    ("steps", np.int64),      # accepted
    ("rejected", np.int64),
    ("calls", np.int64),      # evaluations of the right-hand side
    ("events", np.int64),     # found in this stretch
    ("time", np.float64),     # reached, s
    ("step", np.float64),     # next step, s
    ("smallest", np.float64), # smallest accepted step but the last of a stretch, s
])  # fmt: skip

#: ``ways`` of an event: both (0), rising (1), falling (-1); those that stop the run have this added.
STOPS = 10
