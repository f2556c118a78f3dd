"""Validation of input: request bodies, Markdown, titles, slugs, usernames, IP addresses, content codings."""
