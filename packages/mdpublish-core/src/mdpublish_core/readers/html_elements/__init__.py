"""Elements of HTML as nodes: what both readers of HTML decide alike.

`markdown/raw_html` has tags among Markdown, which may overlap and stay open, `html` a tree that a parser has repaired. Each finds out what is in
what; here is which elements and attributes there are, and which nodes they become.
"""
