"""The `send` command: a document as an email, a mailing, or messages in Slack."""

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from mdpublish_core.cli.command import ConfiguredCommand
from mdpublish_core.cli.configuration import ConfiguredDefaults
from mdpublish_core.cli.console import error_line, library_errors, pluralize
from mdpublish_core.cli.images import parse_document
from mdpublish_core.cli.inputs import STANDARD_INPUT, ParseOptions, read_markdown
from mdpublish_core.cli.notice_formats import FileNotices, print_json, print_notices, report_format_option, sort_notices
from mdpublish_core.cli.options import (
    default_title,
    extensions_option,
    read_mailbox,
    read_style,
    style_options,
    table_options,
)
from mdpublish_core.cli.service_keys import find_secret

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from email.headerregistry import Address

    from mdpublish_core import Document, Notice
    from mdpublish_core.cli.images import ImageEmbedder
    from mdpublish_core.cli.options import StyleOptions
    from mdpublish_core.cli.send.mailing import Mailing, Outcome
    from mdpublish_core.mail.sent_ledger import Ledger
    from mdpublish_core.mail.server import MailServer
    from mdpublish_core.mail.smtp import Outbox
    from mdpublish_core.templates import PageThemeMode


class SendOptions(NamedTuple):
    """The command's options."""

    file: str
    template: str | None
    theme_mode: "PageThemeMode | None"
    css_file: str | None
    parsing: ParseOptions
    recipients: tuple[str, ...]
    cc: tuple[str, ...]
    bcc: tuple[str, ...]
    list_file: str | None
    sender: str | None
    subject: str | None
    attached: tuple[str, ...]
    unsubscribe: str | None
    smtp_url: str | None
    is_slack: bool
    channel: str | None
    rate: int | None
    ledger_file: str | None
    resends: bool
    is_dry: bool
    is_json: bool
    configured: ConfiguredDefaults

    @property
    def mailboxes(self) -> "dict[str, list[Address]]":
        return {name: [*map(read_mailbox, getattr(self, name))] for name in ("recipients", "cc", "bcc")}

    @property
    def from_(self) -> "Address":
        sender = self.sender or self.configured.options.get("sender")
        if not sender:
            raise click.UsageError("name the sender: --from, MDPUBLISH_MAIL_FROM, or from in the table [send]")
        return read_mailbox(sender)

    def check(self) -> None:
        of_mail = (self.recipients, self.cc, self.bcc, self.list_file, self.subject, self.attached, self.rate)
        if self.is_slack and any(of_mail):
            raise click.UsageError(
                "--slack posts to a channel, or where the webhook does; leave out the options of emails"
            )
        if self.is_slack and self.resends and not self.ledger_file:
            raise click.UsageError("--resend-uncertain requires --ledger, which knows what was posted")
        if self.channel and not self.is_slack:
            raise click.UsageError("--channel requires --slack")
        if not self.is_slack:
            self._check_mail()

    def _check_mail(self) -> None:
        if bool(self.recipients) == bool(self.list_file):
            raise click.UsageError("name the recipients: --to ADDRESS, which can be repeated, or --recipients FILE")
        if self.list_file and (self.cc or self.bcc):
            raise click.UsageError("--recipients sends one message to each; leave out --cc and --bcc")
        if not self.list_file and (self.ledger_file or self.resends or self.rate):
            raise click.UsageError("--ledger, --resend-uncertain and --rate require --recipients")
        if self.list_file and self.file == STANDARD_INPUT and not self.ledger_file:
            raise click.UsageError("standard input has no name for the ledger; name one: --ledger FILE")


@click.command(cls=ConfiguredCommand, input_name="file")
@click.argument("file", metavar="FILE|-", type=click.Path(path_type=str))
@table_options("send")
@table_options("cache")
@report_format_option
@style_options
@extensions_option
def send(**values: Any) -> None:
    """Send a Markdown file as an email, to some addresses or to each row of a list, or post it in Slack.

    A message that was accepted by the server is never sent again to the same row of a list, by this run or the next.
    """
    options = SendOptions(**values)
    options.check()
    markdown = read_markdown(options.file)
    with library_errors():
        document, images = parse_document(
            options.file, markdown, options.parsing, embed_images=not options.is_slack or bool(options.channel)
        )
        style = read_style(options.template, options.theme_mode, options.css_file, options.configured)
        if options.is_slack:
            _post(options, markdown, document, style, images)
            return
        from mdpublish_core.cli.send.mailing import Mailing, read_attachments
        from mdpublish_core.writers.words import words_of

        mailing = Mailing(
            document,
            style,
            options.from_,
            options.subject,
            default_title(options.file) or words_of(document)["untitled"],
            read_attachments(options.attached),
            options.unsubscribe,
        )
        if options.list_file:
            _send_list(options, mailing, images)
        else:
            _send_once(options, mailing, images)


