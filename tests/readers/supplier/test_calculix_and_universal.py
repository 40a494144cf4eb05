"""Results that CalculiX writes in the test, and universal files that pyuff and Gmsh write."""

import subprocess

import numpy as np
import pytest
from oracles.calculix import CCX

import tisserand as ts
from tisserand.errors import FileError
from tisserand.readers.supplier import read_supplier_modes

BAR = """*NODE,NSET=ALL
{nodes}
*ELEMENT,TYPE=C3D8,ELSET=E
{elements}
*MATERIAL,NAME=M
*ELASTIC
7e10,0.3
*DENSITY
2700
*SOLID SECTION,ELSET=E,MATERIAL=M
*BOUNDARY
{held}
*STEP
*FREQUENCY
6
*NODE FILE
U
*END STEP
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A bar of eight bricks, held at one end, solved by ccx."""
    if CCX is None:
        pytest.skip("CalculiX (ccx) is not installed")
    folder = tmp_path_factory.mktemp("ccx")
    corners = [(0, 0), (0.2, 0), (0.2, 0.1), (0, 0.1)]
    nodes = [f"{4 * i + j + 1},{0.25 * i},{y},{z}" for i in range(9) for j, (y, z) in enumerate(corners)]
    elements = [f"{i + 1}," + ",".join(str(4 * i + j + 1) for j in range(8)) for i in range(8)]
    held = "\n".join(f"{j},1,3" for j in range(1, 5))
    (folder / "bar.inp").write_text(BAR.format(nodes="\n".join(nodes), elements="\n".join(elements), held=held))
    subprocess.run([CCX, "bar"], cwd=folder, capture_output=True, timeout=100, check=True)
    return folder


def test_frd_and_dat_with_the_deck(run):
    """Same bricks in our model: frequencies 1e-5, residuals 1e-3 (six digits), effective masses 1e-4 of the body's."""
    found = ts.modes(run / "bar.frd", units="SI", deck=run / "bar.inp")
    check = found.supplier.verification
    assert check.passed, check.breaches
    assert len(check.modes) == 6
    assert max(abs(mode.change) for mode in check.modes) < 1e-5
    assert max(mode.residual for mode in check.modes) < 1e-3
    assert max(mode.effective_mass for mode in check.modes) < 1e-4
    assert ts.modes(run / "bar.dat", units="SI", deck=run / "bar.inp").exit_code == 0
    diff = ts.diff(run / "bar.inp", run / "bar.frd", units="SI", deck=run / "bar.inp")
    assert diff.passed and len(diff.comparison.pairs) == 6


def test_local_axes_and_complex_modes_beside(run, tmp_path):
    """Tip nodes in a cylindrical system and shapes in it (GLOBAL=NO, no sign of it in the file), then complex frequencies."""
    text = (run / "bar.inp").read_text().replace("*FREQUENCY", "*FREQUENCY,STORAGE=YES")
    text = text.replace("*NODE FILE", "*NODE FILE,GLOBAL=NO")
    text = text.replace(
        "*MATERIAL", "*NSET,NSET=TIP\n33,34,35,36\n*TRANSFORM,NSET=TIP,TYPE=C\n0,0,0,0,0,1\n*MATERIAL", 1
    )
    more = "*STEP\n*COMPLEX FREQUENCY,CORIOLIS\n4\n*DLOAD\nE,CENTRIF,1e2,0,0,0,0,0,1\n*END STEP\n"
    (tmp_path / "bar.inp").write_text(text + more)
    subprocess.run([CCX, "bar"], cwd=tmp_path, capture_output=True, timeout=100, check=True)
    found = ts.modes(tmp_path / "bar.frd", units="SI", deck=tmp_path / "bar.inp")
    check = found.supplier.verification
    assert check.passed and len(check.modes) == 6
    assert max(mode.residual for mode in check.modes) < 1e-3
    assert "GLOBAL=NO" in "".join(check.notes) and "complex modes in the same file are not used" in check.notes
    shapes = [
        ts.modes(folder / "bar.frd", units="SI", deck=folder / "bar.inp").appendage.nodes.translation
        for folder in (run, tmp_path)
    ]
    np.testing.assert_allclose(np.abs(shapes[0]), np.abs(shapes[1]), atol=1e-4 * np.abs(shapes[0]).max())


