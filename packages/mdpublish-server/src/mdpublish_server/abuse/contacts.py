"""Signals of a whole page: ways to reach or pay its author, fields of a form, disguised letters."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from mdpublish_server.abuse.extraction import BARE_HOST, IMAGE, ROW, PageContent
from mdpublish_server.abuse.hosts import has_lure, parse_target, registrable
from mdpublish_server.abuse.normalize import normalize
from mdpublish_server.abuse.senders import sender_signals

_EXPRESSIONS = {
    kind: {name: re.compile(expression) for name, expression in expressions.items()}
    for kind, expressions in tomllib.loads(Path(__file__).with_name("contacts.toml").read_text("utf-8")).items()
}
_WITH_FIGURES, _IN_FIELDS, _PARTS = (_EXPRESSIONS[kind] for kind in ("figures", "fields", "parts"))
_IN_TEXT = {**_EXPRESSIONS["text"], "url": re.compile(rf"https?://[a-z0-9]|(?<![a-z0-9_@./\-]){BARE_HOST}")}

_BREAKS = ("dot", "[.]", " .", "hxxp")
"""One of these is in a broken host."""

_REPEATED = (("many-dates", _PARTS["date"], 4), ("many-sums", _WITH_FIGURES["sum"], 4), ("times", _PARTS["time"], 2))
"""What is a signal if it is there so many times."""

_MAX_URLS = 100
"""Links whose hosts are compared with names in the text."""


def page_signals(page: PageContent, markdown: str, shown: str, normalized: str) -> Iterator[str]:
    urls = islice(dict.fromkeys(link.url for link in page.links), _MAX_URLS)
    hosts = tuple(dict.fromkeys(parse_target(url).host for url in urls))
    mailboxes = _mailboxes(normalized)
    yield from _mails(mailboxes)
    yield from sender_signals(hosts, tuple(mailboxes), normalized)
    yield from (signal for signal, pattern in _IN_TEXT.items() if pattern.search(normalized))
    if any(part in normalized for part in _BREAKS) and _PARTS["broken-host"].search(normalized):
        yield "broken-host"
    if _PARTS["figure"].search(normalized):
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
    if (
        (not shown.isascii() and _PARTS["disguise"].search(shown))
        or _PARTS["spelled"].search(shown)
        or _PARTS["entity"].search(markdown)
    ):
        yield "disguise"


def _of_style(shown: str) -> Iterator[str]:
    if _occurs(_PARTS["emoji"], shown, 4):
        yield "emoji"
    if _PARTS["pointing"].search(shown):
        yield "pointing"
    if shown.count("!") + shown.count("\uff01") >= 3:
        yield "loud"
    if _PARTS["shouted"].search(shown):
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
    for match in _PARTS["number"].finditer(normalized):
        number = match[0]
        if not _PARTS["date-or-sum"].fullmatch(number):
            kinds.add("phone" if _PARTS["dialed"].match(number) else "number")
            if len(kinds) == 2:
                break
    yield from kinds


def _mailboxes(normalized: str) -> Mapping[str, str]:
    """Return the domains of mail addresses, and a name at each."""
    if not any(sign in normalized for sign in ("@", "at)", "at]")):
        return {}
    return {match[2]: match[1] for match in _PARTS["mail"].finditer(normalized)}


def _mails(mailboxes: Mapping[str, str]) -> Iterator[str]:
    if mailboxes:
        yield "mail"
    if any(map(_PARTS["free-mail"].match, mailboxes)):
        yield "free-mail"
    if any(map(has_lure, mailboxes)):
        yield "odd-mail"
    if any(map(_PARTS["private-mail"].search, mailboxes.values())):
        yield "private-mail"
