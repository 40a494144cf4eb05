"""Responses of a reduced appendage."""
