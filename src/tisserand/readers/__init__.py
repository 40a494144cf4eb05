"""Readers, one folder or file per format."""
