"""The command ``tisserand``. Each command is generated from its study when it is called, so help stays fast."""

from __future__ import annotations

import json
import signal
import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tisserand.cli.plain_help import UNBROKEN, PlainHelp
from tisserand.cli.streams import lost_output, settle_streams
from tisserand.errors import FileError, InputError

WrongUsage: Any = typer.BadParameter.__mro__[1]  # click's UsageError, wherever typer has it from

#: Commands in the order of the help page, with the sentence that its study states too.
COMMANDS = {
    "demo": "Run the complete workflow on an included solar-array wing: mesh, checks, modes, reduction, slew, pictures.",
    "info": "Describe a file: nodes, elements, sets, units, ledger; or what a record, a run or a vehicle file contains.",
    "check": "Check a model: rigid-body energy, mechanisms, disconnected parts, mass balance, units. Exit 1 if a check fails.",
    "modes": "Compute modes with proof, or take and verify those of a result file; reduce the appendage, and write its record.",
    "reduce": "Reduce a structure to its interface: matrices, recovery matrices (DTM, ATM, LTM) and checks, for couplings and "
    "loads.",
    "couple": "Couple delivered models at shared interface nodes: system modes, and the system as a delivered model with all "
    "recovery.",
    "accept": "Judge a model, record or delivered model by a profile: value, limit, clause and verdict. Exit 1 if it is not "
    "accepted.",
    "correlate": "Compare the modes of a model with those of a test: alignment of its points, MAC, COMAC, "
    "cross-orthogonality, pairs.",
    "base-drive": "Shake a delivered model at its interface: sine, random, shock or a history; peaks of every recovered row, and "
    "notches.",
    "coupled-loads": "Apply forces over time to a delivered system: maxima and minima of every recovered row with time and "
    "event.",
    "jitter": "Jitter budget of a vehicle: wheels over their speed, lines, steps and noise to lines of sight. Exit 1 above a "
    "limit.",
    "view": "Show mode shapes in a window, or write them to files if there is no screen. A run becomes a film or a page.",
    "report": "Write a self-contained HTML page: verdict, tables, charts and animated 3-D shapes. It works offline.",
    "diff": "Compare two appendages: paired modes, effective masses, mass properties. Exit 1 if a tolerance is exceeded.",
    "export": "Export a record, a vehicle or a model for another tool, after listing what that format cannot represent.",
    "simulate": "Simulate a vehicle with flexible appendages and check its momentum and energy balance. Exit 1 if it fails.",
    "frames": "Express a run in the Tisserand, Buckens, principal and Milne frames, with the residual of each definition.",
    "linearize": "Linear model about the initial state: A, B, C, D with named inputs (loads) and outputs (sensors), poles.",
    "equations": "Symbolic equations of motion of bodies, modal appendages and rotors by Kane's method, with the operations "
    "they cost.",
    "system-modes": "Vibration modes of the whole vehicle about its initial state, loops open unless --closed-loop is given. "
    "Constant loads act. Modes above the last kept mode of an appendage are marked.",
    "response": "Frequency response from every load to every sensor.",
    "uncertain": "Linear model with uncertain modes and mass in linear fractional form: factors, blocks, families, sampled "
    "systems.",
    "sweep": "Frequencies, damping and poles, or runs, over any values in the vehicle file (array angle, mass, ...).",
    "campbell": "Frequencies of a spinning structure over the spin rate, branch by branch.",
    "montecarlo": "Simulate many vehicles with random values; failures are recorded and do not stop the study.",
    "merge": "Merge the shards of a sweep or a Monte Carlo study; the result equals that of the whole study.",
    "rerun": "Fly samples of a Monte Carlo study again, the worst ones or by number, and write their runs with all histories.",
    "formats": "List the supported input and output formats.",
    "schema": "Print the JSON Schema of case, vehicle, modes, jitter, profile or study files, for editors that check them.",
    "study": "Run the tasks of a study file: one table per task, such as [modes] or [simulate], with the options as keys.",
}


class LazyGroup(PlainHelp, TyperGroup):
    """Lists commands by name and sentence; a command's options are read when it is resolved."""

    def main(self, args: Any = None, prog_name: str | None = None, **options: Any) -> Any:  # type: ignore[override]
        """Run the command; a wrong command line gives one sentence, and a JSON object with ``--json``, as every error does."""
        words, standalone_mode = list(sys.argv[1:] if args is None else args), options.pop("standalone_mode", True)
        try:
            code = super().main(args, prog_name, standalone_mode=False, **options)
        except WrongUsage as wrong:
            if not standalone_mode:
                raise
            code = wrong.exit_code
            if words:
                named = f"tisserand {words[0]}" if words[0] in COMMANDS else "tisserand"
                where = named if wrong.ctx is None else wrong.ctx.command_path
                error = InputError(wrong.format_message().rstrip("."), advice=f"see '{where} --help'")
                if "--json" in words:
                    sys.stdout.write(json.dumps({"error": error.facts()}, indent=1) + "\n")
                sys.stderr.write(f"tisserand: {error.sentence()}\n")
            else:
                wrong.show()
        except typer.Abort:
            code = 130
        if standalone_mode:
            sys.exit(code or 0)
        return code

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Each command with its whole sentence."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, words.replace("-", UNBROKEN)) for name, words in COMMANDS.items()])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            command = import_module("tisserand.cli.command").command_of(str(name))
        return name, command, rest


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="From appendage meshes to flexible multibody spacecraft simulation.\n\n"
    "\b\nTypical path:\n"
    "  tisserand check wing.bdf --units SI                        check the model\n"
    "  tisserand modes wing.bdf --units SI --count 20 -o wing.h5  modes, proof, reduced record\n"
    "  tisserand report wing.h5 -o wing.html                      view the shapes\n"
    "  tisserand simulate vehicle.toml -o run.h5                  simulate a vehicle\n\n"
    "'tisserand demo' does all of this with an included solar-array wing.\n\n"
    "Exit codes: 0 success, 1 a check failed, 2 bad input, 3 a solver failed.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tisserand {import_module('tisserand').__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", metavar="", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """From appendage meshes to flexible multibody spacecraft simulation."""


def _listed() -> None:
    """Stands for a command until it is resolved."""


for _name, _sentence in COMMANDS.items():
    app.command(_name, help=_sentence)(_listed)


def main() -> None:
    """Entry point of the console script."""
    settle_streams()
    try:
        app()
    except SystemExit as end:
        sys.exit(_with_lost_output(end.code))
    finally:  # what was interrupted has ended in order: a second Ctrl-C must not turn that into a traceback
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _with_lost_output(code: Any) -> Any:
    """The exit code: of work that is done but could not be printed, that of a failed file, after one sentence."""
    reason = lost_output()
    if reason is None or code not in (None, 0, 1):
        return code
    written = import_module("tisserand.cli.guard").written_files()
    sys.stderr.write(f"tisserand: standard output cannot be written ({reason}); {written}.\n")
    return code or FileError.exit_code


if __name__ == "__main__":
    main()
