"""Attack vectors, and a browser that detects whether they run."""
