"""Run as a program: every writing command once, each into a folder of its own under the folder given."""

import sys
from pathlib import Path

from support.writing_commands import COMMANDS, furnish


def main(home: Path) -> None:
    import os

    import support.warm_commands  # noqa: F401
    from support.command import run

    home.mkdir()
    furnish(home)
    os.chdir(home)
    for name, (command, _) in COMMANDS.items():
        result = run(*command)
        assert result.exit_code == 0, (name, result.stderr)
        (home / "out").rename(home / name.replace(" ", "-"))
        (home / "out").mkdir()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
