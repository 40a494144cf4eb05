"""Signs that the file of a deck was cut off: no ENDDATA, and a last line without its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tisserand.errors import TisserandError
from tisserand.model.ledger import ASSUMED
from tisserand.readers.nastran.deck_text import SourceText


def judge_end(source: SourceText, *, begun: bool, ended: bool) -> None:
    """Note or refuse a deck that does not end as it must.

    begun: it has a BEGIN BULK line, which asks for an ENDDATA line; ended: it has that too. Without ENDDATA and without the end
    of its last line, a file stops in the middle of a card. Bare bulk data needs no ENDDATA.
    """
    if ended:
        return
    if begun and source.torn:
        last = source.text.rstrip().rpartition(b"\n")[2]
        raise source.error(
            source.text.count(b"\n") - 1,
            "the deck ends in the middle of a card, and has no ENDDATA",
            found=repr(last[:40].decode("latin-1")),
            expected="ENDDATA",
            advice="the file was cut off: fetch it again, or add an ENDDATA line if it is complete",
        )
    if begun:
        source.notes.append(f"{ASSUMED}the deck has no ENDDATA and is complete; everything after BEGIN BULK is taken")
        source.doubt = "the deck has no ENDDATA: check that the file is complete"
    elif source.torn:
        source.doubt = "the last line of the file has no line end: check that the file is complete"


@contextmanager
def doubting(source: SourceText) -> Iterator[None]:
    """What is wrong with a deck that may have been cut off says so."""
    try:
        yield
    except TisserandError as error:
        if source.doubt is not None:
            known = "" if error.advice is None or error.advice.endswith("?") else f"{error.advice}; "
            error.advice = known + source.doubt
        raise
