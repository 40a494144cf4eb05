"""Ledger entries of all cards: those that the reader uses, and what is known of the others."""

from __future__ import annotations

from tisserand.errors import DroppedCardsError, nearest
from tisserand.model import CardEntry
from tisserand.model.ledger import Fate
from tisserand.readers.nastran.cards import Bulk
from tisserand.readers.nastran.families import READERS


def _words(text: str) -> list[str]:
    return text.split()


USED = frozenset(
    _words("""GRID GRDSET SPOINT EPOINT CORD1R CORD1C CORD1S CORD2R CORD2C CORD2S
    CROD CONROD CTUBE CBAR CBEAM BAROR BEAMOR PROD PTUBE PBAR PBARL PBEAM PBEAML
    CELAS1 CELAS2 CELAS3 CELAS4 PELAS CDAMP1 CDAMP2 CDAMP3 CDAMP4 PDAMP CMASS1 CMASS2 CMASS3 CMASS4 PMASS
    CBUSH PBUSH CBUSH1D PBUSH1D CVISC PVISC CWELD PWELD CFAST PFAST
    CONM1 CONM2 CQUAD4 CQUADR CTRIA3 CTRIAR CQUAD8 CTRIA6 PSHELL PCOMP PCOMPG
    CTETRA CHEXA CPENTA CPYRAM CIHEX3 PSOLID PCOMPS MAT1 MAT2 MAT8 MAT9 MAT11 MATT1 MATT2 MATT8 MATT9 MATT11
    TABLEM1 TABLEM2 TABLEM3 TABLEM4
    NSM NSM1 NSML NSML1 NSMADD
    RBE1 RBE2 RBE3 RBAR RBAR1 RROD RTRPLT MPC MPCADD SPC SPC1 SPCADD SUPORT SUPORT1
    ASET ASET1 BSET BSET1 CSET CSET1 BNDFIX BNDFIX1 BNDFREE BNDFREE1
    QSET QSET1 OMIT OMIT1 EIGR EIGRL DMIG GENEL CGAP PGAP CBEND PBEND CELBOW PELBOW PARAM SET1 SET3
    SEBULK SECONCT SELOC SEMPLN SESET EXTRN CYJOIN CYSYM CYAX""")
)


def used() -> set[str]:
    """Cards that the reader uses: its own, and those of the families that have files of their own."""
    return {*USED, *(card for reader in READERS.values() for card in reader.cards)}


