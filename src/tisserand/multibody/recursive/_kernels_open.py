# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""The tables of a model and of its workspace, opened inside a kernel.

Serves theory section 5.2.
"""

from __future__ import annotations

from tisserand.multibody.recursive.engine_model import (
    BLOCK,
    BODY,
    HEAD,
    LOAD,
    NODE,
    PROFILE,
    ROTOR,
    SIGNAL,
    TURNING,
    Model,
)
from tisserand.multibody.recursive.helper import helper
from tisserand.multibody.recursive.table_views import part, records_view, table
from tisserand.multibody.recursive.workspace import BODY_WORK, NODE_WORK, RESULT_SIZE, RESULTS, Workspace, twin

_heads, _bodies, _blocks, _nodes = (records_view(one) for one in (HEAD, BODY, BLOCK, NODE))
_turning, _rotors, _profiles, _loads, _signals = (records_view(one) for one in (TURNING, ROTOR, PROFILE, LOAD, SIGNAL))


@helper
def open_model(M):
    """The tables inside the buffer M."""
    heads = _heads(M, 0, 1)
    h = heads[0]
    return Model(
        heads,
        _bodies(M, h.bodies_at, h.bodies),
        _blocks(M, h.blocks_at, h.blocks),
        _nodes(M, h.nodes_at, h.nodes),
        _turning(M, h.turning_at, h.turning),
        _rotors(M, h.rotors_at, h.rotors),
        _profiles(M, h.profiles_at, h.profiles),
        _loads(M, h.loads_at, h.loads),
        _signals(M, h.signals_at, h.signals),
    )


_open_results, _open_bodies, _open_nodes = (records_view(one, twin(one)) for one in (RESULTS, BODY_WORK, NODE_WORK))


@helper
def open_workspace(h, W):
    """The tables inside the buffer W of a model with head ``h``."""
    return Workspace(
        _open_results(W, 0, 1),
        _open_bodies(W, RESULT_SIZE, h.bodies),
        _open_nodes(W, h.work_nodes, h.nodes),
        table(W, h.work_rows, h.modes, 6),
        table(W, h.work_solved, h.modes, 7),
        part(W, h.work_modal, h.modes),
        part(W, h.work_bias, h.modes),
        table(W, h.work_stretch, h.modes, 6),
        part(W, h.work_mass, h.mass_size),
        table(W, h.work_columns, h.column_count, 6),
        part(W, h.work_signals, h.signals),
        part(W, h.work_commands, h.commands),
        part(W, h.work_strengths, h.loads),
        part(W, h.work_scratch, h.scratch),
    )
