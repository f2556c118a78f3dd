"""`email_message` builds what mail servers and mail programs read, and refuses what would add headers."""

import smtplib
from dataclasses import replace
from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage

import pytest

from mdpublish_core import EmlOptions, convert, email_message, parse
from mdpublish_core.errors import InvalidEmail
from mdpublish_core.resources.media import Media
from mdpublish_core.writers.email.eml import subject_of
from tests.docs.examples import blocks_of
from tests.docs.pages import ROOT
from tests.hostile_titles import CONTROLLED, LONE_SURROGATES, TITLES
from tests.mail_lines import decoded, headers_in
from tests.server.smtp_server import Mailbox, running

IMAGE = "![A dot](data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==)"

MARKDOWN = f"# Grüße\n\n**Done.** {IMAGE}"

CONVERSION = convert(MARKDOWN, to="email")


def sent(mail: EmailMessage) -> EmailMessage:
    """Return a message as Python's parser reads what a server received."""
    with running() as mailbox, smtplib.SMTP("127.0.0.1", mailbox.port) as server:
        server.send_message(mail)
        (handed,) = mailbox.wait(1)
    assert not any(part.defects for part in handed.message.walk())
    return handed.message


def test_message_arrives_with_its_parts_and_addresses() -> None:
    mail = sent(
        email_message(
            CONVERSION,
            subject="Grüße, 你好",
            sender="Jürgen Ö. <us@example.org>",
            to=["you@example.org", '"Doe, Jane" <jane@example.org>'],
            cc=Address("Ω", "cc", "example.org"),
            reply_to="answers@example.org",
        )
    )

    assert mail["Subject"] == "Grüße, 你好"
    assert mail["From"].addresses[0].display_name == "Jürgen Ö."
    assert [each.addr_spec for each in mail["To"].addresses] == ["you@example.org", "jane@example.org"]
    assert mail["To"].addresses[1].display_name == "Doe, Jane"
    assert mail["Cc"].addresses[0].display_name == "Ω"
    assert mail["Reply-To"].addresses[0].addr_spec == "answers@example.org"
    assert mail["Date"].datetime
    assert mail["Message-ID"].endswith("@example.org>")
    assert "X-Unsent" not in mail
    assert mail.get_content_type() == "multipart/alternative"
    plain_text, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert plain_text
    assert html
    assert plain_text.get_content().replace("\r\n", "\n") == CONVERSION.plain_text
    assert html.get_content().replace("\r\n", "\n") == CONVERSION.html
    (image,) = [part for part in mail.walk() if part.get_content_maintype() == "image"]
    assert image.get_content() == CONVERSION.media[0].data
    assert f"cid:{image['Content-ID'].strip('<>')}" in CONVERSION.html


PARTS = ["MIME-Version", "Content-Type"]


@pytest.mark.parametrize("title", TITLES)
def test_message_has_the_headers_that_were_meant_and_no_others(title: str) -> None:
    someone = Address(title, "a", "example.org")
    mail = email_message(CONVERSION, subject=title, sender=someone, to=someone, cc=[someone] * 2, reply_to=someone)
    headers = headers_in(mail.as_bytes())

    assert [name for name, _ in headers] == [
        *("Subject", "From", "To", "Cc", "Reply-To", "Date", "Message-ID"),
        *PARTS,
    ]
    assert decoded(dict(headers)["Subject"]) == title


@pytest.mark.parametrize("title", [*TITLES, *LONE_SURROGATES, *CONTROLLED])
def test_file_has_the_headers_that_were_meant_and_no_others(title: str) -> None:
    document = parse(f"# {title}")
    for subject in {title, subject_of(document) or "", f"Re: {title}"}:
        options = EmlOptions(subject=subject, sender=Address("", "a", "example.org"))
        mail = convert(MARKDOWN, to="eml", options=options).to_bytes()
        headers = headers_in(mail)

        assert [name for name, _ in headers] == ["Subject", "From", "Date", "Message-ID", *PARTS, "X-Unsent"]
        if subject in TITLES:
            assert decoded(dict(headers)["Subject"]) == (subject.strip(" ") or "Grüße")
        parsed = message_from_bytes(mail, policy=policy.default)
        assert [part.get_content_type() for part in parsed.walk()] == [
            *("multipart/alternative", "text/plain", "multipart/related", "text/html", "image/gif"),
        ]


def test_image_whose_name_would_add_headers_is_refused() -> None:
    image = Media("a>\r\nBcc: <evil@evil.test", "image/gif", b"GIF89a", 1, 1, "")

    with pytest.raises(ValueError, match="must be one line without control characters"):
        email_message(replace(CONVERSION, media=(image,)), subject="a", sender="a@example.org", to=())


