"""Law: an email file preserves the plain text, the HTML and the images of any document."""

from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mdpublish_core import EmlOptions, convert
from mdpublish_core.testing import hostile_text, samples

pytestmark = pytest.mark.corpora

IMAGE = "![a](data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==)"


def check_complete(markdown: str, subject: str) -> None:
    conversion = convert(markdown, to="email")
    options = EmlOptions(subject=subject, sender="Ö <us@example.org>")
    content = convert(markdown, to="eml", options=options).to_bytes()
    assert content.isascii()
    mail = message_from_bytes(content, policy=policy.default)

    assert isinstance(mail, EmailMessage)
    assert not any(part.defects for part in mail.walk())
    plain_text, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert plain_text
    assert html
    assert plain_text.get_content().replace("\r\n", "\n") == conversion.plain_text
    assert html.get_content().replace("\r\n", "\n") == conversion.html
    images = [part.get_content() for part in mail.walk() if part.get_content_maintype() == "image"]
    assert images == [media.data for media in conversion.media]
    assert set(mail.keys()) == {"Subject", "From", "Date", "Message-ID", "X-Unsent", "MIME-Version", "Content-Type"}


@given(hostile_text(), st.text(max_size=200))
@example("a\u2028b\x85c\x0bd\x0ce\x1cf\x1eg", "a\nBcc: x@example.org")
@example(f"{IMAGE} {IMAGE}", "")
@example("=3D =\n.\n..\nFrom me", "=?utf-8?q?a?=")
@example("a" * 2000 + " \u00fc" * 1000, "\u00fc" * 200)
@example("a", "\ud800")
def test_hostile_input_gives_complete_emails(markdown: str, subject: str) -> None:
    check_complete(markdown, subject)


@given(samples())
def test_documents_give_complete_emails(sample: object) -> None:
    check_complete(getattr(sample, "markdown"), "News")  # noqa: B009
