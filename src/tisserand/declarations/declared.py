"""The base of declared types: a table of options whose mistakes become sentences."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from tisserand.declarations.base import Table, own_numbers
from tisserand.declarations.faults import fault


class Declared(Table):
    """A frozen table of options. Subclasses list them with ``option``; unknown and unfit values raise ``raises``."""

    def __init__(self, /, **data: Any) -> None:
        try:
            super().__init__(**own_numbers(data))
        except ValidationError as error:
            raise fault(type(self), data, error.errors()) from None

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # tables inside are not built through here

    def changed(self, **options: Any) -> Any:
        """The same with other values for some options, checked again."""
        stated = {name: getattr(self, name) for name in self.model_fields_set}
        return type(self)(**{**stated, **options})
