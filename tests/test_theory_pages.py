"""The theory pages: every citation in code, tests and documentation leads to a section, equation or reference that exists."""

import ast
import re
from pathlib import Path

import pytest
from support.each_case import check_each

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "theory"
PAGES = sorted(FOLDER.glob("*.md"))
SECTIONS = {
    number.rstrip(".")
    for page in PAGES
    for number in re.findall(r"^#{1,3} (\d+(?:\.\d+)?\.?) \S", page.read_text(), re.M)
}
KEYS = set(re.findall(r"^\| (\w+) \| ", (FOLDER / "bibliography.md").read_text(), re.M)) - {"key"}
EQUATIONS = set(re.findall(r"\((\d+[a-d]?)\) ", (FOLDER / "likins-equations.md").read_text()))
CITING = [
    path
    for folder, ending in (("src", "py"), ("tests", "py"), ("examples", "py"), ("docs", "md"))
    for path in sorted((ROOT / folder).rglob(f"*.{ending}"))
    if path.name != "test_theory_pages.py"
]
NUMBER = r"\d+(?:\.\d+)?"
CITED = re.compile(rf"\b[Tt]heory\s+(?:sections?\s+)?({NUMBER}(?:(?:,\s*|\s+and\s+|-){NUMBER})*)")


def cited_sections(text: str) -> list[str]:
    """Numbers in "theory section 8.1", "theory sections 2, 3 and 5", "theory 6"."""
    return [number for found in CITED.findall(text) for number in re.findall(NUMBER, found)]


def test_sections_run_from_1_to_16_without_gaps():
    assert sorted({int(n) for n in SECTIONS if "." not in n}) == list(range(1, 17))
    for n in SECTIONS:
        if "." in n:
            whole, part = n.split(".")
            assert whole in SECTIONS and (part == "1" or f"{whole}.{int(part) - 1}" in SECTIONS), n


def test_every_cited_section_exists():
    cited = {(number, str(path.relative_to(ROOT))) for path in CITING for number in cited_sections(path.read_text())}
    assert len({path for _, path in cited if path.startswith("src")}) >= 10
    assert {pair for pair in cited if pair[0] not in SECTIONS} == set()


def test_every_cited_equation_of_the_theory_exists():
    pattern = re.compile(r"[Tt]heory,? Eqs?\.? \(?(\d+[a-d]?)\)?")
    cited = {number for path in CITING for number in pattern.findall(path.read_text())}
    assert "50" in cited and cited <= EQUATIONS


def test_equations_of_the_two_reports_that_are_cited_are_on_the_page():
    """Numbers in "S1 Eqs 36-39", "TR 32-1593, Eqs 43, 76", "S1 Def 29": all of them stand in section 16."""
    pattern = re.compile(
        r"(?:\bS[01]|TR\s+32-15(?:76|93))(?:\s*\([A-Za-z 0-9]*\))?,?\s+(?:Eqs?\.?|Defs?)\s+"
        r"\(?(\d+[a-f]?(?:(?:\)?,\s*|\s*-\s*|\)?\s+and\s+)\(?\d+[a-f]?)*)"
    )
    known = set(re.findall(r"\b(\d+)[a-f]?\b", (FOLDER / "likins-equations.md").read_text()))
    cited = {
        (number, path.name)
        for path in CITING
        for found in pattern.findall(path.read_text())
        for number in re.findall(r"\d+", found)
    }
    assert len(cited) > 40
    assert {pair for pair in cited if pair[0] not in known} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_and_keys_of_a_page_resolve(page):
    text = page.read_text()
    for target in re.findall(r"\]\(([\w./-]+\.md)(?:#[\w-]+)?\)", text):
        assert (page.parent / target).exists(), target
    assert set(re.findall(r"\[([A-Z][A-Za-z]+\d{4})\]", text)) <= KEYS
    if page.stem not in ("index", "bibliography"):
        assert f"({page.name})" in (page.parent / "index.md").read_text(), "the index does not list this page"


def test_the_five_sources_are_explained():
    index = (FOLDER / "index.md").read_text()
    for key in ("S0", "S1", "S2", "S3", "S4"):
        assert key in KEYS and f"| {key} |" in index


MODULES = [
    path
    for room in ("elements", "modes", "multibody")
    for path in sorted((ROOT / "src" / "tisserand" / room).rglob("*.py"))
    if path.parent.name != "vehicle_file"  # keys of a file: nothing to derive
]
KEYED = re.compile(r"\[([A-Z][A-Za-z]+(?:\d{4}|QRG))\]")
SOURCE = re.compile(r"\bS[0-4]\b|TR\s+32-15(?:76|93)")


def test_every_module_of_the_mechanics_says_where_its_equations_come_from():
    """A theory section, an equation of a source, or a key of the bibliography; helpers name the section they serve."""
    assert len(MODULES) > 200
    check_each([(path,) for path in MODULES], _says_where_its_equations_come_from)


def _says_where_its_equations_come_from(path):
    words = ast.get_docstring(ast.parse(path.read_text())) or ""
    keys = set(KEYED.findall(words))
    assert keys <= KEYS, f"not in the bibliography: {keys - KEYS}"
    cited = keys or cited_sections(words) or SOURCE.search(words) or re.search(r"[Tt]heory,? Eqs?\b", words)
    assert cited, "name the equation or paper in the module docstring (docs/theory), for a helper the section it serves"
