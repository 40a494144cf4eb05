"""One run in every result format: read to the digits of the format, verified by its deck, flown, and every damage told apart."""

import contextlib
import struct
from dataclasses import replace

import numpy as np
import pytest
from support.op2_files import Op2, ident, op2
from support.result_files import f06, frame_deck, frame_modes, mystran, punch, universal

import tisserand as ts
from tisserand.errors import FileError, TisserandError
from tisserand.readers.supplier import read_supplier_modes

#: Format -> (ending, writer, digits of its numbers).
WRITERS = {
    "op2": (".op2", op2, 1e-7),
    "op2, 8-byte words": (".op2", lambda path, run, **facts: op2(path, run, word=8, **facts), 1e-15),
    "op2, big endian": (".op2", lambda path, run, **facts: op2(path, run, order=">", **facts), 1e-7),
    "op2, big endian, 8-byte words": (".op2", lambda path, run, **facts: op2(path, run, word=8, order=">", **facts), 1e-15),
    "f06": (".f06", f06, 5e-7),
    "mystran": (".f06", mystran, 5e-7),
    "punch": (".pch", punch, 5e-7),
    "universal": (".unv", universal, 6e-6),
    "universal, nodes 15": (".unv", lambda path, run, **facts: universal(path, run, nodes=15, **facts), 6e-6),
}  # fmt: skip
SHORT = ("op2", "f06", "mystran", "punch", "universal")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("frame")


@pytest.fixture(scope="module")
def deck(folder):
    return frame_deck(folder)


@pytest.fixture(scope="module")
def run(deck):
    return frame_modes(deck)


def written(folder, run, name, **facts):
    if name.startswith("universal"):
        pytest.importorskip("pyuff")
    ending, writer, digits = WRITERS[name]
    return writer(folder / f"run{ending}", run, **facts), digits


@pytest.mark.parametrize("scaling", ("MAX", "MASS", "POINT"))
@pytest.mark.parametrize("name", WRITERS)
def test_a_file_is_read_to_its_digits(tmp_path, deck, name, scaling):
    """Eigenvalues, shapes in node axes, modal masses, weight table and signed participation factors, relative to their size."""
    run = frame_modes(deck, scaling=scaling)
    path, digits = written(tmp_path, run, name)
    found = read_supplier_modes(path)
    np.testing.assert_array_equal(found.node_ids, run.node_ids)
    np.testing.assert_allclose(found.eigenvalues, run.eigenvalues, rtol=2 * digits)
    np.testing.assert_allclose(found.shapes, run.shapes, atol=digits * np.abs(run.shapes).max())
    if found.modal_masses is not None:
        np.testing.assert_allclose(found.modal_masses, run.modal_masses, rtol=digits)
        words = {"MAX": "MAX", "MASS": "MASS", "POINT": "POINT"}
        assert words[scaling] in found.normalization
    if found.mass is not None:
        np.testing.assert_allclose(found.mass.matrix, run.mass.matrix, atol=digits * np.abs(run.mass.matrix).max())
    if found.effective is not None:
        size, used = np.abs(run.effective.participation).max(), slice(6 if found.effective.rotations else 3)
        a, b = found.effective.participation[used], run.effective.participation[used]
        np.testing.assert_allclose(a, b, atol=digits * size)
    if found.geometry is not None:
        np.testing.assert_allclose(found.geometry.positions, run.geometry.positions, atol=3 * digits)
        np.testing.assert_allclose(found.geometry.axes, run.geometry.axes, atol=3 * digits)


def test_what_each_format_states(tmp_path, run):
    """Which of modal masses, weight table, effective masses and positions a format has."""
    stated = {}
    for name in SHORT:
        found = read_supplier_modes(written(tmp_path, run, name)[0])
        stated[name] = tuple(
            part is not None for part in (found.modal_masses, found.mass, found.effective, found.geometry)
        )
    assert stated == {
        "op2": (True, True, True, True), "f06": (True, True, True, False), "mystran": (True, True, True, False),
        "punch": (False, False, False, False), "universal": (True, False, False, True),
    }  # fmt: skip


