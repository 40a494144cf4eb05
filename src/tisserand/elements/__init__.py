"""Element families: stiffness, mass, directional mass and geometric stiffness (theory sections 1, 2 and 6)."""
