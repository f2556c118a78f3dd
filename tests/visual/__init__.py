"""Collections of figures, and what judges our drawings of them: Mermaid, KaTeX and Graphviz themselves, and Chromium."""