@pytest.mark.parametrize("name", WRITERS)
def test_the_deck_verifies_every_format(tmp_path, deck, run, name):
    """Frequencies, residuals and MAC by the digits; modal and effective masses and the weight table where they are stated."""
    path, digits = written(tmp_path, run, name)
    found = ts.modes(path, units="SI", deck=deck)
    check = found.supplier.verification
    assert check.passed, check.breaches
    assert max(abs(mode.change) for mode in check.modes) < digits + 1e-12
    assert min(mode.mac for mode in check.modes) > 1.0 - 1e-9
    assert max(mode.residual for mode in check.modes) < 1e3 * digits + 1e-9
    stated = read_supplier_modes(path)
    assert (check.mass is None) == (stated.mass is None)
    assert (check.modes[0].modal_mass is None) == (stated.modal_masses is None)
    assert (check.modes[0].effective_mass is None) == (stated.effective is None)
    assert found.appendage.inertia_level == "full"


@pytest.mark.parametrize("name", SHORT)
def test_info_needs_no_units_and_modes_do(tmp_path, run, name):
    path, _ = written(tmp_path, run, name)
    told = ts.info(path).as_dict()
    assert told["kind"] == "modes of another program" and len(told["modes"]) == run.count
    with pytest.raises(ts.errors.UnitsError, match="units"):
        ts.modes(path)


@pytest.mark.parametrize("names", ((b"BLAMA", b"BOPHIG"), (b"LAMA", b"BOUGV1"), (b"LAMA", b"OUG1")))
def test_names_of_data_blocks(tmp_path, run, names):
    """The same tables under the names of other solutions."""
    found = read_supplier_modes(op2(tmp_path / "run.op2", run, names=names))
    np.testing.assert_allclose(found.shapes, run.shapes, atol=1e-7)
    assert names[0].decode() in found.parts and found.modal_masses is not None


def test_elements_of_universal_files_are_drawn(tmp_path, run):
    """Data set 2412 of pyuff: beams become lines between nodes of the file."""
    pyuff = pytest.importorskip("pyuff")
    path = universal(tmp_path / "run.unv", run)
    bars = [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6]]
    triangles = [[1, 2, 3], [4, 5, 6]]
    facts = {
        "phys_table": 1,
        "mat_table": 1,
        "color": 1,
        "beam_orientation": 0,
        "beam_foreend_cross": 0,
        "beam_aftend_cross": 0,
    }
    elements = {"type": 2412} | {
        kind: [
            {"element_nums": at, "fe_descriptor": kind, "num_nodes": len(cell), "nodes_nums": cell, **facts}
            for at, cell in enumerate(cells, 1)
        ]
        for kind, cells in ((11, bars), (41, triangles))
    }
    pyuff.UFF(str(path)).write_sets(elements, "add")
    found = read_supplier_modes(path).geometry
    assert sorted(map(sorted, found.lines.tolist())) == bars
    assert sorted(map(sorted, found.triangles.tolist())) == triangles


@pytest.mark.parametrize("name", ("f06", "mystran", "op2"))
def test_weights_become_masses(tmp_path, deck, run, name):
    """PARAM,WTMASS of the run is in the file: tables are printed before it, and the masses of the record are after it."""
    run = run.modes(np.arange(2))
    path, digits = written(tmp_path, run, name, wtmass=0.00259)
    assert read_supplier_modes(path).wtmass == pytest.approx(0.00259, rel=1e-6)
    assert ts.modes(path, units="SI", deck=deck).supplier.verification.passed
    if name == "mystran":  # its factors of rotations are not those about the origin
        with pytest.raises(TisserandError, match="no participation factors about the origin"):
            ts.modes(path, units="SI")
        return
    alone = ts.modes(path, units="SI").appendage.integrals
    assert alone.mass == pytest.approx(run.mass.mass, rel=3 * digits)
    np.testing.assert_allclose(alone.translation, run.effective.participation[:3] * run.modal_masses, atol=3 * digits)


