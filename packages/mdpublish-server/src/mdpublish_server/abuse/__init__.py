"""The abuse filter: detects phishing and scams in demos.

    text → extraction (visible text, links) → normalize, tokenizer → concepts (phrases) → intents (proximity)
         → with link_signals and page_signals: points and rules per passage (scoring)

All knowledge is in tables: `lexicon` (eleven languages), `brands`, `rules`. It is deterministic, offline and linear
in the text's length.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mdpublish_server.abuse.rules import Rule

__all__ = ["matching_rules", "scan"]


def scan(title: str, markdown: str) -> str | None:
    """Return the kind of abuse that a page looks like, for display, or None. Never names the rule."""
    return next((rule.kind for rule in matching_rules(title, markdown)), None)


def matching_rules(title: str, markdown: str) -> "Iterator[Rule]":
    """Yield the rules that a page matches, in table order."""
    from mdpublish_server.abuse.scoring import match_rules

    return match_rules(title, markdown)
