"""Linters of outputs by vendors' own lists, independent of the renderers."""
