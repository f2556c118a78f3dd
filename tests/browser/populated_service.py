"""A service with data, and all its pages."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mdpublish_core.templates import THEME_MODES
from mdpublish_server.auth.authentication import secret_hash
from mdpublish_server.services import copy_pages
from mdpublish_server.services.accounts import add_key, revoke_key, take_page_down
from mdpublish_server.services.invitations import invitation_path, invite
from mdpublish_server.services.reports import reported_pages
from mdpublish_server.storage import ReaderLink
from mdpublish_server.storage.accounts import find_account_by_email, set_plan, set_second_factor
from mdpublish_server.storage.keys import list_keys
from mdpublish_server.storage.readers import READER_LINK
from tests.browser.served import PASSWORD, Member, Served, served
from tests.templates.traits import covering

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ARTICLE = (Path(__file__).parent / "article.md").read_text("utf-8")

_DOCUMENTS = (
    ("Garden day", "The roses are out.", "public"),
    (
        "Notes on the migration to PostgreSQL 17, with everything that went wrong and what we would do another time",
        "x",
        "link",
    ),
    ("Release notes 4.2", "Faster.", "public"),
    ("Straßenverkehrszulassungsverordnungsdurchführungsbestimmungen", "Ein langes Wort.", "public"),
)

_NEWCOMER = {"email": "erik@example.org", "password": "correct horse"}

_UNCLEAR = "# Unclear\n\n" + "\n\n".join(
    f"[link](scheme{number}:somewhere-far-away-{'x' * 60})" for number in range(40)
)

_ABUSE = "Log in to your PayPal account: verify your password at http://192.0.2.7/paypal/login.html now!"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    path: str
    member: Member | None = None
    status: int = 200
    fields: Mapping[str, str] = field(default_factory=dict)
    button: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulatedService:
    service: Served
    site: dict[str, Place]
    published: dict[str, Place]


@contextmanager
def populated_service(folder: Path) -> Iterator[PopulatedService]:
    with served(folder, mails=True) as service:
        anna = service.open_account("anna@example.org", username="anna-marie", plan="pro", is_operator=True)
        newcomer = service.open_account("ben@example.org")
        published = _published(service, anna)
        invitation = _settle(service, anna)
        site = _site(service, anna, newcomer)
        site |= _private_places(service, anna)
        site["sign-up, invited"] = Place(path=invitation_path(invitation))
        _leave_without_keys(service, site)
        _add_second_factor(service)
        yield PopulatedService(service=service, site=site, published=published)


@contextmanager
def shown(chromium: "Browser", service: Served, place: Place, **options: object) -> Iterator["Page"]:
    """Open a page in a new context and submit its form."""
    with service.sign_in(chromium.new_context(**options), place.member) as context:  # type: ignore[arg-type]
        page = context.new_page()
        response = page.goto(f"{service.url}{place.path}")
        assert response is not None
        assert response.status == place.status, f"{place.path} answered {response.status}"
        for name, value in place.fields.items():
            page.locator(f"[name={name}]:visible").fill(value)
        if place.button:
            page.get_by_role("button", name=place.button, exact=True).click()
            page.wait_for_load_state("load")
        yield page


def _add_second_factor(service: Served) -> None:
    """Add an account whose sign-in asks for a code."""
    frieda = service.open_account("frieda@example.org")
    with service.database.write_transaction() as transaction:
        account = find_account_by_email(transaction, frieda.email)
        assert account is not None
        set_second_factor(transaction, account.id, "x")


def _leave_without_keys(service: Served, site: dict[str, Place]) -> None:
    """Add an account without a username or keys that has a page."""
    carla = service.open_account("carla@example.org")
    document = service.publish(carla, ARTICLE, title="The garden in July")
    now = datetime.now(UTC)
    with service.database.write_transaction() as transaction:
        account = find_account_by_email(transaction, carla.email)
        assert account is not None
        (key,) = list_keys(transaction, account.id)
        revoke_key(transaction, account, key.id, now=now)
    site["page without a username"] = Place(path=urlsplit(document["published_url"]).path)
    site["keys, none"] = Place(path="/account/keys", member=carla)


def _private_places(service: Served, anna: Member) -> dict[str, Place]:
    """Add pages for some readers, with a password, and with an end; return what is shown instead, and to the owner."""
    readers = {"visibility": "specific", "readers": ["rita@example.com", "@example.net"], "password": "an open sesame"}
    page = service.publish(anna, "# For some", title="For some readers", **readers)
    locked = service.publish(anna, "# Locked", title="Locked", password="an open sesame")
    path, locked_path = (urlsplit(each["published_url"]).path for each in (page, locked))
    with service.database.write_transaction() as transaction:
        for token, code_hash in (("a" * 64, None), ("b" * 64, "x")):
            link = ReaderLink(
                token_hash=secret_hash(token),
                document_id=page["id"],
                email="rita@example.com",
                browser_hash=code_hash,
                code_hash=code_hash,
                expires_at=datetime.now(UTC) + timedelta(days=1),
            )
            READER_LINK.add(transaction, link)
    access = f"/documents/{page['id']}/access"
    return {
        "page for some readers": Place(path=path),
        "address that is none": Place(path=path, fields={"address": "a@b@c"}, button="Send link", status=200),
        "reader's link, sent": Place(path=f"/read/sent?page={path}"),
        "link of the owner's": Place(path=f"/read/{'a' * 64}"),
        "link of a mail, elsewhere": Place(path=f"/read/{'b' * 64}"),
        "page with a password": Place(path=locked_path),
        "password, wrong": Place(path=locked_path, fields={"password": "close sesame"}, button="Open the page"),
        "readers": Place(path=access, member=anna),
    }


def _settle(service: Served, anna: Member) -> str:
    """Fill all lists. Return an invitation's token."""
    now = datetime.now(UTC)
    for title, content, visibility in _DOCUMENTS:
        document = service.publish(anna, f"# {title}\n\n{content}", title=title, visibility=visibility)
    with service.database.write_transaction() as transaction:
        take_page_down(transaction, document["id"])
        account = find_account_by_email(transaction, anna.email)
        assert account is not None
        key = add_key(transaction, account, name="Laptop, which is on the train more often than at home", now=now)
        revoke_key(transaction, account, key.key.id, now=now)
        invitation = invite(transaction, note="Erik, from the office", now=now, lifetime=timedelta(days=7))
    service.api_post("/documents", {"title": "A draft of something", "content": "Some words. " * 200}, anna)
    return invitation


