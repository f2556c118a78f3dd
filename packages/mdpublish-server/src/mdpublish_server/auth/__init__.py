"""Authentication and authorization: API keys, sessions, passwords, plans, and CSRF protection."""
