"""Held decks with a reduction of their own (ASET, QSET, superelements), seen from any frame: the held shapes and a rigid motion.

Oracle: six rigid motions written down from the positions of the nodes, and the mass matrix of the model.
"""

import numpy as np
import pytest
from support.bar_decks import component, condensed, superelement

FRAMES = ("buckens", "tisserand", "node:11")  # a straight bar has no Milne axes


def rigid_motions(model):
    """(d, 6) shifts and small turns about the origin; the models of this file have no node axes."""
    x, node, part = model.nodes.positions, model.dofs.node, model.dofs.component
    out = np.zeros((model.size, 6))
    for c in range(3):
        axis = np.eye(3)[c]
        turn = np.hstack([np.cross(axis, x), np.tile(axis, (len(x), 1))])
        shift = np.hstack([np.tile(axis, (len(x), 1)), np.zeros_like(x)])
        out[:, c], out[:, 3 + c] = shift[node, part], turn[node, part]
    return out


@pytest.mark.parametrize("deck", [condensed, component, superelement], ids=lambda deck: deck.__name__)
def test_a_frame_of_a_held_reduced_deck_moves_its_shapes_rigidly(tmp_path, deck):
    held = deck(tmp_path, count=5)()
    root = held.model.dofs.node == 0
    assert held.frame.name == "connection" and np.abs(held.shapes[root]).max() == 0.0 and held.fixed[root].all()
    S = rigid_motions(held.model)
    for frame in FRAMES:
        seen = deck(tmp_path, count=5, frame=frame)()
        assert seen.frame.name == frame.partition(":")[0] and (seen.fixed == held.fixed).all()
        np.testing.assert_allclose(seen.eigenvalues, held.eigenvalues, rtol=1e-9)
        signs = np.sign(
            np.einsum("ik,ik->k", seen.shapes - S @ np.linalg.lstsq(S[root], seen.shapes[root])[0], held.shapes)
        )
        moved = signs * seen.shapes - held.shapes
        rigid = S @ np.linalg.lstsq(S, moved)[0]
        size = np.abs(held.shapes).max(axis=0)
        assert (np.abs(moved - rigid) <= 1e-9 * size).all() and (np.abs(rigid).max(axis=0) > 1e-3 * size).any()
        if frame.startswith("node"):
            assert (np.abs(seen.shapes[held.model.dofs.node == 10]) <= 1e-9 * size).all()
        else:  # no momentum of deformation, against that of its parts
            momentum = S.T @ (held.model.mass @ seen.shapes)
            most = np.abs(S).T @ (abs(held.model.mass) @ np.abs(seen.shapes))
            assert (np.abs(momentum) <= 1e-10 * most.max(axis=1)[:, None]).all()
