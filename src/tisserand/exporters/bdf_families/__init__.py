"""Writers of element families as bulk data, in a file each: ``cards`` yields the cards of a block, properties included."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tisserand.discovery import modules_of
from tisserand.exporters.bdf_writing import BulkWriter

#: By family: the cards of a block.
WRITERS: dict[str, Callable[[BulkWriter, Any], Iterator[str]]] = {
    name.replace("_", " "): module.cards for name, module in modules_of(__name__).items()
}
