"""Headers of emails in ASCII: RFC 5322, with encoded words (RFC 2047) and encoded parameters (RFC 2231).

Text is encoded and never decoded: what looks like an encoded word is encoded once more, so that readers see it as it
is. Headers of `email` decode, and in older Pythons then write the line ends that come out.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from email.headerregistry import Address
from email.policy import Policy
from itertools import chain, pairwise
from typing import NoReturn
from urllib.parse import quote

from mdpublish_core.resources.characters import replace_surrogates

# With what some readers take for line ends.
CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")

_LINE_CHARACTERS = 76
"""Length of a line with an encoded word (RFC 2047, section 2); others may have 78."""

_CHUNK_CHARACTERS = 52
_CHUNK_BYTES = 39
"""Bytes of text in an encoded word, quoted or in base64, which fits in a line with the header's name."""

# Written as they are if they do not contain `=?`.
_WORDS = re.compile(r"(?:[!-~]{1,60}(?: [!-~]{1,60})*)?")
_ATEXT = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
_ATOMS = re.compile(rf"{_ATEXT}{{1,60}}(?: {_ATEXT}{{1,60}})*")
_QUOTABLE = re.compile(r"[ -~]{1,30}")
_FILE_NAME = re.compile(r"[A-Za-z0-9._-]{0,60}")

# RFC 2047, section 5, rule 3: what a phrase may contain, other than `=` and `_`.
_LITERAL = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!*+-/")

_DOT_ATOM = rf"{_ATEXT}+(?:\.{_ATEXT}+)*"
_QUOTED = r'"(?:[ !#-\[\]-~]|\\[ -~])*"'
_EMAIL_ADDRESS = re.compile(rf"(?:{_DOT_ATOM}|{_QUOTED})@(?:{_DOT_ATOM}|\[[A-Za-z0-9.:]+\])")
_EMAIL_CHARACTERS = 254
"""RFC 5321, section 4.5.3.1.3, without the angle brackets."""

_NAMED_EMAIL = re.compile(r'(?:"(?P<quoted>(?:[^"\\]|\\.)*)"\s*|(?P<name>[^"<>@,;:\\]*))<(?P<address>[^<>]*)>')


class MailHeader(str):  # noqa: SLOT000  (slots have no defaults)
    """A header's text, and the lines that mean it, which every `EmailPolicy` writes as they are."""

    name: str
    lines: tuple[str, ...]
    addresses: tuple[Address, ...] = ()
    content_disposition: str | None = None
    # `email` asks for these.
    defects: tuple[NoReturn, ...] = ()

    def fold(self, *, policy: Policy) -> str:
        """Return the header as it is written."""
        return "".join(f"{line}{policy.linesep}" for line in self.lines)


def text_header(name: str, content: str) -> MailHeader:
    """Write a header of free text, such as a subject. Raises `ValueError` for control characters."""
    content = _one_line(name, content)
    is_plain = _WORDS.fullmatch(content) and "=?" not in content
    return _header(name, content, content.split(" ") if is_plain else _encoded_words(content))


def mailbox_header(name: str, mailboxes: Sequence[Address]) -> MailHeader:
    """Write a header of addresses. Raises `ValueError` for an invalid one, and for control characters in a name."""
    parts = [_mailbox_parts(name, mailbox) for mailbox in mailboxes]
    for part in parts[:-1]:
        part[-1] += ","
    header = _header(name, replace_surrogates(", ".join(map(str, mailboxes))), [*chain.from_iterable(parts)])
    header.addresses = tuple(mailboxes)
    return header


def id_header(name: str, identifier: str) -> MailHeader:
    """Write an identifier in angle brackets, which cannot be encoded. Raises `ValueError`."""
    if not re.fullmatch(r"<[!-;=?-~]{1,900}>", identifier) or "=?" in identifier:
        raise ValueError(f"{name} must be an identifier such as <a@example.org> (got {identifier!r})")
    return _header(name, identifier, [identifier])


def file_header(disposition: str, filename: str) -> MailHeader:
    """Write a Content-Disposition with a file's name. Raises `ValueError` for control characters."""
    name = "Content-Disposition"
    filename = _one_line(name, filename)
    if _FILE_NAME.fullmatch(filename):
        parts = [f'filename="{filename}"']
    else:
        chunks = _chunks(filename, lambda character: len(quote(character, safe="")), _CHUNK_CHARACTERS)
        parts = [f"filename*{index}*={quote(chunk, safe='')}" for index, chunk in enumerate(chunks)]
        parts[0] = parts[0].replace("=", "=utf-8''")
    escaped = filename.replace("\\", "\\\\").replace('"', '\\"')
    pieces = [f"{part};" for part in (disposition, *parts)]
    pieces[-1] = pieces[-1].removesuffix(";")
    header = _header(name, f'{disposition}; filename="{escaped}"', pieces)
    header.content_disposition = disposition
    return header


