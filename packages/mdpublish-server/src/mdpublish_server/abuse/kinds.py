"""Kinds of abuse, for display: the first whose signals are in the passage is reported."""

KINDS: tuple[tuple[str, str], ...] = (
    ("a request for a wallet's seed phrase", "ask-words|ask-key|seed-field"),
    ("a form that asks for credentials", "form secret-field"),
    (
        "a link that hides its destination",
        "userinfo-link|script-link|odd-ip-link|look-alike-link|disguised-brand|disguised-link",
    ),
    ("a promise of guaranteed profit", "double-address"),
    ("a threat that demands money", "video-threat|coin-threat exposure|legal|halted|otherwise|incident"),
    ("a request to pay into a changed account", "moved-account bank-account|number|mail"),
    ("a request to run an untrusted program", "click-fix|ask-install"),
    ("a request for gift cards", "gift-codes|ask-cards|pay-cards"),
    ("a fake warning about a computer or an order", "virus-phone|charge-phone|sick-computer"),
    ("a request for money in someone else's name", "number-pay|move-money|secret-pay"),
    ("an offer of money for an advance fee", "fortune-contact|letter-fortune|absent-owner|loan-fee|home-fee"),
    ("a fake prize", "you-won|won-cost"),
    ("a promise of guaranteed profit", "sure-profit|doubling|profit-daily"),
    ("a fake job offer", "job-contact|easy-job"),
    ("a lure to connect a wallet", "wallet-lure"),
    ("a request for money in someone else's name", "kin-number|family-trouble|excuse-money"),
    ("a message that impersonates a known company", "brand-host|claimed-brand"),
    ("a request for credentials or identity documents", "ask-secret|ask-id|ask-card|odd-secret"),
    ("a request to sign in or pay on an unrelated site", ""),
)
"""In the notation of `intents`."""
