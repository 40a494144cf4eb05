"""What pictures need."""
