"""Correlation of a model with a test: alignment of measured points, MAC, COMAC, cross-orthogonality, pairs of modes."""
