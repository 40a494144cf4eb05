"""A warm start compiles nothing: everything a common vehicle needs comes from the cache on disk."""

import json
import subprocess
import sys

import pytest

PROGRAM = """
import json
from numba.core.event import install_recorder
with install_recorder("numba:compile") as compiled:
    import tisserand as ts
    bodies = [ts.Body("hub", 100.0, inertia=[20, 25, 30]), ts.Body("panel", 5.0, [1, 0, 0], [1, 1, 2])]
    hinge = ts.hinge("h", "hub", "panel", [0, 0, 1], stiffness=9.0, limits=(-1.0, 1.0))
    vehicle = ts.Vehicle("v", bodies, [hinge], [ts.Rotor("w", "hub", [1, 0, 0], spin_inertia=0.1)])
    law = ts.controllers.attitude_pd("hub", kp=1.0, kd=10.0)
    run = ts.simulate(vehicle, 1.0, ts.State(joints={"h": 0.2}), controllers=[law])
print(json.dumps([run.statistics.steps, [str(event.data) for _, event in compiled.buffer if event.is_start]]))
"""


@pytest.mark.slow
def test_the_second_process_compiles_nothing():
    told = [
        json.loads(subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout)
        for _ in range(2)
    ]
    assert told[1][0] > 0 and told[1][1] == []
