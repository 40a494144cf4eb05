"""The interactive pictures of a page: mode shapes and the replay of a run."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from tisserand.views.report.html import Markup

_MOUSE = (
    '<span class="mouse">Drag to rotate, shift-drag to pan, scroll to zoom, click to pick a node, click a face of the cube to look along '
    'its axis.</span><span class="touch">Drag to rotate; two fingers zoom and pan; tap to pick a node or a face of the cube.</span>'
)
_KEYS = "Keys: n and p next and previous mode, space play, f fit, g undeformed, c color, b compare, s save picture; arrows, + and - with the picture focused."


_BAR = (
    '<div class="bar" aria-hidden="true"><span id="bar-label"></span><div><i id="bar-ramp"></i><span class="ticks">'
    '<span id="bar-top"></span><span id="bar-middle"></span><span id="bar-low"></span></span></div></div>'
)


def _canvas(identifier: str, label: str, caption: str = "") -> str:
    return (
        f'<div class="stage"><canvas id="{identifier}" tabindex="0" role="img" aria-label="{escape(label)}"></canvas>'
        f'<span class="caption" id="{caption}"></span></div>'
        if caption
        else f'<div class="stage"><canvas id="{identifier}" tabindex="0" role="img" aria-label="{escape(label)}"></canvas></div>'
    )


def _slider(label: str, identifier: str, low: float, high: float, step: float, value: float) -> str:
    return (
        f'<label>{escape(label)} <input type="range" id="{identifier}" min="{low:g}" max="{high:g}" step="{step:g}" '
        f'value="{value:g}"></label>'
    )


def _check(label: str, identifier: str, *, checked: bool = True, more: str = "") -> str:
    place = f'id="{identifier}"' if identifier else more
    return f'<label><input type="checkbox" {place}{" checked" if checked else ""}> {escape(label)}</label>'


def mode_viewer(scenes: Sequence[dict[str, Any]], energy: bool = False) -> Markup:
    """Canvases and controls of the mode viewer; its data block has the id ``mode-data``.

    scenes: of this record and, where one is compared, of the reference. ``energy``: whether strain energy can be a color.
    """
    first = scenes[0]
    options = "".join(f'<option value="{i}">{escape(title)}</option>' for i, title in enumerate(first["titles"]))
    names = ["this record", "reference"] if len(scenes) > 1 else [""]
    others = "".join(
        f'<option value="{number}:{i}" data-scene="{number}">{escape(f"{name} {title}".strip())}</option>'
        for number, (scene, name) in reversed(list(enumerate(zip(scenes, names))))
        for i, title in enumerate(scene["titles"])
    )
    colors = ["displacement", "x", "y", "z", *(["energy"] if energy else [])]
    words = {"x": "displacement x", "y": "displacement y", "z": "displacement z", "energy": "strain energy"}
    painted = "".join(f'<option value="{c}">{words.get(c, c)}</option>' for c in colors)
    groups = first["parts"][0].get("groups", [])
    shown = "".join(
        _check(g["name"], "", more=f'data-group="{escape(g["name"])}"') for g in (groups if len(groups) > 1 else [])
    )
    shown += _sets(first["parts"][0])
    stages = _canvas(
        "mode-canvas", "Animated mode shape; the table of modes gives the same modes as numbers", "caption-a"
    )
    stages += _canvas("mode-canvas-b", "Second mode shape, moving in phase with the first", "caption-b")
    return Markup(
        f'<div class="viewer"><div class="stages">{stages}{_BAR}</div><div class="controls">'
        f'<label>Mode <select id="mode-picker">{options}</select></label>'
        f'<label>Color <select id="mode-color">{painted}</select></label>'
        f"{_slider('Amplitude', 'mode-amplitude', 0, 40, 1, 12)}{_slider('Phase', 'mode-phase', 0, 359, 1, 0)}"
        f"{_slider('Speed', 'mode-speed', 5, 200, 5, 50)}"
        '<button type="button" id="mode-play">Pause</button><button type="button" id="mode-fit">Fit</button>'
        '<button type="button" id="mode-shot">Save picture</button>'
        f"{_check('undeformed', 'mode-ghost')}{_check('masses', 'show-masses')}{_check('interfaces', 'show-interfaces')}{shown}"
        f'{_check("compare with", "mode-compare", checked=False)}<select id="mode-other" aria-label="Mode to compare with">{others}</select>'
        '<output id="mode-mac" class="strong"></output>'
        '<output id="mode-said" aria-live="polite" class="strong"></output><output id="mode-picked" aria-live="polite"></output></div></div>'
        f'<p class="hint">{_MOUSE} <span class="mouse">{_KEYS}</span></p>'
    )


def _sets(part: dict[str, Any]) -> str:
    """Named sets behind one summary: elements are shown unless switched off, nodes are marked when switched on."""
    boxes = "".join(
        _check(s["name"], "", more=f'data-group="set {escape(s["name"])}"')
        for s in (part.get("sets", []) if len(part.get("sets", [])) > 1 else [])
    )
    boxes += "".join(
        _check(f"nodes {s['name']}", "", checked=False, more=f'data-nodes="{escape(s["name"])}"')
        for s in part.get("node_sets", [])
    )
    return f'<details class="sets"><summary>Sets</summary><div>{boxes}</div></details>' if boxes else ""


def replay_viewer(
    frames: int, bodies: Sequence[str], appendages: Sequence[str], signals: Sequence[str], wanted: Sequence[str]
) -> Markup:
    """Canvas and controls of the replay; its data block has the id ``replay-data``.

    signals: charts that can be linked; the first two that are ``wanted`` are, or the first two of all.
    """
    chosen = [name for name in signals if name in wanted][:2] or list(signals[:2])
    scales = "".join(
        f'<label>Deflection of {escape(name)} <input type="range" id="replay-scale-{i}" min="1" max="200" step="1" value="1">'
        f'<output id="replay-times-{i}">× 1</output></label>'
        for i, name in enumerate(appendages)
    )
    targets = '<option value="">whole vehicle</option>' + "".join(
        f'<option value="{i}">{escape(name)}</option>' for i, name in enumerate(bodies)
    )
    picked = "".join(
        f'<label><input type="checkbox" value="{i}"{" checked" if name in chosen else ""}> {escape(name)}</label>'
        for i, name in enumerate(signals)
    )
    return Markup(
        '<div class="split"><div class="left"><div class="viewer"><div class="stages">'
        + _canvas("replay-canvas", "Replay of the moving vehicle; the charts below give the same motion as curves")
        + (_BAR if appendages else "")
        + '</div><div class="scrub"><input type="range" id="replay-time" aria-label="Time" '
        f'min="0" max="{max(frames - 1, 0)}" step="1" value="0"><div id="replay-events"></div></div><div class="controls">'
        '<button type="button" id="replay-play">Pause</button><output id="replay-said" aria-live="polite" class="strong"></output>'
        f"{_slider('Speed', 'replay-speed', 0.1, 20, 0.1, 2)}"
        '<label>Camera <select id="replay-camera"><option value="follow">follow</option><option value="fixed">fixed, whole path</option>'
        '<option value="free">free</option></select></label>'
        f'<label>Follow <select id="replay-target">{targets}</select></label>'
        f"{_check('trails', 'replay-trails')}{_check('body axes', 'replay-axes', checked=False)}{_check('loads', 'replay-loads')}"
        f"{_check('joint loads', 'replay-joints', checked=False)}{scales}"
        '<button type="button" id="replay-fit">Fit</button><button type="button" id="replay-shot">Save picture</button></div></div>'
        f'<p class="hint">{_MOUSE} <span class="mouse">Keys: space play, f fit, period and comma one step.</span> Every chart of time shows the moment of the replay; click in one to go there.</p>'
        f'</div><div class="right linked"><details class="sets" id="replay-signals"><summary>Signals</summary><div>{picked}</div></details>'
        '<div id="replay-linked"></div></div></div>'
    )
