"""Use cases: what the service does with documents, pages, demos and accounts, and in the background."""
