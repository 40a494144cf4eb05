"""Functional mock-up units (FMI 2.0 and 3.0) in C source, with a binary for this platform where a compiler is present."""
