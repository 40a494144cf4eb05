"""Pictures, animations and reports."""
