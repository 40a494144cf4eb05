"""Every format that is also read, for every kind of record: written, opened by our reader, compared with the record."""

import numpy as np
import pytest
from scipy.linalg import eigh

import tisserand as ts
from tisserand.errors import InputError
from tisserand.exporters.clamped import clamped_view
from tisserand.exporters.registry import export_appendage, target_of

#: A bent boom of bars with an eccentric mass at its end; lengths and masses in the units of the deck.
PLACES = [(0.4 * i, 0.0, 0.0) for i in range(6)] + [(2.0, 0.4 * i, 0.1 * i) for i in range(1, 4)]
HELD = {"attachment": 1, "damping": 0.003}
KINDS = {
    "clamped": {"count": 5, **HELD},
    "several interfaces": {"count": 5, "points": {"tip": 9, "knee": 6}, **HELD},
    "one mode": {"count": 1, **HELD},
    "free": {"count": 5, "free": True, "frame": "buckens", "mounted": "free", "attachment": 1},
    "residual attachment modes": {"count": 6, "free": True, "frame": "buckens", "mounted": "residual", "attachment": 1},
    "mean axes": {"count": 5, "frame": "tisserand", **HELD},
    "geometric stiffness": {"count": 5, "geometric": True, **HELD},
    "mm-t-s": {"count": 5, "points": {"tip": 9, "knee": 6}, **HELD},
}
#: Largest relative difference, by the digits that the format prints.
DIGITS = {"sid": 1e-12, "op4": 1e-13, "dmig": 1e-8, "simscape": 1e-13, "uff": 1e-5}


def deck(length, mass):
    """The boom with its numbers in units of 1/length m and 1/mass kg, seconds kept."""
    lines = ["BEGIN BULK"]
    lines += [f"GRID,{i},,{x * length:.6f},{y * length:.6f},{z * length:.6f}" for i, (x, y, z) in enumerate(PLACES, 1)]
    lines += [f"CBAR,{i},1,{i},{i + 1},0.,0.,1." for i in range(1, len(PLACES))]
    lines += [
        f"MAT1,1,{7e10 * mass / length:.8E},,0.33,{2700.0 * mass / length**3:.8E}",
        f"PBAR,1,1,{4e-4 * length**2:.8E},{3e-8 * length**4:.8E},{5e-8 * length**4:.8E},{6e-8 * length**4:.8E}",
        f"CONM2,100,9,,{1.5 * mass:.8E},{0.1 * length:.6f},,{-0.05 * length:.6f}",
        f"+,{0.02 * mass * length**2:.8E},,{0.03 * mass * length**2:.8E},,,{0.04 * mass * length**2:.8E}",
        "SPC1,1,123456,1", "ENDDATA",
    ]  # fmt: skip
    return "SOL 103\nCEND\nSPC=1\n" + "\n".join(lines) + "\n"


@pytest.fixture(scope="module", params=list(KINDS))
def record(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("boom")
    small = request.param == "mm-t-s"
    (folder / "boom.bdf").write_text(deck(1e3, 1e-3) if small else deck(1.0, 1.0))
    ts.modes(folder / "boom.bdf", units="mm-t-s" if small else "SI", output=folder / "boom.h5", **KINDS[request.param])
    return ts.load_record(folder / "boom.h5")


def written(record, folder, name):
    return export_appendage(record, name, folder / f"boom{target_of(name).suffix}").paths[0]


def test_sid(record, tmp_path):
    """All integrals about O, matrices and named places; the format mixes geometric stiffness with N, which the reader states."""
    found = ts.open(written(record, tmp_path, "sid")).record
    words = ["mass", "center", "inertia", "translation", "rotation", "position_shape", "modal_mass"]
    stiffened = bool(record.geometric_stiffness)
    assert found.inertia_level == ("constant" if stiffened else "full")
    words += [] if stiffened else ["shape_shape"]
    pairs = [(getattr(found.integrals, word), getattr(record.integrals, word)) for word in words]
    pairs += [(getattr(found, word), getattr(record, word)) for word in ("stiffness", "damping", "frequencies_hz")]
    for face, meant in zip(found.interfaces, record.interfaces, strict=True):  # a SID file names nodes by their ids
        pairs += [(getattr(face, word), getattr(meant, word)) for word in ("position", "translation", "rotation")]
    for a, b in pairs:
        np.testing.assert_allclose(a, b, rtol=0.0, atol=DIGITS["sid"] * max(np.abs(b).max(initial=0.0), 1.0))


@pytest.mark.parametrize("name", ["op4", "dmig", "simscape"])
def test_matrices(record, tmp_path, name):
    """Frequencies of the opened matrices, free and held at the attachment, against those of the record's own integrals."""
    if record.frame.name == "buckens" and record.count == KINDS["free"]["count"]:
        with pytest.raises(InputError, match="free modes"):
            written(record, tmp_path, name)
        return
    found = ts.open(written(record, tmp_path, name), units="SI").matrices
    K, M = found.stiffness.toarray(), found.mass.toarray()
    I, k = record.integrals, record.count
    whole = np.block([[I.rigid_mass, I.coupling], [I.coupling.T, I.modal_mass]])
    stiff = np.zeros_like(whole)
    stiff[6:, 6:] = record.stiffness
    free, meant = eigh(K, M, eigvals_only=True), eigh(stiff, whole, eigvals_only=True)
    tolerance = 1e3 * DIGITS[name]
    assert len(free) == 6 + k
    np.testing.assert_allclose(free, meant, rtol=tolerance, atol=tolerance * meant.max())
    view = clamped_view(record)
    held = eigh(K[6:, 6:], M[6:, 6:], eigvals_only=True)
    np.testing.assert_allclose(held, eigh(view.stiffness, view.mass, eigvals_only=True), rtol=tolerance)


def test_uff(record, tmp_path):
    """Places, and a modal basis that spans the shapes of the record: its frequencies, and the residue of the span."""
    found = ts.open(written(record, tmp_path, "uff"), units="SI").supplier.modes
    order = np.argsort(record.nodes.ids)
    places = (record.nodes.positions + record.reference_point)[order]
    np.testing.assert_allclose(found.geometry.positions, places, rtol=0.0, atol=1e-5 * np.abs(places).max())
    shapes = np.concatenate([record.nodes.translation, record.nodes.rotation], axis=1)[order].reshape(-1, record.count)
    basis = np.asarray(found.shapes).reshape(shapes.shape)
    assert basis.shape[1] == record.count
    X = np.linalg.lstsq(shapes, basis, rcond=None)[0]  # what every written shape is in the coordinates of the record
    residue = np.abs(shapes @ X - basis).max(axis=0) / np.abs(basis).max(axis=0)
    assert residue.max() < 10.0 * DIGITS["uff"]
    ratio = np.einsum("kl,km,ml->l", X, record.stiffness, X) / np.asarray(found.modal_masses)
    np.testing.assert_allclose(found.eigenvalues, ratio, rtol=1e-3)
