"""Pages for users, and for signing up and in."""
