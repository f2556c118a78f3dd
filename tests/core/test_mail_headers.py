"""Headers say exactly their title, to every reader, and are as many as were meant.

Needs pytest and the standard library alone, whose versions differ in what they decode.
"""

import pickle
import re
from collections.abc import Sequence
from copy import deepcopy
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.headerregistry import Address
from email.message import EmailMessage, Message
from email.utils import collapse_rfc2231_value, getaddresses, parseaddr
from typing import Any

import pytest

from mdpublish_core.mail.headers import file_header, id_header, mailbox_header, parse_mailbox, text_header
from tests.hostile_titles import CONTROLLED, ENCODED_WORDS, LONE_SURROGATES, TITLES
from tests.mail_lines import decoded, headers_in

MESSAGE_ID = "<1.2@example.org>"
NAMES = ["Subject", "From", "To", "Content-Disposition", "Message-ID"]


def mail_with(title: str, *, written_by: Any = policy.SMTP) -> EmailMessage:
    mail = EmailMessage(written_by)
    mail["Subject"] = text_header("Subject", title)
    mail["From"] = mailbox_header("From", [Address(title, "us", "example.org")])
    mail["To"] = mailbox_header("To", [Address(title, "a", "example.org"), Address("", "b", "example.org")] * 2)
    mail["Content-Disposition"] = file_header("attachment", title)
    mail["Message-ID"] = id_header("Message-ID", MESSAGE_ID)
    return mail


def mailboxes_in(value: str) -> Sequence[tuple[str, str]]:
    """Return names and addresses of a header without encoded words in quotes."""
    names = (parseaddr(each) for each in re.split(r",(?= )(?=(?:[^\"]|\"(?:[^\"\\]|\\.)*\")*$)", value))
    return [(decoded(name) if "=?utf-8?" in name else name, email) for name, email in names]


@pytest.mark.parametrize("title", TITLES)
def test_lines_say_the_text_and_nothing_else(title: str) -> None:
    headers = headers_in(mail_with(title).as_bytes())

    assert [name for name, _ in headers] == NAMES
    values = dict(headers)
    assert decoded(values["Subject"]) == title
    assert mailboxes_in(values["From"]) == [(title, "us@example.org")]
    assert mailboxes_in(values["To"]) == [(title, "a@example.org"), ("", "b@example.org")] * 2
    assert values["Message-ID"] == MESSAGE_ID


@pytest.mark.parametrize("title", TITLES)
def test_parser_of_the_standard_library_reads_the_text(title: str) -> None:
    mail = message_from_bytes(mail_with(title).as_bytes(), policy=policy.default)

    assert mail.keys() == NAMES
    assert mail["Subject"] == title
    assert mail["Content-Disposition"].params["filename"] == title
    assert not any(header.defects for header in mail.values())
    for name, emails in {"From": ["us@example.org"], "To": ["a@example.org", "b@example.org"] * 2}.items():
        assert [each.addr_spec for each in mail[name].addresses] == emails
        # It reads the blanks between the encoded words of a name, which RFC 2047 ignores, and joins other blanks.
        assert _without_blanks(mail[name].addresses[0].display_name) == _without_blanks(title)


@pytest.mark.parametrize("title", TITLES)
def test_compatible_parser_reads_the_text(title: str) -> None:
    mail = message_from_bytes(mail_with(title).as_bytes(), policy=policy.compat32)

    assert mail.keys() == NAMES
    assert _decoded_by_library(mail, "Subject") == title
    filename = mail.get_param("filename", header="Content-Disposition")
    assert isinstance(filename, str | tuple)
    assert collapse_rfc2231_value(filename) == title


def _decoded_by_library(mail: Message, name: str) -> str:
    return str(make_header(decode_header(mail[name].replace("\r\n", ""))))


def _without_blanks(title: str) -> str:
    return re.sub(r"\s", "", title)


@pytest.mark.parametrize("title", TITLES)
def test_headers_of_an_unsent_message_are_the_text(title: str) -> None:
    mail = pickle.loads(pickle.dumps(deepcopy(mail_with(title))))

    assert mail["Subject"] == title
    assert mail["From"].addresses == (Address(title, "us", "example.org"),)
    # As smtplib does.
    assert [email for _, email in getaddresses([mail["To"]])] == ["a@example.org", "b@example.org"] * 2
    assert mail.is_attachment()
    assert mail.as_bytes() == mail_with(title).as_bytes()