@pytest.mark.parametrize("units", ("SI", "mm-t-s", "in-lbf-s"))
def test_printed_tables_alone_fly(tmp_path, deck, run, units):
    """Without places: mass, center, inertia, P and H of the record equal those of the deck; inertia is constant."""
    path, digits = written(tmp_path, run, "f06")
    found = ts.modes(path, units=units, damping=0.01, output=tmp_path / "alone.h5")
    told = found.as_dict()["supplier"]
    assert told["flies"] and told["level"] == "constant" and len(told["notes"]) == 3
    own = ts.modes(deck, units=units, count=5, accept_units=True).appendage.integrals
    ours = ts.load_record(tmp_path / "alone.h5").integrals
    np.testing.assert_allclose(ours.rigid_mass, own.rigid_mass, atol=3 * digits * np.abs(own.rigid_mass).max())
    size = np.sqrt(np.diag(ours.modal_mass))
    for word in ("translation", "rotation"):
        a, b = getattr(ours, word) / size, getattr(own, word)
        signs = np.sign((a * b).sum(axis=0))
        np.testing.assert_allclose(a * np.where(signs == 0.0, 1.0, signs), b, atol=1e-5 * np.abs(b).max())


FLIGHT = """
name = "kick"
[bodies.bus]
mass = 20.0
inertia = [4.0, 5.0, 6.0]
[appendages.frame]
record = "{record}"
body = "bus"
[loads.kick]
kind = "torque"
body = "bus"
direction = [0.3, 1.0, 0.5]
strength = {strength}
[simulation]
duration = 0.5
output_step = 0.05
"""


def flown(folder, record, strength=0.5):
    vehicle = folder / f"fly_{record.stem}.toml"
    vehicle.write_text(FLIGHT.format(record=record.name, strength=strength))
    return ts.open(vehicle).simulate()


@pytest.mark.parametrize("units", ("mm-t-s", "in-lbf-s"))
@pytest.mark.parametrize("name", SHORT)
def test_units_go_with_the_deck(tmp_path, deck, run, name, units):
    """Every number of a file is in the stated units: the verification is that of SI."""
    path, _ = written(tmp_path, run, name)
    check = ts.modes(path, units=units, deck=deck, accept_units=True).supplier.verification
    assert check.passed, check.breaches
    assert min(mode.mac for mode in check.modes) > 1.0 - 1e-9


@pytest.mark.parametrize("name", ("op2", "f06", "punch"))
def test_a_flight_equals_that_of_the_deck(tmp_path, deck, run, name):
    """Attitude, rates and velocity of a kicked bus, with the file's modes and with the deck's own: six digits."""
    path, _ = written(tmp_path, run, name)
    assert ts.modes(path, units="SI", deck=deck, damping=0.01, output=tmp_path / "theirs.h5").exit_code == 0
    ts.modes(deck, units="SI", count=5, damping=0.01, output=tmp_path / "ours.h5")
    a, b = (flown(tmp_path, tmp_path / f"{word}.h5") for word in ("ours", "theirs"))
    for word in ("attitude", "angular_velocity", "velocity"):
        left, right = getattr(a, word), getattr(b, word)
        np.testing.assert_allclose(right, left, atol=1e-6 * np.abs(left).max())
    assert np.abs(a.modal["frame"]).max() > 0.0


def test_the_record_of_tables_alone_flies(tmp_path, deck, run):
    """Constant inertia: what is left out is of second degree, so a tenth of the torque leaves a tenth of the difference."""
    path = f06(tmp_path / "run.f06", run)
    ts.modes(path, units="SI", damping=0.01, output=tmp_path / "theirs.h5")
    ts.modes(deck, units="SI", count=5, damping=0.01, output=tmp_path / "ours.h5")
    differences = []
    for strength in (1.0, 0.1):
        a, b = (flown(tmp_path, tmp_path / f"{word}.h5", strength).angular_velocity for word in ("ours", "theirs"))
        differences.append(np.abs(a - b).max() / np.abs(a).max())
    assert 8.0 < differences[0] / differences[1] < 12.0, differences
    assert differences[1] < 1e-3


def test_what_needs_places_asks_for_the_deck(tmp_path, deck, run):
    """view and diff of an F06 alone: one sentence; with the deck diff works (view: the slow test below)."""
    path = f06(tmp_path / "run.f06", run)
    with pytest.raises(TisserandError, match="nothing to draw"):
        ts.view(path, units="SI", save=tmp_path / "no.png")
    with pytest.raises(TisserandError, match=r"cannot be paired.*deck"):
        ts.diff(deck, path, units="SI")
    assert not (tmp_path / "no.png").exists()
    assert ts.diff(deck, path, units="SI", deck=deck).passed


