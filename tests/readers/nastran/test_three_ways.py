"""One deck written many ways gives models with the same bits."""

import pytest
from readers.nastran.compare import differences

from tisserand.readers.nastran import read_deck
from tisserand.readers.nastran.control import split_sections
from tisserand.readers.nastran.deck_text import load
from tisserand.readers.nastran.scan import scan

HEAD = "SOL 103\nCEND\nSPC = 5\nMETHOD = 1\nBEGIN BULK\n"

#: name, data fields
CARDS = [
    ("EIGRL", ["1", "", "100.", "6"]),
    ("CORD2R", ["7", "", "0.", "0.", "1.", "0.", "0.", "2.", "1.", "1.", "1."]),
    *[("GRID", [str(k), "", f"{0.1 * k:.1f}", "0.", "-2.5-3", "7"]) for k in range(1, 31)],
    *[
        ("CBAR", [str(k), "3", str(k), str(k + 1), "0.", "1.", ".5", "", "", "", "0.", ".01", "", "0.", ".01"])
        for k in range(1, 30)
    ],
    *[
        ("CONM2", [str(100 + k), str(k), "", "1.25", ".1", "", "-1.5-2", "", "1.+2", "", "2.E2", "", "", "3.D2"])
        for k in range(1, 30)
    ],
    ("PBAR", ["3", "9", "1.234-4", "1.5-9", "2.5-9", "3.-9", ".125"]),
    ("MAT1", ["9", "7.+10", "", ".33", "2700."]),
    ("SPC1", ["5", "123456", "1", "2"]),
    ("RBE2", ["900", "30", "123456", "28"]),
]


def small(cards):
    """Eight columns, continuation by blanks."""
    lines = []
    for name, data in cards:
        for start in range(0, len(data), 8):
            head = name if start == 0 else ""
            lines.append(f"{head:<8}" + "".join(f"{field:>8}" for field in data[start : start + 8]))
    return "\n".join(lines) + "\n"


def marked(cards):
    """Left-justified small field with named continuations, some of them away from their parent."""
    lines, later = [], []
    for number, (name, data) in enumerate(cards):
        for k, start in enumerate(range(0, len(data), 8)):
            more = f"+M{number}{chr(65 + k)}" if start + 8 < len(data) else ""
            head = name if start == 0 else f"+M{number}{chr(64 + k)}"
            text = f"{head:<8}" + "".join(f"{field:<8}" for field in data[start : start + 8])
            (lines if start == 0 or number % 3 else later).append(f"{text:<72}{more}")
    return "\n".join(lines + later) + "\n"


def large(cards):
    """Sixteen columns."""
    lines = []
    for name, data in cards:
        for start in range(0, len(data), 4):
            head = name + "*" if start == 0 else "*"
            lines.append(f"{head:<8}" + "".join(f"{field:>16}" for field in data[start : start + 4]))
    return "\n".join(lines) + "\n"


def free(cards):
    """Commas, comments behind the data, lower case, leading blanks on continuations."""
    lines = []
    for number, (name, data) in enumerate(cards):
        for start in range(0, len(data), 8):
            head = name.lower() if start == 0 else ["+", "", " "][number % 3]
            lines.append(",".join([head, *data[start : start + 8]]) + " $ comment, with a comma")
    return "\n".join(lines) + "\n"


def tabbed(cards):
    """Tabs stop at every eighth column."""
    return (
        "\n".join(
            "\t".join([name, *data[:8]]) + ("\n\t" + "\t".join(data[8:]) if len(data) > 8 else "")
            for name, data in cards
        )
        + "\n"
    )


def replicated(cards):
    """GRID and CBAR made by ``=`` and ``*``."""
    rest = [card for card in cards if card[0] not in ("GRID", "CBAR")]
    grids = "GRID,1,,.1,0.,-2.5-3,7\n=,*1,=,*.1,==\n=(28)\n"
    bars = "".join(free([card]) for card in cards if card[0] == "CBAR")
    return grids + bars + free(rest)


WAYS = {"small": small, "marked": marked, "large": large, "free": free, "tabbed": tabbed, "replicated": replicated}


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    path = tmp_path_factory.mktemp("ways") / "small.bdf"
    path.write_text(HEAD + small(CARDS) + "ENDDATA\n")
    return read_deck(path, "mm-t-s").main


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_field_formats_and_line_ends(way, ending, reference, tmp_path):
    path = tmp_path / f"{way}.bdf"
    path.write_bytes((HEAD + WAYS[way](CARDS) + "ENDDATA\n").replace("\n", ending).encode())
    assert differences(read_deck(path, "mm-t-s").main, reference) == []


