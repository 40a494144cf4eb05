"""The command line: one command per task."""
