"""What chats and wikis share, whose editors have a fixed set of blocks.

blocks         a document as such blocks, and the walk that makes them of a tree
fit            replaces what a container of a place may not hold, by the table `rules.tsv`
parts          divides what is longer than a place takes
html           blocks as HTML, by a table of tags; atlassian: for the editors of Jira and Confluence
"""
