"""Rows of `tables`, with aware times in UTC."""

from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from unicodedata import normalize

from mdpublish_server.search_words import fold
from mdpublish_server.storage.paths import demo_path_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account.

    `plan` applies until `plan_until` (None: no end). `default_language` is a BCP 47 tag. `used` requests were counted
    in `month` (`YYYY-MM`); `other_months` are read by `request_counts`. Without `password_hash`, sign-in by password is disabled;
    `subject` is who it is at the OpenID Connect provider `issuer`.
    """

    id: str
    email: str
    password_hash: str | None
    username: str | None = None
    plan: str
    plan_until: datetime | None = None
    is_suspended: bool = False
    created_at: datetime
    documents: int = 0
    pages: int = 0
    active_keys: int = 0
    month: str
    used: int = 0
    image_bytes: int = 0
    is_operator: bool = False
    renames: int = 0
    default_language: str | None = None
    other_months: str | None = None
    issuer: str | None = None
    subject: str | None = None
    totp_secret: str | None = None
    totp_step: int = 0
    recovery_hashes: tuple[str, ...] = ()
    is_deactivated: bool = False
    external_id: str | None = None

    @property
    def is_barred(self) -> bool:
        """Whether nobody may act for the account."""
        return self.is_suspended or self.is_deactivated


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """An API key."""

    id: str
    account_id: str
    name: str
    key_hash: str
    last_four: str
    created_at: datetime
    used_at: datetime | None = None
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A browser session: `browser` and `network` of the last use are those of a `Place`, or "" of old sessions."""

    token_hash: str
    account_id: str
    created_at: datetime
    expires_at: datetime
    browser: str = ""
    network: str = ""
    used_at: datetime | None = None
    id_token: str | None = None

    @property
    def id(self) -> str:
        """What pages name it by, which tells nobody the token or its hash."""
        return sha256(self.token_hash.encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageRecord:
    """An uploaded image, whose files are objects of the image store."""

    id: str
    """128 random bits, written as a UUID."""
    account_id: str
    suffix: str
    width: int
    height: int
    bytes: int
    """Bytes of all its files."""
    created_at: datetime
    used_at: datetime
    removable_at: datetime | None
    variants: str = ""
    """Widths of its smaller WebP files, in px, separated by spaces."""
    is_restricted: bool = False
    """Whether it was in a page that is not for everybody: then strangers see it in a live public page alone."""

    @property
    def stem(self) -> str:
        """What the names of its files begin with, and no other's."""
        return self.id.replace("-", "")

    @property
    def name(self) -> str:
        """The name of its file, and the last segment of its URL."""
        return f"{self.stem}.{self.suffix}"

    @property
    def smaller(self) -> dict[int, str]:
        """The names of its smaller files, by their widths."""
        return {int(width): f"{self.stem}-{width}.webp" for width in self.variants.split()}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all its files; the image itself is the last to be written, and the first to be deleted."""
        return (self.name, *self.smaller.values())


class ProtectedPage:
    """A page whose readers the owner may choose."""

    __slots__ = ()

    visibility: str | None
    password_hash: str | None
    expires_at: datetime | None

    @property
    def is_private(self) -> bool:
        """Whether it is shown only with a session."""
        return self.visibility == "specific" or self.password_hash is not None

    @property
    def is_listed(self) -> bool:
        """Whether lists and search engines may show it: not with a password or an end."""
        return self.visibility == "public" and self.password_hash is None and self.expires_at is None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSummary:
    """A document without its content; in lists, with the `beginning` of one that has no title."""

    id: str
    title: str
    template_id: str
    theme_mode: str
    slug: str | None = None
    folder: str | None = None
    page_width: str | None = None
    visibility: str | None = None
    published_at: datetime | None = None
    is_taken_down: bool = False
    word_count: int
    created_at: datetime
    updated_at: datetime
    beginning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRecord(DocumentSummary, ProtectedPage):
    """A document.

    Demos have `expires_at` and no `account_id`; of others, only the page ends then. `slug` survives unpublishing.
    Changes that affect the page bump `revision`. `is_autosaved` is True until a content that was autosaved is saved.
    `readers` are email addresses and `@domain`, of use while `visibility` is `specific`.
    """

    folder_key: str = field(init=False, repr=False)
    title_key: str = field(init=False, repr=False)
    account_id: str | None
    description: str | None = None
    hide_badge: bool = False
    show_source: bool = False
    offer_pdf: bool = False
    expires_at: datetime | None = None
    revision: int = 1
    content: str
    is_autosaved: bool = False
    readers: tuple[str, ...] = field(default=(), repr=False)
    password_hash: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "folder_key", folder_key(self.folder))
        object.__setattr__(self, "title_key", title_key(self.title))

    @property
    def has_password(self) -> bool:
        return self.password_hash is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrashedDocument:
    """A document that was deleted on the site."""

    document_id: str
    title: str
    word_count: int
    deleted_at: datetime
    was_published: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingCopy:
    """What the site has saved of a published document and not published; not of use once it is `discarded_at`.

    It `is_conflicting` where the document was changed in the same places meanwhile.
    """

    document_id: str
    number: int
    title: str
    template_id: str
    theme_mode: str
    description: str | None
    page_width: str | None
    word_count: int
    saved_at: datetime
    is_autosaved: bool = False
    is_conflicting: bool = False
    discarded_at: datetime | None = None
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionSummary:
    """A former content of a document, without the content.

    Saved at `saved_at`, replaced at `replaced_at`, by a restored one if `is_before_restore`; `bytes`: compressed.
    """

    document_id: str
    number: int
    title: str
    word_count: int
    saved_at: datetime
    replaced_at: datetime
    is_before_restore: bool
    bytes: int
    name: str = ""
    """What a person has named it, to keep it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision(RevisionSummary):
    """A former content, compressed with zlib."""

    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A rendered page; `body` is gzipped, `style_hash` a CSP source, `path` that of the canonical URL.

    `default_language` is what its account's was.
    """

    body: bytes
    path: str | None
    etag: str
    style_hash: str
    render_version: int
    revision: int = 1
    has_badge: bool = True
    default_language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPage:
    """A page published without an account."""

    identifier: str
    document_id: str
    claim_token_hash: str
    expires_at: datetime
    claimed_at: datetime | None = None
    bytes: int = 0
    """Bytes of Markdown and page; negative once freed."""

    @property
    def path(self) -> str:
        return demo_path_of(self.identifier)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedPage(ProtectedPage):
    """The document behind a public path. `path` is its current one; demos have no account fields."""

    document_id: str
    path: str
    revision: int
    visibility: str | None
    hide_badge: bool
    offer_pdf: bool
    published_at: datetime | None
    expires_at: datetime | None
    plan: str | None
    plan_until: datetime | None
    is_suspended: bool
    page: Page | None
    title: str
    template_id: str
    theme_mode: str
    account_id: str | None
    default_language: str | None
    readers: tuple[str, ...]
    password_hash: str | None = field(repr=False)


def folder_key(name: str | None) -> str:
    """Return what folders are compared by: a name without its case, "" for none."""
    return normalize("NFC", (name or "").casefold())


def title_key(title: str) -> str:
    """Return what titles are sorted by, as long as its column."""
    return fold(title)[:200]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderLink:
    """A way to a reader's session; only hashes of its token, code and browser are stored."""

    token_hash: str
    document_id: str
    email: str
    browser_hash: str | None
    code_hash: str | None
    tries: int = 0
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderSession:
    """What a browser proved to an account's pages: an address, or the password that `proof` is a hash of."""

    id: str
    token_hash: str
    account_id: str
    email: str | None = None
    proof: str | None = None
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderView:
    """When a reader saw a page last, to the hour."""

    document_id: str
    email: str
    seen_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """An abuse report, open while `closed_at` is None; `path` and `title` are as reported."""

    id: str
    document_id: str
    path: str
    title: str
    reason: str
    details: str
    email: str | None
    reported_at: datetime
    closed_at: datetime | None = None
    outcome: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """A single-use sign-up link."""

    token_hash: str
    note: str
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyPage:
    """A text to copy for a destination."""

    token_hash: str
    account_id: str
    content: str
    destination: str
    template_id: str
    theme_mode: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AppClient:
    """A program that asks people for access; `redirect_uris` is a JSON array."""

    id: str
    name: str
    redirect_uris: str
    secret_hash: str | None
    created_at: datetime
    expires_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AppGrant:
    """What an account allows a client; `scopes` are separated by spaces."""

    id: str
    account_id: str
    client_id: str
    client_name: str
    redirect_uri: str
    scopes: str
    resource: str
    code_hash: str
    code_challenge: str
    code_used_at: datetime | None = None
    created_at: datetime
    used_at: datetime | None = None
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AppToken:
    """An access or refresh token of a grant."""

    token_hash: str
    grant_id: str
    scopes: str
    expires_at: datetime
    replaced_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailToken:
    """A single-use link; `purpose` is `signup` (with password hash and username) or `password` (with the account)."""

    token_hash: str
    purpose: str
    email: str
    account_id: str | None
    password_hash: str | None
    username: str | None
    created_at: datetime
    expires_at: datetime
