"""`mdpublish send`, against an SMTP server: what arrives, for whom, and who never gets it twice."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from csv import writer
from email.message import EmailMessage
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from mdpublish_core.cli import main
from mdpublish_core.cli.send.recipients import MAX_VALUE_CHARACTERS
from mdpublish_core.mail.headers import CONTROLS
from mdpublish_core.mail.smtp import PAUSE_SECONDS
from tests.hostile_titles import ENCODED_WORDS, TITLES
from tests.image_files import quartered_image, saved
from tests.mail_lines import decoded, headers_in
from tests.server.smtp_server import Handed, Mailbox, running

CERTIFICATE = Path(__file__).parents[1] / "server/smtp_server.pem"

Send = Callable[..., Result]

NEWS = "# News\n\nHello *you*.\n"
FORM = "# Hello {{name}}\n\nYour [page](https://example.org/?t={{token}}), {{ name }}.\n"
LIST = "email,name,token\nanna@example.org,Anna,a b\nben@example.org,Ben,c\n"


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with running() as mailbox:
        yield mailbox


@pytest.fixture
def send(mailbox: Mailbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Send:
    """Runs the command in a folder with `news.md`, `letter.md` and `list.csv`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("click.get_app_dir", lambda name: str(tmp_path / "settings" / name))
    for name, content in {"news.md": NEWS, "letter.md": FORM, "list.csv": LIST}.items():
        Path(name).write_text(content, "utf-8")

    def send(*arguments: str, input: str | None = None, **environment: str) -> Result:  # noqa: A002  (click's name)
        variables = {"MDPUBLISH_SMTP_URL": mailbox.url, "MDPUBLISH_MAIL_FROM": "Us <us@example.org>"} | environment
        return CliRunner().invoke(main, ["send", *arguments], input=input, env=variables)

    return send


def only(mailbox: Mailbox) -> Handed:
    (handed,) = mailbox.handed
    return handed


def part(message: EmailMessage, kind: str) -> str:
    body = message.get_body((kind,))
    assert body is not None
    return str(body.get_content())


def recipients_of(mailbox: Mailbox) -> list[str]:
    return [email_address for each in mailbox.handed for email_address in each.recipients]


def test_mail_arrives_as_html_and_text(send: Send, mailbox: Mailbox) -> None:
    result = send(
        "news.md", "--to", "Anna <anna@example.org>", "--cc", "ben@bücher.example", "--bcc", "cleo@example.org"
    )

    handed = only(mailbox)
    assert (result.exit_code, result.output) == (
        0,
        "Sent to anna@example.org, ben@xn--bcher-kva.example, cleo@example.org\n",
    )
    assert handed.sender == "us@example.org"
    assert handed.recipients == ["anna@example.org", "ben@xn--bcher-kva.example", "cleo@example.org"]
    assert [handed.message[name] for name in ("Subject", "From", "To", "Cc")] == [
        "News",
        "Us <us@example.org>",
        "Anna <anna@example.org>",
        "ben@xn--bcher-kva.example",
    ]
    assert b"cleo" not in handed.raw
    assert "X-Unsent" not in handed.message
    assert "<em" in part(handed.message, "html")
    assert part(handed.message, "plain").splitlines() == ["News", "====", "", "Hello you."]


def test_images_and_attachments_arrive_whole(send: Send, mailbox: Mailbox) -> None:
    image = saved(quartered_image(30, 20), "PNG")
    Path("a.png").write_bytes(image)
    Path("Größe.txt").write_bytes(b".\r\n..\r\n\xff")
    Path("news.md").write_text("![a](a.png)\n\n.\n\n..b\n", "utf-8")

    result = send("news.md", "--to", "anna@example.org", "--attach", "Größe.txt", "--attach", "list.csv")

    assert result.exit_code == 0, result.output
    message = only(mailbox).message
    attached = {each.get_filename(): each.get_payload(decode=True) for each in message.iter_attachments()}
    assert attached == {"Größe.txt": b".\r\n..\r\n\xff", "list.csv": LIST.encode()}
    inline = [each.get_payload(decode=True) for each in message.walk() if each.get_content_type() == "image/png"]
    assert inline == [image]
    assert part(message, "plain").splitlines()[-3:] == [".", "", "..b"]


