"""The public namespace is frozen: a name that appears or disappears is a decision, made here too."""

import subprocess
import sys

import tisserand

PUBLIC = {
    "AssembledModel", "Body", "ModalBasis", "MountedAppendage", "ReducedAppendage", "Rotor", "State", "StructuralModel",
    "TisserandError", "Trajectory", "Vehicle", "__version__", "assemble", "compare", "hinge", "linearise",
    "load_record", "load_trajectory", "merged", "mirrored", "mode_table", "read_model", "reduce", "save_record",
    "save_trajectory", "select", "simulate", "solve_modes", "system_modes",
}  # fmt: skip


def test_the_public_names_are_these():
    assert set(tisserand.__all__) == PUBLIC
    for name in tisserand.__all__:
        assert getattr(tisserand, name) is not None


def test_importing_the_package_loads_nothing_heavy():
    """``import tisserand`` must not pull in numpy, scipy, numba, h5py or any picture library."""
    code = "import sys, tisserand; print(sorted({'numpy', 'scipy', 'numba', 'h5py', 'pyvista', 'matplotlib'} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
