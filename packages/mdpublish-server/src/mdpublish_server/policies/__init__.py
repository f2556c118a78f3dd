"""Policies: what the service accepts, from whom, and how much of it; each raises the error that refuses the rest."""
