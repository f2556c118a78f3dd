"""Rules: which signals together are abuse. A new rule is one line.

Each passage of `PASSAGE_WORDS` words is judged, and a short page as a whole. A rule matches a passage that has
every signal it needs (`a|b` is either) and at least `min_points` of `POINTS`. Tests specify each rule by texts in
`abuse_samples`.

Signals are from `lexicon`, `link_signals` and `page_signals`.
"""

from typing import NamedTuple

PASSAGE_WORDS = 120
"""Passages overlap by half."""

WHOLE_PAGE_WORDS = 320
"""Up to this length a page is also judged as a whole."""

SHORT_PAGE_WORDS = 60
"""Up to this length less is suspicious."""


class Rule(NamedTuple):
    """`name` is for tests, `kind` for display."""

    name: str
    kind: str
    needs: str
    min_points: int = -99


_FORM = "a form that asks for credentials"
_PHISHING = "a request to sign in or pay on an unrelated site"
_BRAND = "a message that impersonates a known company"
_LINK = "a link that hides its destination"
_SEED = "a request for a wallet's seed phrase"
_DRAIN = "a lure to connect a wallet"
_GIFT = "a request for gift cards"
_LOTTERY = "a fake prize"
_FORTUNE = "an offer of money for an advance fee"
_SUPPORT = "a fake warning about a computer or an order"
_KIN = "a request for money in someone else's name"
_PROFIT = "a promise of guaranteed profit"
_JOB = "a fake job offer"
_THREAT = "a threat that demands money"
_RUN = "a request to run an untrusted program"
_PAPERS = "a request for credentials or identity documents"

POINTS: dict[str, int] = {
    # Pressure and sender.
    "urgency": 2,
    "legal": 1,
    "greeting": 2,
    "authority": 1,
    "brand": 2,
    "secrecy": 1,
    "yours": 1,
    # Claims and requests.
    "threat": 0,
    "own-threat": 2,
    "ask-secret": 2,
    "ask-card": 1,
    "ask-id": 2,
    "ask-words": 3,
    "ask-press": 1,
    "ask-fee": 2,
    "ask-cards": 3,
    "pay-cards": 2,
    "ask-key": 2,
    "ask-transfer": 1,
    "ask-install": 2,
    "click-fix": 4,
    "game-lure": 2,
    "legal-fee": 2,
    "absent-owner": 3,
    "spread": 2,
    "secret-pay": 2,
    "letter-fortune": 2,
    "number-pay": 3,
    "sick-computer": 2,
    "you-won": 1,
    "money-waits": 2,
    "sure-profit": 2,
    "wallet-lure": 1,
    "doubling": 3,
    "easy-job": 2,
    "family-trouble": 2,
    "video-threat": 1,
    "fortune": 1,
    "romance": 2,
    "remote-tool": 2,
    # Channels.
    "away": 1,
    "lure-link": 2,
    "lure-host": 2,
    "hyphen-host": 1,
    "trap-path": 1,
    "program-link": 2,
    "page-phone": 1,
    "page-mail": 1,
    "page-coin": 2,
    "page-form": 1,
    "page-hidden": 3,
    "page-small": 1,
    "page-short": 2,
    "page-sum": 1,
    "page-broken-host": 1,
    "page-long": -3,
    "page-loud": 1,
    "message": 1,
    # Ordinary texts.
    "about-abuse": -5,
    "assurance": -5,
    "part": -3,
    "warned": -5,
    "discouraged": -1,
    "docs": -4,
    "much-docs": -4,
    "lesson": -2,
    "official-way": -3,
    "code": -3,
    "known-link": -3,
}

CONTACT_CHANNELS = (
    "away message page-address page-phone page-coin page-form page-broken-host remote-tool run-keys cash-way qr"
)
"""Signals of a way to reply; any of them sets `way`."""

MANY_DOCS_WORDS = 3
"""Words of documentation or teaching that set `much-docs`."""

