"""What the tree means to several writers, beyond its nodes: anchors, numbers, directions, attributions, grids of tables."""
