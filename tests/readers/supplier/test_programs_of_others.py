"""Files that MYSTRAN 18 and NASTRAN-95 write while the test runs, verified by the deck that they solved.

A bent cantilever of four bars with a tip body: held, free, each scaling, local axes, a rigid element, weight table about a grid,
partial output, a scalar point. Limits are those asked of Nastran's own files: frequencies 1e-6, MAC 1 - 1e-8, modal masses and
weight table 1e-6, P and H 1e-5. NASTRAN-95 has the tip body off its node; MYSTRAN has not, since its offset of a CONM2 differs
from that of NASTRAN-95 and ours by 2e-5 in frequency.
"""

import os
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import eigh
from support.other_programs import run_mystran, run_nastran95

import tisserand as ts
from tisserand.assembly import assemble
from tisserand.readers.registry import read_model
from tisserand.readers.supplier import read_supplier_modes

pytestmark = pytest.mark.slow

PLACES = {1: (0.0, 0.0, 0.0), 2: (25.0, 0.0, 0.0), 3: (50.0, 0.0, 3.0), 4: (75.0, 0.0, 0.0), 5: (100.0, 0.0, 10.0)}
AXES = {2: 8, 3: 9, 5: 9}
SYSTEMS = [
    "CORD2R  8       0       1.      2.      3.      1.      2.      5.      +E",
    "+E      2.      4.      4.",
    "CORD2C  9       0       0.      0.      0.      0.      0.      1.      +D",
    "+D      1.      0.      0.",
]
OFFSET = "0.      1.      .5"
HELD = ["SPC1    1       123456  1"]
RIGID = [
    "GRID    6               100.    5.      10.",
    "RBE2    50      5       123456  6",
    "CONM2   78      6               .03",
]
SCALAR = ["SPOINT  900", "CELAS2  901     100.    900     1       3       2", "CMASS2  902     .5      900     1"]


def bulk(offset, *, local=False, grid=0, more=()):
    lines = [
        f"GRID    {n:<16d}" + "".join(f"{x:<8.1f}" for x in xyz) + (str(AXES.get(n, "")) if local else "")
        for n, xyz in PLACES.items()
    ]
    lines += [f"CBAR    {100 + n:<8d}25      {n:<8d}{n + 1:<8d}0.      1.      0.      1" for n in range(1, 5)]
    lines += ["PBAR    25      20      .1      .1      .2      .1", "MAT1    20      10.+06          .3      .1"]
    lines += [
        f"CONM2   77      5               .02     {offset:<32s}+C",
        "+C      .1              .2                      .3",
    ]
    lines += [
        f"PARAM   GRDPNT  {grid}",
        "PARAM   WTMASS  .002591",
        "PARAM   POST    -1",
        *(SYSTEMS if local else ()),
        *more,
    ]
    return lines


def requests(options, nodes, held):
    chosen = "1" if nodes else "ALL"
    return [
        *([f"SET 1 = {nodes}"] if nodes else []),
        *(["SPC = 1"] if held else []),
        "METHOD = 1",
        f"VECTOR({options}) = {chosen}",
    ]


CASES = {
    "held": {},
    "free": {"held": False},
    "largest component": {"scaling": "MAX"},
    "local axes": {"local": True},
    "weights about a grid": {"grid": 4},
    "rigid element": {"more": RIGID},
    "few nodes": {"nodes": "1,2,3,5", "count": 2},
}


def for_mystran(path, *, held=True, scaling="MASS", nodes="", count=6, more=(), **facts):
    card = f"EIGRL   1                       {count if held else count + 6:<32d}{scaling}"
    body = [card, *bulk("", more=[*more, *(HELD if held else ())], **facts)]
    case = [*requests("PRINT,PLOT", nodes, held), "MEFFMASS = ALL", "MPFACTOR = ALL"]
    path.write_text("\n".join(["SOL 103", "CEND", *case, "BEGIN BULK", *body, "ENDDATA", ""]))
    run_mystran(path)
    return path


def for_nastran95(path, *, held=True, scaling="MASS", nodes="", count=6, more=(), **facts):
    count += 0 if held else 6
    card = [
        f"EIGR    1       INV     .5      {80.0 if nodes else 400.0:<8.1f}{count:<8d}{count:<24d}+E1",
        f"+E1     {scaling}",
    ]
    more = [
        line.replace("RBE2    50      5       123456  6", "CRIGD1  50      5       6") for line in more
    ]  # its name there
    more = [*more, *(HELD if held else ["SUPORT  1       123456"])]
    case = ["ID BENT,BAR", "APP DISP", "SOL 3,0", "TIME 5", "CEND", *requests("PRINT,PUNCH", nodes, held)]
    path.write_text("\n".join([*case, "BEGIN BULK", *card, *bulk(OFFSET, more=more, **facts), "ENDDATA", ""]))
    run_nastran95(path)
    return path


