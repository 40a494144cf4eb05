"""Reading speed: a generated Nastran deck of a million lines, ours beside meshio, CPU seconds of one core.

python benchmarks/reading.py [--lines 1000000] [--no-meshio]
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from tisserand.readers.nastran import read_deck


def write_plate(path: Path, lines: int) -> int:
    """A plate of CQUAD4 with CBAR stiffeners along one side of every quad, small field; number of lines written."""
    side = max(2, int(np.sqrt(lines / 3.0)))
    ids = np.arange(1, side * side + 1).reshape(side, side)
    pieces = [
        "SOL 103\nCEND\nSPC = 1\nMETHOD = 1\nBEGIN BULK\n",
        "EIGRL          1                      10\n",
        "MAT1           1   7.+10              .3   2700.\n",
        "PSHELL         1       1    .002       1               1\n",
        "PBAR           2       1   1.e-5  8.e-12  8.e-12 1.4e-11\n",
        f"SPC1           1  123456       1    THRU{side:8d}\n",
    ]
    x = np.arange(side) * 0.01
    text_x = [f"{value:8.5f}" for value in x]
    for row in range(side):
        pieces.extend(
            f"GRID    {node:8d}        {at}{text_x[row]}      0.\n" for node, at in zip(ids[row].tolist(), text_x)
        )
    count = 0
    for row in range(side - 1):
        a, b = ids[row].tolist(), ids[row + 1].tolist()
        pieces.extend(
            f"CQUAD4  {count + k + 1:8d}       1{a[k]:8d}{a[k + 1]:8d}{b[k + 1]:8d}{b[k]:8d}\n" for k in range(side - 1)
        )
        count += side - 1
    for row in range(side):
        a = ids[row].tolist()
        pieces.extend(
            f"CBAR    {count + k + 1:8d}       2{a[k]:8d}{a[k + 1]:8d}      0.      0.      1.\n"
            for k in range(side - 1)
        )
        count += side - 1
    pieces.append("ENDDATA\n")
    text = "".join(pieces)
    path.write_text(text)
    return text.count("\n")


def main() -> dict[str, float]:
    """Time both readers on the same file; returns lines per second."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--no-meshio", action="store_true")
    options = parser.parse_args()
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plate.bdf"
        lines = write_plate(path, options.lines)
        print(f"{lines} lines, {path.stat().st_size / 1e6:.0f} MB")
        path.read_bytes()
        times = []
        for _ in range(options.repeat):
            start = time.process_time()
            model = read_deck(path, "SI").main
            times.append(time.process_time() - start)
        assert model is not None
        found["tisserand"] = lines / min(times)
        print(f"tisserand: {min(times):.2f} s, {found['tisserand']:,.0f} lines/s  {model!r}")
        if not options.no_meshio:
            import meshio

            start = time.process_time()
            with contextlib.redirect_stdout(io.StringIO()):
                mesh = meshio.read(path, file_format="nastran")
            seconds = time.process_time() - start
            found["meshio"] = lines / seconds
            cells = sum(len(block.data) for block in mesh.cells)
            print(
                f"meshio:    {seconds:.2f} s, {found['meshio']:,.0f} lines/s  "
                f"{len(mesh.points)} points, {cells} cells (geometry only)"
            )
            print(f"ratio:     {found['tisserand'] / found['meshio']:.1f}")
    return found


if __name__ == "__main__":
    main()
