"""Sets of nodes and elements as words: what is written is what is read, and a record keeps those of its deck."""

import numpy as np
import pytest
from support.mesh_scripts import MESHES

from tisserand.appendage.record.named_sets import members, pairs_of, ranges_of
from tisserand.studies.modes import modes


@pytest.mark.parametrize(
    ("ids", "text"), [([], ""), ([7], "7"), ([3, 1, 2, 2], "1-3"), ([1, 2, 5, 9, 10], "1-2, 5, 9-10")]
)
def test_runs_of_neighbors_are_ranges(ids, text):
    assert ranges_of(np.array(ids)) == text
    every = np.arange(0, 12)
    assert every[members(text, every)].tolist() == sorted(set(ids))
    assert len(pairs_of(text)) == (text.count(",") + 1 if text else 0)


def test_a_record_keeps_the_elements_of_every_property():
    record = modes(MESHES / "boom.bdf", units="SI", count=2).appendage
    kept = record.reports["sets"]["elements"]
    assert kept and all(members(text, record.topology.line_ids).any() for text in kept.values())
    counted = sum(members(text, record.topology.line_ids).sum() for text in kept.values())
    assert counted == len(record.topology.lines)
