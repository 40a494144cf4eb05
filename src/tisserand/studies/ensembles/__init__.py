"""Many samples of one study: who computes them, where they are kept, and what becomes of those that fail."""
