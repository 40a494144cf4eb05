"""The thirteen-member truss (S4 9.9, 15.20) from a deck to its forced motion, against printed and recomputed figures."""

import numpy as np
import pytest

import tisserand as ts

L, MASS, K = 2.0, 1.5, 40.0  # length, mass and stiffness E A/L of a short member
OMEGA = np.sqrt(K / MASS)
MEMBERS = "12 23 34 41 15 26 37 48 13 16 18 36 38"


def deck() -> str:
    """Nodes 1-4 free, 5-8 held below them; CROD puts half of each member's mass on its nodes."""
    square = [(0, 0), (L, 0), (L, L), (0, L)]
    points = [(*p, z) for z in (0.0, -L) for p in square]
    area = 1e-4
    lines = ["SOL 103", "BEGIN BULK"]
    lines += [f"GRID,{i + 1},,{x},{y},{z},,{456 if i < 4 else 123456}" for i, (x, y, z) in enumerate(points)]
    lines += [f"CROD,{i + 1},1,{pair[0]},{pair[1]}" for i, pair in enumerate(MEMBERS.split())]
    lines += [f"PROD,1,1,{area}", f"MAT1,1,{K * L / area},,0.3,{MASS / (area * L)}", "ENDDATA"]
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def basis(tmp_path_factory):
    path = tmp_path_factory.mktemp("truss") / "truss.bdf"
    path.write_text(deck())
    return ts.solve_modes(ts.assemble(ts.read_model(path, units="SI")), count=12)


def test_9_9_eigenvalues_and_first_mode(basis):
    printed = [0.0373322, 0.0668532, 0.0668532, 0.244379, 0.488054, 0.495117,
               0.666667, 0.666667, 0.973587, 0.973587, 0.986458, 1.16287]  # fmt: skip
    assert basis.eigenvalues * MASS / K == pytest.approx(printed, rel=5e-6)
    first = basis.model.displacements(basis.shapes[:, :1])[:4, :3, 0].ravel() * np.sqrt(MASS)
    shape = [0.20996, 0.20996, 0.094449, 0.22242, 0.22242, 0, 0.20996, 0.20996, -0.094449, 0.22242, 0.22242, 0]
    assert first * np.sign(first[0]) == pytest.approx(shape, abs=5e-6)


#: q1/L at w t = 10, 20, ..., 60 under 0.01 k L sin(eps w t) on P1 along n1, from rest; (eps, modes) -> row.
FORCED = {
    (0.1, 12): [0.018276, 0.042531, 0.002445, -0.029735, -0.033195, -0.003753],
    (0.1, 3): [0.016003, 0.040366, 0.002264, -0.027713, -0.031118, -0.003294],
    (0.1, 1): [0.005764, 0.020188, 0.006181, -0.020489, -0.013515, 0.002395],
    (0.2586, 12): [0.031884, -0.023976, -0.020249, 0.066099, -0.088582, 0.087192],
}


@pytest.mark.parametrize(("eps", "modes"), FORCED)
def test_15_20_forced_motion_by_flight_and_by_convolution(basis, eps, modes):
    """The recomputed rows to their last digit, flown on a fixed base and convolved mode by mode."""
    wing = ts.reduce(basis, modes=range(modes), interfaces={"P1": 1})
    times = np.linspace(0.0, 60.0, 6001) / OMEGA
    hertz = eps * OMEGA / (2.0 * np.pi)
    vehicle = ts.Vehicle(
        "truss", (ts.Body("ground", 1.0, inertia=[1, 1, 1]),), base_motion="fixed",
        appendages=(ts.MountedAppendage("truss", wing, "ground"),),
    )  # fmt: skip
    run = ts.simulate(
        vehicle, times[-1], loads=[ts.loads.node_force("truss", "P1", [1, 0, 0], ts.profiles.sine(0.01 * K * L, hertz))],
        outputs=[ts.signals.node_deflection("truss", "P1", [1, 0, 0], name="q1")], times=times,
    )  # fmt: skip
    assert run.signals["q1"][1000::1000] / L == pytest.approx(FORCED[eps, modes], abs=1e-6)

    shape = wing.interface("P1").translation[0]
    force = 0.01 * K * L * np.sin(eps * OMEGA * times)
    eta, _ = ts.forced_response(wing, times, np.outer(force, shape))
    assert (eta @ shape)[1000::1000] / L == pytest.approx(FORCED[eps, modes], abs=2e-6)


#: q1/L at w t = 0, 10, ..., 60 after all free nodes were moved by L/10 along n1 and released.
RELEASED = {
    12: [0.1, -0.059594, -0.010455, 0.043901, -0.026590, 0.001913, -0.026220],
    3: [0.094241, -0.057269, -0.013062, 0.045291, -0.023610, 0.000514, -0.021555],
    1: [0.045938, -0.016241, -0.034455, 0.040604, 0.005744, -0.044665, 0.025838],
}


@pytest.mark.parametrize("modes", RELEASED)
def test_9_9_released_motion(basis, modes):
    wing = ts.reduce(basis, modes=range(modes), interfaces={"P1": 1})
    model = basis.model
    moved = np.where((model.dofs.component == 0) & ~basis.fixed, L / 10, 0.0)
    eta0 = basis.shapes[:, :modes].T @ (model.mass @ moved)
    vehicle = ts.Vehicle(
        "truss", (ts.Body("ground", 1.0, inertia=[1, 1, 1]),), base_motion="fixed",
        appendages=(ts.MountedAppendage("truss", wing, "ground"),),
    )  # fmt: skip
    run = ts.simulate(vehicle, 60.0 / OMEGA, ts.State(modal={"truss": eta0}), times=np.arange(0, 61, 10) / OMEGA)
    q1 = run.modal["truss"] @ wing.interface("P1").translation[0]
    assert q1 / L == pytest.approx(RELEASED[modes], abs=1e-6)