def _published(service: Served, anna: Member) -> dict[str, Place]:
    places = {}
    for template in covering():
        for theme_mode in THEME_MODES:
            document = service.publish(
                anna,
                ARTICLE,
                title=f"The garden, {template.name} {theme_mode}",
                description="Everything that a page may hold, and a little of each.",
                template_id=template.id,
                theme_mode=theme_mode,
                visibility="public",
            )
            places[f"{template.id}-{theme_mode}"] = Place(path=urlsplit(document["published_url"]).path)
    return places


def _site(service: Served, anna: Member, newcomer: Member) -> dict[str, Place]:
    """Return all pages; a test compares them with the routes."""
    demo = service.api_post("/demo/publish", {"content": ARTICLE, "title": "The garden in July"})
    other = service.api_post("/demo/publish", {"content": "# Another page\n\nWith some text.", "title": "Another page"})
    claim = f"/claim/{demo['claim_token']}"
    now = datetime.now(UTC)
    with service.database.write_transaction() as transaction:
        account = find_account_by_email(transaction, anna.email)
        assert account is not None
        copy_page = copy_pages.add(
            transaction,
            account.id,
            content="# Garden day",
            destination="word",
            template_id="paper",
            theme_mode="light",
            now=now,
        )
    reported, hidden = urlsplit(demo["url"]).path, urlsplit(other["url"]).path
    document = service.publish(anna, ARTICLE, title="A page for friends", visibility="link")
    for details in ("It asks for my password.", ""):
        form = {"page": reported, "reason": "phishing", "details": details, "email": "dora@example.org"}
        assert service.client.post("/report", data=form).status_code == 303
    (case,) = _reported(service)
    with service.database.read_transaction() as transaction:
        account = find_account_by_email(transaction, anna.email)
        assert account is not None
        key = next(key for key in list_keys(transaction, account.id) if key.revoked_at is None)
    for path, form in (
        ("/signup", {"email": "new@example.org", "password": "correct horse", "username": "newcomer"}),
        ("/forgot", {"email": anna.email}),
    ):
        assert service.client.post(path, data=form).status_code == 303
    confirm, reset = (service.email_link(email) for email in ("new@example.org", anna.email))
    revisions = f"/documents/{_edited(service, anna)}/revisions"
    downgraded, read_only = _read_only(service)
    filed = service.api_post("/documents", {"content": "# Roses", "title": "Untitled", "folder": "Garden"}, anna)["id"]
    return {
        "landing": Place(path="/"),
        "preview": Place(path="/preview/sample"),
        "preview, an excerpt": Place(path="/preview/excerpt"),
        "published before": Place(path=f"/published/{hidden.removeprefix('/p/')}"),
        "sent before": Place(path="/signup/sent"),
        "reset sent before": Place(path="/forgot/sent"),
        "published": Place(path="/", fields={"content": "# Another one"}, button="Publish"),
        "published with notices": Place(path="/", fields={"content": _UNCLEAR}, button="Publish"),
        "published, signed in": Place(path="/", member=newcomer, fields={"content": "# Mine"}, button="Publish"),
        "refused": Place(path="/", fields={"content": _ABUSE}, button="Publish"),
        "API reference": Place(path="/docs"),
        "gallery": Place(path="/templates"),
        "gallery, filtered": Place(path="/templates?category=dark&mode=dark"),
        "template": Place(path="/templates/ink/dark"),
        "gallery, searched": Place(path="/templates?q=report"),
        "templates compared": Place(path="/templates/compare?left=ink&right=terminal"),
        "template of the Pro plan": Place(path="/templates/nord/light"),
        "template's example": Place(path="/templates/ink/dark/example"),
        "template's sample": Place(path="/templates/ink/dark/specimen"),
        "workbench, a template chosen": Place(path="/workbench?template_id=ink&theme_mode=dark"),
        "demo": Place(path=hidden),
        "link page": Place(path=urlsplit(document["published_url"]).path),
        "user": Place(path="/u/anna-marie"),
        "report": Place(path=f"/report?page={reported}"),
        "reported": Place(path="/report/thanks"),
        "missing": Place(path="/p/nothing", status=404),
        "sign-up": Place(path="/signup"),
        "sign-up, refused": Place(path="/signup", fields={**_NEWCOMER, "username": "admin"}, button="Sign up"),
        "sent": Place(path="/signup", fields=_NEWCOMER, button="Sign up"),
        "confirm": Place(path=confirm.removeprefix(service.url)),
        "sign-in": Place(path="/signin?notice=ready"),
        "sign-in, refused": Place(path="/signin", fields=_NEWCOMER, button="Sign in"),
        "code": Place(path="/signin", fields={"email": "frieda@example.org", "password": PASSWORD}, button="Sign in"),
        "code, expired": Place(path="/signin/code", status=410),
        "forgot": Place(path="/forgot"),
        "reset": Place(path=reset.removeprefix(service.url)),
        "stale": Place(path="/reset/nothing", status=404),
        "copy page": Place(path=f"/copy/{copy_page}"),
        "claim": Place(path=claim),
        "claim, signed in": Place(path=claim, member=anna),
        "claim, refused": Place(path=claim, fields={"email": anna.email, "password": "short"}, button="Keep this page"),
        "claim, sent": Place(
            path=claim, fields={"email": "gast@example.org", "password": "correct horse"}, button="Keep this page"
        ),
        "claim, sent before": Place(path=f"{claim}/sent"),
        "demo's deletion": Place(path=f"{claim}/delete"),
        "demo, edited": Place(path=f"{claim}/edit"),
        "app that is unknown": Place(path="/authorize", member=anna, status=404),
        "connected apps": Place(path="/account/apps", member=anna),
        "documents, deleted": Place(path="/documents/deleted", member=anna),
        "document's changes": Place(path=f"/documents/{document['id']}/changes", member=anna),
        "overview": Place(path="/account", member=anna),
        "overview, new": Place(path="/account", member=newcomer),
        "documents": Place(path="/documents?done=published", member=anna),
        "documents, none": Place(path="/documents", member=newcomer),
        "documents, searched": Place(path="/documents?q=friends", member=anna),
        "documents, by title": Place(path="/documents?sort=title", member=anna),
        "documents, of a folder": Place(path="/documents?folder=Garden", member=anna),
        "documents, moved": Place(path=f"/documents/several?document={document['id']}&document={filed}", member=anna),
        "documents, several deleted": Place(
            path=f"/documents/several?do=delete&document={document['id']}&document={filed}", member=anna
        ),
        "documents, not one": Place(path="/documents?q=nothing+like+it", member=anna),
        "document, new": Place(path="/documents/new", member=newcomer),
        "document": Place(path=f"/documents/{document['id']}", member=anna),
        "document, refused": Place(
            path=f"/documents/{document['id']}", member=anna, fields={"content": "x" * 1_000_001}, button="Save"
        ),
        "document's preview": Place(path=f"/documents/{document['id']}/preview", member=anna),
        "document's deletion": Place(path=f"/documents/{document['id']}/delete", member=anna),
        "documents, former path": Place(path="/account/documents", member=anna),
        "revisions": Place(path=revisions, member=anna),
        "revisions, none": Place(path=f"/documents/{document['id']}/revisions", member=anna),
        "revisions, restored": Place(path=f"{revisions}?restored=1", member=anna),
        "revision": Place(path=f"{revisions}/1", member=anna),
        "revision's preview": Place(path=f"{revisions}/1/preview", member=anna),
        "revision, compared": Place(path=f"{revisions}/1/comparison", member=anna),
        "revision, read-only": Place(path=f"/documents/{read_only}/revisions/1/comparison", member=downgraded),
        "revisions, read-only": Place(path=f"/documents/{read_only}/revisions", member=downgraded),
        "keys": Place(path="/account/keys", member=anna),
        "key, new": Place(path="/account/keys", member=anna, fields={"name": "Telephone"}, button="Create key"),
        "key's revocation": Place(path=f"/account/keys/{key.id}/revoke", member=anna),
        "sessions": Place(path="/account/sessions", member=anna),
        "activity": Place(path="/account/activity", member=anna),
        "second factor": Place(path="/account/second-factor", member=anna),
        "recovery codes": Place(path="/account/second-factor/codes", member=anna),
        "settings": Place(path="/account/settings", member=anna),
        "settings, refused": Place(
            path="/account/settings", member=newcomer, fields={"username": "admin"}, button="Set username"
        ),
        "account's deletion": Place(path="/account/delete", member=anna),
        "reports": Place(path="/operator/reports", member=anna),
        "a report": Place(path=f"/operator/reports/{case}", member=anna),
        "invitations": Place(path="/operator/invitations", member=anna),
        "invitation, new": Place(path="/operator/invitations", member=anna, button="Create invitation"),
    }


def _edited(service: Served, member: Member) -> str:
    """Create a document with a revision."""
    title = "The garden in July, with a title that is long enough for two lines on a telephone"
    document: str = service.api_post("/documents", {"content": ARTICLE, "title": title}, member)["id"]
    content = ARTICLE.replace(" the ", " a ", 5).replace("\n\n", "\n\nA new paragraph.\n\n", 2)
    service.api_patch(f"/documents/{document}", {"content": content, "title": "The garden"}, member)
    return document


def _read_only(service: Served) -> tuple[Member, str]:
    """Add an account with a document that is read-only after a downgrade."""
    dora = service.open_account("dora@example.net", plan="pro")
    document = _edited(service, dora)
    for _ in range(5):
        service.api_post("/documents", {"content": "x"}, dora)
    with service.database.write_transaction() as transaction:
        account = find_account_by_email(transaction, dora.email)
        assert account is not None
        set_plan(transaction, account.id, "free", until=None)
    return dora, document


def _reported(service: Served) -> list[str]:
    with service.database.read_transaction() as transaction:
        return [page.document_id for page in reported_pages(transaction)]
