"""Uniform beams, rods and strings as continua: exact modes and their records."""
