"""Films: a moving mode shape, and how frames become a GIF, MP4 or WebM file."""

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
#: Endings of films.
FILMS = (".gif", ".mp4", ".webm")


def save_mode_animation(appendage: ReducedAppendage, mode: int, path: str | Path, color: str = "displacement") -> Path:
    """One period of mode ``mode`` (from 1) as a looping ``.gif``, or three as ``.mp4`` or ``.webm`` (extra ``video``)."""
    path = Path(path)
    check_film(path)
    drawn = drawn_mode(appendage, mode, color=color)
    phases = 2.0 * np.pi * np.arange(FRAMES) / FRAMES
    images = [_image(replace(drawn, scale=drawn.scale * float(np.sin(phase))), drawn.scale) for phase in phases]
    with atomic_path(path) as temporary:
        write_film(images if path.suffix.lower() == ".gif" else 3 * images, temporary, path.suffix.lower())
    return path


def check_film(path: Path) -> None:
    """Refuse an ending that is no film, or whose packages are missing, before anything is drawn."""
    if path.suffix.lower() not in FILMS:
        raise InputError(
            "unsupported file extension of a film", found=path.suffix or str(path), expected=", ".join(FILMS)
        )
    if path.suffix.lower() != ".gif":
        need_video(path.suffix.lower())


def need_video(suffix: str = ".mp4") -> None:
    """Refuse before anything is drawn where the packages are missing that write videos."""
    missing = [name for name in ("imageio", "imageio_ffmpeg") if find_spec(name) is None]
    if missing:
        raise InputError(
            f"writing {suffix} needs the packages imageio and imageio-ffmpeg",
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


def write_film(images: list[Any], path: Path, suffix: str) -> None:
    """Frames (height, width, 3) as a film of the kind that ``suffix`` names."""
    if suffix == ".gif":
        _write_gif(images, path)
    else:
        _write_video(images, path, "libvpx-vp9" if suffix == ".webm" else "libx264", suffix[1:])


def _write_gif(images: list[Any], path: Path) -> None:
    from PIL import Image

    size = (
        min(images[0].shape[1] // 2, 640),
        min(images[0].shape[1] // 2, 640) * images[0].shape[0] // images[0].shape[1],
    )
    frames = [Image.fromarray(image).resize(size) for image in images]
    small = (size[0] // 4, size[1] // 4)
    strip = Image.new("RGB", (small[0], small[1] * len(frames)))
    for number, frame in enumerate(frames):
        strip.paste(frame.resize(small), (0, number * small[1]))
    colors = strip.quantize(255, method=Image.Quantize.MAXCOVERAGE)  # of the whole film, not of its first frame
    first, *rest = (frame.quantize(palette=colors, dither=Image.Dither.NONE) for frame in frames)
    first.save(path, format="GIF", save_all=True, append_images=rest, duration=1000 // FRAMES_PER_SECOND, loop=0)


def _write_video(images: list[Any], path: Path, codec: str, container: str) -> None:
    import imageio_ffmpeg

    height, width = images[0].shape[0] // 2 * 2, images[0].shape[1] // 2 * 2
    writer = imageio_ffmpeg.write_frames(
        str(path),
        (width, height),
        fps=FRAMES_PER_SECOND,
        codec=codec,
        quality=8,
        ffmpeg_log_level="error",
        output_params=["-f", container],
        macro_block_size=2,
    )
    writer.send(None)
    for image in images:
        writer.send(np.ascontiguousarray(image[:height, :width, :3]))
    writer.close()
