"""Readers that judge what a destination wrote by its vendor's own list, and share no code with what wrote it.

`email`, `onenote` and `docs` each have `problems(html)`, which names every fault and is empty where there is none. `tree`
and `css` read for them. Of mails, `caniemail` holds the data on clients, `partial_support` how its notes are heeded, and
`conditional_comments` what Outlook alone reads.
"""
