"""Damping: what was typed is what is simulated."""

import numpy as np
import pytest
from appendage.hand_built import bodies_on_springs, dense_basis
from scipy.sparse import csr_array

from tisserand.appendage import DampingBands, DampingTable, ModalRatio, Rayleigh, Structural, combined, natural, reduce
from tisserand.appendage.record.damping_matrix import damping_matrix
from tisserand.errors import InputError


@pytest.fixture(scope="module")
def basis():
    return dense_basis(bodies_on_springs(), held=(0,))


def poles(appendage):
    """Eigenvalues of the first-order system, upper half plane, ascending frequency."""
    k = appendage.count
    Mi = np.linalg.inv(appendage.integrals.modal_mass)
    A = np.block([[np.zeros((k, k)), np.eye(k)], [-Mi @ appendage.stiffness, -Mi @ appendage.damping]])
    values = np.linalg.eigvals(A)
    values = values[values.imag > 0]
    return values[np.argsort(np.abs(values))]


def ratios(appendage):
    values = poles(appendage)
    return -values.real / np.abs(values)


def test_ratios_appear_in_the_poles(basis):
    wanted = np.linspace(0.001, 0.05, len(basis))
    assert ratios(reduce(basis, damping=list(wanted))) == pytest.approx(wanted, rel=1e-8)
    assert ratios(reduce(basis, damping=0.02)) == pytest.approx(np.full(len(basis), 0.02), rel=1e-8)
    assert ratios(reduce(basis, damping=Structural(0.04))) == pytest.approx(np.full(len(basis), 0.02), rel=1e-8)


def test_rayleigh_bands_and_tables(basis):
    w = np.sqrt(basis.eigenvalues)
    alpha, beta = 0.02, 0.001
    assert ratios(reduce(basis, damping=Rayleigh(alpha, beta))) == pytest.approx((alpha / w + beta * w) / 2, rel=1e-6)
    hz = basis.frequencies_hz
    middle = float(np.sqrt(hz[5] * hz[6]))
    bands = reduce(basis, damping=DampingBands(((0.0, middle, 0.01), (middle, 1e9, 0.03))))
    assert ratios(bands) == pytest.approx(np.where(hz < middle, 0.01, 0.03), rel=1e-7)
    table = reduce(basis, damping=DampingTable((hz[2], hz[10]), (0.01, 0.02)))
    assert ratios(table) == pytest.approx(np.interp(hz, [hz[2], hz[10]], [0.01, 0.02]), rel=1e-6)


def test_ratios_belong_to_the_natural_modes_of_any_basis(basis):
    """A mixed (not modal) basis gets a full De with the same poles."""
    plain = reduce(basis)
    mixed = combined(plain, np.random.default_rng(1).normal(size=(plain.count, plain.count)))
    De, _ = damping_matrix(ModalRatio(0.01), mixed.integrals.modal_mass, mixed.stiffness)
    damped = mixed.changed(damping=De)
    assert np.abs(De - np.diag(np.diag(De))).max() > 0.1 * np.abs(De).max()
    assert ratios(damped) == pytest.approx(np.full(plain.count, 0.01), rel=1e-5)
    assert natural(damped).damping_ratios == pytest.approx(np.full(plain.count, 0.01), rel=1e-5)


def test_element_dampers_and_ratios_add_up_and_are_on_record(basis):
    import dataclasses

    d = basis.model.size
    C = np.zeros((d, d))
    C[8, 8] = 3.0
    damped = dataclasses.replace(basis, model=dataclasses.replace(basis.model, damping=csr_array(C)))
    appendage = reduce(damped, damping=[ModalRatio(0.01), Rayleigh(0.1, 0.0)])
    wanted = (
        basis.shapes.T @ C @ basis.shapes + np.diag(2 * 0.01 * np.sqrt(basis.eigenvalues)) + 0.1 * np.eye(len(basis))
    )
    assert np.abs(appendage.damping - wanted).max() < 1e-10
    stated = [entry["kind"] for entry in appendage.reports["damping"]["stated"]]
    assert stated == ["ModalRatio", "Rayleigh", "element dampers"]
    assert "undamped" in reduce(basis).reports["damping"]["stated"]


def test_a_general_matrix_is_taken_as_it_is(basis):
    """D need not be symmetric (circulatory or gyroscopic parts)."""
    from tisserand.appendage import GivenMatrix

    D = np.random.default_rng(0).normal(size=(len(basis), len(basis)))
    found = reduce(basis, damping=GivenMatrix(tuple(map(tuple, D.tolist())))).damping
    assert np.array_equal(found, D)


def test_bad_damping_is_refused(basis):
    for bad in (-0.01, ModalRatio((0.1, 0.2)), DampingTable((2.0, 1.0), (0.1, 0.1)), DampingBands(((2.0, 1.0, 0.1),))):
        with pytest.raises(InputError):
            reduce(basis, damping=bad)


def test_every_declared_ratio_has_the_one_range():
    """Options, case files and modes files: at least 0 and below 1, a loss factor below twice that."""
    from tisserand.declarations import option_at
    from tisserand.readers.case.case_file import CaseFile
    from tisserand.readers.given_modes import GivenModes
    from tisserand.studies.options import ModesStudy

    places = (
        (ModesStudy, "damping"),
        (CaseFile, "damping.ratio"),
        (CaseFile, "damping.ratios"),
        (GivenModes, "damping_ratios"),
    )
    for kind, path in places:
        assert option_at(kind, tuple(path.split("."))).facts.limits == {"ge": 0.0, "lt": 1.0}, path
    assert option_at(CaseFile, ("damping", "structural")).facts.limits == {"ge": 0.0, "lt": 2.0}


@pytest.mark.parametrize(
    "stated", [1.0, 2.0, -0.01, float("nan"), Structural(2.0), ModalRatio((0.1, 1.0)),
               DampingBands(((0.0, 9.0, 1.0),)), DampingBands((), 1.5), DampingTable((1.0, 2.0), (0.1, 1.0))]
)  # fmt: skip
def test_every_law_refuses_ratios_outside_the_range(stated):
    with pytest.raises(InputError, match=r"expected at least 0 and below [12]"):
        damping_matrix(stated, np.eye(2), np.diag([1.0, 4.0]))
