"""The complete workflow on the included solar-array wing: mesh, checks, modes, reduction, slew, pictures, report."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tisserand.appendage import reduce, save_record
from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.assembly.model_checks import check_model
from tisserand.exporters.registry import export_appendage
from tisserand.files import write_text, writing
from tisserand.multibody import save_trajectory
from tisserand.multibody.balance_verdict import balance_verdict
from tisserand.studies.background_compilation import WarmUp
from tisserand.studies.demo_flight import PUSH, WHEEL_LIMIT_RPM, Flights, fly_twice, save_story
from tisserand.studies.options import DemoStudy, ModesStudy
from tisserand.studies.shipped import shipped_mesh
from tisserand.studies.shown import shown
from tisserand.studies.solving import reduced
from tisserand.studies.source import Source, open_appendage
from tisserand.studies.study_type import task
from tisserand.task_result import TaskResult
from tisserand.views.pictures import save_mode_picture
from tisserand.views.renderer import choose_renderer
from tisserand.views.report.appendage_page import appendage_page
from tisserand.views.report.trajectory_page import trajectory_page
from tisserand.views.run_plot import save_run_plot

PICTURES = 6
Tell = Callable[[str], None]


@dataclass(frozen=True, eq=False, kw_only=True)
class DemoResult(TaskResult):
    """Results and files of the demo."""

    task: ClassVar = "demo"

    folder: Path
    mass: float
    clamped_hz: Any
    free_hz: Any
    slew_deg: float
    ringing_hz: float
    ringing_m: dict[str, float]
    wheel_peak_rpm: float
    balance: dict[str, Any]
    renderer: str
    files: tuple[str, ...]
    seconds: float

    @property
    def exit_code(self) -> int:
        """1 where the slew does not balance, else 0."""
        return 0 if self.balance["held"] else 1

    def as_dict(self) -> dict[str, Any]:
        return {**self.__dict__, "folder": str(self.folder)}


@task(DemoStudy)
def demo(study: DemoStudy, tell: Tell = lambda text: None) -> DemoResult:
    """Run the demo into a folder; ``tell`` receives the output line by line (rich markup)."""
    folder, new = study.output, not study.output.exists()
    with writing(folder):
        folder.mkdir(exist_ok=True)
    try:
        with WarmUp() as warming:
            return _carried_out(folder, warming, tell)
    except BaseException:
        if new:
            with contextlib.suppress(OSError):  # it stays if it contains something
                folder.rmdir()
        raise


def _carried_out(folder: Path, warming: WarmUp, tell: Tell) -> DemoResult:
    started = time.perf_counter()
    tell("[bold]Tisserand demo[/bold]: a solar-array wing, from its mesh to a slewing satellite\n")
    source = open_appendage(shipped_mesh("wing.toml"))
    assert source.structure is not None
    tell(f"[bold]1  Mesh[/bold]      {shown(repr(source.structure))}".replace("<", "").replace(">", ""))
    wing, free_hz = _modes(source, folder, tell)
    drawing = choose_renderer()
    for mode in range(1, min(PICTURES, wing.count) + 1):
        save_mode_picture(wing, mode, folder / f"mode_{mode:02d}.png")
    write_text(folder / "report.html", appendage_page(wing))
    tell(
        f"[bold]4  Pictures[/bold]  {PICTURES} modes drawn with {drawing.renderer} ({shown(drawing.reason)}), report.html"
    )
    warming.wait()
    flights = _fly(wing, folder, tell)
    run = flights.shaped
    save_story(flights, folder / "story.png")
    save_run_plot(run, folder / "slew.png")
    write_text(folder / "slew.html", trajectory_page(run))
    tell(
        f"\nLook at [bold]{shown(folder / 'story.png')}[/bold], and at [bold]report.html[/bold] and [bold]slew.html[/bold] "
        "in a browser: they move."
    )
    return DemoResult(
        folder=folder,
        mass=wing.mass,
        clamped_hz=wing.frequencies_hz,
        free_hz=free_hz,
        slew_deg=float(np.degrees(run.signals["turn"][-1])),
        ringing_hz=flights.ringing_hz,
        ringing_m={"bang-bang": flights.ringing(flights.bang), "shaped": flights.ringing(run)},
        wheel_peak_rpm=flights.wheel_peak,
        balance=balance_verdict(run).as_dict(),
        renderer=drawing.renderer,
        files=tuple(sorted(p.name for p in folder.iterdir())),
        seconds=time.perf_counter() - started,
    )


def _modes(source: Source, folder: Path, tell: Tell) -> tuple[ReducedAppendage, Any]:
    assert source.structure is not None
    assembled = source.assemble()
    report = check_model(source.structure, assembled)
    properties = assembled.mass_properties()
    passed = sum(row.verdict == "ok" for row in report.rows)
    tell(
        f"[bold]2  Checks[/bold]    {passed} of {len(report.rows)} passed; {assembled.size} dofs, {properties.mass:.6g} kg"
    )
    clamped = source.modes()
    wing = reduced(source, clamped, ModesStudy(model=source.path))
    free = source.modes(free=True, frame="tisserand", mounted="free", count=len(clamped))
    floating = reduce(free, name="wing, free", damping=0.003)
    save_record(wing, folder / "wing.h5")
    save_record(floating, folder / "wing_tisserand.h5")
    export_appendage(wing, "effective-mass", folder / "modes.csv", force=True)
    assert clamped.proof is not None and free.proof is not None
    missed = clamped.proof.missed + free.proof.missed
    held = ", ".join(f"{f:.3f}" for f in wing.frequencies_hz[:3])
    loose = ", ".join(f"{f:.3f}" for f in free.frequencies_hz[:2])
    tell(
        f"[bold]3  Modes[/bold]     clamped at the root {held} ... Hz; free, Tisserand frame {loose} ... Hz "
        f"with {free.rigid_body_modes} rigid-body modes by geometry; {missed} modes missed (Sturm count)"
    )
    return wing, free.frequencies_hz


def _fly(wing: ReducedAppendage, folder: Path, tell: Tell) -> Flights:
    """The same slew twice: bang-bang, then shaped for the ringing that the first flight showed."""
    flights = fly_twice(wing)
    save_trajectory(flights.bang, folder / "slew_bang_bang.h5")
    save_trajectory(flights.shaped, folder / "slew.h5")
    run, worst = flights.shaped, flights.shaped.balance.worst()
    turned = float(np.degrees(run.signals["turn"][-1]))
    tell(
        f"[bold]5  Slew[/bold]      {turned:.0f} degrees in {PUSH:.0f} s while the array turns; "
        f"a bang-bang torque leaves the tip ringing {1e3 * flights.ringing(flights.bang):.1f} mm "
        f"at {flights.ringing_hz:.2f} Hz, the same torque shaped for it "
        f"{1e3 * flights.ringing(run):.1f} mm; the wheel reaches {flights.wheel_peak:.0f} of {WHEEL_LIMIT_RPM:.0f} rpm"
    )
    tell(
        f"[bold]6  Audit[/bold]     energy balances to {worst['energy']:.0e}, "
        f"angular momentum to {worst['angular momentum']:.0e}; "
        f"independent audit from {len(wing.nodes)} nodes and element masses: {max(run.recomputed['nodes'].values()):.0e}"
    )
    for flown in (flights.bang, run):
        verdict = balance_verdict(flown)
        if not verdict.held:
            tell(f"[yellow]Warning:[/yellow] {shown(verdict.words)}")
    return flights
