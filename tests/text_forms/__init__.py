"""Formulas and prose whose text forms must be told apart, and readers of these text forms."""
