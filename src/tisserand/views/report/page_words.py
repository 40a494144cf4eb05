"""What pages say in place of the names that the code uses: damping laws, identities of the modal integrals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Kinds of damping in a record's report: what a page calls them, and their values.
_LAWS = {
    "ModalRatio": "damping ratio of the modes",
    "DampingBands": "damping ratio by frequency band",
    "DampingTable": "damping ratio over the frequency",
    "Rayleigh": "Rayleigh damping, alpha M + beta K",
    "Structural": "structural damping, as half of g in every mode",
    "GivenMatrix": "a damping matrix",
    "element dampers": "dampers of the model",
}
_VALUES = {
    "ratio": "ratio", "bands": "bands (from Hz, to Hz, ratio)", "outside": "ratio outside the bands",
    "frequencies_hz": "frequencies (Hz)", "ratios": "ratios", "alpha": "alpha (1/s)", "beta": "beta (s)", "g": "g",
    "rows": "rows", "terms": "entries of their matrix",
}  # fmt: skip
_SUPPORTS = {
    "attachment": "the appendage held at its attachment: its modes have these ratios; free, the same dampers give others",
    "free": "the free appendage",
    "as held": "the appendage as the model holds it",
}
#: Identities of the modal integrals by the names of their reports.
_IDENTITIES = {
    "tr N = Me": "modal mass: trace of the second moments of the shapes (tr N = Me)",
    "N_ab,kl = N_ba,lk": "symmetry of the second moments of the shapes (N_ab,kl = N_ba,lk)",
    "eps L = H": "angular momentum of the shapes: moments of position and shape (eps L = H)",
    "residual mass >= 0": "mass that the modes leave is not negative",
    "two ways to L": "moments of position and shape, computed in two ways",
}


def identity_words(name: str) -> str:
    """What an identity of the modal integrals compares."""
    return _IDENTITIES.get(name, name)


def damping_words(report: Mapping[str, Any]) -> dict[str, Any]:
    """The report of a record's damping for reading; the achieved ratios are in the table of modes."""
    stated = report.get("stated")
    said: dict[str, Any] = {}
    for entry in stated if isinstance(stated, list | tuple) else ():
        law = _LAWS.get(str(entry.get("kind")), str(entry.get("kind")))
        values = {_VALUES.get(key, key): value for key, value in entry.items() if key != "kind"}
        name = law if law not in said else f"{law} ({len(said) + 1})"
        said[name] = next(iter(values.values())) if set(values) == {"ratio"} else values
    if not said and stated is not None:
        said["damping"] = stated
    elif (support := report.get("support")) is not None:
        said["stated for"] = _SUPPORTS.get(str(support), support)
    known = ("stated", "support", "ratios_of_natural_modes")
    return {**said, **{key.replace("_", " "): value for key, value in report.items() if key not in known}}
