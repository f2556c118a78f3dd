"""Signals of a whole page: ways to reach or pay its author, fields of a form, disguised letters."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from mdpublish_server.abuse.extraction import BARE_HOST, IMAGE, ROW, PageContent
from mdpublish_server.abuse.hosts import has_lure, parse_target, registrable
from mdpublish_server.abuse.normalize import normalize
from mdpublish_server.abuse.senders import sender_signals

_NUMBER = re.compile(r"(?<![a-z0-9_.,/\-])(?<!\d:)[+(]{0,2}\d(?:[ ().\-/\u2010-\u2015]{0,3}\d){6,19}(?![a-z0-9_])")
_DATE_OR_SUM = re.compile(
    r"\d{4}[\-/.]\d\d?[\-/.]\d\d?|\d\d?[./\-]\d\d?[./\-]\d{4}|[1-9]\d{0,2}(?:[.,]\d{3})+|[1-9]\d{0,2}(?: \d{3})* 000|(?:19|20)\d\d ?- ?(?:19|20)\d\d"
)
_DIALED = re.compile(r"[+(0]|1[ \-(]|8[ \-]|\d{2,4}[ .\-]\d{2,4}[ .\-]\d{2,4}")
_IBAN = re.compile(r"\b[a-z]{2}\d{2}(?: ?[a-z0-9]{2,4}){3,8}\b|\b\d\d-\d\d-\d\d\b")
_MAIL = re.compile(r"(?<![\w.+\-])([\w.+\-]{1,64})(?:@| ?[(\[]at[)\]] ?)([\w\-]{2,63}(?:\.[\w\-]{2,63}){1,4})")
_HANDLE = re.compile(
    r"(?<![a-z0-9_@./])@[a-z][a-z0-9_.]{3,31}(?![a-z0-9_/\-@])"
    r"|(?:line|telegram|whatsapp|wechat|weixin|signal|skype|kakao(?:talk)?|viber|discord|qq|zalo|imo|messenger)\W{0,9}"
    r"(?:id|nick|user(?:name)?|contact|-id)?\W{0,6}[(:`*]\W{0,4}[a-z][a-z0-9_.\-]{4,31}"
    r"|\bid ?[:\uff1a]\W{0,4}[a-z][a-z0-9_.\-]{4,31}"
)
_BROKEN_HOST = re.compile(
    r"(?<![a-z0-9\-])[a-z0-9][a-z0-9\-]{2,40} ?(?:\( ?dot ?\)|\[ ?dot ?\]|\[\.\]) ?[a-z]{2,8}\b|(?<![a-z0-9\-])[a-z0-9\-]{3,40} \. ?(?:com|net|org|info|io|example|invalid)\b|\bhxxps?:"
)
_BREAKS = ("dot", "[.]", " .", "hxxp")
"""One of these is in a broken host."""

_URL = re.compile(rf"https?://[a-z0-9]|(?<![a-z0-9_@./\-]){BARE_HOST}")
_FREE_MAIL = re.compile(r"(?:gmail|yahoo|outlook|hotmail|proton|protonmail|aol|yandex|gmx|mail|qq|163|web)\.")
_CRYPTO_WALLET = re.compile(
    r"(?<![\w/\-])(?=[a-z]{0,30}\d)(?:bc1[a-z0-9]{8,60}|0x[a-z0-9]{16,60}|[13tdr][a-z0-9]{17,60})(?![\w/\-])"
)
_SECRET_FIELD = re.compile(r"passw|passcode|cvv|cvc|\bpin\b|card|ssn|otp|creditcard|credential")
_SEED_FIELD = re.compile(r"seed|mnemonic|recovery.{0,9}phrase|private.{0,3}key|secret.{0,9}phrase")
_SUM = re.compile(
    r"[$€£₽₺₹¥]\s?\d|\d\s?(?:[$€£₽₺₹円]|eur|euros?|usd|dollars?|gbp|chf|zl|pln|tl|try|rub|brl|reais|btc|eth|usdt)"
    r"|\b(?:rp|r\$) ?\d|\d \u0440\u0443\u0431"
)
_DISGUISE = re.compile(
    "[a-z][\u200b\u200c\u200d\u2060\u00ad\ufeff]+[a-z]|[a-z][\u0370-\u052f]|[\u0430-\u044f][a-z]|[\uff41-\uff5a]{5}"
    "|[a-z][\u0300-\u036f]{2}",
    re.IGNORECASE,
)
_SPELLED = re.compile(r"(?:\b[a-z]  ?){7}|(?:\b[a-z][.\-*_]){6}", re.IGNORECASE)
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

_EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf\u2b00-\u2bff]")
_POINTING = re.compile(
    "[\U0001f446-\U0001f449\u25b6\u27a1\u2b07\u2b06\u27a4\u2192\u2193\u25ba]\ufe0f? ?(?:\\w|$|\ue000)", re.MULTILINE
)
_SHOUTED = re.compile(r"(?:\b[A-Z\u0410-\u042f\u00c0-\u00de]{4,}\W{1,3}){3}")
_DATE = re.compile(r"\b[0-3]?\d\.? ?[./] ?[01]?\d\b|\b[0-3]?\d\.? (?:de )?[^\W\d]{3,10}\b|\d{1,2}\u6708\d{1,2}\u65e5")
_TIME = re.compile(r"(?<![\d.:,])[0-2]?\d[:.h][0-5]\d(?![\d.:,])")
_REFERENCE = re.compile(r"\b(?=[a-z0-9\-/]*\d)[a-z]{1,4}[\-/]?\d{2,}[\-/]\d+|\b\d{2,6}[\-/]\d{3,}|#\d{3,}")
_REPEATED = (("many-dates", _DATE, 4), ("many-sums", _SUM, 4), ("times", _TIME, 2))
"""What is a signal if it is there so many times."""

_FIGURE = re.compile(r"\d")

_DEADLINE = re.compile(
    r"\b(?:12|24|36|48|72)[ \-]?(?:h|hrs?|hours?|stunden?|std|heures?|horas?|ore|uur|godzin\w*|\u0447\u0430\u0441\w*|saat\w*|\u6642\u9593)\b|(?:12|24|48|72)\u6642\u9593"
)

_MAX_URLS = 100
"""Links whose hosts are compared with names in the text."""

_IN_TEXT = {"blank": _BLANK, "quoted": _QUOTED, "handle": _HANDLE, "url": _URL}
_WITH_FIGURES = {
    "bank-account": _IBAN,
    "coin-address": _CRYPTO_WALLET,
    "deadline": _DEADLINE,
    "hours": _HOURS,
    "reference": _REFERENCE,
    "sum": _SUM,
}
_IN_FIELDS = {"secret-field": _SECRET_FIELD, "seed-field": _SEED_FIELD}


def page_signals(page: PageContent, markdown: str, shown: str, normalized: str) -> Iterator[str]:
    urls = islice(dict.fromkeys(link.url for link in page.links), _MAX_URLS)
    hosts = tuple(dict.fromkeys(parse_target(url).host for url in urls))
    mailboxes = _mailboxes(normalized)
    yield from _mails(mailboxes)
    yield from sender_signals(hosts, tuple(mailboxes), normalized)
    yield from (signal for signal, pattern in _IN_TEXT.items() if pattern.search(normalized))
    if any(part in normalized for part in _BREAKS) and _BROKEN_HOST.search(normalized):
        yield "broken-host"
    if _FIGURE.search(normalized):
        yield from _numbers(normalized)
        yield from (signal for signal, pattern in _WITH_FIGURES.items() if pattern.search(normalized))
        yield from (signal for signal, pattern, minimum in _REPEATED if _occurs(pattern, normalized, minimum))
    fields = [normalize(field) for field in page.fields]
    yield from (signal for signal, pattern in _IN_FIELDS.items() if any(map(pattern.search, fields)))
    yield from _of_style(shown)
    yield from _of_hosts(page, hosts, mailboxes)
    if IMAGE in shown:
        yield "picture"
    if "form" in page.tags or fields:
        yield "form"
    if (not shown.isascii() and _DISGUISE.search(shown)) or _SPELLED.search(shown) or _ENTITY.search(markdown):
        yield "disguise"


def _of_style(shown: str) -> Iterator[str]:
    if _occurs(_EMOJI, shown, 4):
        yield "emoji"
    if _POINTING.search(shown):
        yield "pointing"
    if shown.count("!") + shown.count("\uff01") >= 3:
        yield "loud"
    if _SHOUTED.search(shown):
        yield "shouted"
    if shown.count(ROW) >= 3:
        yield "table"


def _of_hosts(page: PageContent, hosts: Sequence[str], mailboxes: Mapping[str, str]) -> Iterator[str]:
    domains = [registrable(host) for host in hosts if host]
    sites = set(domains)
    if len(sites) == 1:
        yield "one-host"
    elif len(sites) >= 3:
        yield "many-hosts"
    if any(link.url == f"http://{link.shown}" for link in page.links[:_MAX_URLS]):
        yield "bare-host"
    of_mails = list(map(registrable, mailboxes))
    if any(count > 1 for count in Counter(domains + of_mails).values()):
        yield "returning-host"
    if of_mails and sites and sites.isdisjoint(of_mails):
        yield "unlike-mail"


def _occurs(pattern: re.Pattern[str], content: str, number: int) -> bool:
    return next(islice(pattern.finditer(content), number - 1, None), None) is not None


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
    if not any(sign in normalized for sign in ("@", "at)", "at]")):
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