def test_frd_alone_has_no_mass_to_fly(run, tmp_path):
    found = ts.modes(run / "bar.frd", units="SI").as_dict()
    assert found["supplier"]["level"] == "none" and len(found["frequencies_hz"]) == 6
    told = " ".join(found["supplier"]["notes"])
    assert "state the deck" in told and "basic axes" in told and "PARAM" not in told
    cut = tmp_path / "bar.frd"
    text = (run / "bar.frd").read_text()
    cut.write_text(text[: int(0.7 * len(text))])
    with pytest.raises(FileError, match=r"cut off|cannot be read"):
        read_supplier_modes(cut)


def test_cut_frd_files_give_one_sentence(run, tmp_path):
    raw = (run / "bar.frd").read_bytes()
    cut = tmp_path / "bar.frd"
    for part in np.linspace(0.01, 0.999, 40):
        cut.write_bytes(raw[: int(part * len(raw))])
        with pytest.raises(FileError) as error:
            read_supplier_modes(cut)
        assert "\n" not in str(error.value)


def test_eigenvalues_are_those_of_the_table(run):
    """Seven printed digits of the DAT file, which the headings of the shapes have, too."""
    found = read_supplier_modes(run / "bar.dat")
    row = next(line.split() for line in (run / "bar.dat").read_text().splitlines() if line.split()[:1] == ["1"])
    assert found.eigenvalues[0] == float(row[1])
    assert "eigenvalues, participation" in found.parts


def test_files_of_two_runs_are_told_apart(run, tmp_path):
    """A DAT file whose eigenvalues are not those of the shapes."""
    (tmp_path / "bar.frd").write_bytes((run / "bar.frd").read_bytes())
    lines = (run / "bar.dat").read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if line.split()[:1] == ["1"])
    words = lines[at].split()
    lines[at] = lines[at].replace(words[1], f"{1.5 * float(words[1]):.7E}", 1)
    (tmp_path / "bar.dat").write_text("\n".join(lines) + "\n")
    with pytest.raises(FileError, match="another run"):
        read_supplier_modes(tmp_path / "bar.frd")


def universal(path, complex_shapes=False):
    """Three nodes, one of them with cylindrical axes, and two modes, written by pyuff."""
    pyuff = pytest.importorskip("pyuff")
    turned = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    file = pyuff.UFF(str(path))
    axes = pyuff.prepare_2420(
        Part_UID=1,
        Part_Name="part",
        CS_sys_labels=[5],
        CS_types=[0],
        CS_colors=[1],
        CS_names=["turned"],
        CS_matrices=[turned],
    )
    nodes = pyuff.prepare_2411(
        node_nums=[1, 2, 3],
        def_cs=[1, 1, 1],
        disp_cs=[1, 1, 5],
        color=[1, 1, 1],
        x=[0.0, 1.0, 2.0],
        y=[0.0] * 3,
        z=[0.0] * 3,
    )
    file.write_sets([axes, nodes], "overwrite")
    for number, hz in ((1, 3.5), (2, 12.25)):
        factor = 1.0 + 1.0j if complex_shapes else 1.0
        shape = pyuff.prepare_55(
            model_type=1, analysis_type=2, data_ch=2, spec_data_type=8, load_case=0, mode_n=number, freq=hz, modal_m=1.0,
            modal_damp_vis=0.0, modal_damp_his=0.0, node_nums=[1, 2, 3], r1=np.array([0.0, 0.0, 0.25]) * factor,
            r2=np.array([0.0, 0.5, 0.0]) * factor, r3=np.array([0.0, 0.125, 1.0]) * factor,
            data_type=5 if complex_shapes else 2, n_data_per_node=3,
        )  # fmt: skip
        file.write_sets(shape, "add")
    return path


