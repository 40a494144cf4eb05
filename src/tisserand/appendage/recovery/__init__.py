"""Outputs recovered from modal coordinates."""
