"""A package, so that an installed `tests` package is not imported instead."""
