"""The example of docs/appendage.md, run as it stands on the demo wing."""

from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_s_example_runs(tmp_path, monkeypatch, capsys):
    text = (ROOT / "docs" / "appendage.md").read_text()
    code = text.split("```python\n", 1)[1].split("```", 1)[0]
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "wing.bdf").write_bytes((ROOT / "meshes" / "wing.bdf").read_bytes())
    monkeypatch.chdir(tmp_path)
    exec(compile(code.replace("count=50", "count=12"), "docs/appendage.md", "exec"), {})
    said = capsys.readouterr().out
    assert "running %" in said and "same within tolerances" in said
