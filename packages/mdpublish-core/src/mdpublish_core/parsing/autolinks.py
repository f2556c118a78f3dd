"""GFM's extended autolinks: addresses that stand in a text without brackets around them.

Source: GitHub Flavored Markdown, "Autolinks (extension)"; cmark-gfm's `autolink.c` for what it leaves open.
"""

import re
import string
from collections.abc import Iterator

from mdpublish_core import nodes

# What may stand before `www.`, beside the beginning of the text.
_BEFORE_WWW = frozenset("*_~( \t\n\v\f\r")

# As in cmark-gfm, only ASCII's white space ends an address.
_ADDRESS = re.compile(r"[^ \t\n\v\f\r<]*")
_ENTITY_END = re.compile(r"&[A-Za-z0-9]+;$")
_MAIL_USER = string.ascii_letters + string.digits + ".+_-"
_MAIL_SCHEMES = ("mailto:", "xmpp:")
_MAIL_HOST = re.compile(r"(?:[A-Za-z0-9_-]|\.(?=[A-Za-z0-9]))+")
_JABBER_HOST = re.compile(r"(?:[A-Za-z0-9_/-]|\.(?=[A-Za-z0-9]))+")

_PARTS_WITH_UNDERSCORES = 10
"""Dots up to which cmark-gfm looks for underscores in a domain."""

_LONGEST_MAIL_USER = 256
"""Characters before an `@` that are looked at; RFC 5321 allows 64."""


def read_host_address(text: str, start: int) -> nodes.AutoLink | None:
    """Read the address that begins with `www.` at `start`; None where it is none after all."""
    before = text[start - 1] if start else " "
    if before not in _BEFORE_WWW:
        return None
    return read_web_address(text, start, start, needs_dot=True)


def read_web_address(text: str, start: int, domain_start: int, *, needs_dot: bool) -> nodes.AutoLink | None:
    """Read the address at `start` whose domain begins at `domain_start`; None where it is none after all."""
    first = text[domain_start : domain_start + 1]
    if (
        not first
        or (first.isascii() and not first.isalnum())
        or not _is_domain(text, domain_start, needs_dot=needs_dot)
    ):
        return None
    match = _ADDRESS.match(text, domain_start)
    assert match
    address = text[start : _trimmed_end(text, start, match.end())]
    return (
        nodes.AutoLink(address, target=f"http://{address}" if start == domain_start else address) if address else None
    )


def _is_domain(text: str, start: int, *, needs_dot: bool) -> bool:
    """Tell whether a domain begins at `start`, as cmark-gfm judges it.

    It has no underscores in its last two parts, unless it has more than ten; what is not ASCII ends it, since what it was
    asked is told by then. Neither its first character nor the text's last is looked at.
    """
    end = start + 1
    dots = underscores = underscores_before = 0
    while end < len(text) - 1:
        if text[end] == "\\" and end < len(text) - 2:
            end += 1
        character = text[end]
        if character == "_":
            underscores += 1
        elif character == ".":
            underscores_before, underscores = underscores, 0
            dots += 1
        elif character != "-" and not (character.isascii() and character.isalnum()):
            break
        end += 1
    if (underscores or underscores_before) and dots <= _PARTS_WITH_UNDERSCORES:
        return False
    return dots > 0 or not needs_dot


def _trimmed_end(text: str, start: int, end: int) -> int:
    """Return where an address ends when the punctuation behind it is taken for the sentence's."""
    opening = text.count("(", start, end)
    closing = text.count(")", start, end)
    while end > start:
        last = text[end - 1]
        if last == ")":
            if closing <= opening:
                break
            closing -= 1
            end -= 1
        elif last in "?!.,:*_~'\"":
            end -= 1
        elif last == ";":
            # At most as long as the longest entity, or many of them would be read again and again.
            entity = _ENTITY_END.search(text[max(start, end - 40) : end])
            end -= len(entity[0]) if entity else 1
        else:
            break
    return end


def with_mail_addresses(text: str) -> Iterator[nodes.Token]:
    """Yield a text with the mail addresses in it linked."""
    done = 0
    at = text.find("@")
    while at >= 0:
        start, scheme = _mail_start(text, done, at)
        end = _mail_end(text, at, scheme) if start < at else -1
        if end >= 0:
            if start > done:
                yield nodes.RawText(text[done:start])
            address = text[start:end]
            yield nodes.AutoLink(address, target=address if scheme else f"mailto:{address}")
            done = end
        at = text.find("@", max(at + 1, done))
    if done < len(text):
        yield nodes.RawText(text[done:])


def _mail_start(text: str, done: int, at: int) -> tuple[int, str]:
    """Return where the user before the `@` at `at` begins, and the scheme that it begins with, if any."""
    before = text[max(done, at - _LONGEST_MAIL_USER) : at]
    outside = before.rstrip(_MAIL_USER)
    start = at - len(before) + len(outside)
    for scheme in _MAIL_SCHEMES:
        if outside.endswith(scheme):
            previous = outside[: -len(scheme)][-1:]
            if not (previous.isascii() and previous.isalnum()):
                return start - len(scheme), scheme
    return start, ""


def _mail_end(text: str, at: int, scheme: str) -> int:
    """Return where the address around the `@` at `at` ends; -1 where it is none."""
    host = (_JABBER_HOST if scheme == "xmpp:" else _MAIL_HOST).match(text, at + 1)
    if not host or "." not in host[0] or text.startswith("@", host.end()):
        return -1
    last = host[0][-1]
    return host.end() if last.isascii() and last.isalpha() else -1
