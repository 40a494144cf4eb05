"""Import what the commands import, once, in the process that the others are forked from."""

import matplotlib

matplotlib.use("Agg")

import h5py  # noqa: F401
import meshio  # noqa: F401
import scipy.io  # noqa: F401

import tisserand.cli.app
import tisserand.studies.check
import tisserand.studies.export
import tisserand.studies.linear
import tisserand.studies.modes
import tisserand.studies.report
import tisserand.studies.simulate
import tisserand.studies.sweep
import tisserand.studies.view  # noqa: F401
