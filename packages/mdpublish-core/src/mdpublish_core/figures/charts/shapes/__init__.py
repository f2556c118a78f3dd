"""The geometry of marks: where lines, areas, bars, slices and points go, whatever they stand for."""
