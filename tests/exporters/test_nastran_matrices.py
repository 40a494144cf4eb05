"""OP4 and DMIG are read by pyYeti."""

import numpy as np
import pytest
from support.appendages import random_bodies

from tisserand.exporters.nastran_matrices import reduced_matrices
from tisserand.exporters.registry import export_appendage


def test_op4_is_read_by_pyyeti_to_the_last_digit(tmp_path):
    op4 = pytest.importorskip("pyyeti.nastran.op4")
    appendage = random_bodies(7)
    export_appendage(appendage, "op4", tmp_path / "a.op4")
    found = op4.load(str(tmp_path / "a.op4"), into="dct")
    for name, meant in reduced_matrices(appendage).items():
        assert np.array_equal(found[name.lower()][0], meant)


def test_dmig_is_read_by_pyyeti(tmp_path):
    bulk = pytest.importorskip("pyyeti.nastran.bulk")
    appendage = random_bodies(8)
    export_appendage(appendage, "dmig", tmp_path / "a.pch")
    found = bulk.rddmig(str(tmp_path / "a.pch"))
    for name in ("MAAX", "KAAX"):
        frame = found[name.lower()]
        values = np.asarray(frame)
        meant = reduced_matrices(appendage)[name]
        used = np.flatnonzero(np.abs(meant).max(axis=0) > 0)
        assert values == pytest.approx(meant[np.ix_(used, used)], abs=1e-9 * np.abs(meant).max())


def test_op4_gives_mass_and_modes_of_the_reduced_system_again(tmp_path):
    """The file beside it names the six dofs of the attachment; numpy solves the same pencil."""
    pytest.importorskip("pyyeti.nastran.op4")
    from scipy.linalg import eigh

    from tisserand.modes import solve_modes
    from tisserand.readers.matrices import read_matrices

    appendage = random_bodies(7)
    export_appendage(appendage, "op4", tmp_path / "a.op4")
    model = read_matrices(tmp_path / "a.op4", "SI")
    matrices = reduced_matrices(appendage)
    meant = np.sqrt(eigh(matrices["KAAX"], matrices["MAAX"], eigvals_only=True)[6:]) / (2 * np.pi)
    basis = solve_modes(model, count=len(meant))
    np.testing.assert_allclose(basis.frequencies_hz, meant, rtol=1e-9)
    assert basis.rigid_body_modes == 6 and not [note for note in basis.notes if "may not be free" in note]
    assert model.rigid_body_vectors[:, 0] @ (model.mass @ model.rigid_body_vectors[:, 0]) == pytest.approx(
        appendage.mass
    )
    (tmp_path / "b.op4").write_bytes((tmp_path / "a.op4").read_bytes())
    export_appendage(random_bodies(8), "op4", tmp_path / "c.op4")
    (tmp_path / "b.op4.json").write_text((tmp_path / "c.op4.json").read_text().replace('"modes": [', '"modes": [{},'))
    with pytest.raises(Exception, match="does not fit"):
        read_matrices(tmp_path / "b.op4", "SI")
