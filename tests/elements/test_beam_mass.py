"""Mass of beams: recipes against their definitions, displacement fields, convergence and the corpus."""

import re

import numpy as np
import pytest
from support.corpus import needs_corpus, shared
from support.element_matrices import element_matrices
from support.lines import STEEL, beam_model, eigenvalues, random_beam, rectangle, straight

from tisserand.arrays import LEVI_CIVITA
from tisserand.assembly import assemble
from tisserand.assembly.axes import rigid_rows
from tisserand.elements.element_data import DIRECTIONS
from tisserand.elements.registry import prepare
from tisserand.model import BeamSection, BeamStation, Isotropic

WITH_FIELD = [
    ("consistent", "beam"),
    ("consistent", "bar"),
    ("particles", "beam"),
    ("bodies", "beam"),
    ("lumped", "bar"),
    ("coupled", "bar"),
    ("coupled", "beam"),
]


def rigid_of(model):
    return rigid_rows(model.nodes, np.repeat([0, 1], 6), np.tile(np.arange(6), 2))


def directional(model, recipe):
    """M^{ab} as (3, 3, 12, 12)."""
    block = model.elements[0]
    found = prepare(model, block).directional_mass(recipe)[0]
    out = np.zeros((3, 3, 12, 12))
    for z, (a, b) in enumerate(DIRECTIONS):
        out[a, b], out[b, a] = found[z], found[z].T
    return out


@pytest.mark.parametrize(("recipe", "kind"), WITH_FIELD)
@pytest.mark.parametrize("seed", range(3))
def test_directional_mass_comes_from_a_field(recipe, kind, seed):
    """sum_a M^{aa} = M; both choices of b in L_ad = eps_bca S_r[:, c]' M^{bd} agree for every dof."""
    model = random_beam(seed, pinned=seed == 1, recipe=kind)
    Mab = directional(model, recipe)
    mass = prepare(model, model.elements[0]).mass(recipe)[0]
    assert np.einsum("aaij->ij", Mab) == pytest.approx(mass, abs=1e-13 * np.abs(mass).max())
    S_r = rigid_of(model)[:, 3:]
    scale = np.abs(mass).max() * np.abs(S_r).max()
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        for d in range(3):
            one = LEVI_CIVITA[b, c, a] * S_r[:, c] @ Mab[b, d]
            two = LEVI_CIVITA[c, b, a] * S_r[:, b] @ Mab[c, d]
            assert np.abs(one - two).max() < 1e-12 * scale


def test_recipes_without_a_field_say_so():
    """Polar inertia without that of bending: Nastran's lumped CBEAM."""
    model = random_beam(0, recipe="beam")
    block = model.elements[0]
    assert prepare(model, block).directional_mass("lumped") is None
    assert not assemble(model, "lumped").has_field


def test_consistent_and_body_masses_have_the_inertia_of_the_solid():
    """A box of density rho: mass, center and inertia exact, rotary inertia of bending and torsion
    included.
    """
    b, h, L = 0.2, 0.3, 2.0
    section = BeamSection(1, STEEL, rectangle(b, h))
    model = beam_model(straight(3, L), section, orientation=(0, 1, 0))
    m = STEEL.density * b * h * L
    exact = m / 12 * np.diag([b**2 + h**2, L**2 + h**2, L**2 + b**2])
    for recipe in ("consistent", "bodies"):
        found = assemble(model, recipe).mass_properties()
        assert found.mass == pytest.approx(m, rel=1e-13)
        assert found.center == pytest.approx([1.0, 0, 0], abs=1e-13)
        assert found.inertia == pytest.approx(exact, rel=1e-12, abs=1e-10)


def test_lumped_recipes_are_nastrans():
    """CBAR: rho A L / 2 on translations only; CBEAM adds rho (I1 + I2) L / 2 about the axis."""
    station = rectangle(0.2, 0.3)
    for kind, polar in (("bar", 0.0), ("beam", STEEL.density * (station.i_yy + station.i_zz))):
        model = beam_model(straight(1, 2.0), BeamSection(1, STEEL, station), recipe=kind)
        mass = prepare(model, model.elements[0]).mass("lumped")[0]
        half = STEEL.density * station.area
        assert mass == pytest.approx(np.diag([half, half, half, polar, 0, 0] * 2), abs=1e-12)