@pytest.mark.parametrize("title", ENCODED_WORDS)
@pytest.mark.parametrize("written_by", [policy.default, policy.SMTPUTF8, policy.SMTP.clone(max_line_length=40)])
def test_every_policy_writes_the_same_lines(title: str, written_by: Any) -> None:
    expected = mail_with(title).as_bytes()

    mail = mail_with(title, written_by=written_by)
    assert mail.as_bytes(policy=mail.policy.clone(linesep="\r\n")) == expected
    assert mail.as_string().replace("\r\n", "\n") == expected.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("title", LONE_SURROGATES)
def test_lone_surrogate_is_replaced(title: str) -> None:
    replaced = re.sub("[\ud800-\udfff]", "\ufffd", title)

    assert mail_with(title).as_bytes() == mail_with(replaced).as_bytes()
    assert mail_with(title)["Subject"] == replaced


@pytest.mark.parametrize("title", CONTROLLED)
def test_control_character_is_refused(title: str) -> None:
    with pytest.raises(ValueError, match="Subject must be one line without control characters"):
        text_header("Subject", title)
    with pytest.raises(ValueError, match="Content-Disposition must be one line without control characters"):
        file_header("inline", title)
    with pytest.raises(ValueError, match=r"CR or LF|To must be one line without control characters"):
        mailbox_header("To", [Address(title, "a", "example.org")])
    with pytest.raises(ValueError, match="Content-ID must be an identifier"):
        id_header("Content-ID", f"<{title}>")
    for value in (
        title,
        f"{title} <a@example.org>",
        f'"{title}" <a@example.org>',
        f"a@example.org{title}",
        f"<{title}@b.c>",
    ):
        with pytest.raises(ValueError, match="invalid email address"):
            parse_mailbox(value)


@pytest.mark.parametrize("title", ENCODED_WORDS)
def test_encoded_word_is_no_address(title: str) -> None:
    for value in (title, f"{title}@example.org", f"a@{title}", f"<{title}>", f'"{title}"@example.org'):
        with pytest.raises(ValueError, match="invalid email address"):
            parse_mailbox(value)


@pytest.mark.parametrize("title", TITLES)
def test_quoted_name_may_be_any_text(title: str) -> None:
    quoted = re.sub(r'(["\\])', r"\\\1", title)

    assert parse_mailbox(f'"{quoted}" <a@example.org>') == Address(title, "a", "example.org")


@pytest.mark.parametrize(
    ("value", "mailbox"),
    [
        ("a.b+c@example.org", Address("", "a.b+c", "example.org")),
        (" <a@[127.0.0.1]> ", Address("", "a", "[127.0.0.1]")),
        ("Jürgen Ö. <us@example.org>", Address("Jürgen Ö.", "us", "example.org")),
        ("=?utf-8?q?a=0D=0Ab?= <us@example.org>", Address("=?utf-8?q?a=0D=0Ab?=", "us", "example.org")),
        (r'"Doe, \"J\"" <j@example.org>', Address('Doe, "J"', "j", "example.org")),
        (r'"a b"@example.org', Address("", "a b", "example.org")),
        ("A <a@Bücher.example>", Address("A", "a", "xn--bcher-kva.example")),
        ("a@bu\u0308cher.example", Address("", "a", "xn--bcher-kva.example")),
        ("a@straße.example", Address("", "a", "xn--strae-oqa.example")),
        ("a@例え。example", Address("", "a", "xn--r8jz45g.example")),
    ],
)
def test_mailbox_is_read(value: str, mailbox: Address) -> None:
    assert parse_mailbox(value) == mailbox


@pytest.mark.parametrize(
    "mailbox",
    [
        Address("", "=?utf-8?q?a=0D=0AX:_1?=", "example.org"),
        Address("", "a", "=?utf-8?q?b=0D=0A?=.example.org"),
        Address("", "a", "example.org, evil@evil.test"),
        Address("", "ü", "example.org"),
        Address("", "a" * 300, "example.org"),
        Address("", "", ""),
        Address("a"),
    ],
)
def test_invalid_address_is_refused(mailbox: Address) -> None:
    with pytest.raises(ValueError, match="To must be an email address in ASCII"):
        mailbox_header("To", [Address("", "a", "example.org"), mailbox])
