"""The abuse filter: does a text look like phishing or a scam? It is asked before a page without an account is published.

    text → extraction (what a reader sees, and the links) → normalize, tokenizer → concepts (phrases) → intents (proximity)
         → with link_signals and page_signals: points and rules for each passage (scoring)

It does not look for wordings. It weighs who speaks, what is asked, what is promised or threatened, by what way an answer
should come, and what ordinary texts say: a warning, a lesson, documentation. Everything that it knows is in tables, for
whoever keeps them to extend: `lexicon` (words in eleven languages, and what they mean beside one another), `brands`, and
`rules` (points, and kinds of abuse). It is deterministic, asks nobody, and takes time in proportion to the text. Who
means harm can get past any list, so it is one hurdle beside the pages' short life and their `noindex`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mdpublish_server.abuse.rules import Rule

__all__ = ["matching_rules", "scan"]


def scan(title: str, markdown: str) -> str | None:
    """Return the kind of abuse that a page looks like, in a few words for people; None where it looks like none.

    Any texts can be scanned; what is told never names the rule.
    """
    return next((rule.kind for rule in matching_rules(title, markdown)), None)


def matching_rules(title: str, markdown: str) -> "Iterator[Rule]":
    """Yield the rules that a page breaks, in their order; for those who keep the rules."""
    from mdpublish_server.abuse.scoring import match_rules

    return match_rules(title, markdown)
