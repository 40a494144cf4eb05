"""Texts are plain American English: no British spellings, and few of the words that made them read like a translation."""

import ast
import re
from functools import cache
from pathlib import Path

from support.source_trees import source_trees

ROOT = Path(__file__).parents[1]

#: One regular expression per line.
BRITISH = [
    r"aluminium|analyse|analysed|analysing|artefact|artefacts|behaviour|behaviours|catalogue|centimetre|centre",
    r"centred|centres|colour|coloured|colours|discretise|discretised|favour|fibre|fibres|flavour|generalise",
    r"generalised|grey|initialise|initialised|kilometre|kilometres|labelled|labelling|linearise|linearised",
    r"linearisation|litre|metre|metres|millimetre|millimetres|minimise|modelled|modelling|neighbour|neighbouring",
    r"neighbours|normalise|normalised|normalisation|optimise|optimised|optimisation|organise|programme|recognise",
    r"recognised|stabilise|stabilised|summarise|travelled|travelling|vectorise|vectorised|visualise|factorise",
    r"factorised|factorisation|orthogonalise|orthonormalise|serialise|specialise|whilst",
]

#: Phrases that read like a translation, and how often all documentation may use each of them.
OVERUSED = {
    r"tells?": 2,
    r"told": 1,
    r"books?": 2,
    r"said": 1,
    r"says": 4,
    r"of its own": 1,
    r"is no (?!longer|cheaper|screen)": 2,
    r"stands? in": 1,
    r"go(es)? round": 0,
    r"is looked for": 0,
    r"made again": 0,
    r"beside it": 1,
}

#: Phrases of docstrings and messages that read like a translation, and what to write instead.
TRANSLATED = {
    r"aside": "excluding, without",
    r"speaks? (?:of|against)": "refers to; reasons against",
    r"(?:read|found|kept) where (?:it|they) lies?": "in place",
    r"what became of": "how it was treated",
    r"noted on the way": "remarks",
    r"the way (?:back|out)": "recovery; advice",
    r"carr(?:y|ied|ies|ying) out": "run, apply",
    r"made ready": "prepared",
    r"(?:be|is|are) looked at": "viewed, inspected",
    r"drowns?|drowned": "mask, be lost in",
    r"shall": "must, is to",
    r"told|(?<!-)said": "stated, reported",
    r"passed over": "skipped",
    r"in order round": "around",
    r"goes? round": "form a circle",
    r"from birth": "when it is constructed",
    r"somebody": "another user, someone",
    r"is no (?:name|number|text|FRD|OP2|universal|regular)": "is not a",
    r"wins? (?:over|where)": "overrides",
    r"whoever": "whatever wrote it",
}


@cache
def docstrings_and_messages() -> dict[str, str]:
    """Per source file, its docstrings and the texts that it may print: string constants of four words or more."""
    return {
        str(path.relative_to(ROOT)): "\n".join(
            " ".join(node.value.split())
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value.split()) > 3
        )
        for path, tree in source_trees().items()
    }


def pages() -> dict[str, str]:
    """Name and text of every page that people read, without the changelog and fenced code."""
    files = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return {
        str(file.relative_to(ROOT)): re.sub(r"```.*?```", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        for file in files
    }


def help_texts() -> str:
    """Every sentence of the command line's help."""
    from tisserand.cli.app import COMMANDS
    from tisserand.declarations import options
    from tisserand.studies.options import STUDIES

    return "\n".join([*COMMANDS.values(), *(item.meaning for kind in STUDIES for item in options(kind))])


def found(words: list[str], text: str) -> list[str]:
    return re.findall(rf"\b(?:{'|'.join(words)})\b", text, flags=re.IGNORECASE)


def test_no_british_spelling_in_pages_and_help():
    texts = pages() | {"help": help_texts()}
    assert {name: hits for name, text in texts.items() if (hits := found(BRITISH, text))} == {}


def test_no_british_spelling_in_source():
    allowed = "source_file.py"  # reads records written with the former spelling
    paths = [path for path in (ROOT / "src").rglob("*.py") if path.name != allowed]
    hits = {path.name: found(BRITISH, path.read_text(encoding="utf-8")) for path in paths}
    assert {name: words for name, words in hits.items() if words} == {}


def test_docstrings_and_messages_do_not_read_like_a_translation():
    hits = {name: found(list(TRANSLATED), text) for name, text in docstrings_and_messages().items()}
    assert {name: words for name, words in hits.items() if words} == {}


def test_overused_words_stay_rare():
    text = "\n".join([*pages().values(), help_texts()])
    counts = {word: len(found([word], text)) for word in OVERUSED}
    assert {word: n for word, n in counts.items() if n > OVERUSED[word]} == {}


def test_the_search_finds_what_it_looks_for():
    assert found(BRITISH, "The Centre of a grey fibre.") == ["Centre", "grey", "fibre"]
    assert found([r"is no (?!longer)"], "it is no name; it is no longer") == ["is no "]
    texts = docstrings_and_messages()
    assert len(texts) > 500 and "valid when it is constructed" in texts["src/tisserand/model/structure.py"]
    assert found(list(TRANSLATED), "Ties aside.\nThe file is no FRD file.") == ["aside", "is no FRD"]
    assert len(pages()) > 40 and "number of elastic modes" in help_texts()
