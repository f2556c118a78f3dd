"""Rules: which signs together are abuse, and what people are told of it. A new rule is one line.

A rule names the signs of which all must stand in a passage, at least one of `some`, and none of `none`; a passage is
`PASSAGE` words, so that a page is judged by what it says in one breath. What the texts in the tests' `scanner_texts`
named after a rule must and must not do is the rule's contract.

Signs of phrases are `signs`'; those of links are `links`'; those of the whole page begin with `page-`.
"""

from typing import NamedTuple

PASSAGE = 90
"""Words of a passage. Each half begins another passage, so that none is cut where it matters."""


class Rule(NamedTuple):
    """Names are of signs, with spaces between them; `name` is for tests, `kind` for people."""

    name: str
    kind: str
    all: str
    some: str = ""
    none: str = ""


_FORM = "a form that asks for credentials"
_PHISHING = "a call to sign in or pay at a place that is not the sender's"
_BRAND = "a message in the name of a known company"
_LINK = "a link that hides where it leads"
_SEED = "a request for a wallet's seed phrase"
_DRAIN = "a lure to connect a wallet"
_GIFT = "a request for gift cards"
_LOTTERY = "a prize that nobody has won"
_FORTUNE = "an offer of money for a fee"
_SUPPORT = "a false warning about a computer or an order"
_KIN = "a request for money in another's name"

RULES = (
    Rule("userinfo-link", _LINK, "userinfo-link"),
    Rule("script-link", _LINK, "script-link"),
    Rule("odd-ip-link", _LINK, "odd-ip-link"),
    Rule("look-alike-link", _LINK, "look-alike-link"),
    Rule("disguised-link", _LINK, "disguised-link"),
    Rule("ip-link", _LINK, "ip-link", some="trouble secret act urgency trap-path infected seed"),
    Rule("brand-host", _BRAND, "brand-host"),
    Rule("credential-form", _FORM, "page-form page-secret-field"),
    Rule("seed-phrase", _SEED, "seed ask-seed", some="wallet trouble urgency windfall away", none="teaching"),
    Rule("seed-phrase-link", _SEED, "seed ask-seed away", some="trouble urgency windfall connect-wallet"),
    Rule("seed-import", _SEED, "seed import-wallet away", some="trouble urgency windfall", none="teaching"),
    Rule("wallet-key", _SEED, "wallet-key ask-seed wallet", some="trouble urgency windfall import-wallet", none="teaching"),
    Rule("seed-field", _SEED, "page-seed-field"),
    Rule("wallet-drain", _DRAIN, "connect-wallet windfall away", some="urgency act wallet", none="teaching"),
    Rule("wallet-trouble", _DRAIN, "connect-wallet trouble away", some="urgency act wallet", none="teaching"),
    Rule("coin-doubling", _LOTTERY, "doubling", none="teaching"),
    Rule("gift-card", _GIFT, "gift-card gift-ask favour", none="teaching"),
    Rule("gift-card-code", _GIFT, "gift-card gift-code", none="teaching"),
    Rule("lottery", _LOTTERY, "windfall winner", some="away fee urgency contact act secret page-phone page-mail", none="teaching"),
    Rule("advance-fee", _FORTUNE, "fortune partner", some="contact fee page-mail page-phone", none="teaching"),
    Rule("tech-support", _SUPPORT, "infected call", some="page-phone urgency remote", none="teaching"),
    Rule("halted-act", _PHISHING, "halted act away", some="urgency secret lure-link brand fee", none="teaching"),
    Rule("trouble-act", _PHISHING, "trouble act away", some="urgency secret lure-link fee", none="teaching"),
    Rule("tech-download", _SUPPORT, "infected act away", some="urgency trap-path lure-link", none="teaching"),
    Rule("kin", _KIN, "kin new-number money-ask", none="teaching"),
    Rule("trouble-lure", _PHISHING, "trouble lure-link"),
    Rule("refund", _BRAND, "refund act away brand page-short", none="teaching"),
    Rule("secret-away", _PHISHING, "secret away", some="trouble urgency brand", none="teaching"),
    Rule("brand-lure", _BRAND, "brand lure-link urgency"),
)  # fmt: skip
"""Every rule; a text's kind is that of the first which finds something in it."""
