"""Mutants: small changes of the packages that some test should find. `nox -s mutants` tries a sample of them."""
