"""Something stiff on something soft: low stiffness is no mechanism at any contrast, and elements settle what their sum loses.

Oracles: the beam in exact fractions; for shells and solids the limit of a rigid body, extrapolated from contrasts of 1e4 and 1e5
at which the assembled matrices still hold every digit; masses on springs in closed form.
"""

import numpy as np
import pytest
from support.exact_counts import bending_beam, misplaced

from tisserand.assembly import assemble, check_model, find_mechanisms
from tisserand.errors import MechanismError, NotConvergedError, SolverError
from tisserand.modes import solve_modes
from tisserand.modes.dense_pencil import _orthonormal
from tisserand.modes.eigenvalue_bounds import EIGENVALUE_LIMIT
from tisserand.readers.nastran import read_nastran

SOFT, DENSITY = 7e4, 2700.0


def deck(folder, lines):
    path = folder / "deck.bdf"
    path.write_text("\n".join(["SOL 103", "CEND", "SPC=1", "BEGIN BULK", *lines, "ENDDATA", ""]))
    return assemble(read_nastran(path, "SI"))


def materials(contrast):
    """Soft material 1 and material 2, stiffer by the contrast."""
    return [f"MAT1,{i},{young:.9E},,0.3,{DENSITY}" for i, young in ((1, SOFT), (2, SOFT * contrast))]


def beam(contrast, pin=""):
    """20 CBARs of 0.1 m, the second half stiff; ``pin``: components released where it begins."""
    out = [*materials(contrast), "PBAR,1,1,1.-4,1.-8,1.-8,2.-8", "PBAR,2,2,1.-4,1.-8,1.-8,2.-8", "SPC1,1,123456,1"]
    out += [f"GRID,{i + 1},,{0.1 * i:.3f},0.,0." for i in range(21)]
    return out + [
        line
        for i in range(1, 21)
        for line in (
            f"CBAR,{i},{1 if i <= 10 else 2},{i},{i + 1},0.,1.,0.",
            *([f"+,{pin},"] if pin and i == 11 else []),
        )
    ]


def shell(contrast):
    """A strip of 6 + 6 by 2 CQUAD4 out of any coordinate plane, clamped at its soft end."""
    out = [*materials(contrast), "PSHELL,1,1,0.01,1,,1", "PSHELL,2,2,0.01,2,,2", "SPC1,1,123456,1,2,3"]
    out += [
        f"GRID,{3 * i + j + 1},,{0.08 * i:.4f},{0.08 * j:.4f},{0.06 * i + 0.02 * j:.4f}"
        for i in range(13)
        for j in range(3)
    ]
    quads = [(i, j) for i in range(12) for j in range(2)]
    return out + [
        f"CQUAD4,{n},{1 if i < 6 else 2},{3 * i + j + 1},{3 * i + j + 4},{3 * i + j + 5},{3 * i + j + 2}"
        for n, (i, j) in enumerate(quads, 1)
    ]


def solid(contrast):
    """A bar of 4 + 4 CHEXA, clamped at its soft end."""
    out = [*materials(contrast), "PSOLID,1,1", "PSOLID,2,2", "SPC1,1,123,1,2,3,4"]
    square = ((0, 0), (1, 0), (1, 1), (0, 1))
    out += [
        f"GRID,{4 * i + j + 1},,{0.1 * i:.3f},{0.1 * y:.3f},{0.1 * z:.3f}"
        for i in range(9)
        for j, (y, z) in enumerate(square)
    ]
    for i in range(8):
        nodes = [str(4 * i + j) for j in range(1, 9)]
        out += [f"CHEXA,{i + 1},{1 if i < 4 else 2},{','.join(nodes[:6])}", f"+,{','.join(nodes[6:])}"]
    return out


def solved(model, backend, count=4):
    """The modes, or None where they are refused for want of digits; no other refusal is right."""
    try:
        basis = solve_modes(model, count=count, backend=backend)
    except NotConvergedError as error:
        assert "digit" in str(error)
        return None
    assert basis.rigid_body_modes == 0 and set(basis.kinds) == {"elastic"}
    assert basis.proof.worst_error <= EIGENVALUE_LIMIT and basis.proof.data_error <= EIGENVALUE_LIMIT
    return basis


@pytest.mark.parametrize("backend", [None, "superlu"])
@pytest.mark.parametrize("decades", range(2, 15, 2))
def test_a_stiff_half_on_a_soft_root_is_right_or_refused_for_its_digits(tmp_path, decades, backend):
    """Up to 1e8 the frequencies are right to 1e-6, four orders beyond what the assembled matrix holds; no contrast makes it a
    mechanism, neither for ``check`` nor for ``modes``.
    """
    model = deck(tmp_path, beam(10.0**decades))
    assert len(find_mechanisms(model, model.held())) == 0
    basis = solved(model, backend)
    if basis is None:
        assert decades > 8
        return
    mass = DENSITY * 1e-4 * 0.1
    K, M = bending_beam(
        [SOFT * 1e-8] * 10 + [SOFT * 10.0**decades * 1e-8] * 10, [0.1] * 20, [0.0, *[mass] * 19, mass / 2]
    )
    assert misplaced(K, M, basis.eigenvalues[::2]) == [] and misplaced(K, M, basis.eigenvalues[1::2]) == []