_LOADS = "a load that the modes do not start from"
_OUTPUT = "output and plots only"
_AERO = "aerodynamics"
_TABLES = "tables and frequencies of a response analysis"
_OPTIMIZATION = "optimization"
_SKIPPED = {
    _LOADS: """FORCE FORCE1 FORCE2 MOMENT MOMENT1 MOMENT2 PLOAD PLOAD1 PLOAD2 PLOAD4 PLOADX1 GRAV RFORCE RFORCE1 LOAD LSEQ
    DLOAD RLOAD1 RLOAD2 TLOAD1 TLOAD2 DAREA DELAY DPHASE SLOAD ACCEL ACCEL1 SPCD SPCR ACSRCE TIC TSTEP TSTEPNL RANDPS RANDT1
    TEMP TEMPD TEMPP1 TEMPRB TEMPP3 QHBDY QVOL QBDY1 QBDY2 QBDY3 DEFORM LOADCYN LOADT CLOAD NOLIN1 NOLIN2 SELOAD
    PLOAD3 FORCEAX MOMAX PRESAX TEMPAX TEMPP2 LOADC1 BFIELD CEMLOOP GEMLOOP MDIPOLE SPCFLD REMFLUX QVECT TSTEP1 NLRGAP
    NOLIN3 NOLIN4 NOLIN5 NOLIN6 UNBALNC CONTROL PRESPT""",
    "names dofs for output or DMAP": "USET USET1 RVDOF RVDOF1 RESVEC",
    "AUTOSPC exceptions; held dofs are listed by the assembly": "SPCOFF SPCOFF1",
    _OUTPUT: "PLOTEL PLOTEL3 PLOTEL4 PLOTOEL DMIGOUT POINTAX OUTPUT OUTRCV GPSEL PLOTOPT DTI DMI DEBUG PARVEC PARTN MDLPRM"
    " CBARAO ECHOON ECHOOFF ECHO DATAREC OUTPUTX FLSYM FSLIST VIEWEX PLOTEL6 PLOTEL8 PLOTHEX PLOTPEN PLOTTET"
    " MONPNT1 MONPNT2 MONPNT3 MONDSP1 SETREE SEEXCLD SELABEL SENQSET CONTRLT TITLE GEOMCHECK",
    _AERO: """AERO AEROS CAERO1 CAERO2 CAERO3 CAERO4 CAERO5 PAERO1 PAERO2 PAERO3 PAERO4 PAERO5 SPLINE1 SPLINE2 SPLINE3 SPLINE4
    SPLINE5 SPLINE6 SPLINE7 FLUTTER FLFACT MKAERO1 MKAERO2 AEFACT AELIST AESTAT AESURF AESURFS AELINK AEPARM AECOMP AEPRESS
    AEFORCE TRIM TRIM2 GUST CSSCHD DIVERG UXVEC AECOMPL AEDW SPLINRB SPLINEX AESCALE AEGRID AEQUAD4 AETRIA3""",
    _TABLES: """FREQ FREQ1 FREQ2 FREQ3 FREQ4 FREQ5 TABDMP1 TABLED1 TABLED2 TABLED3 TABLED4 TABLED5 TABLEM5
    TABLES1 TABLEST TABRND1 TABRNDG TABLE3D TF EIGC EIGB EIGP NLPARM NLPCI NLSTEP MODTRAK RESVEC""",
    _OPTIMIZATION: """DESVAR DCONSTR DCONADD DRESP1 DRESP2 DRESP3 DVPREL1 DVPREL2 DVMREL1 DVMREL2 DVCREL1 DVCREL2 DOPTPRM DLINK
    DEQATN DTABLE DSCREEN DVGRID DVSET DDVAL DVSHAP DVBSHAP TOPVAR BEADVAR DESCRV""",
    "numbering or congruence of elements, for speed only": "SEQGP SEQEP CNGRNT",
    "adaptive orders and error measures of p-elements": "ADAPT PVAL PSET TEMPF GMBC GMBNDC GMCURV GMSURF GMSPC GMLOAD GMINTC"
    " GMINTS FEEDGE FEFACE POINT EQUATION PINTC PINTS TEMPEX",
    "iteration of a nonlinear analysis; here linear about the unloaded state": "NLCNTLG NLCNTL NLCNTL2 NLPCI NLHARM NLADAPT"
    " NLOUT BCPARA BCTPARM BCTPARA BCRPARA BCPROP BCPROPS NLMOPTS NLSTRAT NLDAMP TABLEG BCMATL",
    "contact, open here: linear about the unloaded state": "BCTSET BCTABLE BCTABL1 BCBODY BCBODY1 BCONP BLSEG BSURF BSURFS"
    " BCONTACT BCTADD BCONECT BCONPRG BCONPRP BCBMRAD BCRGSRF BCBDPRP BCNURBS BCNURB2 BCPATCH BCSCAP BCSEG BCTRIM BCPFLG BCGRID"
    " BFRIC BCHANGE BCMOVE BCONUDS BFLUID BCFLD",
    "plasticity and nonlinear elasticity; here linear about the unloaded state": "MATS1 MATS3 MATS8 MATSORT MATEP MATF1 TABLES2"
    " CREEP MATVE MATTVE MATVP MATCRP MATTM STRPARM MATDIGI",
    "nonlinear or frequency-dependent values; the nominal ones of the property hold": "PBUSHT PELAST PDAMPT PFASTT PBUSH1DT",
    "damping only": "DAMPING DAMPGBL HYBDAMP TABDMP2",
    "spin of rotors; modes are those at rest": "ROTORD ROTORG ROTOR ROTSE ROTHYBD ROTPARM RSPINR RSPINT RGYRO CBEAR",
    "superelements of the main bulk data: the whole model is read instead, unreduced": "SEELT SEBSET SEBSET1 SECSET SECSET1"
    " SEQSET SEQSET1 SESUP SEDLINK SEDRSP2 SEDRSP3 SENQSET SETREE SEEXCLD SELABEL SEUSET SEUSET1 SEBNDRY RELEASE CSUPEXT",
    "virtual or explicit fluid and flow data of another analysis": "STREAML1 STREAML2 ABINFL ABSNMVS ABSTRCT ABSTRAT",
    "lists of a preprocessor": "GROUP SET2 SETADD FEMCHECK BNDGRID CMFREE PSETX SWLDPRM",
    "heat transfer": "RADLST RADMTX SLBDY QBDY4 MATT4 MATT5 FTUBE CHBDYE1"
    " MAT4 MAT5 CHBDYE CHBDYG CHBDYP CHBDY CONV CONVM PCONV PCONVM RADBC RADM RADSET VIEW VIEW3D PHBDY TEMPBC",
    "strength limits or ply failure data, no stiffness": "MATF MATFAIL FAILMAT MATDMG",
}
SKIPPED = {card: reason for reason, cards in _SKIPPED.items() for card in cards.split()}

