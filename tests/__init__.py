"""A package, so that no installed distribution's tests are taken for these."""
