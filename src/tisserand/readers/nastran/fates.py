"""What becomes of every card: the reader's own list, and what it knows of the rest."""

from __future__ import annotations

from tisserand.errors import DroppedCardsError, nearest
from tisserand.model import CardEntry
from tisserand.model.ledger import Fate


def _words(text: str) -> list[str]:
    return text.split()


USED = frozenset(
    _words("""GRID GRDSET SPOINT EPOINT CORD1R CORD1C CORD1S CORD2R CORD2C CORD2S
    CROD CONROD CTUBE CBAR CBEAM BAROR BEAMOR PROD PTUBE PBAR PBARL PBEAM PBEAML
    CELAS1 CELAS2 CELAS3 CELAS4 PELAS CDAMP1 CDAMP2 CDAMP3 CDAMP4 PDAMP CMASS1 CMASS2 CMASS3 CMASS4 PMASS
    CBUSH PBUSH CONM1 CONM2 CQUAD4 CQUADR CTRIA3 CTRIAR CQUAD8 CTRIA6 PSHELL PCOMP PCOMPG
    CTETRA CHEXA CPENTA CPYRAM PSOLID MAT1 MAT2 MAT8 MAT9 NSM NSM1 NSML NSML1 NSMADD
    RBE1 RBE2 RBE3 RBAR RBAR1 RROD RTRPLT MPC MPCADD SPC SPC1 SPCADD SUPORT SUPORT1
    ASET ASET1 BSET BSET1 CSET CSET1 QSET QSET1 OMIT OMIT1 EIGR EIGRL DMIG PARAM SET1 SET3
    SEBULK SECONCT SESET EXTRN""")
)

_LOADS = "a load: it does not change stiffness or mass"
_OUTPUT = "output and plots only"
_AERO = "aerodynamics"
_TABLES = "tables and frequencies of a response analysis"
_OPTIMIZATION = "optimization"
_SKIPPED = {
    _LOADS: """FORCE FORCE1 FORCE2 MOMENT MOMENT1 MOMENT2 PLOAD PLOAD1 PLOAD2 PLOAD4 PLOADX1 GRAV RFORCE RFORCE1 LOAD LSEQ
    DLOAD RLOAD1 RLOAD2 TLOAD1 TLOAD2 DAREA DELAY DPHASE SLOAD ACCEL ACCEL1 SPCD SPCR ACSRCE TIC TSTEP TSTEPNL RANDPS RANDT1
    TEMP TEMPD TEMPP1 TEMPRB TEMPP3 QHBDY QVOL QBDY1 QBDY2 QBDY3 DEFORM LOADCYN LOADT CLOAD NOLIN1 NOLIN2 SELOAD
    BCPROP""",
    "names dofs for output or DMAP": "USET USET1",
    "AUTOSPC exceptions; held dofs are listed by the assembly": "SPCOFF SPCOFF1",
    _OUTPUT: "PLOTEL PLOTEL3 PLOTEL4 PLOTOEL DMIGOUT POINTAX OUTPUT OUTRCV GPSEL PLOTOPT DTI DMI DEBUG PARVEC PARTN MDLPRM"
    " ECHOON ECHOOFF ECHO MONPNT1 MONPNT2 MONPNT3 MONDSP1 SETREE SEEXCLD SELABEL SENQSET CONTRLT TITLE GEOMCHECK",
    _AERO: """AERO AEROS CAERO1 CAERO2 CAERO3 CAERO4 CAERO5 PAERO1 PAERO2 PAERO3 PAERO4 PAERO5 SPLINE1 SPLINE2 SPLINE3 SPLINE4
    SPLINE5 SPLINE6 SPLINE7 FLUTTER FLFACT MKAERO1 MKAERO2 AEFACT AELIST AESTAT AESURF AESURFS AELINK AEPARM AECOMP AEPRESS
    AEFORCE TRIM TRIM2 GUST CSSCHD DIVERG UXVEC AESCALE AEGRID AEQUAD4 AETRIA3""",
    _TABLES: """FREQ FREQ1 FREQ2 FREQ3 FREQ4 FREQ5 TABDMP1 TABLED1 TABLED2 TABLED3 TABLED4 TABLED5 TABLEM1 TABLEM2 TABLEM3
    TABLEM4 TABLES1 TABLEST TABRND1 TABRNDG TABLE3D TF EIGC EIGB EIGP NLPARM NLPCI NLSTEP MODTRAK RESVEC""",
    _OPTIMIZATION: """DESVAR DCONSTR DCONADD DRESP1 DRESP2 DRESP3 DVPREL1 DVPREL2 DVMREL1 DVMREL2 DVCREL1 DVCREL2 DOPTPRM DLINK
    DEQATN DTABLE DSCREEN DVGRID DVSET DDVAL DVSHAP DVBSHAP TOPVAR BEADVAR DESCRV""",
    "heat transfer": "MAT4 MAT5 CHBDYE CHBDYG CHBDYP CHBDY CONV CONVM PCONV PCONVM RADBC RADM RADSET VIEW VIEW3D PHBDY TEMPBC",
    "strength limits or ply failure data, no stiffness": "MATF CREEP STRPARM",
}
SKIPPED = {card: reason for reason, cards in _SKIPPED.items() for card in cards.split()}

