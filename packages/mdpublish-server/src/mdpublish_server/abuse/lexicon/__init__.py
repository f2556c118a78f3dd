"""The abuse filter's lexicon.

`requests`, `threats`, `actors` and `context` map concepts to words, one line per language. `intents` combines
concepts.

An entry is a word; `word*` is a prefix, `_` separates the words of a phrase, `a|b` is either word, `...` up to five
words. Entries are normalized like texts, so accents are optional.
"""
