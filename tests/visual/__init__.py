"""Figures compared with Mermaid, KaTeX and Graphviz, and inspected in Chromium."""
