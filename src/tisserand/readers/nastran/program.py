"""Nastran or MYSTRAN: parameters that only MYSTRAN has, and what depends on the answer: how shells bend.

CQUAD4 and CTRIA3 of MSC's and Siemens' Nastran bend as in ``elements/shell_macneal``. MYSTRAN (MIN4) and NASTRAN-95 have
elements of their own, which are not known here; shells of their decks bend as all other shells do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from tisserand.errors import InputError

Flavor = Literal["nastran", "mystran"]
Bending = Literal["waves", "nastran"]

_NAMES = (
    "ARP_TOL ART_KED ART_MASS CBMIN3 CBMIN4 CBMIN4T CRS_CCS CUSERIN DARPACK DELBAN EIGESTL EIGNORM2 ELFORCEN EMP0_PAUSE "
    "EPSERR EPSIL F06_COL_START GRIDSEQ HEXAXIS IORQ1B IORQ1M IORQ1S IORQ2B IORQ2T KLLRAT LANCMETH MATSPARS MEFMCORD MEFMGRID "
    "MEFMLOC MEMAFAC MIN4TRED MPFOUT MXALLOCA MXITERI MXITERL OTMSKIP PBARLDEC PBARLSHR PCMPTSTM PCOMPEQ PRTBASIC PRTCGLTM "
    "PRTCONN PRTCORD PRTDISP PRTDLR PRTDOF PRTFOR PRTGMN PRTGOA PRTIFLTM PRTKXX PRTMASS PRTMXX PRTOU4 PRTPSET PRTQSYS PRTRMG "
    "PRTSCP PRTSTIFD PRTSTIFF PRTTSET PRTUO0 PRTUSET PRTYS Q4SURFIT QUAD4TYP QUADAXIS RCONDK RELINK3 SEQPRT SEQQUIT SETLEV "
    "SHRFXFAC SKIPMKGG SOLLIB SPARSTOR SPC1QUIT STR_CID SUPINFO SUPWARN THRESHK TSTM_DEF USETSEQ WINAMEM"
)
_MYSTRAN = frozenset(_NAMES.split())


#: Remark in decks written here from shells that do not bend as Nastran's.
OWN_SHELLS = "$ shells of Tisserand: CQUAD4 and CTRIA3 stand for elements that bend otherwise than Nastran's"
_OWN = re.compile(rb"(?m)^\$ shells of Tisserand:")


def bending_of(
    parameters: dict[str, list[str]], text: bytes, *, asked: str | None, nastran95: bool
) -> tuple[Bending, str]:
    """How the shells of a deck bend, and a note for its ledger, empty where nothing is to say.

    parameters: PARAM values by name; text: the deck; asked: the program that the user states.
    """
    forms: dict[str, Bending] = {"nastran": "nastran", "mystran": "waves"}
    if asked is not None:
        word = asked.strip().lower()
        if word not in forms:
            raise InputError("unknown program of a deck of bulk data", found=repr(asked), expected="nastran or mystran")
        return forms[word], f"read as a deck of {'Nastran' if word == 'nastran' else 'MYSTRAN'}, as chosen"
    if nastran95 or _OWN.search(text, 0, 4096):
        return "waves", ""
    if mark := mystran_mark(parameters):
        return "waves", f"read as a deck of MYSTRAN, which {mark} shows; choose with --flavor"
    return "nastran", ""


def mystran_mark(parameters: Iterable[str]) -> str | None:
    """The first parameter that only MYSTRAN has, in words."""
    return next((f"PARAM {name}" for name in parameters if name in _MYSTRAN), None)


def program_words(parameters: Iterable[str], text: bytes, *, asked: str | None, nastran95: bool) -> str:
    """The program of a deck with shells, why, and which shells these are, for ``info``."""
    own = "its CQUAD4 and CTRIA3 are Tisserand's own shells"
    if asked is not None:
        return f"{asked}, as chosen" if asked == "nastran" else f"{asked}, as chosen; {own}"
    if nastran95:
        return f"NASTRAN-95, which its executive control shows; {own}"
    if _OWN.search(text, 0, 4096):
        return f"Tisserand, which a remark shows; {own}"
    if mark := mystran_mark(parameters):
        return f"mystran, which {mark} shows; {own}"
    return "nastran, as nothing shows another"