def test_report_is_json_for_a_program(send: Send) -> None:
    def outcomes(*arguments: str) -> list[tuple[str, str]]:
        report = json.loads(send(*arguments, "--output-format", "json").stdout)
        assert (report["file"], [each["code"] for each in report["notices"]]) == (arguments[0], notices)
        return [(each["recipient"], each["action"]) for each in report["outcomes"]]

    Path("news.md").write_text("# A\n\n```chart\n{\n```\n", "utf-8")
    single, listed = (
        ("news.md", "--to", "anna@example.org", "--cc", "b@example.org"),
        ("letter.md", "--recipients", "list.csv"),
    )

    notices = ["figure-failed"]
    assert outcomes(*single, "--dry-run") == [("anna@example.org", "would be sent"), ("b@example.org", "would be sent")]
    assert outcomes(*single) == [("anna@example.org", "sent"), ("b@example.org", "sent")]
    notices = []
    assert outcomes(*listed, "--dry-run") == [
        ("anna@example.org", "would be sent"),
        ("ben@example.org", "would be sent"),
    ]
    assert outcomes(*listed) == [("anna@example.org", "sent"), ("ben@example.org", "sent")]
    assert outcomes(*listed) == [("anna@example.org", "already sent"), ("ben@example.org", "already sent")]


def test_nothing_is_sent_in_a_dry_run(send: Send, mailbox: Mailbox) -> None:
    single = send("news.md", "--to", "anna@example.org", "--dry-run")
    listed = send("letter.md", "--recipients", "list.csv", "--dry-run")

    assert re.fullmatch(r"would be sent to anna@example\.org: News \(\d KB\)\n", single.output)
    assert [line.split(" (")[0] for line in listed.output.splitlines()] == [
        "would be sent to anna@example.org: Hello Anna",
        "would be sent to ben@example.org: Hello Ben",
    ]
    assert mailbox.tries == 0
    assert not Path("letter.sent.jsonl").exists()


def test_a_recipient_who_is_refused_keeps_the_others_from_getting_it(send: Send, mailbox: Mailbox) -> None:
    mailbox.reply = lambda _tries: "554 spam"

    result = send("news.md", "--to", "anna@example.org")

    assert (result.exit_code, result.stderr) == (1, "Error: refused by the mail server: 554 spam; nothing was sent\n")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "name the recipients: --to ADDRESS, which can be repeated, or --recipients FILE"),
        (["--to", "a"], "invalid email address 'a'; use name@example.org or 'Name <name@example.org>', in ASCII before the @"),
        (["--to", "bücher@example.org"], "invalid email address 'bücher@example.org'; use name@example.org or 'Name <name@example.org>', in ASCII before the @"),
        (["--to", "a@example.org", "--rate", "5"], "--ledger, --resend-uncertain and --rate require --recipients"),
        (["--recipients", "list.csv", "--cc", "a@b.de"], "--recipients sends one message to each; leave out --cc and --bcc"),
        (["--to", "a@example.org", "--smtp", "http://x"], "the URL of a mail server must be smtp://user@host:587 or smtps://user@host:465"),
        (["--to", "a@example.org", "--from", ""], "name the sender: --from, MDPUBLISH_MAIL_FROM, or from in the table [send]"),
    ],
)  # fmt: skip
def test_wrong_options_are_one_line(send: Send, mailbox: Mailbox, arguments: list[str], problem: str) -> None:
    result = send("news.md", *arguments)

    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == f"Error: {problem}"
    assert mailbox.tries == 0


def test_unreachable_server_is_one_line(send: Send) -> None:
    result = send("news.md", "--to", "anna@example.org", "--smtp", "smtp://127.0.0.1:9")

    assert result.exit_code == 1
    assert re.fullmatch(r"Error: cannot reach 127\.0\.0\.1:9: .*; nothing was sent\n", result.stderr)


def test_each_recipient_gets_a_message_with_their_fields(send: Send, mailbox: Mailbox) -> None:
    result = send("letter.md", "--recipients", "list.csv")

    assert result.exit_code == 0, result.output
    assert result.stdout == "1/2 anna@example.org: sent\n2/2 ben@example.org: sent\n"
    anna, ben = mailbox.handed
    assert (anna.recipients, ben.recipients) == (["anna@example.org"], ["ben@example.org"])
    assert (anna.message["To"], anna.message["Subject"]) == ("Anna <anna@example.org>", "Hello Anna")
    assert 'href="https://example.org/?t=a%20b"' in part(anna.message, "html")
    assert "Ben" not in anna.message.as_string()