def _post(
    options: SendOptions, markdown: str, document: "Document", style: "StyleOptions", images: "ImageEmbedder | None"
) -> None:
    from mdpublish_core import render
    from mdpublish_core.cli.send.mailing import Outcome
    from mdpublish_core.slack.places import Bot, SlackImage, Webhook, is_webhook
    from mdpublish_core.slack.posting import post_document, slack_messages, uncertain_words
    from mdpublish_core.writers.outputs import OUTPUTS

    token, url = os.environ.get("MDPUBLISH_SLACK_TOKEN"), os.environ.get("MDPUBLISH_SLACK_WEBHOOK")
    if not (token if options.channel else url):
        raise click.UsageError("set MDPUBLISH_SLACK_WEBHOOK; or name a --channel, and set MDPUBLISH_SLACK_TOKEN")
    if not options.channel and not is_webhook(url or ""):
        raise click.UsageError("MDPUBLISH_SLACK_WEBHOOK must be an https:// URL")
    place = Bot(token, options.channel) if token and options.channel else Webhook(url or "")
    shown = _show(options, images, render(document, to="blocks", plain_text=False).notices)
    styled = style.for_document(document, OUTPUTS["email"])
    if options.is_dry:
        parts = list(slack_messages(document, has_images=isinstance(place, Bot), **styled))
        figures = sum(isinstance(part, SlackImage) for part in parts)
        would = f"would be posted: {pluralize(len(parts) - figures, 'part')} of text, {pluralize(figures, 'figure')}"
        _print(options, shown, would, [Outcome(options.channel or "webhook", would)])
        return
    file = Path(options.ledger_file) if options.ledger_file else None
    actions = post_document(document, place, source=markdown, ledger_file=file, resends=options.resends, **styled)
    counts = Counter(actions)
    words = f"Posted {pluralize(counts['posted'], 'message')}"
    if counts["already posted"]:
        words += f"; {counts['already posted']:,} were posted before"
    _print(options, shown, words, [Outcome(options.channel or "webhook", action) for action in actions])
    if counts["uncertain"]:
        raise click.ClickException(f"{uncertain_words(counts['uncertain'])} --resend-uncertain")


def _ledger(options: SendOptions) -> "Ledger":
    from mdpublish_core.mail.sent_ledger import Ledger

    return Ledger(Path(options.ledger_file or Path(options.file).with_suffix(".sent.jsonl")))


def _send_once(options: SendOptions, mailing: "Mailing", images: "ImageEmbedder | None") -> None:
    from mdpublish_core.cli.send.mailing import Outcome
    from mdpublish_core.mail.smtp import MessageRefused, Uncertain, Unreachable

    boxes = options.mailboxes
    message, notices = mailing.message(boxes["recipients"], boxes["cc"])
    shown = _show(options, images, notices)
    email_addresses = list(dict.fromkeys(each.addr_spec for mailboxes in boxes.values() for each in mailboxes))
    content = message.as_bytes()
    if options.is_dry:
        would = _summary(", ".join(email_addresses), str(message["Subject"]), len(content))
        _print(options, shown, would, [Outcome(each, "would be sent") for each in email_addresses])
        return
    outbox = _outbox(options, mailing)
    try:
        outbox.send(mailing.sender.addr_spec, email_addresses, content, before_end=lambda: None)
    except (MessageRefused, Unreachable) as error:
        raise click.ClickException(f"{error}; nothing was sent") from None
    except Uncertain as error:
        raise click.ClickException(f"{error}; the message may have arrived") from None
    finally:
        outbox.close()
    _print(options, shown, f"Sent to {', '.join(email_addresses)}", [Outcome(each, "sent") for each in email_addresses])


