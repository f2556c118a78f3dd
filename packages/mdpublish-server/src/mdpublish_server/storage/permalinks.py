"""Queries for permalinks, stored pages and demos."""

from sqlalchemy.dialects.postgresql import insert  # both dialects compile ON CONFLICT alike

from mdpublish_server.storage.paths import DEMOS, SHARED, demo_path_of, path_of, slug_of, space_of, username_of
from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import DemoPage, Page, ResolvedPage
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import ACCOUNTS, DEMO_PAGES, DOCUMENTS, PAGES
from mdpublish_server.storage.transactions import Row, Statement, Transaction, query

_PAGE = RecordColumns(Page, PAGES)
_RESOLVED = RecordColumns(ResolvedPage, DOCUMENTS, ACCOUNTS, document_id=DOCUMENTS.c.id)
_DEMO = RecordColumns(DemoPage, DEMO_PAGES)
_SQL = read_statements(__name__, page=_PAGE.sql, resolved_page=_RESOLVED.sql, demo=_DEMO.sql, shared=SHARED)

delete_page = query(Transaction.change, _SQL["delete_page"], "document")
find_demo = query(_DEMO.first, _SQL["demo_of_identifier"], "key")
find_demo_by_token = query(_DEMO.first, _SQL["demo_of_token"], "key")
claim_demo = query(Transaction.changes_one, _SQL["claim_demo"], "key")
delete_unclaimed_demo = query(Transaction.changes_one, _SQL["delete_unclaimed"], "key")
_new_page = insert(PAGES)
_SAVE_PAGE = Statement(
    _new_page.on_conflict_do_update(
        index_elements=["document_id"], set_={each.key: _new_page.excluded[each.key] for each in _PAGE.columns}
    )
)
_ADD_DEMO = Statement(insert(DEMO_PAGES).on_conflict_do_nothing())


def find_page(transaction: Transaction, path: str) -> ResolvedPage | None:
    """Return the page that has or had this path."""
    username, slug = username_of(path), slug_of(path)
    if username is None:
        row = transaction.row(_SQL["find"], space=space_of(path), slug=slug)
    else:
        row = transaction.row(_SQL["find_of_user"], name=username, slug=slug)
        row = row or transaction.row(_SQL["find_of_former_user"], name=username, slug=slug)
    return None if row is None else _resolved_of(row)


def find_page_of(transaction: Transaction, document_id: str) -> ResolvedPage | None:
    """Return the page of a document, published or not, that has an address."""
    row = transaction.row(_SQL["find_of_document"], document=document_id)
    return None if row is None else _resolved_of(row)


def save_page(transaction: Transaction, document_id: str, page: Page) -> bool:
    """Return False if the document's revision has changed."""
    revision = transaction.row(_SQL["revision"], document=document_id)
    if revision is None or revision[0] != page.revision:
        return False
    transaction.change(_SAVE_PAGE, document_id=document_id, **_PAGE.written(page))
    return True


def add_demo(transaction: Transaction, demo: DemoPage) -> bool:
    """Return False if there is a demo with this identifier."""
    return transaction.change(_ADD_DEMO, **_DEMO.written(demo)) == 1


def _resolved_of(row: Row) -> ResolvedPage:
    (space, slug, username, has_page), values = row[:4], row[4:]
    page = _PAGE.read(values[: len(_PAGE.columns)]) if has_page else None
    path = demo_path_of(slug) if space == DEMOS else path_of(username, slug)
    return _RESOLVED.read(values[len(_PAGE.columns) :], path=path, page=page)
