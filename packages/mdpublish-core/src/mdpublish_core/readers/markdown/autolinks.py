"""GFM's extended autolinks ("Autolinks (extension)"; cmark-gfm's `autolink.c`): bare URLs and email addresses."""

from collections.abc import Iterator

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.readers.markdown.characters import ASCII_ALPHANUMERICS
from mdpublish_core.strings.lazy_patterns import compile_lazily

_BEFORE_WWW = frozenset("*_~( \t\n\v\f\r")

# As in cmark-gfm, only ASCII white space ends a URL.
_URL = compile_lazily(r"[^ \t\n\v\f\r<]*")

# Chinese and Japanese have no space after a URL; as in linkify-it, their punctuation ends it.
_URL_IN_CJK = compile_lazily(
    r"[^ \t\n\v\f\r<\u201c\u201d\u2026\u3000-\u3003\u3008-\u3011\u3014-\u301f"
    r"\uff01\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f\uff3b\uff3d\uff5b-\uff5d]*"
)
_ENTITY_END = compile_lazily(r"&[A-Za-z0-9]+;$")
_START = compile_lazily(r"(?<![A-Za-z])(?:https?|ftp)://|www\.")
_EMAIL_USER = ASCII_ALPHANUMERICS + ".+_-"
_EMAIL_SCHEMES = ("mailto:", "xmpp:")
_EMAIL_HOST = compile_lazily(r"(?:[A-Za-z0-9_-]|\.(?=[A-Za-z0-9]))+")
_JABBER_HOST = compile_lazily(r"(?:[A-Za-z0-9_/-]|\.(?=[A-Za-z0-9]))+")

_PARTS_WITH_UNDERSCORES = 10
"""Domains with more dots are not checked for underscores, as in cmark-gfm."""

_MAX_EMAIL_USER_CHARACTERS = 256
"""Searched before an `@`; RFC 5321 allows 64."""


def read_www_link(source: str, start: int, *, in_cjk: bool) -> nodes.AutoLink | None:
    before = source[start - 1] if start else " "
    if before not in _BEFORE_WWW:
        return None
    return read_url_link(source, start, start, needs_dot=True, in_cjk=in_cjk)


def read_url_link(
    source: str, start: int, domain_start: int, *, needs_dot: bool, in_cjk: bool
) -> nodes.AutoLink | None:
    """Read a bare URL; `in_cjk` says whether full-width punctuation ends it."""
    first = source[domain_start : domain_start + 1]
    if (
        not first
        or (first.isascii() and not first.isalnum())
        or not _is_domain(source, domain_start, needs_dot=needs_dot)
    ):
        return None
    match = (_URL_IN_CJK if in_cjk else _URL).match(source, domain_start)
    assert match
    url = source[start : _trimmed_end(source, start, match.end())]
    return nodes.AutoLink(url, target=f"http://{url}" if start == domain_start else url) if url else None


def _is_domain(source: str, start: int, *, needs_dot: bool) -> bool:
    """Apply cmark-gfm's rules: no underscore in the last two labels; non-ASCII ends the check."""
    end = start + 1
    dots = underscores = underscores_before = 0
    while end < len(source) - 1:
        if source[end] == "\\" and end < len(source) - 2:
            end += 1
        character = source[end]
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


def _trimmed_end(source: str, start: int, end: int) -> int:
    opening = source.count("(", start, end)
    closing = source.count(")", start, end)
    while end > start:
        last = source[end - 1]
        if last == ")":
            if closing <= opening:
                break
            closing -= 1
            end -= 1
        elif last in "?!.,:*_~'\"":
            end -= 1
        elif last == ";":
            # The longest entity is shorter; unbounded, the search would be quadratic.
            entity = _ENTITY_END.search(source[max(start, end - 40) : end])
            end -= len(entity[0]) if entity else 1
        else:
            break
    return end


def link_bare(source: str) -> Iterator[nodes.Token]:
    """Yield a text with its URLs and email addresses as links, which is what Markdown makes of them."""
    done = 0
    for match in _START.finditer(source):
        start = match.start()
        if start < done:
            continue
        if source[start] == "w":
            link = read_www_link(source, start, in_cjk=True)
        else:
            link = read_url_link(source, start, match.end(), needs_dot=False, in_cjk=True)
        if link:
            yield from link_emails(source[done:start])
            yield link
            done = start + len(link.content)
    yield from link_emails(source[done:])


def link_emails(source: str) -> Iterator[nodes.Token]:
    done = 0
    at = source.find("@")
    while at >= 0:
        start, scheme = _email_start(source, done, at)
        end = _email_end(source, at, scheme) if start < at else -1
        if end >= 0:
            if start > done:
                yield nodes.RawText(source[done:start])
            email = source[start:end]
            yield nodes.AutoLink(email, target=email if scheme else f"mailto:{email}")
            done = end
        at = source.find("@", max(at + 1, done))
    if done < len(source):
        yield nodes.RawText(source[done:])


def _email_start(source: str, done: int, at: int) -> tuple[int, str]:
    before = source[max(done, at - _MAX_EMAIL_USER_CHARACTERS) : at]
    outside = before.rstrip(_EMAIL_USER)
    start = at - len(before) + len(outside)
    for scheme in _EMAIL_SCHEMES:
        if outside.endswith(scheme):
            previous = outside[: -len(scheme)][-1:]
            if not (previous.isascii() and previous.isalnum()):
                return start - len(scheme), scheme
    return start, ""


def _email_end(source: str, at: int, scheme: str) -> int:
    host = (_JABBER_HOST if scheme == "xmpp:" else _EMAIL_HOST).match(source, at + 1)
    if not host or "." not in host[0] or source.startswith("@", host.end()):
        return -1
    last = host[0][-1]
    return host.end() if last.isascii() and last.isalpha() else -1