def check(file, deck, modes):
    """The verification of a file by its deck, to the printed digits, and P and H of its record."""
    found = ts.modes(file, units="in-lbf-s", deck=deck)
    result = found.supplier.verification
    assert result.passed, result.breaches
    assert len(result.modes) >= modes
    assert max(abs(mode.change) for mode in result.modes) < 1e-6
    assert min(mode.mac for mode in result.modes) > 1.0 - 1e-8
    assert max(mode.residual for mode in result.modes) < 1e-4  # NASTRAN-95 stops its inverse iteration at about 2e-5
    masses = [mode.modal_mass for mode in result.modes if mode.modal_mass is not None]
    assert max(map(abs, masses), default=0.0) < 1e-6
    if result.mass is not None:
        assert abs(result.mass) < 1e-6 and result.center < 1e-6 and abs(result.inertia) < 1e-6
    own = ts.modes(deck, units="in-lbf-s", count=30, accept_units=True).appendage.integrals
    integrals = found.appendage.integrals
    if not np.abs(integrals.rigid_mass).any() or not np.abs(own.translation).max() > 1e-9:
        return result
    for word in ("translation", "rotation"):
        ours, theirs = getattr(own, word), getattr(integrals, word) / np.sqrt(np.diag(integrals.modal_mass))
        for k, mode in enumerate(result.modes):
            partner = ours[:, int(mode.own_name.split()[-1]) - 1]
            off = min(np.abs(theirs[:, k] - partner).max(), np.abs(theirs[:, k] + partner).max())
            assert off < 1e-5 * np.abs(ours).max(), (word, mode.name)
    return result


@pytest.mark.parametrize("name", CASES)
def test_mystran(tmp_path, name):
    """F06 and OP2 of one run: both verified, one and the other equal to the digits printed."""
    deck = for_mystran(tmp_path / "bent.bdf", **CASES[name])
    files = [deck.with_suffix(ending) for ending in (".F06", ".OP2")]
    for file in files:
        check(file, deck, CASES[name].get("count", 6))
    printed, binary = (read_supplier_modes(file) for file in files)
    np.testing.assert_array_equal(printed.node_ids, binary.node_ids)
    assert printed.kinds == binary.kinds
    size = np.abs(binary.shapes).max()
    np.testing.assert_allclose(printed.shapes, binary.shapes, atol=1e-6 * size)
    elastic = np.array([kind != "rigid" for kind in binary.kinds])
    np.testing.assert_allclose(printed.eigenvalues[elastic], binary.eigenvalues[elastic], rtol=1e-6)
    np.testing.assert_allclose(printed.mass.matrix, binary.mass.matrix, atol=1e-6 * np.abs(printed.mass.matrix).max())


@pytest.mark.parametrize("name", [*CASES, "normalized at a point", "scalar point"])
def test_nastran95(tmp_path, name):
    """Punched eigenvectors and the printed file of one run: both verified, equal to the digits printed."""
    facts = {"normalized at a point": {"scaling": "POINT   5       2"}, "scalar point": {"more": SCALAR}}
    deck = for_nastran95(tmp_path / "bent.bdf", **CASES.get(name, facts.get(name, {})))
    files = [deck.with_suffix(ending) for ending in (".pch", ".out")]
    for file in files:
        check(file, deck, CASES.get(name, {}).get("count", 5) - 1)
    punched, printed = (read_supplier_modes(file) for file in files)
    np.testing.assert_array_equal(punched.node_ids, printed.node_ids)
    np.testing.assert_array_equal(punched.scalar, printed.scalar)
    np.testing.assert_allclose(punched.shapes, printed.shapes, rtol=1e-6, atol=1e-30)
    np.testing.assert_allclose(punched.eigenvalues, printed.eigenvalues, rtol=1e-6, atol=1e-6)


def test_factors_of_mystran(tmp_path):
    """Translations: phi' M R with the opposite sign, 2e-6 of the largest. Rotations: the same numbers about any point."""
    found = {}
    for grid in (0, 4):
        more = ["PARAM   MEFMLOC GRDPNT"] if grid else []
        deck = for_mystran(tmp_path / f"bent{grid}.bdf", grid=grid, more=more)
        found[grid] = read_supplier_modes(deck.with_suffix(".F06"))
    run = found[0]
    model = assemble(read_model(tmp_path / "bent0.bdf", "consistent"))
    rows = {int(node): 6 * at for at, node in enumerate(model.nodes.ids)}
    shapes = np.zeros((model.size, run.count))
    for node, values in zip(run.node_ids, run.shapes):
        shapes[rows[int(node)] : rows[int(node)] + 6] = values
    factors = (model.rigid_body_vectors.T @ (model.mass @ shapes)) / run.modal_masses
    size = np.abs(factors[:3]).max()
    np.testing.assert_allclose(run.effective.participation[:3], factors[:3], atol=2e-6 * size)
    np.testing.assert_array_equal(found[4].effective.participation, run.effective.participation)
    assert found[4].effective.reference_id == 4 and not run.effective.rotations


