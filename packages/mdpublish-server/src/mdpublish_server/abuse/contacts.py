"""Signals of a whole page: ways to reach or pay its author, fields of a form, disguised letters."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from mdpublish_server.abuse.extraction import IMAGE, PageContent
from mdpublish_server.abuse.hosts import has_lure, parse_target
from mdpublish_server.abuse.normalize import normalize
from mdpublish_server.abuse.senders import sender_signals

CONTACT_SIGNALS = (
    "phone",
    "number",
    "bank-account",
    "mail",
    "handle",
    "coin-address",
    "form",
    "broken-host",
    "url",
    "picture",
)
"""Ways to reach or pay the author; a page without these and without links is never abuse."""

PAGE_SIGNALS = (
    *CONTACT_SIGNALS,
    "blank",
    "disguise",
    "free-mail",
    "hours",
    "odd-mail",
    "own-mail",
    "private-mail",
    "quoted",
    "secret-field",
    "seed-field",
    "sender-below",
    "sender-host",
    "sender-mail",
    "sender-part",
    "sum",
)

_NUMBER = re.compile(r"(?<![\w.,/:\-])[+(]{0,2}\d(?:[ ().\-/\u2010-\u2015]{0,3}\d){6,19}(?!\w)")
_DATE_OR_SUM = re.compile(
    r"\d{4}[\-/.]\d\d?[\-/.]\d\d?|\d\d?[./\-]\d\d?[./\-]\d{4}|[1-9]\d{0,2}(?:[.,]\d{3})+|[1-9]\d{0,2}(?: \d{3})* 000|(?:19|20)\d\d ?- ?(?:19|20)\d\d"
)
_DIALED = re.compile(r"[+(0]|1[ \-(]|8[ \-]|\d{2,4}[ .\-]\d{2,4}[ .\-]\d{2,4}")
_IBAN = re.compile(r"\b[a-z]{2}\d{2}(?: ?[a-z0-9]{2,4}){3,8}\b|\b\d\d-\d\d-\d\d\b")
_MAIL = re.compile(r"(?<![\w.+\-])([\w.+\-]{1,64})(?:@| ?[(\[]at[)\]] ?)([\w\-]{2,63}(?:\.[\w\-]{2,63}){1,4})")
_HANDLE = re.compile(r"(?<![\w@./])@[a-z][\w.]{3,31}(?![\w/.\-@])")
_BROKEN_HOST = re.compile(
    r"(?<![a-z0-9\-])[a-z0-9][a-z0-9\-]{2,40} ?(?:\( ?dot ?\)|\[ ?dot ?\]|\[\.\]) ?[a-z]{2,8}\b|(?<![a-z0-9\-])[a-z0-9\-]{3,40} \. ?(?:com|net|org|info|io|example|invalid)\b|\bhxxps?:"
)
_URL = re.compile(r"https?://[a-z0-9]")
_FREE_MAIL = re.compile(r"(?:gmail|yahoo|outlook|hotmail|proton|protonmail|aol|yandex|gmx|mail|qq|163|web)\.")
_CRYPTO_WALLET = re.compile(r"(?<![\w/\-])(?=[a-z]{0,30}\d)(?:bc1|0x|[13tdr])[a-z0-9]{22,60}(?![\w/\-])")
_SECRET_FIELD = re.compile(r"passw|passcode|cvv|cvc|\bpin\b|card|ssn|otp|creditcard|credential")
_SEED_FIELD = re.compile(r"seed|mnemonic|recovery.{0,9}phrase|private.{0,3}key|secret.{0,9}phrase")
_SUM = re.compile(
    r"[$€£₽₺₹¥]\s?\d|\d\s?(?:[$€£₽₺₹円]|eur|euros?|usd|dollars?|gbp|chf|zl|pln|tl|try|rub|brl|reais|btc|eth|usdt)"
    r"|\b(?:rp|r\$) ?\d|\d \u0440\u0443\u0431"
)
_DISGUISE = re.compile(
    "[a-z][\u200b\u200c\u200d\u2060\u00ad\ufeff]+[a-z]|[a-z][\u0370-\u052f]|[\u0430-\u044f][a-z]|[\uff41-\uff5a]{5}"
    "|[a-z][\u0300-\u036f]{2}|(?:\\b[a-z]  ?){7}|(?:\\b[a-z][.\\-*_]){6}",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"[A-Za-z]&#\w{2,6};|&#\w{2,6};[A-Za-z]")


_BLANK = re.compile(r"_{4}|\.{8}|\u2026{3}")
_QUOTED = re.compile(
    '[\u201c\u201e\u00ab\u300c\u00bb"][^\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d"\n]{25,400}[\u201c\u201d\u00bb\u00ab\u300d"]'
)
_HOURS = re.compile(
    r"(?<![\d.:])[0-2]?\d[:.h][0-5]\d(?: ?(?:uhr|h))? ?(?:-|\u2013|to|bis|a|\u301c|~) ?[0-2]?\d(?:[:.h][0-5]\d)?"
)
_PRIVATE = re.compile(
    r"priv|personal|perso|lichno|pessoal|ozel|prywat|direct|office|ceo|cfo|gf|dir|boss|rektor|agent|claim|notar"
    r"|avocat|lawyer|attorney|premi"
)
"""Parts of mailboxes that pose as a superior's, or as private."""

