"""Revisions, numbered in order. Never change a released one."""
