"""Stored values are read back unchanged, on SQLite and PostgreSQL."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from mdpublish_server.storage import Account, Database, DemoPage, DocumentRecord, Key, Page, Session, Transaction
from mdpublish_server.storage import keys as keys_table
from mdpublish_server.storage.accounts import (
    add_account,
    advance_edit_time,
    claim_username,
    decrement_counter,
    delete_account,
    downgrade_expired_plans,
    find_account,
    find_account_by_email,
    increment_counter,
    list_accounts,
    set_plan,
)
from mdpublish_server.storage.documents import (
    add_document,
    delete_demo,
    delete_document,
    edited_at_rank,
    find_account_document,
    find_document,
    list_documents,
    replace_document,
    unpublish_document,
)
from mdpublish_server.storage.expiry import delete_expired
from mdpublish_server.storage.keys import (
    end_session,
    find_account_by_key,
    find_account_by_session,
    list_keys,
    mark_key_used,
    revoke_key,
)
from mdpublish_server.storage.permalinks import (
    add_demo,
    claim_demo,
    delete_page,
    find_demo,
    find_demo_by_token,
    find_page,
    save_page,
)
from mdpublish_server.storage.request_counts import MAX_OTHER_MONTHS, count_request, refund_request, requests_of_month
from mdpublish_server.storage.slug_claims import claim_permalink, document_at
from mdpublish_server.storage.tables import DEMO_PAGES, SESSIONS

NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
LATEST = datetime.max.replace(tzinfo=UTC)
MONTH = "2026-03"

ANNA = Account(
    id="account-anna",
    email="anna@example.org",
    password_hash="$argon2id$…",
    username=None,
    plan="pro",
    plan_until=NOW + timedelta(days=30),
    is_suspended=False,
    created_at=NOW,
    documents=0,
    pages=0,
    active_keys=0,
    month=MONTH,
    used=7,
)
BEN = replace(ANNA, id="account-ben", email="ben@example.org", password_hash=None, plan="free", plan_until=None, used=0)

EMAIL_TOKEN = DocumentRecord(
    id="document-letter",
    account_id=ANNA.id,
    title="Títle",
    template_id="swiss",
    theme_mode="dark",
    description="An ✉ envelope",
    page_width="wide",
    visibility="public",
    hide_badge=True,
    slug="letter",
    folder="Ünïcode",
    published_at=NOW,
    word_count=2,
    created_at=NOW,
    updated_at=NOW + timedelta(microseconds=1),
    revision=3,
    content="# Ünïcode \U0001f600\r\n\ttext'; DROP TABLE documents; --",
)
DRAFT = DocumentRecord(
    id="document-draft",
    account_id=ANNA.id,
    title="Untitled",
    template_id="mono",
    theme_mode="light",
    word_count=0,
    created_at=NOW,
    updated_at=NOW,
    content="",
)
SHOWN = DocumentRecord(
    id="document-shown",
    account_id=None,
    title="Demo",
    template_id="swiss",
    theme_mode="light",
    published_at=NOW,
    expires_at=NOW + timedelta(hours=72),
    word_count=1,
    created_at=NOW,
    updated_at=NOW,
    content="Demo",
)
DEMO = DemoPage(
    identifier="x" * 20, document_id=SHOWN.id, claim_token_hash="d" * 64, expires_at=NOW + timedelta(hours=72)
)
PAGE = Page(
    body=b"\x1f\x8b\x00\xff",
    path="/d/letter",
    etag="e",
    style_hash="sha256-x",
    render_version=1,
    revision=3,
    has_badge=False,
)
KEY = Key(
    id="key",
    account_id=ANNA.id,
    name="ci",
    key_hash="a" * 64,
    last_four="abcd",
    created_at=NOW,
    used_at=None,
    revoked_at=None,
)
SESSION = Session(token_hash="b" * 64, account_id=ANNA.id, created_at=NOW, expires_at=NOW + timedelta(days=30))


@pytest.fixture
def filled(database: Database) -> Database:
    """Two accounts, two documents of one account, and a demo."""
    with database.write_transaction() as transaction:
        for account in (ANNA, BEN):
            assert add_account(transaction, account)
        for document in (EMAIL_TOKEN, DRAFT, SHOWN):
            add_document(transaction, document, words="")
        add_demo(transaction, DEMO)
        claim_permalink(transaction, DEMO.path, SHOWN.id)
    return database


def test_account_is_detected_as_it_was_stored(filled: Database) -> None:
    with filled.read_transaction() as transaction:
        assert find_account(transaction, ANNA.id) == ANNA
        assert find_account_by_email(transaction, BEN.email) == BEN
        assert list_accounts(transaction) == (ANNA, BEN)


def test_account_with_a_taken_email_is_not_stored(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        assert not add_account(transaction, replace(ANNA, id="another"))
        assert find_account(transaction, "another") is None


def test_document_is_detected_as_it_was_stored(filled: Database) -> None:
    with filled.read_transaction() as transaction:
        for document in (EMAIL_TOKEN, DRAFT, SHOWN):
            assert find_document(transaction, document.id) == document


def test_document_is_its_accounts_alone(filled: Database) -> None:
    with filled.read_transaction() as transaction:
        assert find_account_document(transaction, ANNA.id, EMAIL_TOKEN.id) == EMAIL_TOKEN
        assert find_account_document(transaction, BEN.id, EMAIL_TOKEN.id) is None
        assert find_account_document(transaction, ANNA.id, SHOWN.id) is None


def test_documents_are_listed_the_one_edited_last_first(filled: Database) -> None:
    tied = replace(DRAFT, id="document-zebra")
    with filled.write_transaction() as transaction:
        add_document(transaction, tied, words="")
    with filled.read_transaction() as transaction:
        matches = list_documents(transaction, ANNA.id, before=LATEST, before_id="", limit=100)
        second = list_documents(transaction, ANNA.id, before=matches[1].updated_at, before_id=matches[1].id, limit=100)
        ranks = [edited_at_rank(transaction, ANNA.id, rank) for rank in range(4)]
    assert [document.id for document in matches] == [EMAIL_TOKEN.id, tied.id, DRAFT.id]
    assert [document.id for document in second] == [DRAFT.id]
    assert ranks == [EMAIL_TOKEN.updated_at, NOW, NOW, None]


def test_document_is_replaced_only_as_it_was_seen(filled: Database) -> None:
    changed = replace(EMAIL_TOKEN, content="new", published_at=None, is_taken_down=True, created_at=LATEST)
    with filled.write_transaction() as transaction:
        assert replace_document(transaction, changed)
        assert not replace_document(transaction, changed)
        stored = find_document(transaction, EMAIL_TOKEN.id)
    assert stored == replace(EMAIL_TOKEN, content="new", published_at=None, revision=EMAIL_TOKEN.revision + 1)


def test_deleted_document_reports_whether_it_was_published(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        assert delete_document(transaction, BEN.id, EMAIL_TOKEN.id) is None
        assert delete_document(transaction, ANNA.id, EMAIL_TOKEN.id) is True
        assert delete_document(transaction, ANNA.id, DRAFT.id) is False
        assert delete_document(transaction, ANNA.id, DRAFT.id) is None


def test_unpublished_document_keeps_its_slug(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        assert unpublish_document(transaction, EMAIL_TOKEN.id)
        assert not unpublish_document(transaction, EMAIL_TOKEN.id)
        stored = find_document(transaction, EMAIL_TOKEN.id)
    assert stored
    assert stored.slug == "letter"


def test_page_is_detected_at_its_path_as_it_was_stored(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        assert claim_permalink(transaction, "/d/letter", EMAIL_TOKEN.id)
        assert save_page(transaction, EMAIL_TOKEN.id, PAGE)
    with filled.read_transaction() as transaction:
        matches = find_page(transaction, "/d/letter")
        assert find_page(transaction, "/d/other") is None
    assert matches
    assert matches.page == PAGE
    assert (matches.document_id, matches.path, matches.revision) == (EMAIL_TOKEN.id, "/d/letter", EMAIL_TOKEN.revision)
    assert (matches.published_at, matches.expires_at, matches.visibility, matches.hide_badge) == (
        NOW,
        None,
        "public",
        True,
    )
    assert (matches.plan, matches.plan_until, matches.is_suspended) == ("pro", ANNA.plan_until, False)


def test_page_of_another_revision_is_not_stored(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        claim_permalink(transaction, "/d/letter", EMAIL_TOKEN.id)
        assert not save_page(transaction, EMAIL_TOKEN.id, replace(PAGE, revision=2))
        assert not save_page(transaction, "no-such-document", PAGE)
        matches = find_page(transaction, "/d/letter")
    assert matches
    assert matches.page is None


def test_dropped_page_leaves_its_url(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        claim_permalink(transaction, "/d/letter", EMAIL_TOKEN.id)
        save_page(transaction, EMAIL_TOKEN.id, PAGE)
        delete_page(transaction, EMAIL_TOKEN.id)
        matches = find_page(transaction, "/d/letter")
    assert matches
    assert matches.page is None


def test_former_url_leads_to_the_current_one(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        for path in ("/d/one", "/d/two", "/d/three"):
            assert claim_permalink(transaction, path, EMAIL_TOKEN.id)
        matches = [find_page(transaction, path) for path in ("/d/one", "/d/two", "/d/three")]
        assert [view and view.path for view in matches] == ["/d/three"] * 3
        assert [document_at(transaction, path) for path in ("/d/one", "/d/three")] == [None, EMAIL_TOKEN.id]


def test_current_url_of_another_is_not_taken_and_a_former_one_is(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        claim_permalink(transaction, "/d/one", EMAIL_TOKEN.id)
        assert not claim_permalink(transaction, "/d/one", DRAFT.id)
        claim_permalink(transaction, "/d/two", EMAIL_TOKEN.id)
        assert claim_permalink(transaction, "/d/one", DRAFT.id)
        assert document_at(transaction, "/d/one") == DRAFT.id


def test_deleted_document_takes_its_page_and_urls_along(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        claim_permalink(transaction, "/d/letter", EMAIL_TOKEN.id)
        save_page(transaction, EMAIL_TOKEN.id, PAGE)
        delete_document(transaction, ANNA.id, EMAIL_TOKEN.id)
        assert find_page(transaction, "/d/letter") is None
        assert claim_permalink(transaction, "/d/letter", DRAFT.id)


def test_demo_outlives_its_document_and_is_claimed_once(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        assert find_demo(transaction, DEMO.identifier) == DEMO
        assert claim_demo(transaction, DEMO.identifier, now=NOW)
        assert not claim_demo(transaction, DEMO.identifier, now=NOW)
        assert delete_demo(transaction, SHOWN.id)
        assert not delete_demo(transaction, EMAIL_TOKEN.id)
        assert find_demo_by_token(transaction, DEMO.claim_token_hash) == replace(DEMO, claimed_at=NOW)


def test_demo_is_forgotten_a_while_after_it_expired(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        assert delete_expired(transaction, DEMO_PAGES, until=DEMO.expires_at - timedelta(microseconds=1)) == 0
        assert delete_expired(transaction, DEMO_PAGES, until=DEMO.expires_at) == 1
        assert find_demo(transaction, DEMO.identifier) is None


def test_key_is_detected_as_it_was_stored_until_it_is_revoked(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        keys_table.KEY.add(transaction, KEY)
        assert find_account_by_key(transaction, KEY.key_hash) == (ANNA, KEY.id, None)
        mark_key_used(transaction, key_id=KEY.id, now=NOW)
        assert find_account_by_key(transaction, KEY.key_hash) == (ANNA, KEY.id, NOW)
        assert not revoke_key(transaction, BEN.id, KEY.id, now=NOW)
        assert revoke_key(transaction, ANNA.id, KEY.id, now=NOW)
        assert not revoke_key(transaction, ANNA.id, KEY.id, now=NOW)
        assert find_account_by_key(transaction, KEY.key_hash) is None
        assert list_keys(transaction, ANNA.id) == (replace(KEY, used_at=NOW, revoked_at=NOW),)


def test_session_signs_in_until_it_expires_or_ends(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        keys_table.SESSION.add(transaction, SESSION)
        last_moment = SESSION.expires_at - timedelta(microseconds=1)
        assert find_account_by_session(transaction, SESSION.token_hash, now=last_moment) == ANNA
        assert find_account_by_session(transaction, SESSION.token_hash, now=SESSION.expires_at) is None
        assert delete_expired(transaction, SESSIONS, until=last_moment) == 0
        assert delete_expired(transaction, SESSIONS, until=SESSION.expires_at) == 1
        keys_table.SESSION.add(transaction, SESSION)
        end_session(transaction, SESSION.token_hash)
        assert find_account_by_session(transaction, SESSION.token_hash, now=NOW) is None


def test_counter_stops_at_its_limit(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        raised = [increment_counter(transaction, ANNA.id, "documents", limit=2) for _ in range(3)]
        decrement_counter(transaction, ANNA.id, "documents")
        stored = find_account(transaction, ANNA.id)
    assert raised == [True, True, False]
    assert stored
    assert stored.documents == 1


def test_requests_are_counted_by_the_month(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        assert count_request(transaction, ANNA.id, month=MONTH, limit=8)
        assert not count_request(transaction, ANNA.id, month=MONTH, limit=8)
        assert count_request(transaction, ANNA.id, month="2026-04", limit=8)
        refund_request(transaction, ANNA.id, month=MONTH)
        assert (matches := find_account(transaction, ANNA.id))
        assert (matches.month, matches.used) == ("2026-04", 1)
        assert requests_of_month(matches, MONTH) == 7
        refund_request(transaction, ANNA.id, month="2026-04")
        refund_request(transaction, ANNA.id, month="2026-04")
        assert (matches := find_account(transaction, ANNA.id))
        assert matches.used == 0
        assert not count_request(transaction, "no-such-account", month=MONTH, limit=8)


def test_requests_of_a_month_survive_others(filled: Database) -> None:
    """The clock was wrong for a while: no month loses what was counted in it."""
    with filled.write_transaction() as transaction:
        for month in ("2026-04", "1970-01", "2026-04", "2031-12", MONTH, "1970-01"):
            assert count_request(transaction, ANNA.id, month=month, limit=8)
        assert not count_request(transaction, ANNA.id, month=MONTH, limit=8)
        account = find_account(transaction, ANNA.id)
    assert account
    months = ("1970-01", MONTH, "2026-04", "2031-12", "2026-05")
    assert [requests_of_month(account, month) for month in months] == [2, 8, 2, 1, 0]


def test_months_that_are_kept_are_bounded(filled: Database) -> None:
    months = [f"{2000 + number // 12}-{number % 12 + 1:02}" for number in range(60)]
    with filled.write_transaction() as transaction:
        for month in months:
            assert count_request(transaction, ANNA.id, month=month, limit=8)
        account = find_account(transaction, ANNA.id)
    assert account
    assert [month for month in months if requests_of_month(account, month)] == months[-MAX_OTHER_MONTHS - 1 :]


def test_updates_of_an_account_never_tie(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        times = [
            advance_edit_time(transaction, ANNA.id, now=now) for now in (NOW, NOW, NOW - timedelta(days=1), LATEST)
        ]
    assert times == [NOW, NOW + timedelta(microseconds=1), NOW + timedelta(microseconds=2), LATEST]


def test_plan_lapses_at_its_end(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        set_plan(transaction, BEN.id, "pro", until=NOW)
        assert downgrade_expired_plans(transaction, now=NOW - timedelta(microseconds=1)) == 0
        assert downgrade_expired_plans(transaction, now=NOW) == 1
        assert find_account(transaction, BEN.id) == BEN
        assert find_account(transaction, ANNA.id) == ANNA


def test_username_goes_back_when_it_is_changed_and_stays_when_its_account_is_deleted(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        assert claim_username(transaction, ANNA, "anna", now=NOW)
        assert not claim_username(transaction, BEN, "anna", now=NOW)
        assert claim_username(transaction, replace(ANNA, username="anna"), "annie", now=NOW)
        assert claim_username(transaction, BEN, "anna", now=NOW)
        delete_account(transaction, BEN.id)
        assert not claim_username(transaction, replace(ANNA, username="annie"), "anna", now=NOW)


def test_deleted_account_takes_all_it_has_along(filled: Database) -> None:
    with filled.write_transaction() as transaction:
        keys_table.KEY.add(transaction, KEY)
        keys_table.SESSION.add(transaction, SESSION)
        claim_permalink(transaction, "/d/letter", EMAIL_TOKEN.id)
        save_page(transaction, EMAIL_TOKEN.id, PAGE)
        delete_account(transaction, ANNA.id)
        assert find_document(transaction, EMAIL_TOKEN.id) is None
        assert find_page(transaction, "/d/letter") is None
        assert list_keys(transaction, ANNA.id) == ()
        assert find_account_by_session(transaction, SESSION.token_hash, now=NOW) is None
        assert find_document(transaction, SHOWN.id) == SHOWN


def test_transaction_that_fails_leaves_nothing(filled: Database) -> None:
    def fail(transaction: Transaction) -> None:
        delete_account(transaction, ANNA.id)
        raise LookupError

    with pytest.raises(LookupError), filled.write_transaction() as transaction:
        fail(transaction)

    with filled.read_transaction() as transaction:
        assert find_account(transaction, ANNA.id) == ANNA
