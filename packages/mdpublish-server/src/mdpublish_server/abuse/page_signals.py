"""Signals of a whole page: contact channels, amounts, fields, hidden characters, length."""

import re
from collections.abc import Iterator

from mdpublish_server.abuse.extraction import PageContent
from mdpublish_server.abuse.normalize import normalize
from mdpublish_server.abuse.rules import SHORT_PAGE_WORDS, WHOLE_PAGE_WORDS

PAGE_SIGNALS = (
    "page-address",
    "page-broken-host",
    "page-long",
    "page-coin",
    "page-form",
    "page-hidden",
    "page-mail",
    "page-loud",
    "page-phone",
    "page-secret-field",
    "page-seed-field",
    "page-short",
    "page-small",
    "page-sum",
)

_PHONE = re.compile(r"(?<![\w.])(?:\+|00|\(|0[1-9]|1[ \-.\u2010-\u2015]?\(?8)[\d][\d ().\-\u2010-\u2015]{7,16}\d")
_SHORT_PHONE = re.compile(
    r"(?<![\w.,])(?:\d{3,4}[ \-]\d{3}[ \-]\d{3,4}|\d[ \-]\d{3}[ \-]\d{3}[ \-]\d\d[ \-]\d\d|\d{5} \d{5}|\d{4} \d{3} \d\d \d\d)(?![\w.,]\d)"
)
_EMAIL_ADDRESS = re.compile(r"(?<![\w/])[\w.+\-]{0,64}@[\w\-]{3,}")
_BROKEN_HOST = re.compile(r"[a-z0-9][a-z0-9\-]{2,40} ?(?: \.|\( ?dot ?\)|\[ ?dot ?\]) ?[a-z]{2,8}\b")
_FREE_MAIL = re.compile(r"@ ?(?:gmail|yahoo|outlook|hotmail|proton|aol|yandex|gmx|mail|qq|163|web|yandeks)\b")
_CRYPTO_WALLET = re.compile(
    r"\b(?:bc1q?[a-z0-9]{20,60}|0x[a-z0-9]{30,60}|[13][a-km-z1-9]{25,34}|t[a-z0-9]{33}|r[a-z0-9]{30,34})\b"
)
_SECRET_FIELD = re.compile(r"passw|passcode|cvv|cvc|\bpin\b|card|ssn|otp|creditcard|credential")
_SEED_FIELD = re.compile(r"seed|mnemonic|recovery.{0,9}phrase|private.{0,3}key|secret.{0,9}phrase")
_SUM = re.compile(
    r"[$€£₽₺₹]\s?\d|\d\s?(?:[$€£₽₺₹%]|eur|euros?|usd|dollars?|gbp|chf|zł|zl|pln|tl|try|rub|brl|reais|btc|eth|usdt|xrp|trx)"
    r"\b|\b(?:rp|r\$) ?\d|\d \u0440\u0443\u0431",
    re.IGNORECASE,
)
_LOUD = re.compile(
    r"(?:\b[A-ZÀ-ÞА-Я]{3,}\b[\W\d]{1,4}){3}|[\u260e\u26a0\u23f0\U0001f4de\U0001f6a8\U0001f449\U0001f525\U0001f381\U0001f389\U0001f680\u27a1\u2705\U0001f4b0\U0001f911]|!!"
)
_HIDDEN = re.compile("[a-z][\u200b\u200c\u200d\u2060\u00ad\ufeff]+[a-z]")


def page_signals(page: PageContent, shown: str, normalized: str) -> Iterator[str]:
    if _PHONE.search(normalized):
        yield "page-phone"
    if "@" in normalized and _EMAIL_ADDRESS.search(normalized):
        yield "page-address"
    if _BROKEN_HOST.search(normalized):
        yield "page-broken-host"
    if _FREE_MAIL.search(normalized):
        yield "page-mail"
    if _CRYPTO_WALLET.search(normalized):
        yield "page-coin"
    if not shown.isascii() and _HIDDEN.search(shown.lower()):
        yield "page-hidden"
    if "form" in page.tags:
        yield "page-form"
    fields = [normalize(field) for field in page.fields]
    if any(_SECRET_FIELD.search(field) for field in fields):
        yield "page-secret-field"
    if any(_SEED_FIELD.search(field) for field in fields):
        yield "page-seed-field"


def size_signals(words: int, shown: str) -> Iterator[str]:
    """Yield the signal of a page's length, and those that count only on short pages."""
    if words > WHOLE_PAGE_WORDS:
        yield "page-long"
        return
    yield "page-small"
    if words <= SHORT_PAGE_WORDS:
        yield "page-short"
    if _SHORT_PHONE.search(shown):
        yield "page-phone"
    if _SUM.search(shown):
        yield "page-sum"
    if _LOUD.search(shown):
        yield "page-loud"