@pytest.mark.slow
def test_shapes_of_an_f06_are_drawn_with_the_deck(tmp_path, deck, run):
    path = f06(tmp_path / "run.f06", run)
    assert ts.view(path, units="SI", deck=deck, save=tmp_path / "yes.png") and (tmp_path / "yes.png").exists()


@pytest.mark.parametrize("name", ("op2", "f06", "universal"))
def test_several_subcases_need_a_choice(tmp_path, run, name):
    path, _ = written(tmp_path, run, name, cases=(1, 2))
    with pytest.raises(FileError, match=r"1, 2.*subcase"):
        read_supplier_modes(path)
    assert read_supplier_modes(path, 2).count == run.count
    with pytest.raises(FileError):
        read_supplier_modes(path, 3)


def test_subcases_of_punch_files(tmp_path, run):
    text = "".join(punch(tmp_path / "one.pch", run, case).read_text() for case in (1, 2))
    (tmp_path / "two.pch").write_text(text)
    with pytest.raises(FileError, match="several subcases"):
        read_supplier_modes(tmp_path / "two.pch")
    assert read_supplier_modes(tmp_path / "two.pch", 2).subcase == 2


def test_complex_modes_are_refused_by_name(tmp_path, run):
    """OP2 by its approach and by its table code, F06, punch and universal files."""
    cases = [op2(tmp_path / "a.op2", run, approach=9), op2(tmp_path / "b.op2", run, table=1007)]
    text = (
        f06(tmp_path / "c.f06", run)
        .read_text()
        .replace("R E A L   E I G E N V A L U E S", "C O M P L E X   E I G E N V A L U E   S U M M A R Y")
    )
    (tmp_path / "c.f06").write_text(text)
    text = punch(tmp_path / "d.pch", run).read_text()
    (tmp_path / "d.pch").write_text(text.replace("$REAL OUTPUT          ", "$REAL-IMAGINARY OUTPUT"))
    for path in (*cases[:1], tmp_path / "c.f06", tmp_path / "d.pch"):
        with pytest.raises(FileError, match="complex"):
            read_supplier_modes(path)
    found = read_supplier_modes(cases[1])  # real eigenvalues, complex vectors
    assert not len(found.node_ids) and any("complex" in note for note in found.notes)


def test_vectors_sorted_by_node_are_refused_by_name(tmp_path, run):
    text = punch(tmp_path / "a.pch", run).read_text().replace("$EIGENVALUE =", "$POINT ID =  ")
    (tmp_path / "a.pch").write_text(text)
    for path in (op2(tmp_path / "b.op2", run, table=2007), tmp_path / "a.pch"):
        with pytest.raises(FileError, match="SORT2"):
            read_supplier_modes(path)


def test_buckling_runs_are_refused_by_name(tmp_path, run):
    text = f06(tmp_path / "a.f06", run).read_text().replace("SOL 103", "SOL 105")
    (tmp_path / "a.f06").write_text(text)
    with pytest.raises(FileError, match="buckling"):
        read_supplier_modes(tmp_path / "a.f06")


@pytest.mark.parametrize("name", ("op2", "f06", "mystran", "punch", "universal"))
def test_partial_output_sets_are_expanded(tmp_path, deck, run, name):
    """Three of six nodes: the rest follows from our matrices; MAC as with all of them."""
    keep = np.isin(run.node_ids, (1, 3, 4, 6))
    there = run.geometry
    few = replace(
        run.modes(np.arange(2)), node_ids=run.node_ids[keep], shapes=run.shapes[keep][:, :, :2], given=run.given[keep],
        scalar=None, geometry=replace(there, ids=there.ids[keep], positions=there.positions[keep], axes=there.axes[keep]),
    )  # fmt: skip
    check = ts.modes(written(tmp_path, few, name)[0], units="SI", deck=deck).supplier.verification
    assert check.passed, check.breaches
    assert min(mode.mac for mode in check.modes) > 1.0 - 1e-8
    assert any("expanded" in note for note in check.notes)


