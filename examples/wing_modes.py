"""The picture on the front page: all clamped modes of the included solar-array wing on one sheet."""

from pathlib import Path

import kit

import tisserand as ts


def main(folder: Path | None = None) -> dict[str, float]:
    wing = ts.reduced_case(kit.MESHES / "wing.toml")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        ts.save_contact_sheet(wing, folder / "wing_modes.png")
    return {f"mode {k + 1} (Hz)": float(f) for k, f in enumerate(wing.frequencies_hz)}


if __name__ == "__main__":
    kit.run(main)