def test_includes_nested_quoted_and_split(reference, tmp_path):
    (tmp_path / "deep folder").mkdir()
    half = len(CARDS) // 2
    (tmp_path / "deep folder" / "grids one.inc").write_text(large(CARDS[:half]))
    (tmp_path / "deep folder" / "outer.inc").write_text(
        "$ comment\nINCLUDE 'grids\n one.inc'\n" + free(CARDS[half : half + 10])
    )
    (tmp_path / "tail.inc").write_text(small(CARDS[half + 10 :]))
    main = tmp_path / "main.dat"
    main.write_text(HEAD + 'include "deep folder/\nouter.inc"\nINCLUDE tail.inc\nENDDATA\nrubbish after the end\n')
    # a name broken inside a blank loses it; Nastran strips each line too
    (tmp_path / "deep folder" / "gridsone.inc").write_text(large(CARDS[:half]))
    read = read_deck(main, "mm-t-s").main
    assert differences(read, reference) == []
    assert [path.name for path in read.sources] == ["main.dat", "outer.inc", "gridsone.inc", "tail.inc"]


def test_batches_and_single_cards_agree(reference, tmp_path):
    """The columnar road and the line-by-line road give the same fields."""
    path = tmp_path / "deck.bdf"
    path.write_text(HEAD + small(CARDS) + large(CARDS) + "ENDDATA\n")
    source = load(path)
    _, sections = split_sections(source)
    one_by_one = scan(source, sections[0].text, sections[0].first, smallest_batch=10**9)
    batched = scan(source, sections[0].text, sections[0].first, smallest_batch=1)
    assert not one_by_one.batches and batched.batches
    assert one_by_one.counts() == batched.counts()
    for card in one_by_one.counts():
        for a, b in zip(one_by_one.rows(card), batched.rows(card), strict=True):
            width = max(len(a.fields), len(b.fields))
            assert (a.line, [a.text(k) for k in range(width)]) == (b.line, [b.text(k) for k in range(width)])


def test_compiled_and_plain_cutting_agree(tmp_path, monkeypatch):
    """Many lines, some of them cut short: compiled copies and numpy gathers give the same characters."""
    rows = [f"GRID    {k:8d}        {0.5 * k:8.1f}{-k:7d}.{'' if k % 3 else '      1.'}" for k in range(1, 21_001)]
    path = tmp_path / "many.bdf"
    path.write_text("\n".join(rows))
    source = load(path)
    compiled = scan(source, source.text, 0).table("GRID", 8)
    monkeypatch.setattr("tisserand.readers.nastran.scan.SMALLEST_COMPILED", 10**9)
    plain = scan(source, source.text, 0).table("GRID", 8)
    assert compiled.chars.tobytes() == plain.chars.tobytes() and len(compiled) == 21_000
    nodes = read_deck(path, "SI").main.nodes
    assert nodes.positions[2].tolist() == [1.5, -3.0, 1.0] and nodes.positions[-2].tolist() == [10499.5, -20999.0, 0.0]


def test_free_field_in_batches_and_one_by_one_agree(tmp_path, monkeypatch):
    """Simple free-field cards are split by compiled code; marks, comments and long fields take the careful road."""
    rows = [f"grid , {k},,{0.5 * k:.1f} ,{-k}.,  1.5-{k % 7} ,," for k in range(1, 20_101)]
    rows += ["GRID,30001,,1.,2.,3.,,,,+A", "+A", "GRID,30002,,1.,2.,3. $ end", "=,*1,=,*.5,=="]
    rows += ["GRID,30004,,00000000000000000000001.,2.,3.", "GRID*,30005,,1.,2.", "*,3."]
    path = tmp_path / "many.bdf"
    path.write_text("\n".join(rows))
    source = load(path)
    fast = scan(source, source.text.upper(), 0)
    assert len(fast.batches["GRID"][0][1]) == 20_100 and len(fast.singles["GRID"]) == 5
    batched = read_deck(path, "SI").main
    monkeypatch.setattr("tisserand.readers.nastran.scan.SMALLEST_COMPILED", 10**9)
    single = read_deck(path, "SI").main
    assert differences(batched, single) == [] and len(single.nodes) == 20_105


def test_punch_file_without_control_section(reference, tmp_path):
    """Bulk data alone: the only SPC set is taken, and the ledger says so."""
    path = tmp_path / "bulk.blk"
    path.write_text(small(CARDS))
    read = read_deck(path, "mm-t-s").main
    assert differences(read, reference) == []
    assert any("SPC set 5" in note for note in read.ledger.notes)
