"""Headers of emails, and SMTP servers."""

from mdpublish_core.mail.headers import (
    ascii_domain,
    id_header,
    is_email_address,
    mailbox_header,
    parse_mailbox,
    text_header,
)
from mdpublish_core.mail.server import MailServer, open_smtp, parse_smtp_url
