"""A process that reads one file after another and says what came of each: it may die or hang, its parent may not.

Input lines: ``kind path``. Output lines: JSON with ``outcome`` (read, refused, leaked), ``error``, ``place`` and ``peak`` (MiB).
"""

import json
import os
import resource
import sys
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

from tisserand.errors import TisserandError

#: Kinds that are carried out, not only read, and their commands.
COMMANDS = {"flight": "simulate", "solution": "modes"}


def read(kind: str, path: Path) -> None:
    """Read a file as the commands do, and go as far as its content decides."""
    from tisserand.studies.info import info

    if kind == "vehicle":
        from tisserand.studies.vehicles import read_vehicle

        info(path)
        assert len(read_vehicle(path).run.output_times) > 1
    elif kind == "mesh":
        from tisserand.readers.meshes import read_mesh

        read_mesh(path)
    elif kind == "tolerances":
        from tisserand.appendage.comparison.tolerances import read_tolerances

        read_tolerances(path)
    elif kind == "study":
        from tisserand.studies.study_file import studies_of

        studies_of(path)
    elif kind.startswith("reader:"):
        from fuzz.registered import readers

        next(reader for reader in readers() if reader.name == kind.partition(":")[2]).read(path)
    elif kind in COMMANDS:
        command(COMMANDS[kind], path)
    elif kind in ("deck", "case"):
        from tisserand.studies.source import open_appendage

        source = open_appendage(path, units="SI" if kind == "deck" else None)
        if source.structure is not None and len(source.structure.nodes) < 2000:
            source.assemble().mass_properties()
    else:
        info(path, **({"units": "SI"} if kind in ("matrices", "results") else {}))


def command(name: str, path: Path) -> None:
    """Run a whole command: finite numbers with exit code 0 or 1, else a code of ours and one sentence on standard error."""
    from support.command import run

    result = run(name, path, "--json")
    lines = [line for line in result.stderr.splitlines() if not line.startswith("tisserand: warning: ")]
    if result.exit_code in (0, 1) and not lines:
        holes = sorted(set(_holes(result.data)))
        if holes:
            raise ArithmeticError(f"numbers that are not finite in {', '.join(holes)}")
        return
    if result.exit_code not in (1, 2, 3) or len(lines) != 1 or not lines[0].startswith("tisserand: "):
        raise ArithmeticError(f"exit code {result.exit_code} with {lines}")
    raise RefusedError(lines[0])


class RefusedError(TisserandError):
    """What a command said."""


def _holes(data: object, key: str = "") -> Iterator[str]:
    """Keys of lists with a number that JSON cannot state."""
    if isinstance(data, dict):
        for word, value in data.items():
            yield from _holes(value, word)
    elif isinstance(data, list):
        for value in data:
            if value is None:
                yield key
            yield from _holes(value, key)


def main() -> None:
    import tisserand.studies.check
    import tisserand.studies.simulate  # noqa: F401  what is imported now does not count as cost of a file
    from tisserand.stored import bounds

    bounds.LEAST = 1.0  # some parsers of meshio never end on a file that is cut: thousands of them are tried
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever libraries print does not mix with the answers
    for line in sys.stdin:
        kind, _, path = line.rstrip("\n").partition(" ")
        said = {"outcome": "read", "error": "", "place": ""}
        try:
            read(kind, Path(path))
        except TisserandError as error:
            text = error.sentence()
            said = {"outcome": "refused", "error": text, "place": ""}
            if "\n" in text or "\x1b" in text:
                said = {
                    "outcome": "leaked",
                    "error": "a sentence with control characters",
                    "place": type(error).__name__,
                }
        except BaseException as error:
            frames = [f for f in traceback.extract_tb(error.__traceback__) if "tisserand" in f.filename]
            place = f"{Path(frames[-1].filename).name}:{frames[-1].name}" if frames else "?"
            said = {"outcome": "leaked", "error": f"{type(error).__name__}: {str(error)[:200]}", "place": place}
        said["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        answers.write(json.dumps(said) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
