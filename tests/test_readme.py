"""The two commands of the README are the ones continuous integration uses, and its links lead somewhere."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


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
