"""Law: any text without control characters arrives as a subject or name, and any accepted address as itself."""

import re
from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage

from hypothesis import example, given
from hypothesis import strategies as st

from mdpublish_core.mail.headers import CONTROLS, file_header, mailbox_header, parse_mailbox, text_header
from tests.hostile_titles import CONTROLLED, ENCODED_WORDS, TITLES
from tests.mail_lines import decoded, headers_in

pieces = st.sampled_from([*TITLES, *CONTROLLED, *' "\\,;:<>@=?_', "=?utf-8?q?", "=0D=0A", "?=", "\U0001f600", "\ufeff"])
titles = st.one_of(st.text(max_size=200), st.lists(pieces, max_size=8).map("".join)).map(
    lambda title: CONTROLS.sub("", title).encode(errors="ignore").decode()
)
mailboxes = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from([*'ab.@<>"\\,; =?()[]', "@example.org", *ENCODED_WORDS, *CONTROLLED]), max_size=10).map(
        "".join
    ),
    st.from_regex(r'"[ -~]{0,20}"@[a-z]{1,9}|[!-~]{1,20}@[!-~]{1,20}', fullmatch=True),
)


def mail_of(**headers: str) -> bytes:
    mail = EmailMessage(policy.SMTP)
    for name, value in headers.items():
        mail[name] = value
    return mail.as_bytes()


@given(titles)
@example("a" * 100 + "\U0001f600" * 50)
def test_text_arrives(title: str) -> None:
    subject, disposition = text_header("Subject", title), file_header("inline", title)
    raw = mail_of(Subject=subject, **{"Content-Disposition": disposition})
    read = message_from_bytes(raw, policy=policy.default)

    assert read.keys() == [name for name, _ in headers_in(raw)] == ["Subject", "Content-Disposition"]
    assert decoded(headers_in(raw)[0][1]) == read["Subject"] == title
    assert read["Content-Disposition"].params["filename"] == title


@given(titles, st.integers(1, 5))
def test_names_arrive(title: str, count: int) -> None:
    raw = mail_of(To=mailbox_header("To", [Address(title, f"a{number}", "example.org") for number in range(count)]))
    read = message_from_bytes(raw, policy=policy.default)

    ((name, value),) = headers_in(raw)
    assert name == "To"
    assert [each.addr_spec for each in read["To"].addresses] == [f"a{number}@example.org" for number in range(count)]
    if "=?utf-8?" in value:
        assert decoded(value.partition(" <")[0]) == title
    else:
        assert read["To"].addresses[0].display_name == title


@given(mailboxes)
@example('" "@example.org')
@example('""@example.org')
@example('"a..b"@example.org')
@example("a@b, c@d")
def test_accepted_address_arrives_alone(value: str) -> None:
    try:
        mailbox = parse_mailbox(value)
    except ValueError:
        return
    raw = mail_of(To=mailbox_header("To", [mailbox]))
    read = message_from_bytes(raw, policy=policy.default)

    assert len(headers_in(raw)) == 1
    assert [each.addr_spec for each in read["To"].addresses] == [mailbox.addr_spec]
    assert parse_mailbox(mailbox.addr_spec) == Address("", mailbox.username, mailbox.domain)
    assert re.sub(r'["\\\\]', "", mailbox.addr_spec) in re.sub(r'["\\\\]', "", value)