def test_a_list_that_ends_inside_a_pair_is_verified(tmp_path):
    """A square bar bends in pairs of equal frequency: one, two or three of its modes are all found; a lost one is said."""
    bar = frame_deck(tmp_path, SQUARE)
    run = frame_modes(bar, count=4)
    for kept in ([0], [0, 1], [0, 1, 2]):
        path = punch(tmp_path / "run.pch", run.modes(np.array(kept)))
        check = ts.modes(path, units="SI", deck=bar).supplier.verification
        assert check.passed and min(mode.mac for mode in check.modes) > 1.0 - 1e-9, check.breaches
        assert not any("no partner" in note for note in check.notes)
    check = ts.modes(
        punch(tmp_path / "run.pch", run.modes(np.array([0, 2, 3]))), units="SI", deck=bar
    ).supplier.verification
    assert any("1 of our modes have no partner" in note for note in check.notes), check.notes


SQUARE = """SOL 103
CEND
SPC = 1
BEGIN BULK
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,2.,0.,0.
GRID,4,,3.,0.,0.
CBAR,1,1,1,2,0.,0.,1.
CBAR,2,1,2,3,0.,0.,1.
CBAR,3,1,3,4,0.,0.,1.
PBAR,1,1,4.-4,2.-8,2.-8,4.-8
MAT1,1,7.+10,,0.3,2700.
SPC1,1,123456,1
ENDDATA
"""


def test_missing_rotations_are_expanded_or_said(tmp_path, deck, run):
    """Data set 55 of three components: with the deck all are there; without it the sentence says that rotations are zero."""
    pytest.importorskip("pyuff")
    path = universal(tmp_path / "t.unv", run, components=3)
    check = ts.modes(path, units="SI", deck=deck).supplier.verification
    assert check.passed and min(mode.mac for mode in check.modes) > 1.0 - 1e-9
    record = ts.modes(path, units="SI").appendage
    assert any("rotations" in note for note in record.reports["notes"])


def test_external_superelement_matrices_are_kept(tmp_path, run):
    """Matrices of EXTSEOUT or DMAP beside the modes are listed; alone they are matrices, not modes."""
    K = np.arange(12.0).reshape(4, 3)
    path = op2(tmp_path / "m.op2", run, matrices={"KAAX": K @ K.T, "MAAX": np.eye(4)})
    found = read_supplier_modes(path)
    np.testing.assert_array_equal(found.matrices["KAAX"], K @ K.T)
    assert ts.info(path).as_dict()["matrices"]["MAAX"] == "4x4"


def test_matrices_of_a_reduction_alone_are_solved(tmp_path):
    """KAAX and MAAX of EXTSEOUT(DMIGOP2) without modes: stiffness and mass, two springs in a row in closed form."""
    file = Op2()
    file.matrix(b"KAAX", np.array([[2.0, -1.0], [-1.0, 1.0]]) * 100.0)
    file.matrix(b"MAAX", np.eye(2))
    found = ts.modes(file.write(tmp_path / "reduced.op2"), units="SI", count=2)
    exact = np.sqrt(100.0 * (3.0 + np.array([-1.0, 1.0]) * np.sqrt(5.0)) / 2.0) / (2.0 * np.pi)
    np.testing.assert_allclose(found.frequencies_hz, exact, rtol=1e-12)


# ------------------------------------------------------------------------------------------------ damaged and mixed-up files


def one_sentence(path, call=read_supplier_modes):
    """The error of a file as text; fails where it is not ours or not one sentence."""
    with pytest.raises(TisserandError) as error:
        call(path)
    text = str(error.value)
    assert "\n" not in text and path.name in text and len(text) < 500, text
    return text


@pytest.mark.parametrize("name", SHORT)
def test_a_cut_is_told_or_leaves_whole_modes(tmp_path, run, name):
    """Sixty places: one sentence; or, in punch files, which have no end mark, the nodes and modes that are there are right."""
    path, digits = written(tmp_path, run, name)
    raw = path.read_bytes()
    told = 0
    for part in np.linspace(0.02, 0.995, 60):
        path.write_bytes(raw[: int(part * len(raw))])
        try:
            found = read_supplier_modes(path)
        except TisserandError as error:
            assert "\n" not in str(error)
            told += 1
        else:
            assert name == "punch", part
            there = np.isin(run.node_ids, found.node_ids)
            np.testing.assert_allclose(found.shapes, run.shapes[there][:, :, : found.count], atol=digits)
    assert told == 60 or name == "punch"


