"""The README's Python example runs, and its two commands are the ones continuous integration uses."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_ten_line_example_works(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1)
    scope: dict = {}
    exec(code, scope)  # our own text
    assert scope["basis"].proof.missed == 0
    assert scope["run"].complete and max(scope["run"].balance.worst().values()) < 1e-7
    assert "balance" in capsys.readouterr().out


def test_the_lines_of_the_front_door_work(monkeypatch):
    monkeypatch.chdir(ROOT)
    scope: dict = {}
    exec("import tisserand as ts\n" + re.findall(r"```python\n(.*?)```", README, re.DOTALL)[1], scope)  # our own text
    assert scope["passed"] and len(scope["result"].frequencies_hz) == len(scope["record"].frequencies_hz) == 20


def test_two_commands_do_all_set_up():
    commands = re.findall(r"<!-- (main|test) command -->\n```bash\n(.*?)\n```", README, re.DOTALL)
    assert [kind for kind, _ in commands] == ["main", "test"]
    assert all("\n" not in text and "pip install" in text for _, text in commands)
    assert commands[0][1].endswith("tisserand demo") and "pytest" in commands[1][1]
    assert "readme_command" in (ROOT / ".ci" / "run").read_text()


def test_links_lead_somewhere():
    for page in [ROOT / "README.md", *ROOT.glob("docs/*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
