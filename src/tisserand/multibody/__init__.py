"""multibody."""
