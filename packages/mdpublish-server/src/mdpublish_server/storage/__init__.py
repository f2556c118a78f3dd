"""Database access. Queries run in the transaction they are given; business rules live in `services`.

SQLite runs in the event loop: a read by an index takes 15 µs, handing it to a thread 60 µs, and threads that contend
for the GIL delay others by milliseconds. Only waiting for the disk or a lock is in a thread. Waiting requests share a
commit; another connection checkpoints the log, since a checkpoint in a commit delays everyone. PostgreSQL has pools and
threads. Requests do not wait for what is down (`outages`). On a full disk, deleting still works (`disk_reserve`).

Limits are counters: `UPDATE … SET documents = documents + 1 WHERE id = ? AND documents < ?` is safe in any race at any
isolation level, counting rows before an insert is not. `doctor` and the tests compare counters with rows.

Triggers raise a counter when a published document, its addresses or its account change, in the same transaction, the
operator's commands included (`page_changes`). A process reads it when SQLite reports another connection's commit. On
PostgreSQL, one read in the event loop answers all views that came before it began: what another node acknowledged, the
next view shows. `LISTEN` and `NOTIFY` would tell a node of a commit only after its client has the response, and say
nothing when the connection is lost.

Searches read an index of words (`search_index`). No database ranks all matches of a frequent word in the time of a
small account: BM25 counts each match. So a search looks at the newest texts, and in the index if they fill no page.

Slugs stand below the account's id, not its username, so a rename changes no row of a page (`slug_claims`).
"""

from mdpublish_server.storage.database import (
    MigrationFailure,
    migrate,
    open_database,
    redacted_url,
    revisions,
    sqlite_path,
    unknown_revision,
)
from mdpublish_server.storage.records import (
    Account,
    AppClient,
    AppGrant,
    AppToken,
    CopyPage,
    DemoPage,
    DocumentRecord,
    DocumentSummary,
    EmailToken,
    ImageRecord,
    Invitation,
    Key,
    Page,
    ReaderLink,
    ReaderSession,
    ReaderView,
    Report,
    ResolvedPage,
    Revision,
    RevisionSummary,
    Session,
    TrashedDocument,
    WorkingCopy,
)
from mdpublish_server.storage.transactions import Database, Stamp, Transaction
