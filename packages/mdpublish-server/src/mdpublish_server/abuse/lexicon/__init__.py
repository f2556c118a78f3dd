"""What the abuse filter knows, as tables: the words for things in many languages, and what they mean beside one another.

`requests` (what is wanted of a reader), `threats` (what is promised or threatened), `actors` (who speaks, to whom, and
by what way a reply should come) and `context` (what ordinary texts say) hold concepts: a name, and the words for it, a line a
language. `intents` says which concepts near one another are a sign.

An entry is a word; `word*` is all words that begin so; `_` stands between the words of a phrase, `a|b` is either word,
and `...` up to five words of any kind. Entries are folded as texts are, so accents may be written or left out.
"""
