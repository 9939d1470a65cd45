"""Loops over constant tables for large robots: the same recursions, one straight-line program per kind of body."""