def test_a_stopped_run_of_mystran(tmp_path):
    """A run that stops at its deck leaves an F06 and an OP2 without results: one sentence each."""
    deck = tmp_path / "wrong.bdf"
    cards = ["EIGRL   1                       2", "PARAM   POST    -1", "GRID    1", "GRID    2               1."]
    cards += ["CBAR    1       9       1       2       0.      1.      0.", "ENDDATA", ""]
    deck.write_text("\n".join(["SOL 103", "CEND", "METHOD = 1", "BEGIN BULK", *cards]))
    run_mystran(deck)
    for ending, words in ((".F06", "run was stopped"), (".OP2", "no data blocks")):
        if deck.with_suffix(ending).exists():
            with pytest.raises(ts.errors.TisserandError, match=words):
                ts.modes(deck.with_suffix(ending), units="SI")


def public(name, home):
    """A file of a public repository, from the folder that the environment names."""
    path = Path(os.environ.get("TISSERAND_PUBLIC_FILES", "")) / name
    if "TISSERAND_PUBLIC_FILES" not in os.environ or not path.exists():
        pytest.skip(f"TISSERAND_PUBLIC_FILES names no folder with {name} of {home}")
    return path


def test_effective_masses_that_msc_nastran_printed():
    """Fractions of ten free modes and the rigid mass, a public file: all modes together are the body, to seven digits."""
    found = read_supplier_modes(public("SOL103_free_MSC.f06", "misams/f06ModalReader"))
    assert found.kinds == ("rigid",) * 6 + ("elastic",) * 4
    np.testing.assert_allclose(found.eigenvalues[6:], [1.609717e6, 2.137626e6, 2.613540e6, 3.025281e6], rtol=1e-12)
    np.testing.assert_allclose(found.effective.fractions.sum(axis=1), 1.0, rtol=2e-7)
    np.testing.assert_allclose(found.effective.masses.sum(axis=1), np.diag(found.mass.matrix), rtol=2e-7)
    assert found.mass.mass == pytest.approx(5.483648, rel=1e-7)
    np.testing.assert_allclose(
        found.mass.center, [1.729191, -8.470760, 56.02550], rtol=2e-7
    )  # printed below the matrix


def test_participation_factors_that_nx_nastran_printed():
    """Effective masses are the squares of the participation factors times the modal masses, to seven printed digits."""
    found = read_supplier_modes(public("SOL103_response.f06", "misams/f06ModalReader"))
    assert found.program == "NX NASTRAN"
    np.testing.assert_allclose(found.frequencies_hz[:3], [91.29278, 92.22876, 93.96060], rtol=1e-6)
    factors, masses = found.effective.participation[:, :15], found.effective.masses[:, :15]
    np.testing.assert_allclose(
        factors**2 * found.modal_masses[:15], masses, rtol=1.1e-6
    )  # two roundings of a factor, one of a mass
    np.testing.assert_allclose(factors[:3, 0], [0.4782028, 3.265249, -8.075174e-3], rtol=1e-12)


def test_eigenvectors_that_msc_nastran_punched():
    """An airfoil on two springs, a public file: eigenvalues to eight digits, shapes to seven, by two equations of motion.

    Mass 162.702 kg and inertia 7.626657 kg m² at x = 0.375 m, springs 33422.34 N/m and 20591.97 N m at x = 0.25 m, rigid between.
    """
    folder = os.environ.get("TISSERAND_PUBLIC_FILES")
    if folder is None:
        pytest.skip(
            "TISSERAND_PUBLIC_FILES names no folder with modal.pch (su2code/Tutorials, unsteady_fsi_python/Ma01)"
        )
    found = read_supplier_modes(Path(folder) / "modal.pch")
    m, inertia, arm, x = 162.702, 7.626657, 0.125, 0.025 * np.arange(41)
    values, vectors = eigh(np.diag([33422.34, 20591.97]), [[m, m * arm], [m * arm, inertia + m * arm**2]])
    np.testing.assert_allclose(found.eigenvalues, values, rtol=1e-7)
    assert found.node_ids.tolist() == [*range(1, 124), 1000]
    for k, (heave, pitch) in enumerate(vectors.T):
        shape = found.shapes[:, :, k] * np.sign(found.shapes[0, 5, k] * pitch)
        y = np.repeat([0.0, 0.06, -0.06], 41)
        np.testing.assert_allclose(shape[:123, 1], heave + pitch * (np.tile(x, 3) - 0.25), rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(shape[:123, 0], -pitch * y, rtol=1e-6, atol=0.0)
        np.testing.assert_allclose(shape[:, 5], pitch, rtol=1e-6)
