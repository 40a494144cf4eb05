"""The import ledger: nothing in a file is dropped silently."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Fate = Literal["used", "approximated", "skipped", "dropped"]
#: The line of a deck that asks for results in node axes, where the program writes basic axes otherwise (CalculiX).
LOCAL_RESULTS = "*NODE FILE, GLOBAL=NO"

#: Notes that begin so are decisions of a reader that every user of the modes must see; ``modes`` shows them as warnings.
ASSUMED = "assumed: "


@dataclass(frozen=True)
class CardEntry:
    """One kind of card (or keyword): how many, how they were treated, and why."""

    card: str
    count: int
    fate: Fate
    reason: str = ""


@dataclass(frozen=True)
class Ledger:
    """What a reader did with every card, and the balance of mass read against mass assembled.

    balance: quantities such as ``mass read`` and ``mass assembled`` (SI; inertias about the basic origin),
    filled in by ``assemble``.
    """

    source: str = ""
    entries: tuple[CardEntry, ...] = ()
    notes: tuple[str, ...] = ()
    balance: dict[str, float] = field(default_factory=dict)

    def of_fate(self, fate: Fate) -> tuple[CardEntry, ...]:
        return tuple(entry for entry in self.entries if entry.fate == fate)

    @property
    def dropped(self) -> tuple[CardEntry, ...]:
        """Cards that matter and were not used."""
        return self.of_fate("dropped")

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the reader assumed where the file left it open."""
        return tuple(note for note in self.notes if note.startswith(ASSUMED))

    def as_dict(self) -> dict[str, object]:
        return {
            "source": self.source,
            "entries": [{"card": e.card, "count": e.count, "fate": e.fate, "reason": e.reason} for e in self.entries],
            "notes": list(self.notes),
            "balance": dict(self.balance),
        }

    @staticmethod
    def from_dict(data: dict[str, object]) -> Ledger:
        entries = tuple(CardEntry(**entry) for entry in data["entries"])  # type: ignore[attr-defined]
        notes = tuple(str(note) for note in data["notes"])  # type: ignore[attr-defined]
        return Ledger(str(data["source"]), entries, notes, dict(data["balance"]))  # type: ignore[call-overload]
