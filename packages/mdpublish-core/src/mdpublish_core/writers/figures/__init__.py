"""Figures in the output: their size and place, whether they fit, and light and dark forms."""