def test_universal_files_of_pyuff(tmp_path):
    """Frequencies and shapes to the six digits of data set 55; the third node moves in its own axes."""
    found = read_supplier_modes(universal(tmp_path / "x.unv"))
    np.testing.assert_allclose(found.frequencies_hz, [3.5, 12.25], rtol=1e-5)
    np.testing.assert_allclose(found.shapes[1, :3, 0], [0.0, 0.5, 0.125], rtol=1e-5)
    assert not found.has_rotations and found.modal_masses is not None
    from tisserand.readers.supplier.basic_shapes import basic_shapes
    from tisserand.units import unit_system

    basic = basic_shapes(found, unit_system("mm-t-s"))
    np.testing.assert_allclose(basic.positions[:, 0], [0.0, 1e-3, 2e-3])
    np.testing.assert_allclose(basic.translation[2, :, 0], [0.0, 0.25, 1.0], atol=1e-6)  # x of the turned axes is y


def test_complex_universal_shapes_are_refused(tmp_path):
    with pytest.raises(FileError, match="complex"):
        read_supplier_modes(universal(tmp_path / "x.unv", complex_shapes=True))


def test_damaged_universal_files_give_one_sentence(tmp_path):
    path = universal(tmp_path / "x.unv")
    text = path.read_text()
    for damaged in (text[: len(text) // 2], text.replace("3.5", "a.b", 1), "hello\n", text.replace("    -1", "", 1)):
        path.write_text(damaged)
        with pytest.raises(FileError) as error:
            read_supplier_modes(path)
        assert "\n" not in str(error.value)


def test_a_mesh_of_gmsh_holds_no_modes(tmp_path):
    """Gmsh writes 2411 and 2412: read, and refused for the lack of shapes."""
    gmsh = pytest.importorskip("gmsh")
    gmsh.initialize()
    try:
        gmsh.option.setNumber("General.Terminal", 0)
        gmsh.model.occ.addBox(0, 0, 0, 1, 1, 1)
        gmsh.model.occ.synchronize()
        gmsh.model.mesh.generate(2)
        gmsh.write(str(tmp_path / "box.unv"))
    finally:
        gmsh.finalize()
    with pytest.raises(FileError, match="no mode shapes"):
        read_supplier_modes(tmp_path / "box.unv")


def test_a_free_bar_of_calculix(run, tmp_path):
    """Rigid-body eigenvalues below zero have an imaginary frequency alone and are real; one with both parts is refused."""
    text = (run / "bar.inp").read_text()
    start, end = text.index("*BOUNDARY"), text.index("*STEP")
    (tmp_path / "bar.inp").write_text(text[:start] + text[end:].replace("\n6\n", "\n10\n"))
    subprocess.run([CCX, "bar"], cwd=tmp_path, capture_output=True, timeout=100, check=True)
    lines = (tmp_path / "bar.dat").read_text().splitlines(keepends=True)
    row = next(at for at, line in enumerate(lines) if line.split()[:1] == ["1"])
    lines[row] = "      1  -0.2189744E-05   0.0000000E+00   0.0000000E+00   0.1479778E-02\n"
    (tmp_path / "bar.dat").write_text("".join(lines))
    check = ts.modes(tmp_path / "bar.frd", units="SI", deck=tmp_path / "bar.inp").supplier.verification
    assert check.passed and len(check.modes) == 4, check.breaches
    row += 8
    words = lines[row].split()
    lines[row] = f"{words[0]:>7s}   {words[1]}   {words[2]}   {words[3]}   0.1000000E+01\n"
    (tmp_path / "bar.dat").write_text("".join(lines))
    with pytest.raises(FileError, match="complex"):
        read_supplier_modes(tmp_path / "bar.frd")
