"""Emails on their way: `send`, and the errors that it raises.

headers of messages (`headers`), SMTP servers (`server`) and transactions with them (`smtp`), who got what
(`sent_ledger`)
"""

from mdpublish_core import TYPE_CHECKING, lazy_names

__all__ = ["MessageRefused", "SendError", "Uncertain", "Unreachable", "send"]

if TYPE_CHECKING:
    from mdpublish_core.mail.sending import send
    from mdpublish_core.mail.smtp import MessageRefused, SendError, Uncertain, Unreachable
else:
    # Writers import the headers alone.
    __getattr__, __dir__ = lazy_names(
        globals(), {"mail.sending": "send", "mail.smtp": "MessageRefused SendError Uncertain Unreachable"}
    )