def test_values_are_text_whatever_marks_they_have(send: Send, mailbox: Mailbox) -> None:
    value = "*a* <b>_c_ [d](https://e.org) `f` {{token}} $g$ | # > &amp;"
    Path("letter.md").write_text("Dear {{name}}!\n\n| {{name}} |\n|---|\n| `{{name}}` |\n", "utf-8")
    Path("list.csv").write_text(f'email,name,token\nanna@example.org,"{value}",x\n', "utf-8")

    assert send("letter.md", "--recipients", "list.csv").exit_code == 0

    content = part(only(mailbox).message, "plain")
    assert f"Dear {value}!" in content
    assert "{{name}}" in content
    assert "<b>" not in part(only(mailbox).message, "html")


def test_a_field_that_would_run_a_script_is_no_link(send: Send, mailbox: Mailbox) -> None:
    Path("letter.md").write_text("[a]({{url}})", "utf-8")
    Path("list.csv").write_text("email,url\nanna@example.org,javascript:alert(1)\n", "utf-8")

    assert send("letter.md", "--recipients", "list.csv").exit_code == 0

    assert not re.search(r"=\W*javascript:", part(only(mailbox).message, "html"))


@pytest.mark.parametrize(
    ("csv", "problem"),
    [
        ("email,name,token\nanna@example.org,Anna,t\nben@example.org,,t\ncleo,C,t\n", "list.csv: row 3: name is empty (and 1 more); nothing was sent"),
        ("email,name\nanna@example.org,Anna\n", "the text has the field {{token}}, and list.csv no such column; it has email, name"),
        ("name,token\nAnna,t\n", "list.csv must have a column email in its first row (got name, token)"),
        ("email;name;token\nanna@example.org;A;t\nANNA@example.org;B;t\n", "list.csv: row 3: anna@example.org is also in row 2; keep one of them; nothing was sent"),
        ('email,name,token\n"anna@example.org\nBcc: evil@evil.test",A,t\n', "list.csv: row 2: email: invalid email address 'anna@example.org Bcc: evil@evil.test'; use name@example.org or 'Name <name@example.org>', in ASCII before the @; nothing was sent"),
        ("email,name,token\n", "list.csv has no recipients below its first row"),
        ("email,name,token\nAnna <anna@example.org>,A,t\nAnna@example.org,A,t\n", "list.csv: row 3: anna@example.org is also in row 2; keep one of them; nothing was sent"),
        ("email,name,token\nanna@example.org,Doe, Anna,t\n", "list.csv: row 2: has 4 cells, and the first row 3; put cells with commas in quotes; nothing was sent"),
        ("email,name,token,email\nanna@example.org,A,t,ben@example.org\n", "list.csv has two columns email; rename one"),
        (f"email,name,token\nanna@example.org,{'a' * 1_001},t\n", "list.csv: row 2: name must be at most 1,000 characters (got 1,001); nothing was sent"),
        ("email,name,token\nanna@example.org,A\x01,t\n", "list.csv: row 2: name must not have control characters (got 'A\\x01'); nothing was sent"),
    ],
)  # fmt: skip
def test_all_rows_are_checked_before_the_first_is_sent(send: Send, mailbox: Mailbox, csv: str, problem: str) -> None:
    Path("list.csv").write_text(csv, "utf-8")

    result = send("letter.md", "--recipients", "list.csv")

    assert (result.exit_code, result.stderr) == (1, f"Error: {problem}\n")
    assert mailbox.tries == 0


def test_no_title_adds_a_header(send: Send, mailbox: Mailbox) -> None:
    titles = {" ".join(title.split()) for title in (*ENCODED_WORDS, *TITLES[::6]) if len(title) <= MAX_VALUE_CHARACTERS}
    titles = {title.encode(errors="replace").decode() for title in titles if title and not CONTROLS.search(title)}
    with Path("list.csv").open("w", encoding="utf-8", newline="") as file:
        writer(file).writerows(
            [("email", "name"), *((f"{number}@example.org", title) for number, title in enumerate(sorted(titles)))]
        )
    Path("letter.md").write_text("Hello", "utf-8")

    result = send("letter.md", "--recipients", "list.csv", "--subject", "For {{name}}")

    assert (result.exit_code, len(mailbox.handed)) == (0, len(titles)), result.stderr
    for handed, title in zip(mailbox.handed, sorted(titles), strict=True):
        headers = headers_in(handed.raw)
        assert [name for name, _ in headers] == [
            *("Subject", "From", "To", "Date", "Message-ID", "MIME-Version", "Content-Type"),
        ]
        assert decoded(dict(headers)["Subject"]) == f"For {title}"