@pytest.mark.parametrize("name", ("op2", "op2, 8-byte words"))
def test_words_of_the_wrong_order_are_told(tmp_path, run, name):
    """All words swapped is a file of another machine; half of it, or keys alone, is one sentence."""
    path, _ = written(tmp_path, run, name)
    raw = path.read_bytes()
    half = 4 * (len(raw) // 8)
    for damaged in (
        raw[:half] + np.frombuffer(raw[half:], "<i4").astype(">i4").tobytes(),
        np.frombuffer(raw[:half], "<i4").astype(">i4").tobytes() + raw[half:],
        raw[2:], raw[1:], raw.replace(b"\n", b"\r\n"), struct.pack(">i", 8) + raw[4:],
    ):  # fmt: skip
        if damaged == raw:
            continue
        path.write_bytes(damaged)
        one_sentence(path)


@pytest.mark.parametrize("name", ("f06", "mystran", "punch", "universal"))
def test_text_in_the_wrong_encoding_is_told(tmp_path, run, name):
    path, _ = written(tmp_path, run, name)
    path.write_bytes(path.read_text().encode("utf-16"))
    assert "UTF-16" in one_sentence(path) or name == "universal"


@pytest.mark.parametrize("content", SHORT)
@pytest.mark.parametrize("ending", (".op2", ".f06", ".pch", ".unv", ".frd"))
def test_a_format_under_another_ending_is_told(tmp_path, run, content, ending):
    path, _ = written(tmp_path, run, content)
    if path.suffix == ending:
        return
    wrong = path.rename(tmp_path / f"wrong{ending}")
    form = {".op2": "op2", ".f06": "f06", ".pch": "punch", ".unv": "universal", ".frd": "frd"}[ending]
    one_sentence(wrong, lambda file: read_supplier_modes(file, format=form))


OTHER = {
    "nodes elsewhere": ("GRID,4,,3.,0.,0.,7", "GRID,4,,3.5,0.,0.,7", r"lie elsewhere"),
    "softer": ("7.+10", "6.+10", r"frequency \+8"),
    "lighter": ("2700.", "2000.", r"mass of the deck"),
    "other ids": ("GRID,", "GRID,9", r"lacks most nodes"),
}


@pytest.mark.parametrize("change", OTHER)
@pytest.mark.parametrize("name", SHORT)
def test_results_of_another_deck_are_told(tmp_path, run, name, change):
    """Geometry, stiffness, mass or numbers differ: refused, or verified with exit code 1 and the reason."""
    from support.result_files import FRAME

    old, new, reason = OTHER[change]
    text = FRAME.replace(old, new)
    if change == "other ids":
        for n in range(1, 7):
            text = text.replace(f",1,{n},{n + 1},0.", f",1,9{n},9{n + 1},0.")
        text = text.replace("CONM2,9,6", "CONM2,9,96").replace("SPC1,1,123456,1", "SPC1,1,123456,91")
    other = frame_deck(tmp_path, text)
    path, _ = written(tmp_path, run, name)
    try:
        found = ts.modes(path, units="SI", deck=other)
    except TisserandError as error:
        assert change in ("nodes elsewhere", "other ids"), error
        assert "\n" not in str(error)
        return
    assert found.exit_code == 1
    breaches = " ".join(found.supplier.verification.breaches)
    states_mass = read_supplier_modes(path).mass is not None
    if change == "softer" or (change == "lighter" and states_mass):
        import re

        assert re.search(reason, breaches), breaches


def test_random_bytes_never_leak(tmp_path, run):
    """Every format with three random bytes changed, sixty times each: modes, or one of our errors."""
    random = np.random.default_rng(3)
    for name in SHORT:
        path, _ = written(tmp_path, run, name)
        raw = path.read_bytes()
        for _ in range(60):
            copy = bytearray(raw)
            for place in random.integers(0, len(raw), 3):
                copy[place] = int(random.integers(0, 256))
            path.write_bytes(bytes(copy))
            with contextlib.suppress(TisserandError):
                read_supplier_modes(path)


def test_a_vector_of_unknown_width_is_told(tmp_path, run):
    file = Op2()
    file.table(b"OUGV1", [ident(file, approach=2, table=7, case=1, mode=1, value=4.0, width=14), file.ints(*range(28))])
    assert "unknown width" in one_sentence(file.write(tmp_path / "wide.op2"))
