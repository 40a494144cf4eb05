"""The examples of docs/builders.md, run as they stand, in order."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "builders.md").read_text(encoding="utf-8")
    scope: dict = {}
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", text, re.DOTALL), 1):
        exec(compile(code, f"docs/builders.md, example {number}", "exec"), scope)
    assert "ReducedAppendage" in capsys.readouterr().out
    assert {"yoke.tip", "root", "foot"} & set(scope["wing"].interfaces)
