"""Data for drawing an appendage."""
