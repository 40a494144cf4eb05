"""Families that Abaqus decks have, written as keywords by this test and read back: the same stiffness and mass.

The samples are those of ``test_every_family``; the writer here knows keywords, not the reader.
"""

from dataclasses import replace

import pytest
from support.family_samples import SAMPLES

from tisserand.assembly import assemble
from tisserand.readers.abaqus import read_abaqus

#: Family -> element type by number of nodes; solids by kind and integration.
SURFACES = {
    "shell": {3: "S3", 4: "S4", 6: "S6", 8: "S8R", 9: "S9R5"},
    "membrane": {3: "M3D3", 4: "M3D4", 6: "M3D6", 8: "M3D8"},
}
SOLIDS = {"tet4": "C3D4", "tet10": "C3D10", "hex8": "C3D8", "hex20": "C3D20", "wedge6": "C3D6", "wedge15": "C3D15"}
READ = [
    name
    for name, make in SAMPLES.items()
    if make().elements[-1].family in ("shell", "membrane", "rod", "solid")
    and not name.startswith(("pyramid", "hex32", "seven", "tapered seven", "hex8, unlocked", "rod that twists"))
    and not name.endswith("of Nastran")
]


def _plain(model):
    """Without what the keywords below do not state: stress at rest, offsets of tapered shells, extra mass."""
    sections = tuple(
        replace(section, prestress=(0.0, 0.0, 0.0)) if section.family == "membrane" else
        replace(section, tension=0.0) if section.family == "rod" else section
        for section in model.sections
    )  # fmt: skip
    block = model.elements[-1]
    if block.family == "shell" and block.taper is not None:
        block = replace(block, offset=0.0 * block.offset)
        plain, extra = sections[0], 2.0
        inertia = plain.areal_inertia - extra * plain.thickness**2 / 12
        sections = (replace(plain, areal_mass=plain.areal_mass - extra, areal_inertia=inertia),)
    if block.family == "solid" and block.kind in (
        "tet4",
        "tet10",
        "wedge6",
        "wedge15",
    ):  # CalculiX: mass at the same points
        sections = (replace(sections[0], integration="sampled"),)
    return model.changed(elements=(block,), sections=sections, drilling=20.0)


def _type(block, section):
    if block.family == "solid":
        return "C3D8I" if section.integration == "incompatible" else SOLIDS[block.kind]
    return "T3D2" if block.family == "rod" else SURFACES[block.family][block.nodes.shape[1]]


def _lines(model):
    block, section = model.elements[-1], model.sections[0]
    yield "*NODE, NSET=ALL"
    yield from (f"{i}, " + ", ".join(f"{v:.17g}" for v in x) for i, x in zip(model.nodes.ids, model.nodes.positions))
    yield f"*ELEMENT, TYPE={_type(block, section)}, ELSET=E"
    for e, row in zip(block.ids, block.nodes):
        words = [str(e), *(str(model.nodes.ids[k]) for k in row)]
        yield ",\n".join(", ".join(words[i : i + 12]) for i in range(0, len(words), 12))
    if block.family in ("shell", "membrane"):
        young, poisson, density = (7e10, 0.33, 2700.0) if block.family == "shell" else (7e10, 0.3, 2700.0)
    else:
        material = section.material
        young, poisson, density = material.young, material.poisson, material.density
    yield f"*MATERIAL, NAME=M\n*ELASTIC\n{young:.17g}, {poisson:.17g}\n*DENSITY\n{density:.17g}"
    if block.family == "shell":
        nodal = "" if block.taper is None else ", NODAL THICKNESS"
        yield f"*SHELL SECTION, ELSET=E, MATERIAL=M, OFFSET={-block.offset[0] / section.thickness:.17g}{nodal}"
        yield f"{section.thickness:.17g}"
        if nodal:
            yield "*NODAL THICKNESS"
            value = dict(zip(block.nodes.ravel().tolist(), (block.taper * section.thickness).ravel().tolist()))
            yield from (f"{model.nodes.ids[k]}, {t:.17g}" for k, t in value.items())
    elif block.family == "membrane":
        yield f"*MEMBRANE SECTION, ELSET=E, MATERIAL=M\n{section.thickness:.17g}"
    else:
        yield "*SOLID SECTION, ELSET=E, MATERIAL=M" + (f"\n{section.area:.17g}" if block.family == "rod" else "")


@pytest.mark.parametrize("name", READ)
def test_the_same_matrices(name, tmp_path):
    """Tolerance: rounding of seventeen digits."""
    model = _plain(SAMPLES[name]())
    path = tmp_path / "deck.inp"
    path.write_text("\n".join(_lines(model)) + "\n")
    flavor = "abaqus" if name == "hex8, selective" else "calculix"
    again = read_abaqus(path, "SI", flavor=flavor).changed(drilling=20.0)
    assert [block.family for block in again.elements] == [model.elements[-1].family]
    recipe = "consistent"
    first, second = assemble(model, mass=recipe), assemble(again, mass=recipe)
    for word in ("stiffness", "mass"):
        a, b = getattr(first, word), getattr(second, word)
        assert abs(a - b).max() <= 1e-11 * abs(a).max(), word
