"""Standard Input Data (SID) files: read into Taylor objects, and from there into a reduced appendage."""

from tisserand.readers.sid.appendage import appendage_of_sid, read_sid_appendage
from tisserand.readers.sid.grammar import SidFile, SidNode, Taylor, read_sid

__all__ = ["SidFile", "SidNode", "Taylor", "appendage_of_sid", "read_sid", "read_sid_appendage"]
