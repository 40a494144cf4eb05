"""How an evaluation or a projection of loops can fail.

Serves theory section 11.
"""

from __future__ import annotations

#: Rows that depend on others ask for what these do not give; a state cannot be closed.
CONFLICT, APART = -20, -21

SENTENCES = {
    CONFLICT: "the loops contradict each other or a prescribed motion: rows that depend on others cannot be met",
    APART: "the loops cannot be closed near this state",
}
