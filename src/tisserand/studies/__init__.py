"""Every task of the command line as a Python function: its options are declared once, in :mod:`tisserand.studies.options`."""
