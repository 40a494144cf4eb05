"""What accelerometers, joint loads and node rotations have in common: a sampled sensor can show them.

Serves theory section 3.
"""

from __future__ import annotations


class MeasuredQuantity:
    """A named quantity that needs accelerations or joint loads: evaluated from states, not inside the step."""

    name: str
