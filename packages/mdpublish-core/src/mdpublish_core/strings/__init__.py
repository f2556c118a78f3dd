"""Characters, patterns, positions and changes of texts."""
