"""Comparison of two records."""