@pytest.mark.parametrize("break_", ["\r\n", "\n", "\r", "\u2028", "\x85", "\0"])
def test_header_injection_by_an_argument_is_refused_or_one_line(send: Send, mailbox: Mailbox, break_: str) -> None:
    evil = f"a{break_}Bcc: evil@evil.test"

    subject = send("news.md", "--to", "anna@example.org", "--subject", evil)
    named = send("news.md", "--to", f"anna@example.org{break_}Bcc: evil@evil.test")
    name = send("news.md", "--to", f"{evil} <anna@example.org>")
    url = send("news.md", "--to", "anna@example.org", "--unsubscribe", f"https://example.org/{evil}")

    assert [each.exit_code for each in (subject, named, name, url)] == [0, 2, 2, 1]
    assert only(mailbox).recipients == ["anna@example.org"]
    headers = dict(headers_in(only(mailbox).raw))
    assert "Bcc" not in headers
    assert decoded(headers["Subject"]) == "a Bcc: evil@evil.test"


def test_unsubscribing_takes_one_click_where_the_url_is_https(send: Send, mailbox: Mailbox) -> None:
    options = ("--recipients", "list.csv", "--unsubscribe")

    assert send("letter.md", *options, "https://example.org/leave?u={{token}}").exit_code == 0
    assert send("letter.md", *options, "mailto:leave@example.org", "--ledger", "other.jsonl").exit_code == 0

    first, _, third, _ = (each.message for each in mailbox.handed)
    assert first["List-Unsubscribe"] == "<https://example.org/leave?u=a%20b>"
    assert first["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert third["List-Unsubscribe"] == "<mailto:leave@example.org>"
    assert third["List-Unsubscribe-Post"] is None


def test_nobody_gets_a_mailing_twice(send: Send, mailbox: Mailbox) -> None:
    assert send("letter.md", "--recipients", "list.csv").exit_code == 0
    Path("list.csv").write_text(f"{LIST}cleo@example.org,Cleo,d\n", "utf-8")

    second = send("letter.md", "--recipients", "list.csv")

    assert (second.stdout, second.stderr) == ("3/3 cleo@example.org: sent\n", "2 already sent, 1 sent\n")
    assert "name another ledger: --ledger FILE" in send("letter.md", "--recipients", "list.csv").stderr
    assert recipients_of(mailbox) == ["anna@example.org", "ben@example.org", "cleo@example.org"]


def test_list_with_an_address_in_other_letters_sends_to_nobody_twice(send: Send, mailbox: Mailbox) -> None:
    assert send("letter.md", "--recipients", "list.csv").exit_code == 0
    Path("list.csv").write_text(LIST.replace("anna@", "Anna@"), "utf-8")

    assert "2 already sent\n" in send("letter.md", "--recipients", "list.csv").stderr
    assert recipients_of(mailbox) == ["anna@example.org", "ben@example.org"]


def test_who_was_refused_is_tried_again_by_the_next_run(send: Send, mailbox: Mailbox) -> None:
    mailbox.reply = lambda tries: "451 later" if tries == 1 else None

    first = send("letter.md", "--recipients", "list.csv")
    second = send("letter.md", "--recipients", "list.csv")

    assert first.exit_code == 1
    assert "anna@example.org: refused by the mail server: 451 later; send it again later" in first.stderr
    assert (second.exit_code, second.stdout) == (0, "1/2 anna@example.org: sent\n")
    assert sorted(recipients_of(mailbox)) == ["anna@example.org", "ben@example.org"]


def test_who_may_have_got_it_is_asked_about_and_gets_the_same_message_id(send: Send, mailbox: Mailbox) -> None:
    assert send("letter.md", "--recipients", "list.csv").exit_code == 0
    ledger = Path("letter.sent.jsonl")
    lines = ledger.read_text("utf-8").splitlines(keepends=True)
    # As a kill leaves it between the end of the message and the reply, and in the middle of a write.
    ledger.write_text("".join(lines[:-1]) + lines[-1][:9], "utf-8")

    first = send("letter.md", "--recipients", "list.csv")
    resent = send("letter.md", "--recipients", "list.csv", "--resend-uncertain")

    assert first.exit_code == 1
    assert first.stderr.splitlines()[0] == (
        "Error: ben@example.org: was being sent when the last run ended; --resend-uncertain sends again"
    )
    assert (resent.exit_code, resent.stdout) == (0, "2/2 ben@example.org: sent\n")
    _, before, later = mailbox.handed
    assert before.message["Message-ID"] == later.message["Message-ID"]
    assert json.loads(ledger.read_text("utf-8").splitlines()[-1]) == {"address": "ben@example.org", "state": "sent"}


def test_a_ledger_that_is_damaged_or_in_use_stops_the_mailing(send: Send, mailbox: Mailbox) -> None:
    ledger = Path("letter.sent.jsonl")
    ledger.write_text('{"version": 2, "mailing": "a"}\n', "utf-8")
    newer = send("letter.md", "--recipients", "list.csv")
    ledger.write_text("{]\n", "utf-8")
    damaged = send("letter.md", "--recipients", "list.csv")

    assert newer.stderr == "Error: the file letter.sent.jsonl has version 2; this program reads 1\n"
    assert damaged.stderr.startswith("Error: the file letter.sent.jsonl cannot be read: ")
    assert mailbox.tries == 0


def test_password_comes_from_login_and_goes_over_tls_only(send: Send, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    with running(tls=CERTIFICATE, user=("us", "secret")) as mailbox:
        url = f"smtp://us@localhost:{mailbox.port}"
        without = send("news.md", "--to", "anna@example.org", "--smtp", url)
        wrong = send("news.md", "--to", "anna@example.org", "--smtp", url, MDPUBLISH_SMTP_PASSWORD="other")
        login = CliRunner().invoke(main, ["login", "--smtp", url], input="secret\n")
        signed_in = send("news.md", "--to", "anna@example.org", "--smtp", url)

    assert without.stderr.splitlines()[-1].startswith(
        f"Error: there is no password for {url}: set MDPUBLISH_SMTP_PASSWORD"
    )
    assert wrong.stderr == "Error: the mail server refused user or password: 535; nothing was sent\n"
    assert (login.exit_code, signed_in.exit_code) == (0, 0), login.output + signed_in.output
    assert only(mailbox).user == "us"
    assert only(mailbox).is_encrypted


def test_password_is_kept_in_the_systems_keyring_where_there_is_one(
    send: Send, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    keyring = ModuleType("keyring")
    secrets: dict[tuple[str, str], str] = {}
    keyring.get_keyring = lambda: SimpleNamespace(priority=5)  # type: ignore[attr-defined]
    keyring.set_password = lambda *names: secrets.update({names[:2]: names[2]})  # type: ignore[attr-defined]
    keyring.get_password = lambda *names: secrets.get(names)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    with running(tls=CERTIFICATE, user=("us", "secret")) as mailbox:
        url = f"smtp://us@localhost:{mailbox.port}"
        login = CliRunner().invoke(main, ["login", "--smtp", url], input="secret\n")
        sent = send("news.md", "--to", "anna@example.org", "--smtp", url)

    assert (login.exit_code, sent.exit_code) == (0, 0), login.output + sent.output
    assert list(secrets.values()) == ["secret"]
    assert only(mailbox).user == "us"
    assert [file for file in tmp_path.rglob("*") if file.is_file() and "secret" in file.read_text("utf-8")] == []


def test_password_never_goes_to_a_server_without_tls(send: Send) -> None:
    with running(user=("us", "secret")) as mailbox:
        url = f"smtp://us:secret@127.0.0.1:{mailbox.port}"
        result = send("news.md", "--to", "anna@example.org", "--smtp", url)

    assert result.exit_code == 1
    assert result.stderr.startswith("Error: STARTTLS extension not supported by server.")
    assert "secret" not in result.output


def test_a_repository_cannot_choose_the_mail_server(send: Send, mailbox: Mailbox) -> None:
    Path("mdpublish.toml").write_text(f'[send]\nfrom = "we@example.org"\nsmtp = "{mailbox.url}"\n', "utf-8")

    unnamed = send("news.md", "--to", "anna@example.org", MDPUBLISH_SMTP_URL="", MDPUBLISH_MAIL_FROM="")
    named = send(
        "news.md",
        "--to",
        "anna@example.org",
        "--config",
        "mdpublish.toml",
        MDPUBLISH_SMTP_URL="",
        MDPUBLISH_MAIL_FROM="",
    )

    assert unnamed.exit_code == 2
    assert "smtp: decides who gets mails and a password" in unnamed.stderr
    assert named.exit_code == 0, named.output
    assert only(mailbox).sender == "we@example.org"


def test_a_mailing_pauses_between_messages(send: Send, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)

    assert send("letter.md", "--recipients", "list.csv", "--rate", "6").exit_code == 0

    assert len(slept) == 2
    assert 9 < slept[1] <= 10


def test_a_connection_that_the_server_closes_is_opened_again(
    send: Send, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    mailbox.closes_once = True

    result = send("letter.md", "--recipients", "list.csv")

    assert result.exit_code == 0, result.output
    assert recipients_of(mailbox) == ["anna@example.org", "ben@example.org"]
    assert slept == [PAUSE_SECONDS[0]]
