"""Write what follows from the declarations: JSON Schemas, and the tables of keys on the pages about files.

python docs/make_keys.py
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from tisserand.declarations.option_tables import documented, sections_of
from tisserand.studies.schema import TYPES, declared_type, schema

HERE = Path(__file__).parent
#: The page of each kind of file.
PAGES = {"case": "case-files.md", "vehicle": "vehicle-files.md", "modes": "readers.md"}


def keys_of(kind: str) -> str:
    """The tables of keys of a kind of file, as Markdown."""
    root = declared_type(kind)
    if kind != "vehicle":
        return documented(root)
    from tisserand.multibody.vehicle_file.file_values import AxisAngle
    from tisserand.multibody.vehicle_file.profile_tables import SHAPES

    profiles = sections_of(SHAPES, "Profiles", "A profile is a number, or a table with `shape`:")
    return documented(root, apart=(*SHAPES, AxisAngle)) + "\n" + profiles


def generated() -> dict[Path, str]:
    """Every generated file with its text."""
    schemas = {kind: json.dumps(schema(kind).schema, indent=1, ensure_ascii=False) + "\n" for kind in TYPES}
    files = {HERE / "schemas" / f"{kind}.json": text for kind, text in schemas.items()}
    for kind, name in PAGES.items():
        page = HERE / name
        begin, end = f"<!-- keys of {kind} files: written by docs/make_keys.py -->\n", "<!-- end of keys -->\n"
        old = page.read_text()
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.S)
        if not pattern.search(old):
            raise SystemExit(f"{page} has no place for the keys of {kind} files")
        text = keys_of(kind)
        files[page] = pattern.sub(
            lambda _, begin=begin, text=text, end=end: f"{begin}\n{text}\n{end}", files.get(page, old)
        )
    return files


if __name__ == "__main__":
    for path, text in generated().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
