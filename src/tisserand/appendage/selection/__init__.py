"""Which modes to keep, with a reason for each."""