def test_rotary_bar_turns_with_the_inertia_of_half_its_cross_sections():
    """rho L / 2 times the area moments of a b x h rectangle turned in its plane, in basic axes; none about the axis."""
    b, h, L, turn = 0.2, 0.3, 2.0, 0.4
    c, s = np.cos(turn), np.sin(turn)
    second = np.array([[c, -s], [s, c]]) @ np.diag([h * b**3, b * h**3]) @ np.array([[c, s], [-s, c]]) / 12.0
    station = BeamStation(b * h, second[0, 0], second[1, 1], second[0, 1], 1e-4)
    x = np.array([2.0, -1.0, 2.0]) / 3.0
    lead = np.array([0.3, 1.0, 0.2])
    y = (lead - lead @ x * x) / np.linalg.norm(lead - lead @ x * x)
    z = np.cross(x, y)
    model = beam_model(straight(1, L, x), BeamSection(1, STEEL, station), orientation=lead, recipe="rotary bar")
    mass = prepare(model, model.elements[0]).mass("lumped")[0]
    half = 0.5 * STEEL.density * L
    spread = np.array([y, z]).T @ second @ np.array([y, z])  # int r r' dA
    about_axes = (np.trace(spread) * np.eye(3) - spread) - np.trace(spread) * np.outer(x, x)
    wanted = np.zeros((12, 12))
    for k in (0, 6):
        wanted[k : k + 3, k : k + 3] = half * b * h * np.eye(3)
        wanted[k + 3 : k + 6, k + 3 : k + 6] = half * about_axes
    assert mass[3:6, 3:6] == pytest.approx(wanted[3:6, 3:6], rel=1e-12, abs=1e-12 * half * np.trace(second))
    assert mass == pytest.approx(wanted, abs=1e-12 * half * b * h)


@pytest.mark.parametrize(
    ("recipe", "order"), [("consistent", 4.0), ("coupled", 4.0), ("bodies", 2.0), ("particles", 2.0)]
)
def test_cantilever_frequency_converges_at_the_theoretical_order(recipe, order):
    """omega = 3.5160153 sqrt(E I / rho A L^4); cubic shapes with consistent mass are fourth order."""
    slender = BeamStation(1.0, 1e-8, 1e-8, 0.0, 1e-8)
    section = BeamSection(1, Isotropic.from_young(1, 1e8, 0.3, 1.0), slender)
    counts, errors = np.array([2, 4, 8]), []
    for count in counts:
        assembled = assemble(beam_model(straight(count, 1.0), section, orientation=(0, 1, 0), recipe="bar"), recipe)
        plane = np.isin(assembled.dofs.component, (1, 5)) & (assembled.dofs.node > 0)
        K, M = assembled.stiffness.toarray(), assembled.mass.toarray()
        keep = plane & (np.abs(M).max(axis=1) > 0)
        drop = plane & ~keep
        k = K[np.ix_(keep, keep)]
        if drop.any():
            k = k - K[np.ix_(keep, drop)] @ np.linalg.solve(K[np.ix_(drop, drop)], K[np.ix_(drop, keep)])
        from scipy.linalg import eigh

        value = eigh(k, M[np.ix_(keep, keep)], eigvals_only=True)[0]
        errors.append(abs(np.sqrt(value) / 3.516015268522 - 1.0))
    rate = -np.polyfit(np.log(counts), np.log(errors), 1)[0]
    assert rate == pytest.approx(order, abs=0.25)


