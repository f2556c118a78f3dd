"""A folder of documents, converted into another: `mdpublish batch` without its command line.

`plan` says which documents there are and what becomes of them, `addresses` where their links and pictures lead then,
`ledger` what was done already, and `working` does it, in this process or in several.
"""
