"""The two interactive pictures of a page: mode shapes and the replay of a run."""

from __future__ import annotations

from html import escape

from tisserand.views.report.html import Markup

_KEYS = "Drag to rotate, shift-drag to pan, scroll to zoom; or focus the picture and use the arrow keys and + and -."


def mode_viewer(titles: list[str], energy: bool = False) -> Markup:
    """Canvas and controls of the mode viewer; its data block has the id ``mode-data``.

    ``energy``: whether the data hold the strain energy, so that it can be chosen as color.
    """
    color = (
        '<label>Color <select id="mode-color"><option value="displacement">displacement</option>'
        '<option value="energy">strain energy</option></select></label>'
        if energy
        else ""
    )
    meaning = "relative displacement" + (" or the root of relative strain energy per mass" if energy else "")
    options = "".join(f'<option value="{i}">{escape(title)}</option>' for i, title in enumerate(titles))
    return Markup(
        '<div class="viewer"><canvas id="mode-canvas" tabindex="0" role="img" aria-label="Animated mode shape; the table of modes '
        'gives the same modes as numbers"></canvas><div class="controls">'
        f'<label>Mode <select id="mode-picker">{options}</select></label>'
        '<label>Amplitude <input type="range" id="mode-amplitude" min="0" max="40" step="1" value="12"></label>'
        '<label>Speed <input type="range" id="mode-speed" min="5" max="200" step="5" value="50"></label>'
        '<button type="button" id="mode-play">Pause</button>'
        '<label><input type="checkbox" id="mode-ghost" checked> undeformed</label>'
        f"{color}"
        f'<output id="mode-said" aria-live="polite"></output></div></div><p class="hint">{_KEYS} '
        f"Colors: {meaning}, dark is none, bright is largest.</p>"
    )


def replay_viewer(frames: int) -> Markup:
    """Canvas and controls of the replay; its data block has the id ``replay-data``."""
    return Markup(
        '<div class="viewer"><canvas id="replay-canvas" tabindex="0" role="img" aria-label="Replay of the moving vehicle; the charts '
        'below give the same motion as curves"></canvas><div class="controls">'
        '<button type="button" id="replay-play">Pause</button>'
        f'<label>Time <input type="range" id="replay-time" min="0" max="{max(frames - 1, 0)}" step="1" value="0"></label>'
        '<label>Deflection times <input type="range" id="replay-scale" min="1" max="200" step="1" value="1"></label>'
        '<label>Speed <input type="range" id="replay-speed" min="0.1" max="20" step="0.1" value="2"></label>'
        f'<output id="replay-said" aria-live="polite"></output></div></div><p class="hint">{_KEYS}</p>'
    )
