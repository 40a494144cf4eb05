"""The page is self-contained, escapes every name, and survives odd records."""

import base64
import json
import re
from dataclasses import replace

import numpy as np
from support.appendages import polynomial_panel
from support.one_node import one_node

from tisserand.appendage.record.node_table import NodeTable
from tisserand.views.report.appendage_page import appendage_page
from tisserand.views.report.charts import curves
from tisserand.views.report.scene import MOST_NODES, mode_scene, thinned


def own_part(page: str) -> str:
    """The page without the chart library's code."""
    return re.sub(r'<script type="text/plain" id="plotly">.*?</script>', "", page, flags=re.S)


def test_nothing_is_fetched():
    page = own_part(appendage_page(polynomial_panel()))
    assert not re.search(r"""(src|href)\s*=\s*["'](?!#|data:)""", page)
    assert "default-src 'none'" in page


def test_round_off_is_not_printed_as_data():
    """The panel bends across its plane only: effective masses in the plane are zero, not 1e-30."""
    panel = polynomial_panel()
    integrals = replace(panel.integrals, translation=panel.integrals.translation + 1e-16)
    page = own_part(appendage_page(panel.changed(integrals=integrals)))
    assert not re.search(r"\d(\.\d+)?e-(2|3)\d", page)


def figures(page: str) -> dict[str, str]:
    """The numbers in the header of a page."""
    header = re.search(r'<div class="cards">(.*?)</div></header>', page, flags=re.S).group(1)
    return {label: value for value, label in re.findall(r"<b>(.*?)</b><span>(.*?)</span>", header)}


def test_the_header_counts_modes_by_what_they_are():
    """Residual shapes are no modes; what does not exist is not listed; the last mode is the last that vibrates."""
    panel = polynomial_panel()
    plain = figures(appendage_page(panel))
    assert plain == {
        "mass, kg": f"{panel.mass:.5g}", "modes": "2", "first mode, Hz": "0.7", "last mode, Hz": "2.1", "nodes": str(len(panel.nodes)),
    }  # fmt: skip
    mixed = panel.changed(mode_kinds=("elastic", "residual"), rigid_body_modes=6, inertia_level="linear")
    found = figures(appendage_page(mixed))
    assert found["modes"] == "1" and found["residual shapes"] == "1" and found["first mode, Hz"] == "0.7"
    assert (
        found["free rigid-body motions"] == "6" and found["inertia level"] == "linear" and "last mode, Hz" not in found
    )
    assert figures(appendage_page(one_node())) == {"mass, kg": "2", "modes": "0", "nodes": "1"}


def test_names_cannot_become_code():
    evil = polynomial_panel(name="</script><script>alert(1)</script>").changed(mode_names=("<img onerror=x>", "b"))
    page = appendage_page(evil)
    assert "<script>alert(1)" not in page
    assert "<img onerror" not in page


def test_one_node_without_modes_gives_a_page():
    page = appendage_page(one_node())
    data = json.loads(re.search(r'id="mode-data">(.*?)</script>', page).group(1))
    assert data["scenes"][0]["titles"] == []
    assert "stone" in page


def test_shapes_that_are_missing_at_some_nodes_are_drawn_at_rest():
    panel = polynomial_panel(4, 2)
    shapes = np.array(panel.nodes.translation)
    shapes[3] = np.nan
    broken = panel.changed(nodes=NodeTable(panel.nodes.ids, panel.nodes.positions, shapes, panel.nodes.rotation))
    data, _ = mode_scene(broken)
    assert np.isfinite([s["scale"] for s in data["parts"][0]["shapes"]]).all()


def test_large_meshes_are_thinned_with_the_factor_stated():
    panel = polynomial_panel(260, 120)
    mesh = thinned(panel.nodes.positions, panel.topology)
    assert len(mesh.rows) <= MOST_NODES
    assert mesh.factor == len(panel.nodes) / len(mesh.rows)
    assert mesh.triangles.max() < len(mesh.rows)
    assert f"one node in {mesh.factor:.1f}" in appendage_page(panel)


def test_the_verdict_names_a_failed_proof():
    proof = {"missed": 2, "worst_residual": 1e-9, "sturm_shift_hz": 3.0, "worst_orthogonality": 0.0, "backend": "x"}
    page = appendage_page(polynomial_panel().changed(reports={"proof": proof}))
    assert "Not acceptable" in page
    assert "2 missed below 3 Hz" in page


def test_a_page_of_300_000_dofs_stays_small():
    """50 000 nodes with six dofs and 30 modes: the page is thinned, says so, and stays below 25 MB."""
    panel = polynomial_panel(250, 199)
    assert 6 * len(panel.nodes) > 300_000
    mixed = panel.changed(  # thirty distinct shapes: the first two, scaled
        **_repeated(panel, 30)
    )
    page = appendage_page(mixed)
    assert len(page.encode()) < 25e6
    assert "one node in" in page


def _repeated(panel, count):
    from tisserand.appendage.frames.transformed_records import combined

    rng = np.random.default_rng(0)
    wide = combined(panel, rng.normal(size=(2, count)))
    words = ("integrals", "stiffness", "damping", "nodes", "interfaces", "frame", "mode_names", "mode_kinds")
    return {word: getattr(wide, word) for word in words} | {"recovery": {}, "geometric_stiffness": {}}


def drawn(markup):
    """What a chart draws: its data block, with the curves unpacked."""
    spec = json.loads(re.search(r'<script type="application/json">(.*?)</script>', markup.html).group(1))
    for one in spec["series"]:
        one["x"] = np.frombuffer(base64.b64decode(one["x"]), "<f8") if "x" in one else None
        one["y"] = np.frombuffer(base64.b64decode(one["y"]), "<f4")
    return spec


def test_round_off_is_drawn_as_a_zero_line_and_real_values_fill_their_chart():
    x = np.linspace(0.0, 1.0, 50)

    def limits(size, floor):
        return drawn(curves(x, [("a", size * np.sin(9.0 * x))], "time (s)", "deg", floor=floor)).get("range")

    assert limits(1e-10, 0.0) is None and limits(1e-8, 1e-9) is None
    assert limits(1e-10, 1e-9) == [-1e-8, 1e-8]


def test_long_curves_keep_their_extremes():
    x = np.linspace(0.0, 100.0, 200_001)
    y = np.sin(x)
    y[123_456] = 7.0
    one = drawn(curves(x, [("a", y)], "time (s)", "m"))["series"][0]
    assert len(one["x"]) <= 2000
    assert one["y"].max() == 7.0
    assert one["x"][np.argmax(one["y"])] == x[123_456]


def test_the_same_record_gives_the_same_page():
    assert appendage_page(polynomial_panel()) == appendage_page(polynomial_panel())


def test_nothing_is_fetched_by_the_chart_library_and_it_cannot_end_its_block():
    page = appendage_page(polynomial_panel())
    block = page[page.index('id="plotly">') :]
    assert block.index("</script") > 4_000_000


def test_a_free_body_says_why_it_has_no_effective_masses():
    panel = polynomial_panel()
    still = replace(panel.integrals, translation=np.zeros((3, 2)), rotation=np.zeros((3, 2)))
    page = appendage_page(panel.changed(integrals=still))
    assert "shapes of a free body carry no momentum" in page
