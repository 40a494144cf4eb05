"""Modal integrals and what follows from them."""
