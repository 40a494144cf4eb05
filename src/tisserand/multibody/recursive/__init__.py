"""The recursive engine: articulated elimination over flat arrays, O(n) in bodies."""
