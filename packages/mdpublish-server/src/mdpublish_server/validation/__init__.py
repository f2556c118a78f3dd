"""Validation of input."""