def _send_list(options: SendOptions, mailing: "Mailing", images: "ImageEmbedder | None") -> None:
    from mdpublish_core.cli.send.fields import document_fields, fill_url, names_in
    from mdpublish_core.cli.send.mailing import Outcome, checked_unsubscribe, send_each
    from mdpublish_core.cli.send.recipients import read_recipients
    from mdpublish_core.mail.smtp import Unreachable

    assert options.list_file
    fields = document_fields(mailing.document)
    fields.update(names_in(mailing.subject or ""), names_in(mailing.unsubscribe or ""))
    recipients = read_recipients(options.list_file, fields)
    if mailing.unsubscribe:
        for each in recipients:
            checked_unsubscribe(fill_url(each.values, mailing.unsubscribe))
    if options.is_dry:
        planned = {}
        for each in recipients:
            message, _ = mailing.message([each.mailbox], values=each.values)
            subject, size = str(message["Subject"]), len(message.as_bytes())
            planned[each.email_address] = _summary(each.email_address, subject, size)
        _print(options, (), "\n".join(planned.values()), [Outcome(each, "would be sent") for each in planned])
        return
    _, notices = mailing.message([recipients[0].mailbox], values=recipients[0].values)
    shown = _show(options, images, notices)
    outbox = _outbox(options, mailing)
    ledger = _ledger(options)
    outcomes = send_each(mailing, recipients, outbox, ledger, per_minute=options.rate, resends=options.resends)
    done: list[Outcome] = []
    try:
        _report(options, outcomes, len(recipients), done)
    except Unreachable as error:
        raise click.ClickException(f"{error}; run the command again to go on") from None
    finally:
        outbox.close()
        ledger.close()
        _print(options, shown, "", done)


def _outbox(options: SendOptions, mailing: "Mailing") -> "Outbox":
    from mdpublish_core.mail.smtp import Outbox

    return Outbox(mail_server(options.smtp_url), name=mailing.sender.domain)


def mail_server(url: str | None) -> "MailServer":
    """Return the server with the password from its URL, the environment or where `login` kept it."""
    from dataclasses import replace

    from mdpublish_core.mail.server import parse_smtp_url

    if not url:
        raise click.UsageError("name a mail server: --smtp URL, or the variable MDPUBLISH_SMTP_URL")
    try:
        server = parse_smtp_url(url)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if server.user is None or server.password:
        return server
    password = os.environ.get("MDPUBLISH_SMTP_PASSWORD") or find_secret(url)
    if not password:
        raise click.UsageError(
            f"there is no password for {url}: set MDPUBLISH_SMTP_PASSWORD, or keep it with mdpublish login --smtp {url}"
        )
    return replace(server, password=password)


def _show(options: SendOptions, images: "ImageEmbedder | None", notices: "Iterable[Notice]") -> "list[Notice]":
    """Return notices in order, and print them unless the report will have them."""
    listed = sort_notices(images.merge_notices(notices) if images else notices)
    if not options.is_json:
        print_notices([FileNotices(options.file, listed)])
    return listed


def _print(options: SendOptions, notices: "Sequence[Notice]", words: str, outcomes: "Sequence[Outcome]") -> None:
    if options.is_json:
        report = [each._asdict() for each in outcomes]
        print_json({"file": options.file, "notices": notices, "outcomes": report})
    elif words:
        click.echo(words)


def _report(options: SendOptions, outcomes: "Iterable[Outcome]", total: int, done: "list[Outcome]") -> None:
    counts: Counter[str] = Counter()
    for number, outcome in enumerate(outcomes, start=1):
        counts[outcome.action] += 1
        done.append(outcome)
        if outcome.problem:
            click.echo(error_line(f"{outcome.recipient}: {outcome.problem}"), err=True)
        elif outcome.action == "sent" and not options.is_json:
            click.echo(f"{number:,}/{total:,} {outcome.recipient}: sent")
    click.echo(", ".join(f"{count:,} {action}" for action, count in counts.items()), err=True)
    if counts["already sent"] == total:
        click.echo(
            "Everybody has got this mailing; for a new one of the same file, name another ledger: --ledger FILE",
            err=True,
        )
    if counts["refused"] or counts["uncertain"]:
        raise SystemExit(1)


def _summary(to: str, subject: str, size: int) -> str:
    return f"would be sent to {to}: {subject} ({-(-size // 1_000):,} KB)"
