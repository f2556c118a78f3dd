"""Meanings of the tree that several writers share: anchors, numbers, directions, attributions, grids of tables.

table_model        one model for pipe tables and HTML tables
block_runs         splits children into inline and block runs
list_numbering     letters, Roman numerals, reversed lists, lists that skip numbers
heading_numbering  hashes or section numbers before headings
bidi               text direction
attributions       who said a quote
anchors            heading ids, and links to them
"""
