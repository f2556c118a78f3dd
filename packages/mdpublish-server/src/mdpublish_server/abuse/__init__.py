"""The abuse filter: detects phishing and scams in demos.

    text → extraction (visible text, links) → normalize, tokenizer → concepts (phrases) → intents (proximity)
         → with link_signals and contacts: signals of each passage (passages) → score (model) → kind, quote

It is deterministic, offline and linear in the text's length. What it knows is in tables: `concepts.txt` (eleven
languages), `contacts.toml`, `intents.toml`, `hosts.toml`, and `weights.txt`, which is trained.
"""

from operator import itemgetter

__all__ = ["scan"]


def scan(title: str, markdown: str) -> str | None:
    """Return the kind of abuse that a page looks like and a quotation, for display, or None. Never names the rule."""
    from mdpublish_server.abuse.model import kind_of, score
    from mdpublish_server.abuse.passages import passages_of
    from mdpublish_server.abuse.quoting import quote

    page, passages = passages_of(title, markdown)
    points, worst = max(((score(passage), passage) for passage in passages), default=(0.0, None), key=itemgetter(0))
    if worst is None or points <= 0:
        return None
    kind, quotation = kind_of(worst.signals), quote(page, worst)
    return f"{kind}: “{quotation}”" if quotation else kind
