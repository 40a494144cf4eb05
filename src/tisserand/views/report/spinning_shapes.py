"""Complex shapes of a spinning body, kept with a record to be drawn: whole numbers of 16 bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.arrays import ComplexArray, FloatArray
from tisserand.assembly.assembled_model import AssembledModel
from tisserand.modes.campbell import Campbell
from tisserand.views.report.packing import packed, unpacked

#: Largest whole number of a packed shape.
FULL = 32767.0


def spinning_report(model: AssembledModel, data: Campbell, record: ReducedAppendage) -> dict[str, Any]:
    """The shapes of the last rate of a diagram at the nodes of a record, each scaled to a largest part of one.

    Empty where the record's nodes are not those of the model in the same axes, and where nothing spins.
    """
    if data.shapes is None or not data.rates[-1]:
        return {}
    if not np.isin(record.nodes.ids, model.nodes.ids).all():
        return {}
    rows = model.nodes.indices(record.nodes.ids)
    offset = model.nodes.positions[rows] - record.reference_point - record.nodes.positions
    if np.abs(offset).max(initial=0.0) > 1e-9 * max(float(np.abs(record.nodes.positions).max(initial=0.0)), 1.0):
        return {}
    shapes = model.displacements(data.shapes.real)[rows, :3] + 1j * model.displacements(data.shapes.imag)[rows, :3]
    largest = np.maximum(np.abs(shapes).max(axis=(0, 1), initial=0.0), 1e-300)
    whole = np.rint(FULL * shapes / largest)
    kept = {
        "rate": float(data.rates[-1]),
        "axis": data.axis.tolist(),
        "frequencies_hz": data.frequencies_hz[-1].tolist(),
        "real": packed(whole.real, "i2"),
        "imaginary": packed(whole.imag, "i2"),
    }
    return {"spinning": kept}


def spinning_shapes(record: ReducedAppendage) -> tuple[list[str], ComplexArray]:
    """Titles and complex shapes (n, 3, k) at the record's nodes, largest part one; none where the record has none."""
    kept = record.reports.get("spinning")
    if not kept:
        return [], np.zeros((len(record.nodes), 3, 0), complex)
    hertz: FloatArray = np.asarray(kept["frequencies_hz"], float)
    form = (len(record.nodes), 3, len(hertz))
    parts = [unpacked(kept[word], "i2").reshape(form) / FULL for word in ("real", "imaginary")]
    rpm = float(kept["rate"]) * 30.0 / np.pi
    titles = [f"branch {k + 1} at {rpm:.4g} rpm: {f:.6g} Hz" for k, f in enumerate(hertz)]
    return titles, parts[0] + 1j * parts[1]
