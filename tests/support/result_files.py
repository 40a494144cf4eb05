"""One modal run in every result format: a small frame, its modes, and writers of files as the formats lay them out.

The frame is solved here, so that a file's content is known exactly; layouts follow files that the programs wrote.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from tisserand.assembly import assemble
from tisserand.modes import solve_modes
from tisserand.readers.registry import read_model
from tisserand.readers.supplier import EffectiveMasses, Geometry, MassSummary, SupplierModes

#: An elbow of bars, held at node 1; node axes are basic, turned or cylindrical, and the tip carries an offset body.
FRAME = """SOL 103
CEND
TITLE = FRAME
METHOD = 1
SPC = 1
BEGIN BULK
EIGRL,1,,,6
CORD2R,6,,1.,0.,0.,1.,0.,1.
,2.,1.,0.
CORD2C,7,,0.,0.,0.,0.,0.,1.
,1.,0.,0.
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.,6
GRID,3,,2.,0.,0.
GRID,4,,3.,0.,0.,7
GRID,5,,3.,1.,0.,7
GRID,6,,3.,2.,0.5,6
CBAR,1,1,1,2,0.,0.,1.
CBAR,2,1,2,3,0.,0.,1.
CBAR,3,1,3,4,0.,0.,1.
CBAR,4,1,4,5,0.,0.,1.
CBAR,5,1,5,6,0.,0.,1.
PBAR,1,1,4.-4,2.-8,3.-8,2.-8
MAT1,1,7.+10,,0.3,2700.
CONM2,9,6,,0.4,0.02,0.01,0.03,,+C
+C,0.002,,0.003,,,0.004
SPC1,1,123456,1
PARAM,GRDPNT,0
ENDDATA
"""


def frame_deck(folder: Path, text: str = FRAME) -> Path:
    path = folder / "frame.bdf"
    path.write_text(text)
    return path


def frame_modes(deck: Path, count: int = 5, scaling: str = "MAX") -> SupplierModes:
    """The modes of the deck as a supplier would state them: node axes, weight table and effective masses about the origin."""
    model = assemble(read_model(deck, "SI"))
    basis = solve_modes(model, count=count)
    basic = model.displacements(basis.shapes)
    axes = model.nodes.axes if model.nodes.axes is not None else np.broadcast_to(np.eye(3), (len(model.nodes), 3, 3))
    turned = [np.einsum("nab,nbk->nak", axes, basic[:, part]) for part in (slice(3), slice(3, 6))]
    shapes = np.concatenate(turned, axis=1)
    size = {"MASS": np.ones(count), "MAX": np.abs(shapes).max(axis=(0, 1)), "POINT": shapes[-1, 0]}[scaling]
    shapes = shapes / size
    S = model.rigid_body_vectors
    free = ~basis.fixed[:, None]
    X = np.where(free, basis.shapes, 0.0) / size
    P = (np.asarray(model.mass @ X).T @ np.where(free, S, 0.0)).T
    modal = size**-2.0
    return SupplierModes(
        path=deck, program="tests", numbers=np.arange(1, count + 1), eigenvalues=basis.eigenvalues, shapes=shapes,
        node_ids=model.nodes.ids, given=np.ones((len(model.nodes), 6), bool), modal_masses=modal,
        geometry=Geometry(ids=model.nodes.ids, positions=model.nodes.positions, axes=axes),
        mass=MassSummary(matrix=S.T @ (model.mass @ S)),
        effective=EffectiveMasses(masses=P**2 / modal, participation=P / modal), wtmass=1.0,
    )  # fmt: skip


def in_basic_axes(run: SupplierModes) -> SupplierModes:
    """The same run with every displacement axis along the basic ones, scaled as before."""
    turned = [np.einsum("nab,nak->nbk", run.geometry.axes, run.shapes[:, part]) for part in (slice(3), slice(3, 6))]
    axes = np.broadcast_to(np.eye(3), run.geometry.axes.shape)
    return replace(run, shapes=np.concatenate(turned, axis=1), geometry=replace(run.geometry, axes=axes))


def punch(path: Path, run: SupplierModes, case: int = 1) -> Path:
    """VECTOR(PUNCH) of MSC Nastran."""
    lines = []
    for k, mode in enumerate(run.numbers):
        lines += [
            "$TITLE   = FRAME",
            "$SUBTITLE=",
            "$LABEL   =",
            "$EIGENVECTOR",
            "$REAL OUTPUT",
            f"$SUBCASE ID ={case:12d}",
        ]
        lines.append(f"$EIGENVALUE ={run.eigenvalues[k]:15.7E}  MODE ={mode:6d}")
        for node, row in zip(run.node_ids, run.shapes[:, :, k]):
            a, b = ("".join(f"{value:18.6E}" for value in part) for part in (row[:3], row[3:]))
            lines += [f"{node:10d}       G{a}", f"-CONT-            {b}"]
    path.write_text("".join(f"{line:<72s}{at:8d}\n" for at, line in enumerate(lines, 1)))
    return path


def mystran(path: Path, run: SupplierModes, wtmass: float = 1.0) -> Path:
    """F06 of MYSTRAN: the weight table and effective masses are before WTMASS, factors have the opposite sign.

    Factors of rotations are reaction moments without arms, here a part of H of the wrong sign; negative eigenvalues have a star.
    """
    lines = [
        "   0101000000",
        "",
        " MYSTRAN Version 11.0     Jun 16 2020",
        " >> MYSTRAN BEGIN  :  1/ 1/2020",
        "SOL 3",
        "CEND",
    ]
    lines += [f"PARAM   WTMASS  {wtmass:.6f}", ""]
    lines += [
        _spaced("OUTPUT FROM THE GRID POINT WEIGHT GENERATOR FOR OVERALL MODEL"),
        " (reference point is basic coord system origin)",
        "",
    ]
    M = np.array(run.mass.matrix) / wtmass
    M[3:, :3] = 0.0
    for at, row in enumerate(M):
        lines.append(
            "   *" + "".join(f"{v:14.6E}" for v in row[:3]) + "  *" + "".join(f"{v:14.6E}" for v in row[3:]) + "  *"
        )
        if at == 2:
            lines.append("   *" + "  ************" * 3 + "  *" + "  ************" * 3 + "  *")
    lines += [" ", " ", _spaced("REAL EIGENVALUES"), "    MODE  EXTRACTION      EIGENVALUE", "   NUMBER   ORDER", ""]
    lines += [re.sub(r"( -\S+)", r"\1*", row, count=1) for row in _eigenvalue_rows(run)]
    reactions = np.repeat([1.0, -0.3], 3)[:, None]
    for k, mode in enumerate(run.numbers):
        lines += [" ", " ", f" OUTPUT FOR EIGENVECTOR {mode:8d}", " FRAME", " ", _spaced("EIGENVECTOR")]
        lines += [
            "   (in global coordinate system at each grid)",
            "           GRID     COORD      T1",
            "                     SYS",
        ]
        for node, row in zip(run.node_ids, run.shapes[:, :, k]):
            words = "".join("  0.0         " if value == 0.0 else f"{value:14.6E}" for value in row)
            lines.append(f"{node:15d}{0:9d}{words}")
        lines += ["           ------------- -------------", " MAX (for output set):    0.0    1.0"]
        lines += [" ", _spaced("SPC FORCES"), "              1        0  0.0   0.0   1.0   0.0   0.0   0.0"]
    lines += [" ", _spaced("MODAL PARTICIPATION FACTORS"), "   (dimensionless, in coordinate sys        0)"]
    lines += ["   Reference point is the basic coordinate system origin", "", "  MODE     CYCLES    T1", "   NUM"]
    lines += _modal_rows(run, -reactions * run.effective.participation)
    lines += [" ", _spaced("EFFECTIVE MODAL MASSES OR WEIGHTS"), "   (in coordinate system        0)"]
    lines += ["   Reference point is the basic coordinate system origin", "", "  MODE     CYCLES    T1", "   NUM"]
    lines += _modal_rows(run, reactions**2 * run.effective.masses / wtmass)
    lines += ["", " >> LINK  9 END", " >> MYSTRAN END    :  1/ 1/2020"]
    path.write_text("\n".join(lines) + "\n")
    return path


def f06(
    path: Path, run: SupplierModes, cases: tuple[int, ...] = (1,), wtmass: float = 1.0, rows_per_page: int = 3,
    before: int = 0,
) -> Path:  # fmt: skip
    """F06 of MSC Nastran, with few rows on a page; before: modes listed before augmentation by residual vectors."""
    out = ["1", " * M S C   N a s t r a n *"]

    def page(case: int, *lines: str) -> None:
        out.extend(
            [
                "1    FRAME       MARCH  13, 2018  MSC Nastran  3/14/14   PAGE     1",
                "",
                f"0{'SUBCASE':>100s} {case}",
                *lines,
            ]
        )

    page(0, "     SOL 103", f"      PARAM   WTMASS  {wtmass:.6f}")
    table = ["*".join(["", "".join(f"{v:14.6E}" for v in row), ""]) for row in run.mass.matrix / wtmass]
    page(0, "    O U T P U T   F R O M   G R I D   P O I N T   W E I G H T   G E N E R A T O R", "0   REFERENCE POINT =        0",
         "    M O", *table)  # fmt: skip
    for case in cases:
        every = _eigenvalue_rows(run)
        tables = {"": every}
        if before:
            words = "(%s AUGMENTATION OF RESIDUAL VECTORS)"
            tables = {words % "BEFORE": every[:before], words % "AFTER": every}
        for said, rows in tables.items():
            for at in range(0, len(rows), rows_per_page):
                title = [
                    "    R E A L   E I G E N V A L U E S",
                    *([f"   {said}"] if said else []),
                    "   MODE    EXTRACTION",
                ]
                page(case, " ", *title, *rows[at : at + rows_per_page])
        for k, mode in enumerate(run.numbers):
            lines = [
                f"{n:14d}      G   " + "".join(f"{v:15.6E}" for v in row)
                for n, row in zip(run.node_ids, run.shapes[:, :, k])
            ]
            for at in range(0, len(lines), rows_per_page):
                hz = f"{run.frequencies_hz[k]:.6E}"
                page(case, f"      EIGENVALUE = {run.eigenvalues[k]:.6E}",
                     f"          CYCLES =  {hz}    R E A L   E I G E N V E C T O R   N O . {mode:10d}", " ",
                     "      POINT ID.   TYPE          T1", *lines[at : at + rows_per_page])  # fmt: skip
        rigid = run.mass.matrix
        page(case, "   TOTAL EFFECTIVE MASS FRACTION", "   REFERENCE POINT AT ORIGIN OF BASIC COORDINATE SYSTEM", "",
             "        A-SET RIGID BODY MASS MATRIX", "   ***          ***",
             *("   * " + "".join(f"{v:14.6E}" for v in row) + " *" for row in rigid))  # fmt: skip
        parts = run.effective.masses / np.diag(rigid)[:, None]
        for half, words in ((parts[:3], "T1    T2    T3"), (parts[3:], "R1    R2    R3")):
            sums = np.stack([half, np.cumsum(half, axis=1)], axis=1).reshape(6, -1)
            _modal_pages(page, case, "MODAL EFFECTIVE MASS FRACTION", words, _modal_rows(run, sums), rows_per_page)
        for title, values in (("MODAL PARTICIPATION FACTORS", run.effective.participation),
                              ("MODAL EFFECTIVE MASS", run.effective.masses),
                              ("MODAL EFFECTIVE WEIGHT", run.effective.masses / wtmass)):  # fmt: skip
            _modal_pages(page, case, title, "T1   T2   T3   R1   R2   R3", _modal_rows(run, values), rows_per_page)
    out.append("1                                        * * * END OF JOB * * *")
    path.write_text("\n".join(out) + "\n")
    return path


def _modal_pages(page, case, title, words, rows, most) -> None:
    """A table of modes: its title on the first page only."""
    for at in range(0, len(rows), most):
        head = [] if at else [f"          {title}", ""]
        page(case, "", *head, f"    MODE    FREQUENCY       {words}", "     NO.", "", *rows[at : at + most])


def _spaced(words: str) -> str:
    return " " * 40 + "   ".join(" ".join(word) for word in words.split())


def _eigenvalue_rows(run: SupplierModes) -> list[str]:
    out = []
    for k, mode in enumerate(run.numbers):
        value, mass = run.eigenvalues[k], run.modal_masses[k]
        root = np.sqrt(abs(value))
        out.append(
            f"{mode:9d}{mode:8d}" + "".join(f"{v:20.6E}" for v in (value, root, root / (2 * np.pi), mass, mass * value))
        )
    return out


def _modal_rows(run: SupplierModes, values: np.ndarray) -> list[str]:
    return [
        f"{mode:9d}{hz:18.6E}" + "".join(f"{v:18.6E}" for v in values[:, k])
        for k, (mode, hz) in enumerate(zip(run.numbers, run.frequencies_hz))
    ]


def universal(
    path: Path,
    run: SupplierModes,
    *,
    nodes: int = 2411,
    components: int = 6,
    cases: tuple[int, ...] = (0,),
    system: int | None = None,
) -> Path:
    """A universal file by pyuff: header 151, units 164, axes 2420, nodes 15 or 2411, shapes 55.

    system: displacement coordinate system that every node names, in place of one of its own.
    """
    import pyuff

    axes, places = run.geometry.axes, run.geometry.positions
    ids = [int(node) for node in run.geometry.ids]
    labels = [10 + at for at in range(len(ids))]
    file = pyuff.UFF(str(path))
    head = pyuff.prepare_151(model_name="frame", description="an elbow", db_app="tests", program="bench 2.0")
    factors = {"length": 1.0, "force": 1.0, "temp": 1.0, "temp_offset": 0.0}
    units = pyuff.prepare_164(units_code=1, units_description="SI: Meter (newton)", temp_mode=1, **factors)
    systems = pyuff.prepare_2420(
        Part_UID=1, Part_Name="frame", CS_sys_labels=labels, CS_types=[0] * len(ids), CS_colors=[1] * len(ids),
        CS_names=[f"axes of {node}" for node in ids], CS_matrices=[np.vstack([a, np.zeros(3)]) for a in axes],
    )  # fmt: skip
    prepare = {15: pyuff.prepare_15, 2411: pyuff.prepare_2411}[nodes]
    x, y, z = places.T.tolist()
    shown = labels if system is None else [system] * len(ids)
    grid = prepare(node_nums=ids, def_cs=[1] * len(ids), disp_cs=shown, color=[1] * len(ids), x=x, y=y, z=z)
    file.write_sets([head, units, systems, grid], "overwrite")
    for case in cases:
        for k, mode in enumerate(run.numbers):
            parts = {f"r{c + 1}": run.shapes[:, c, k] for c in range(components)}
            file.write_sets(
                pyuff.prepare_55(
                    model_type=1, analysis_type=2, data_ch=3 if components == 6 else 2, spec_data_type=8, load_case=case,
                    mode_n=int(mode), freq=float(run.frequencies_hz[k]), modal_m=float(run.modal_masses[k]),
                    modal_damp_vis=0.0, modal_damp_his=0.0, node_nums=ids, data_type=2, n_data_per_node=components, **parts,
                ),
                "add",
            )  # fmt: skip
    return path