@pytest.mark.parametrize("kind", [shell, solid])
def test_shells_and_solids_of_any_contrast(tmp_path, kind):
    """lambda(c) = lambda (1 - a / c + ...): the limit and a from c = 1e4 and 1e5; from there on right to 1e-6, or refused."""
    known = [solve_modes(deck(tmp_path, kind(c)), count=4).eigenvalues for c in (1e4, 1e5)]
    limit = (10.0 * known[1] - known[0]) / 9.0
    slope = 1e5 * (limit / known[1] - 1.0)
    refused = []
    for decades in range(6, 15):
        model = deck(tmp_path, kind(10.0**decades))
        assert len(find_mechanisms(model, model.held())) == 0
        basis = solved(model, None)
        if basis is None:
            refused.append(decades)
            continue
        assert basis.eigenvalues == pytest.approx(limit * (1.0 - slope / 10.0**decades), rel=2e-6)
    assert 8 not in refused


@pytest.mark.parametrize("decades", [0, 4, 8, 10, 13])
def test_a_hinge_is_a_mechanism_at_any_contrast(tmp_path, decades):
    """The same beam with one bending hinge where it turns stiff: one motion without strain, which ``check`` and ``modes`` count
    alike, though another one is as soft as round-off allows.
    """
    model = deck(tmp_path, beam(10.0**decades, pin="6"))
    assert len(find_mechanisms(model, model.held())) == 1
    assert check_model(model.structure, model).of("mechanisms").value == 1
    try:
        with pytest.raises(MechanismError, match=r"^1 motion without"):
            solve_modes(model, count=2)
    except NotConvergedError as error:
        assert "digit" in str(error) and decades > 8


@pytest.mark.parametrize("contrast", [1e6, 1e9, 1e11])
def test_a_soft_spring_to_ground_beside_stiff_ones(tmp_path, contrast):
    """Two masses joined by c k, one of them held by k: lambda = k / 2 m (1 - 1 / 4 c); k is lost in the sum from 1e10 on."""
    lines = ["GRID,1,,0.,0.,0.,,23456", "GRID,2,,1.,0.,0.,,23456", f"CELAS2,1,{5.0 * contrast:.9E},1,1,2,1"]
    model = deck(tmp_path, [*lines, "CELAS2,2,5.,1,1", "CONM2,3,1,,2.", "CONM2,4,2,,2."])
    basis = solve_modes(model, count=1)
    assert basis.rigid_body_modes == 0
    assert basis.eigenvalues[0] == pytest.approx(5.0 / 4.0 * (1.0 - 0.25 / contrast), rel=2e-6)


def test_a_beam_of_very_many_elements_is_no_mechanism(tmp_path):
    """1500 CBARs: x'K x is 1e-13 of its terms. Lumped mass converges with h², so the closed form holds to 1e-6."""
    n = 1500
    lines = [f"GRID,{i + 1},,{2.0 * i / n:.9f},0.,0." for i in range(n + 1)]
    lines += [f"CBAR,{i},1,{i},{i + 1},0.,1.,0." for i in range(1, n + 1)]
    lines += ["PBAR,1,1,1.-4,1.-8,2.-8,2.-8", "MAT1,1,7.+10,,0.3,2700.", "SPC1,1,123456,1"]
    model = deck(tmp_path, lines)
    assert len(find_mechanisms(model, model.held())) == 0
    basis = solve_modes(model, count=2)
    exact = 1.875104068711961**4 / 2.0**4 * 7e10 * np.array([1e-8, 2e-8]) / (2700.0 * 1e-4)
    assert basis.eigenvalues == pytest.approx(exact, rel=2e-6)
    assert basis.proof.data_error <= EIGENVALUE_LIMIT


@pytest.mark.parametrize("elements", [100, 300, 600])
def test_frequencies_do_not_depend_on_the_unit_of_length(tmp_path, elements):
    """A cantilever s times as long: its bending eigenvalues fall with s⁴ to 1e-6, beyond the digits of the assembled sum."""
    found = []
    for length in (1.0, 0.37, np.pi):
        places = [repr(round(length * i / elements, 12)) for i in range(elements + 1)]
        lines = [f"GRID*,{i + 1},,{x},0.,\n*,0." for i, x in enumerate(places)]
        lines += [f"CBAR,{i},1,{i},{i + 1},0.,1.,0." for i in range(1, elements + 1)]
        lines += ["PBAR,1,1,1.-4,1.-8,2.-8,2.-8", "MAT1,1,7.+10,,0.3,2700.", "SPC1,1,123456,1"]
        basis = solve_modes(deck(tmp_path, lines), count=2)
        found.append(basis.eigenvalues * length**4)
    assert found[1] == pytest.approx(found[0], rel=1e-6) and found[2] == pytest.approx(found[0], rel=1e-6)


def test_shapes_almost_in_line_become_orthonormal():
    """Columns 1e-12 apart: their Gram matrix is singular to round-off, orthonormalization by the mass root is not."""
    rng = np.random.default_rng(3)
    H = rng.standard_normal((30, 20))
    first, other = rng.standard_normal((2, 30))
    X = np.column_stack([first, first + 1e-12 * other, rng.standard_normal(30)])
    for _ in range(2):
        X = _orthonormal(X, H)
    gram = (H.T @ X).T @ (H.T @ X)
    assert np.abs(gram - np.eye(3)).max() < 1e-13
    assert np.linalg.norm(np.cross(X[:3, 0], first[:3])) < 1e-12 * np.linalg.norm(
        first
    )  # the lower one keeps its shape
    with pytest.raises(SolverError):
        _orthonormal(np.column_stack([first, first]), H)
