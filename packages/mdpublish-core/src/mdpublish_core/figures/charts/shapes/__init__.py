"""Geometry of chart elements: lines, areas, bars, slices and points."""
