"""URLs and embedded images."""