#: Cards of a mesh generator inside the program.
GENERATING = ("EGRID", "GRIDG", "CGEN", "SPCG", "GRIDMOD")
_STIFFNESS = "carries stiffness"
_MASS = "carries mass"
_TIE = "ties or holds grid points"
_DROPPED = {
    _STIFFNESS: """CBUSH2D PBUSH2D PBMSECT PBRSECT PBCOMP CRAC2D CRAC3D
    PSOLIDC PCOMPLS PLSOLID PLCOMP CDUM1 MAT3 MATHP MATHE MATG MATORT MATUSR CROD3 PSHLN1 PSHLN2 PSLDN1 CQUADP CHEXAP
    CTRSHL PTRSHL CPSE2 CPSE3 CPSE4 PPSE PCOMP1 PCOMP2 CINTC
    CHACAB CHACBR""",
    "a plane or axisymmetric element, not part of a spatial structure": """CQUAD CQUADX CTRIAX CTRIAX6 CTRAX3 CTRAX6 CQUADX4
    CQUADX8 PLPLANE PAXSYMH PRAC2D CONEAX CCONEAX PCONEAX
    RINGAX AXIC SECTAX CTRAPRG CTRIARG CTORDRG CTRAPAX CTRIAAX PTRAPAX PTRIAAX SPCAX MPCAX""",
    "fluid: not structural": """CAABSF CFLUID2 CFLUID3 CFLUID4 MAT10 MFLUID CFFREE CFLSTR CFHEX1 CFHEX2 CFWEDGE CFTETRA CAXIF2
    CAXIF3 CAXIF4 CSLOT3 CSLOT4 AXIF AXSLOT RINGFL GRIDB GRIDF GRIDS BDYLIST ELIST""",
    "cyclic symmetry: one segment is stated, the others are not": "CYSUP",
    "superelements from other files, copied or moved": "CSUPER SEBULKX",
    "generates grid points or elements": " ".join(GENERATING),
    _MASS: "CMASS NSMT",
    _TIE: """CSEAM PSEAM RSPLINE RSSCON RBE2GS RTRPLT1 RJOINT MPCREG SPBLND1 SPBLND2
    BOLT BOLTFOR BGSET BGADD BGPARM""",
}
DROPPED = {card: reason for reason, cards in _DROPPED.items() for card in cards.split()}


def entries(
    counts: dict[str, int],
    approximations: dict[str, str],
    unused: dict[str, str],
    dropped: dict[str, str],
    lines: dict[str, str] | None = None,
) -> tuple[CardEntry, ...]:
    """One ledger entry per card name; ``lines`` gives the line of the first card."""

    def place(card: str) -> str:
        return f", {lines[card]}" if lines and card in lines else ""

    out = []
    for card, count in counts.items():
        fate: Fate
        if card in dropped:
            fate, reason = "dropped", dropped[card]
        elif card in approximations:
            fate, reason = "approximated", approximations[card]
        elif card in unused:
            fate, reason = "skipped", unused[card]
        elif card in used():
            fate, reason = "used", ""
        elif card in SKIPPED:
            fate, reason = "skipped", SKIPPED[card]
        elif card in DROPPED:
            fate, reason = "dropped", f"{DROPPED[card]}{place(card)}"
        else:
            close = nearest(card, used())
            known = f"; did you mean {close}?" if close else ", so it may matter"
            fate, reason = "dropped", f"unknown card{place(card)}{known}"
        out.append(CardEntry(card, count, fate, reason))
    return tuple(out)


def misspelled(bulk: Bulk) -> tuple[str, str, int] | None:
    """A card whose name is almost that of one that is read (``GIRD``), that one, and its line; what it states is missing."""
    for card in bulk.counts():
        if card not in used() and card not in SKIPPED and card not in DROPPED and (close := nearest(card, used())):
            return card, close, next(iter(bulk.rows(card))).line
    return None


#: What leaving a family out does to frequencies.
_EFFECT = {
    _STIFFNESS: "without stiffness frequencies come out too low",
    _TIE: "without ties parts come apart",
    _MASS: "without mass frequencies come out too high",
}


def refuse_dropped(where: str, cards: tuple[CardEntry, ...], allow: tuple[str, ...]) -> None:
    """Raise unless every dropped card is allowed; all are listed, with what they carry and what leaving them out does."""
    allowed = {word.strip().upper() for word in allow}
    bad = [entry for entry in cards if entry.fate == "dropped" and entry.card not in allowed]
    if "ALL" in allowed or not bad:
        return
    found = "; ".join(f"{entry.count} {entry.card} ({entry.reason})" for entry in bad)
    names = " ".join(f"--allow {entry.card}" for entry in bad)
    effects = dict.fromkeys(_EFFECT[reason] for e in bad for reason in _EFFECT if e.reason.startswith(reason))
    raise DroppedCardsError(
        "the deck contains unsupported cards that matter",
        where=where,
        found=found,
        advice="; ".join([f"replace them, or accept the loss with {names}", *effects]),
    )
