"""The API: one module a resource, each a thin layer that reads a body, calls what does the work, and answers in JSON."""
