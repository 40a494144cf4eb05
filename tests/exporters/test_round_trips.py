"""Our own exports, opened again: every target whose format is also read gives the record, or its matrices, to its digits."""

import numpy as np
import pytest
from scipy.linalg import eigh
from support.family_samples import SAMPLES
from support.result_files import f06, frame_deck, frame_modes

import tisserand as ts
from tisserand.errors import TisserandError
from tisserand.exporters.nastran_matrices import reduced_matrices
from tisserand.exporters.registry import export_model, target_of, targets

#: Target -> what it is opened as; all others are for other tools only.
OPENED = {"sid": "record", "op4": "matrices", "dmig": "matrices", "simscape": "matrices", "uff": "supplier"}
#: Largest relative difference, by the digits that the format prints.
DIGITS = {"sid": 1e-12, "op4": 1e-13, "dmig": 1e-8, "simscape": 1e-13}


@pytest.fixture(scope="module", params=("deck", "results with the deck", "printed tables alone"))
def record(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("record")
    deck, out = frame_deck(folder), folder / "record.h5"
    printed = f06(folder / "run.f06", frame_modes(deck))
    source, facts = {
        "deck": (deck, {"count": 5}), "results with the deck": (printed, {"deck": deck}), "printed tables alone": (printed, {}),
    }[request.param]  # fmt: skip
    ts.modes(source, units="SI", damping=0.01, output=out, **facts)
    return out


def exported(record, folder, name):
    target = next(entry for entry in targets() if entry.name == name)
    ts.export(record, to=name, output=folder / f"out{target.suffix}")
    return folder / f"out{target.suffix}"


@pytest.mark.parametrize("name", [entry.name for entry in targets() if entry.takes("record")])
def test_every_export_is_opened_or_refused_in_one_sentence(record, tmp_path, monkeypatch, name):
    monkeypatch.setenv("PATH", "")  # no compiler: sources of units say what they are
    path = exported(record, tmp_path, name)
    try:
        found = ts.open(path, units=None if OPENED.get(name) == "record" else "SI")
    except TisserandError as error:
        shapeless = name == "uff" and not ts.load_record(record).nodes.translation.any()
        assert (shapeless or name not in OPENED) and "\n" not in str(error)
    else:
        assert getattr(found, OPENED[name]) is not None


def test_a_sid_file_is_the_record_again(record, tmp_path):
    """Mass, center, inertia, P, H, L, Me, Ke, damping and frequencies; N where inertia is not constant."""
    meant, found = ts.load_record(record), ts.open(exported(record, tmp_path, "sid")).record
    words = ["mass", "center", "inertia", "translation", "rotation", "position_shape", "modal_mass"]
    for word in [*words, "shape_shape"] if meant.inertia_level == "full" else words:
        a, b = np.asarray(getattr(found.integrals, word)), np.asarray(getattr(meant.integrals, word))
        np.testing.assert_allclose(a, b, atol=1e-10 * max(np.abs(b).max(), 1.0), err_msg=word)
    for word in ("stiffness", "damping", "frequencies_hz"):
        a, b = getattr(found, word), getattr(meant, word)
        np.testing.assert_allclose(a, b, atol=DIGITS["sid"] * np.abs(b).max(), err_msg=word)


@pytest.mark.parametrize("name", [name for name, kind in OPENED.items() if kind == "matrices"])
def test_exported_matrices_are_those_of_the_record(record, tmp_path, name):
    """Free frequencies and those held at the attachment, of the opened file and of the record's matrices."""
    meant = reduced_matrices(ts.load_record(record))
    found = ts.open(exported(record, tmp_path, name), units="SI").matrices
    K, M = found.stiffness.toarray(), found.mass.toarray()
    assert K.shape == meant["KAAX"].shape
    scale = np.abs(meant["MAAX"]).max()
    held = slice(6, None)
    for rows in (slice(None), held):
        a = eigh(K[rows, rows], M[rows, rows], eigvals_only=True)
        b = eigh(meant["KAAX"][rows, rows], meant["MAAX"][rows, rows], eigvals_only=True)
        np.testing.assert_allclose(a, b, rtol=1e3 * DIGITS[name], atol=1e3 * DIGITS[name] * b.max())
    np.testing.assert_allclose(np.sort(np.diag(M)), np.sort(np.diag(meant["MAAX"])), atol=DIGITS[name] * scale)


def test_exported_nastran_matrices_are_solved_by_the_command(record, tmp_path):
    """OP4 and punch files of one record give the same free modes by ``tisserand modes``."""
    results = [ts.modes(exported(record, tmp_path, name), units="SI", count=3) for name in ("op4", "dmig")]
    a, b = (found.frequencies_hz for found in results)
    meant = reduced_matrices(ts.load_record(record))
    exact = np.sqrt(eigh(meant["KAAX"], meant["MAAX"], eigvals_only=True)[6:9]) / (2.0 * np.pi)
    np.testing.assert_allclose(a, exact, rtol=1e-7)
    np.testing.assert_allclose(b, exact, rtol=1e-6)


def test_a_universal_file_is_opened_to_the_same_modes(record, tmp_path):
    """Nodes, frequencies, modal masses and shapes to the six digits of data set 55; nodes of 15 as those of 2411."""
    meant = ts.load_record(record)
    path = exported(record, tmp_path, "uff")
    if not meant.nodes.translation.any():
        pytest.skip("tables alone have no shapes")
    short = path.with_name("out_15.unv")
    order = np.argsort(meant.nodes.ids)
    for file in (path, short):
        found = ts.open(file, units="SI").supplier.modes
        np.testing.assert_allclose(np.sqrt(found.eigenvalues) / (2.0 * np.pi), meant.frequencies_hz, rtol=1e-5)
        np.testing.assert_allclose(found.modal_masses, np.diag(meant.integrals.modal_mass), rtol=1e-5)
        shapes = np.concatenate([meant.nodes.translation, meant.nodes.rotation], axis=1)[order]
        np.testing.assert_allclose(found.shapes, shapes, atol=1e-5 * np.abs(shapes).max())
        places = (meant.nodes.positions + meant.reference_point)[order]
        np.testing.assert_allclose(found.geometry.positions, places, atol=1e-5 * np.abs(places).max())


@pytest.mark.parametrize("sample", ["hex20", "six-node triangle"])
@pytest.mark.parametrize("name", [entry.name for entry in targets() if entry.takes("model") and entry.name != "petsc"])
def test_every_deck_is_read_to_the_same_structure(name, sample, tmp_path):
    """Ids, places, mass properties and frequencies of a model that was written as a deck and read again."""
    model = SAMPLES[sample]()
    path = export_model(model, name, tmp_path / f"out{target_of(name).suffix}").paths[0]
    again = ts.read_model(path, units="SI")
    order = np.argsort(again.nodes.ids)
    assert again.nodes.ids[order].tolist() == model.nodes.ids.tolist()
    np.testing.assert_allclose(again.nodes.positions[order], model.nodes.positions, atol=1e-12)
    (a, b) = (ts.assemble(each, mass="consistent") for each in (again, model))
    np.testing.assert_allclose(
        ts.solve_modes(a, count=3).frequencies_hz, ts.solve_modes(b, count=3).frequencies_hz, rtol=1e-7
    )
