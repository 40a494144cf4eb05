"""The recursive engine: articulated elimination over flat arrays, O(n) in bodies.

References: theory section 5.2; [Featherstone2008].
"""
