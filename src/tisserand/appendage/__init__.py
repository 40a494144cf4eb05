"""appendage."""
