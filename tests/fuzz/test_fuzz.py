"""Whatever becomes of a file, reading it ends in its content or in one sentence of ours.

pytest -m fuzz tests/fuzz                                  60 s, as continuous integration runs it
TISSERAND_FUZZ_INPUTS=50000 pytest -m fuzz tests/fuzz      a fixed number of files instead
TISSERAND_FUZZ_SEED=7                                      another campaign; the default is always the same
TISSERAND_FUZZ_KEEP=folder                                 keep the files that fail
"""

import os
from pathlib import Path

import pytest
from fuzz.campaign import Campaign
from fuzz.seeds import make_seeds


@pytest.mark.fuzz
def test_no_file_leaks_an_exception_dies_hangs_or_takes_memory(tmp_path):
    inputs = os.environ.get("TISSERAND_FUZZ_INPUTS")
    keep = os.environ.get("TISSERAND_FUZZ_KEEP")
    campaign = Campaign(
        make_seeds(tmp_path / "seeds", wide=bool(inputs)),
        tmp_path,
        int(os.environ.get("TISSERAND_FUZZ_SEED", "0")),
        Path(keep) if keep else None,
    )
    if inputs:
        campaign.run(inputs=int(inputs))
    else:
        campaign.run(seconds=float(os.environ.get("TISSERAND_FUZZ_SECONDS", "60")))
    print(f"\n{dict((k, v) for k, v in campaign.outcomes.items() if ':' not in k)}")
    assert campaign.outcomes["refused"] > 0 and campaign.outcomes["read"] > 0
    assert not campaign.failures, "\n".join(f"{name}: {where}" for name, where in campaign.failures.items())
