"""The example of docs/appendage.md, run on the demo wing."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_page_s_example_runs(tmp_path, monkeypatch, capsys):
    text = (ROOT / "docs" / "appendage.md").read_text()
    code = text.split("```python\n", 1)[1].split("```", 1)[0]
    if not (ROOT / "meshes" / "wing.bdf").exists():
        pytest.skip("meshes/wing.bdf is not there")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wing.bdf").write_bytes((ROOT / "meshes" / "wing.bdf").read_bytes())
    node = next(
        line.split()[1]
        for line in (ROOT / "meshes" / "wing.bdf").read_text().splitlines()
        if line.startswith("GRID")
    )
    code = code.replace("4021", node).replace("wing_v2.h5", "wing.h5").replace("count=50", "count=12")
    exec(compile(code, "docs/appendage.md", "exec"), {})
    said = capsys.readouterr().out
    assert "running %" in said and "same within tolerances" in said
