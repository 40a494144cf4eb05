"""The reduced appendage and its HDF5 file."""
