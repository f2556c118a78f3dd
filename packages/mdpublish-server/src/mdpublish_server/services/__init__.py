"""Use cases and background tasks."""