_MAX_URLS = 100
"""Links whose hosts are compared with names in the text."""

_IN_TEXT = {
    "blank": _BLANK,
    "hours": _HOURS,
    "quoted": _QUOTED,
    "bank-account": _IBAN,
    "handle": _HANDLE,
    "coin-address": _CRYPTO_WALLET,
    "broken-host": _BROKEN_HOST,
    "url": _URL,
    "sum": _SUM,
}
_IN_FIELDS = {"secret-field": _SECRET_FIELD, "seed-field": _SEED_FIELD}


def page_signals(page: PageContent, markdown: str, shown: str, normalized: str) -> Iterator[str]:
    yield from _numbers(normalized)
    urls = islice(dict.fromkeys(link.url for link in page.links), _MAX_URLS)
    hosts = tuple(dict.fromkeys(parse_target(url).host for url in urls))
    mailboxes = _mailboxes(normalized)
    yield from _mails(mailboxes)
    yield from sender_signals(hosts, tuple(mailboxes), normalized)
    yield from (signal for signal, pattern in _IN_TEXT.items() if pattern.search(normalized))
    fields = [normalize(field) for field in page.fields]
    yield from (signal for signal, pattern in _IN_FIELDS.items() if any(map(pattern.search, fields)))
    if IMAGE in shown:
        yield "picture"
    if "form" in page.tags or fields:
        yield "form"
    if _DISGUISE.search(shown) or _ENTITY.search(markdown):
        yield "disguise"


def _numbers(normalized: str) -> Iterator[str]:
    kinds = set()
    for match in _NUMBER.finditer(normalized):
        number = match[0]
        if not _DATE_OR_SUM.fullmatch(number):
            kinds.add("phone" if _DIALED.match(number) else "number")
            if len(kinds) == 2:
                break
    yield from kinds


def _mailboxes(normalized: str) -> Mapping[str, str]:
    """Return the domains of mail addresses, and a name at each."""
    if "@" not in normalized and "at" not in normalized:
        return {}
    return {match[2]: match[1] for match in _MAIL.finditer(normalized)}


def _mails(mailboxes: Mapping[str, str]) -> Iterator[str]:
    if mailboxes:
        yield "mail"
    if any(map(_FREE_MAIL.match, mailboxes)):
        yield "free-mail"
    if any(map(has_lure, mailboxes)):
        yield "odd-mail"
    if any(map(_PRIVATE.search, mailboxes.values())):
        yield "private-mail"