def parse_mailbox(value: str) -> Address:
    """Parse `name@example.org` or `Name <name@example.org>`. Raises `ValueError`."""
    match = _NAMED_EMAIL.fullmatch(value.strip())
    name, email_address = "", value.strip()
    if match:
        name = match["name"].strip() if match["quoted"] is None else _unescaped(match["quoted"])
        email_address = match["address"].strip()
    local_part, _, domain = email_address.rpartition("@")
    domain = ascii_domain(domain)
    if not CONTROLS.search(value) and is_email_address(f"{local_part}@{domain}"):
        if local_part.startswith('"'):
            local_part = _unescaped(local_part[1:-1])
        # From its parts: `addr_spec` would be decoded.
        mailbox = Address(replace_surrogates(name), local_part, domain)
        if is_email_address(mailbox.addr_spec):
            return mailbox
    raise ValueError(
        f"invalid email address {value!r}; use name@example.org or 'Name <name@example.org>', in ASCII before the @"
    )


def ascii_domain(domain: str) -> str:
    """Return a domain as mail servers know it (`xn--…`, IDNA 2008 with UTS 46), or nothing if it has none."""
    if domain.isascii() or len(domain) > _EMAIL_CHARACTERS:
        return domain
    import idna  # late: few domains need it

    try:
        return idna.encode(domain, uts46=True).decode()
    except idna.IDNAError:
        return ""


def is_email_address(email_address: str) -> bool:
    """Readers decode encoded words even where RFC 2047 forbids them, so no address may have one."""
    return (
        len(email_address) <= _EMAIL_CHARACTERS
        and "=?" not in email_address
        and bool(_EMAIL_ADDRESS.fullmatch(email_address))
    )


def _unescaped(quoted: str) -> str:
    return re.sub(r"\\(.)", r"\1", quoted)


def _mailbox_parts(name: str, mailbox: Address) -> list[str]:
    display_name, email_address = _one_line(name, mailbox.display_name), mailbox.addr_spec
    if not is_email_address(email_address):
        raise ValueError(f"{name} must be an email address in ASCII (got {email_address!r})")
    if not display_name:
        return [email_address]
    if "=?" not in display_name and _ATOMS.fullmatch(display_name):
        return [*display_name.split(" "), f"<{email_address}>"]
    if "=?" not in display_name and _QUOTABLE.fullmatch(display_name):
        escaped = re.sub(r'(["\\])', r"\\\1", display_name)
        return [f'"{escaped}"', f"<{email_address}>"]
    return [*_encoded_words(display_name), f"<{email_address}>"]


def _one_line(name: str, content: str) -> str:
    if CONTROLS.search(content):
        raise ValueError(f"{name} must be one line without control characters (got {content!r})")
    return replace_surrogates(content)


def _encoded_words(content: str) -> list[str]:
    """Return words of whole characters, quoted or in base64, whichever is shorter."""
    if 3 * sum(map(_quoted_size, content)) <= 4 * sum(map(_byte_size, content)):
        chunks = _chunks(content, _quoted_size, _CHUNK_CHARACTERS)
        return [f"=?utf-8?q?{''.join(map(_quoted, chunk))}?=" for chunk in chunks]
    chunks = _chunks(content, _byte_size, _CHUNK_BYTES)
    return [f"=?utf-8?b?{b64encode(chunk.encode()).decode()}?=" for chunk in chunks]


def _quoted(character: str) -> str:
    if character == " ":
        return "_"
    return character if character in _LITERAL else "".join(f"={byte:02X}" for byte in character.encode())


def _quoted_size(character: str) -> int:
    return len(_quoted(character))


def _byte_size(character: str) -> int:
    return len(character.encode())


def _chunks(content: str, size_of: Callable[[str], int], limit: int) -> Iterator[str]:
    """Split between characters, which are never larger than the limit."""
    starts, size = [0], 0
    for index, character in enumerate(content):
        size += size_of(character)
        if size > limit:
            starts.append(index)
            size = size_of(character)
    return (content[start:end] for start, end in pairwise([*starts, len(content)]))


def _header(name: str, content: str, pieces: Sequence[str]) -> MailHeader:
    """Fold between pieces."""
    lines = [f"{name}:"]
    for index, piece in enumerate(pieces or [""]):
        # A first line without a piece would be blank to some readers.
        if index and len(lines[-1]) + 1 + len(piece) > _LINE_CHARACTERS:
            lines.append("")
        lines[-1] += f" {piece}"
    header = MailHeader(content)
    header.name, header.lines = name, tuple(lines)
    return header