def test_timoshenko_rotary_inertia_lowers_the_frequency_as_rayleigh_says():
    """Simply supported Timoshenko beam: first root of the exact frequency equation.

    The shear strain is constant within an element, so shear-flexible beams converge with order two.
    """
    E, G, rho, k, L = 1.0, 0.4, 1.0, 5 / 6, 1.0
    h = 0.2
    station = BeamStation(h, h**3 / 12, h**3 / 12, 0.0, h**3)
    section = BeamSection(1, Isotropic(1, E, G, 0.25, rho), station, None, shear_y=k, shear_z=k)
    found = []
    for count in (8, 16):
        assembled = assemble(beam_model(straight(count, L), section, orientation=(0, 1, 0)))
        dofs = assembled.dofs
        ends = np.isin(dofs.node, (0, count)) & (dofs.component == 1)
        found.append(eigenvalues(assembled, ~np.isin(dofs.component, (1, 5)) | ends)[0])
    n, r2 = np.pi / L, station.i_zz / station.area
    # r2 (rho/kG) w^4 - (1 + n^2 r2 (1 + E/kG)) w^2 + n^4 E r2 / rho = 0
    a, b, c = r2 * rho / (k * G), -(1 + n**2 * r2 * (1 + E / (k * G))), n**4 * E * r2 / rho
    exact = (-b - np.sqrt(b * b - 4 * a * c)) / (2 * a)
    assert found[1] == pytest.approx(exact, rel=3e-4)
    assert (4.0 * found[1] - found[0]) / 3.0 == pytest.approx(exact, rel=1e-5)  # second order, extrapolated


@needs_corpus
def test_stiffness_and_mass_of_one_bar_match_nastran():
    """12 x 12 K and M of one CBAR as Nastran punched them (deck barmat of the svanberg family)."""
    folder = shared() / "corpus/NASTRAN_CoFE/testing/system_verification/003_svanberg_bar/nastran_runs"
    matrices = punched((folder / "barmat.pch").read_text())
    deck = (folder / "barmat.dat").read_text()
    model = bar_of(deck)
    found = element_matrices(model, model.elements[0], "lumped")
    K, M = matrices["K10"], matrices["M10"]
    assert np.abs(found.stiffness[0] - K).max() <= 1e-9 * np.abs(K).max()
    assert np.abs(found.mass[0] - M).max() <= 1e-9 * np.abs(M).max()


def punched(text):
    """DMIG matrices of two six-dof grids from a punch file, by name."""
    out, column, name = {}, None, None
    for line in text.splitlines():
        if line.startswith(("DMIG*   K10 ", "DMIG*   M10 ")):
            name, node, component = line[8:24].strip(), int(line[24:40]), int(line[40:56])
            column = 6 * (node - 1) + component - 1
            out.setdefault(name, np.zeros((12, 12)))
        elif line.startswith("*") and column is not None and re.match(r"\*\s+\d", line):
            row = 6 * (int(line[8:24]) - 1) + int(line[24:40]) - 1
            out[name][row, column] = out[name][column, row] = float(line[40:56].replace("D", "E"))
        else:
            column = None
    return out


def bar_of(deck):
    """The single CBAR of the deck, read field by field (free field cards)."""
    cards = {}
    for line in deck.splitlines():
        fields = [field.strip() for field in line.split(",")] + [""] * 9
        cards.setdefault(fields[0], []).append(fields)
    mat, bar = cards["MAT1"][0], cards["PBAR"][0]

    def number(text):
        return float(re.sub(r"(?<=[\d.])([+-]\d+)$", r"e\1", text))

    E = number(mat[2])
    G = number(mat[3]) if mat[3] else E / (2 * (1 + number(mat[4])))
    nu = number(mat[4]) if mat[4] else E / (2 * G) - 1
    material = Isotropic(1, E, G, nu, number(mat[5]) if mat[5] else 0.0)
    values = [number(x) if x else 0.0 for x in bar[3:8]]
    station = BeamStation(values[0], values[1], values[2], 0.0, values[3], values[4])
    vector = [number(x) if x else 0.0 for x in cards["CBAR"][0][5:8]]
    return beam_model(
        np.array([[0.0, 0, 0], [1.0, 0, 0]]), BeamSection(1, material, station), orientation=vector, recipe="bar"
    )