_STIFFNESS = "carries stiffness"
_MASS = "carries mass"
_TIE = "ties or holds grid points"
_DROPPED = {
    _STIFFNESS: """CSHEAR PSHEAR CBEND PBEND CGAP PGAP CBUSH1D CBUSH2D PBUSH1D PBUSH2D CQUAD CQUADX CTRIAX CTRIAX6 CTRAX3 CQUADX4
    CQUADX8 CPLSTN3 CPLSTN4 CPLSTN6 CPLSTN8 CPLSTS3 CPLSTS4 CPLSTS6 CPLSTS8 PLPLANE CBEAM3 PBEAM3 PBMSECT PBRSECT PBCOMP CWELD
    PWELD CFAST PFAST CSEAM PSEAM CRAC2D CRAC3D CONEAX CAABSF GENEL PSOLIDC PCOMPS PCOMPLS PLSOLID PLCOMP CDUM1 CHACAB CHACBR
    CVISC PVISC MAT3 MAT10 MAT11 MATS1 MATHP MATHE MATG MATORT MATUSR CSUPER CSUPEXT SPBLND1 CCONEAX CFLUID2 CFLUID3 CFLUID4
    CTRSHL CQDPLT CQDMEM CQUADP CHEXAP PELAST PBUSHT CINTC CROD3 PSHLN1 PSHLN2 PSLDN1 RELEASE SEBNDRY SEELT SELOC
    SEMPLN SEBSET SEBSET1 SECSET SECSET1 SEQSET SEQSET1 SESUP CYJOIN CYSYM BFRIC BCBODY BCONP BCTSET BCTABLE BLSEG BSURF BSURFS
    BCONTACT BCPARA BGSET BGADD SEEXCLD""",
    _MASS: "CMASS NSMT MFLUID",
    _TIE: "RSPLINE RSSCON RBE2GS RTRPLT1 RJOINT SPCAX MPCAX MPCREG SPBLND2 BNDFIX BNDFIX1 BNDFREE BNDFREE1 BNDGRID BOLT",
}
DROPPED = {card: reason for reason, cards in _DROPPED.items() for card in cards.split()}


def entries(
    counts: dict[str, int], approximations: dict[str, str], unused: dict[str, str], dropped: dict[str, str]
) -> tuple[CardEntry, ...]:
    """One ledger entry per card name."""
    out = []
    for card, count in counts.items():
        fate: Fate
        if card in dropped:
            fate, reason = "dropped", dropped[card]
        elif card in approximations:
            fate, reason = "approximated", approximations[card]
        elif card in unused:
            fate, reason = "skipped", unused[card]
        elif card in USED:
            fate, reason = "used", ""
        elif card in SKIPPED:
            fate, reason = "skipped", SKIPPED[card]
        elif card in DROPPED:
            fate, reason = "dropped", DROPPED[card]
        else:
            close = nearest(card, USED)
            known = f"; did you mean {close}?" if close else ", so it may matter"
            fate, reason = "dropped", f"unknown card{known}"
        out.append(CardEntry(card, count, fate, reason))
    return tuple(out)


def refuse_dropped(where: str, cards: tuple[CardEntry, ...], allow: tuple[str, ...]) -> None:
    """Raise unless every dropped card is allowed."""
    allowed = {word.strip().upper() for word in allow}
    bad = [entry for entry in cards if entry.fate == "dropped" and entry.card not in allowed]
    if bad:
        found = "; ".join(f"{entry.count} {entry.card} ({entry.reason})" for entry in bad[:8])
        names = " ".join(f"--allow {entry.card}" for entry in bad[:8])
        raise DroppedCardsError(
            "the deck contains unsupported cards that matter",
            where=where,
            found=found,
            advice=f"replace them, or accept the loss with {names}",
        )
