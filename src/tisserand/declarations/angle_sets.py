"""Names of the 24 sets of three orientation angles."""

from __future__ import annotations

from typing import Literal

#: A set of three angles: successive turns about axes of the turning body (``body-...``) or about fixed axes (``space-...``).
AngleSet = Literal[
    "body-xyz", "body-xzy", "body-yxz", "body-yzx", "body-zxy", "body-zyx", "body-xyx", "body-xzx",
    "body-yxy", "body-yzy", "body-zxz", "body-zyz", "space-xyz", "space-xzy", "space-yxz", "space-yzx",
    "space-zxy", "space-zyx", "space-xyx", "space-xzx", "space-yxy", "space-yzy", "space-zxz", "space-zyz",
]  # fmt: skip
