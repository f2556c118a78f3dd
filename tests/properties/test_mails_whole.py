"""A mail file gives back what was put in: the plain text, the HTML and the pictures, whatever a document says."""

from email import message_from_bytes, policy
from email.message import EmailMessage

from hypothesis import example, given
from hypothesis import strategies as st

from mdpublish_core import convert
from mdpublish_core.cli.mails import mail_file, read_address
from mdpublish_core.testing import hostile_text, samples

PICTURE = "![a](data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==)"


def check_whole(markdown: str, subject: str) -> None:
    conversion = convert(markdown, destination="email")
    mail = message_from_bytes(
        mail_file(conversion, subject=subject, sender=read_address("Ö <us@example.org>")), policy=policy.default
    )

    assert isinstance(mail, EmailMessage)
    assert not any(part.defects for part in mail.walk())
    text, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert text
    assert html
    assert text.get_content().replace("\r\n", "\n") == conversion.plain_text
    assert html.get_content().replace("\r\n", "\n") == conversion.html
    pictures = [part.get_content() for part in mail.walk() if part.get_content_maintype() == "image"]
    assert pictures == [media.data for media in conversion.media]
    assert set(mail.keys()) == {"Subject", "From", "Date", "Message-ID", "X-Unsent", "MIME-Version", "Content-Type"}


@given(hostile_text(), st.text(max_size=200))
@example("a\u2028b\x85c\x0bd\x0ce\x1cf\x1eg", "a\nBcc: x@example.org")
@example(f"{PICTURE} {PICTURE}", "")
@example("=3D =\n.\n..\nFrom me", "=?utf-8?q?a?=")
@example("a" * 2000 + " \u00fc" * 1000, "\u00fc" * 200)
@example("a", "\ud800")
def test_of_texts_that_mean_harm(markdown: str, subject: str) -> None:
    check_whole(markdown, subject)


@given(samples())
def test_of_documents(sample: object) -> None:
    check_whole(getattr(sample, "markdown"), "News")  # noqa: B009