RULES = (
    Rule("userinfo-link", _LINK, "userinfo-link"),
    Rule("script-link", _LINK, "script-link"),
    Rule("odd-ip-link", _LINK, "odd-ip-link"),
    Rule("look-alike-link", _LINK, "look-alike-link"),
    Rule("disguised-link", _LINK, "disguised-link", 4),
    Rule("disguised-brand", _LINK, "disguised-brand"),
    Rule("brand-host", _BRAND, "brand-host"),
    Rule("credential-form", _FORM, "page-form page-secret-field"),
    Rule("seed-field", _SEED, "page-seed-field"),
    Rule("ip-link", _LINK, "ip-link threat|urgency|infected|seed|brand|ask-fee", 5),
    Rule("seed-phrase", _SEED, "ask-words way|brand|urgency|page-form", 7),
    Rule("wallet-key", _SEED, "ask-key urgency|won|threat|halted|incident|message|lure-host", 7),
    Rule("wallet-drain", _DRAIN, "wallet-lure away|message|ask-words|lure-host urgency|won|threat|infected|halted", 7),
    Rule("coin-doubling", _PROFIT, "doubling way|page-coin|urgency|brand|page-sum", 7),
    Rule("sure-profit", _PROFIT, "way sure-profit", 7),
    Rule("gift-card", _GIFT, "way gift-card card-code|secrecy|urgency|legal|message|fee|ask-transfer ask-cards|pay-cards|card-code", 7),
    Rule("own-threat", _PHISHING, "way own-threat verify|press|give|pay|message", 7),
    Rule("account-threat", _PHISHING, "way threat press|give|pay|verify|ask-call", 7),
    Rule("secret-request", _PAPERS, "way ask-secret", 8),
    Rule("fee-request", _PHISHING, "way ask-fee", 8),
    Rule("lottery", _LOTTERY, "way you-won press|give|pay|message", 7),
    Rule("refund", _PHISHING, "way money-waits press|give|pay|message|call", 7),
    Rule("fortune", _FORTUNE, "way letter-fortune message|ask-fee|ask-id|give|page-address", 7),
    Rule("sick-computer", _SUPPORT, "way|brand|urgency sick-computer call|press|ask-install|remote-tool|page-phone", 7),
    Rule("false-charge", _SUPPORT, "charge-call page-phone|remote-tool", 7),
    Rule("easy-job", _JOB, "way easy-job message|ask-secret|pay|ask-fee|give", 7),
    Rule("loan-fee", _FORTUNE, "way loan-fee|loan ask-fee|ask-secret|message|pay", 7),
    Rule("video-threat", _THREAT, "way|coin|urgency|page-coin video-threat pay|page-coin", 6),
    Rule("run-program", _RUN, "way ask-install", 8),
    Rule("click-fix", _RUN, "click-fix", 5),
    Rule("family-trouble", _KIN, "way|secrecy|gift-card|new-number family-trouble pay|gift-card|fee", 8),
    Rule("home-deposit", _FORTUNE, "home-fee|absent-owner pay|fee", 9),
    Rule("game-lure", _PHISHING, "game-lure press|give|verify away|message|program-link", 7),
    Rule("secret-pay", _KIN, "secret-pay", 8),
    Rule("legal-fee", _THREAT, "way|coin|secrecy legal-fee", 8),
    Rule("new-number", _KIN, "number-pay pay|fee|ask-cards", 7),
    Rule("card-codes", _GIFT, "ask-cards|pay-cards card-code|romance|secrecy|trouble|legal", 9),
    Rule("demand", _PHISHING, "ask-secret|ask-fee|ask-transfer|ask-id|ask-words ask-id|ask-card|ask-fee|secrecy|charged|you-won", 11),
    Rule("pressure", _PHISHING, "way threat|ask-secret|ask-fee|ask-transfer|ask-call|ask-install|money-waits|you-won|fortune|legal|job|profit|loan|halted|password|game-lure|spread", 8),
)  # fmt: skip
"""The first match is reported."""
