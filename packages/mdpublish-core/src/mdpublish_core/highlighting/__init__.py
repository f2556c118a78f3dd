"""Syntax highlighting with Pygments, restricted to safe lexers."""
