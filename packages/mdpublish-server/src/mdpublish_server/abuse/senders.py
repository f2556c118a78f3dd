"""Senders: whether the names in hosts and mail addresses are names that the text uses."""

import re
from collections.abc import Iterator, Sequence

from mdpublish_server.abuse.brands import SHARED_SUFFIXES
from mdpublish_server.abuse.hosts import is_common, registrable

_MAX_HOSTS = 20
"""Hosts that are compared with the text, since each is searched in all of it."""

_MIN_NAME_CHARACTERS = 4

_BETWEEN_NAMES = re.compile(r"[\W_]+")

_PUNCTUATION = ".,:;!?()[]<>*_'\""

RESERVED = frozenset({"example", "invalid", "test", "localhost"})
"""RFC 2606: no names of anybody."""


def sender_signals(hosts: Sequence[str], domains: Sequence[str], normalized: str) -> Iterator[str]:
    """Yield `sender-host`, `sender-part`, `sender-below`, `sender-mail` and `own-mail`.

    A host's registrable domain is a name of the text, a part of it is, or only a label below it.
    """
    hosts = [host for host in hosts if "." in host and not is_common(host)][:_MAX_HOSTS]
    mails = domains[:_MAX_HOSTS]
    sites = {registrable(host) for host in hosts} - SHARED_SUFFIXES
    if not sites.isdisjoint(map(registrable, mails)):
        yield "own-mail"
    if not hosts and not mails:
        return
    names = _BETWEEN_NAMES.sub("", " ".join(word for word in normalized.split() if not _is_link_or_mail(word)))
    yield from {_of_host(host, names) for host in hosts} - {""}
    if any(_of_host(domain, names) == "sender-host" for domain in mails):
        yield "sender-mail"


def _is_link_or_mail(word: str) -> bool:
    return "@" in word or "//" in word or ("." in word and "." in word.strip(_PUNCTUATION))


def _of_host(host: str, names: str) -> str:
    domain = registrable(host)
    label = domain.partition(".")[0]
    if label in RESERVED:
        return ""
    if _is_name(label.replace("-", ""), names):
        return "sender-host"
    if any(_is_name(part, names) for part in label.split("-")):
        return "sender-part"
    below = re.split(r"[.\-]", host.removesuffix(domain))
    return "sender-below" if any(_is_name(part, names) for part in below) else ""


def _is_name(part: str, names: str) -> bool:
    return len(part) >= _MIN_NAME_CHARACTERS and part in names