def test_message_takes_headers_and_attachments() -> None:
    mail = email_message(CONVERSION, subject="a", sender="us@example.org", to="you@example.org")
    mail["X-Campaign"] = "spring"
    mail.add_attachment("a,b\n", subtype="csv", filename="data.csv")

    mail = sent(mail)

    assert mail["X-Campaign"] == "spring"
    assert [part.get_filename() for part in mail.iter_attachments()] == ["data.csv"]
    assert mail.get_body(("html",))


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"subject": "a\nBcc: x@example.org"}, "subject must be one line"),
        ({"subject": "a\rb"}, "subject must be one line"),
        ({"subject": "a\u2028b"}, "subject must be one line"),
        ({"subject": "a\0"}, "subject must be one line"),
        ({"sender": "us@example.org\nBcc: x@example.org"}, "sender: invalid email address"),
        ({"sender": "us@example.org, other@example.org"}, "sender: invalid email address"),
        ({"sender": "us"}, "sender: invalid email address"),
        ({"sender": ""}, "sender: invalid email address"),
        ({"to": ["you@example.org", "x <y>"]}, "to: invalid email address"),
        ({"to": "yöu@exämple.org"}, "in ASCII before the @"),
        ({"to": "you@ex\u2028ämple.org"}, "to: invalid email address"),
        ({"to": f"you@{'ü' * 64}.example"}, "to: invalid email address"),
        ({"cc": "a\r\nTo: b <c@example.org>"}, "cc: invalid email address"),
        ({"reply_to": Address("a\u2028b", "c", "example.org")}, "reply_to: the name"),
        ({"reply_to": Address("a", "ü", "example.org")}, "reply_to: invalid email address"),
        ({"to": "=?utf-8?q?a=0D=0ABcc=3A_x=40y.test?=@example.org"}, "to: invalid email address"),
        ({"cc": Address("a", "b", "=?utf-8?q?a=0D=0ABcc=3A_x?=.test")}, "cc: invalid email address"),
    ],
)
def test_what_would_change_the_headers_is_refused(options: dict[str, object], problem: str) -> None:
    valid: dict[str, object] = {"subject": "a", "sender": "us@example.org", "to": "you@example.org"}

    with pytest.raises(InvalidEmail, match=problem) as caught:
        email_message(CONVERSION, **{**valid, **options})  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_conversion_must_be_an_email() -> None:
    with pytest.raises(InvalidEmail, match=r"needs a conversion for email \(got one for generic\)"):
        email_message(convert("a"), subject="a", sender="us@example.org", to="you@example.org")


def code_of(page: str, words: str) -> str:
    """Return the block of Python with these words."""
    (code,) = [block.code for block in blocks_of(ROOT / page) if block.language == "python" and words in block.code]
    return code


def run_with(mailbox: Mailbox, code: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    for name, value in {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": str(mailbox.port)}.items():
        monkeypatch.setenv(name, value)
    names: dict[str, object] = {}
    exec(compile(code, "page", "exec"), names)
    return names


def check_news(mail: EmailMessage) -> None:
    html, plain_text = mail.get_body(("html",)), mail.get_body(("plain",))
    assert html
    assert plain_text
    assert "<h1" in html.get_content()
    assert "NEWS" in plain_text.get_content().upper()
    (image,) = [part for part in mail.walk() if part.get_content_maintype() == "image"]
    assert f"cid:{image['Content-ID'].strip('<>')}" in html.get_content()


def test_code_for_smtplib_sends(monkeypatch: pytest.MonkeyPatch) -> None:
    with running() as mailbox:
        names = run_with(mailbox, code_of("docs/how-to/send-a-mail.md", "import smtplib"), monkeypatch)
        names["send"](f"# News\n\n{IMAGE}", "you@example.org")  # type: ignore[operator]
        (handed,) = mailbox.wait(1)

    check_news(handed.message)
    assert handed.message["To"] == "you@example.org"


def test_code_for_django_sends(monkeypatch: pytest.MonkeyPatch) -> None:
    from django.conf import settings

    with running() as mailbox:
        names = run_with(mailbox, code_of("docs/how-to/use-from-django.md", "EmailMultiAlternatives"), monkeypatch)
        settings.configure(EMAIL_HOST="127.0.0.1", EMAIL_PORT=mailbox.port, DEFAULT_FROM_EMAIL="us@example.org")
        names["send_markdown"](f"# News\n\n{IMAGE}", "Grüße", ["you@example.org"])  # type: ignore[operator]
        (handed,) = mailbox.wait(1)

    check_news(handed.message)
    assert handed.message["Subject"] == "Grüße"


def test_code_for_fastapi_sends(monkeypatch: pytest.MonkeyPatch) -> None:
    from starlette.testclient import TestClient

    with running() as mailbox:
        names = run_with(mailbox, code_of("docs/how-to/use-from-fastapi.md", "BackgroundTasks"), monkeypatch)
        with TestClient(names["app"]) as client:  # type: ignore[arg-type]
            news = {"subject": "News", "markdown": f"# News\n\n{IMAGE}", "to": ["you@example.org"]}
            refused = client.post("/news", json={**news, "subject": "a\nBcc: x@example.org"})
            accepted = client.post("/news", json=news)
        (handed,) = mailbox.wait(1)

    assert (refused.status_code, accepted.status_code) == (422, 202)
    assert "subject must be one line" in refused.json()["detail"]
    check_news(handed.message)
