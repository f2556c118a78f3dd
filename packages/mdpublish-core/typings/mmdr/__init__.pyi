# The package itself is not used, but for its compiled part.
