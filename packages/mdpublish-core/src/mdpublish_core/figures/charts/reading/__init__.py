"""Reading of a chart's source: JSON, JSON5, or JavaScript as people and assistants write it.

Nothing is run. Code is left out of the tree and reported.
"""
