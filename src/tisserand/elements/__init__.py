"""elements."""
