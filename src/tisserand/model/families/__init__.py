"""Families of elements in a file each: types of their blocks and sections, which register themselves when imported."""

from tisserand.discovery import modules_of

modules_of(__name__)
