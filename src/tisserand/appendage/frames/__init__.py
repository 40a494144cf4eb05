"""Reference points, floating frames, axes, and records joined."""
