"""A moving mode shape as GIF or MP4."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from tisserand.appendage.record.reduced_appendage import ReducedAppendage
from tisserand.errors import InputError
from tisserand.files import atomic_path
from tisserand.views.geometry import DrawnMode, drawn_mode
from tisserand.views.mode_matplotlib import mode_figure
from tisserand.views.mode_pyvista import mode_plotter
from tisserand.views.renderer import choose_renderer

FRAMES, FRAMES_PER_SECOND = 24, 16


def save_mode_animation(appendage: ReducedAppendage, mode: int, path: str | Path, color: str = "displacement") -> Path:
    """One period of mode ``mode`` (from 1) as a looping ``.gif``, or as ``.mp4`` where imageio-ffmpeg is installed."""
    path = Path(path)
    if path.suffix.lower() not in (".gif", ".mp4"):
        raise InputError("animations are .gif or .mp4", found=path.suffix)
    if path.suffix.lower() == ".mp4":
        need_video()
    drawn = drawn_mode(appendage, mode, color=color)
    phases = 2.0 * np.pi * np.arange(FRAMES) / FRAMES
    images = [_image(replace(drawn, scale=drawn.scale * float(np.sin(phase))), drawn.scale) for phase in phases]
    with atomic_path(path) as temporary:
        if path.suffix.lower() == ".gif":
            _write_gif(images, temporary)
        else:
            _write_mp4(images, temporary)
    return path


def need_video() -> None:
    """Refuse before anything is drawn where the packages are missing that write videos."""
    missing = [name for name in ("imageio", "imageio_ffmpeg") if find_spec(name) is None]
    if missing:
        raise InputError(
            "writing .mp4 needs the packages imageio and imageio-ffmpeg",
            found=f"no {' and no '.join(missing)}",
            advice="pip install 'tisserand[video]', or write a .gif",
        )


def _image(drawn: DrawnMode, reach: float) -> Any:
    if choose_renderer().renderer == "pyvista":
        plotter = mode_plotter(drawn, reach=reach)
        image = np.array(plotter.screenshot(return_img=True))
        plotter.close()
        return image
    made = mode_figure(drawn)
    made.canvas.draw()
    return np.array(made.canvas.buffer_rgba())[:, :, :3]


def _write_gif(images: list[Any], path: Path) -> None:
    from PIL import Image

    frames = [Image.fromarray(image).resize((image.shape[1] // 2, image.shape[0] // 2)) for image in images]
    first = frames[0].quantize(128)
    rest = [frame.quantize(palette=first) for frame in frames[1:]]
    first.save(path, format="GIF", save_all=True, append_images=rest, duration=1000 // FRAMES_PER_SECOND, loop=0)


def _write_mp4(images: list[Any], path: Path) -> None:
    import imageio.v2 as imageio

    writer: Any  # newer releases type it as the base of readers and writers, which has no append_data
    with imageio.get_writer(path, format="FFMPEG", fps=FRAMES_PER_SECOND, macro_block_size=2) as writer:
        for _ in range(3):
            for image in images:
                writer.append_data(image)
