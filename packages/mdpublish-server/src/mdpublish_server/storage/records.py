"""What is kept, as values: the rows of `tables` in the form the rest of the service uses.

A time is aware and in UTC; the database holds it as whole microseconds since 1970.
"""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Somebody who signed up, what the plan is, and how much of it is taken.

    `plan` is what was set, which holds before `plan_until` (None: for good). `used` calls were counted in `month`
    (`YYYY-MM`). `password_hash` is None where nobody may sign in. An operator sees reports and takes pages down.
    """

    id: str
    email: str
    password_hash: str | None
    username: str | None
    plan: str
    plan_until: datetime | None
    is_suspended: bool
    created_at: datetime
    documents: int
    pages: int
    active_keys: int
    month: str
    used: int
    is_operator: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """An API key as it is kept: never the key, only its SHA-256 in hexadecimal, and its last four characters."""

    id: str
    account_id: str
    name: str
    key_hash: str
    last_four: str
    created_at: datetime
    used_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Somebody signed in; `token_hash` is the SHA-256 of the cookie's token."""

    token_hash: str
    account_id: str
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSummary:
    """A document without its text, as lists show it."""

    id: str
    title: str
    template_id: str
    theme_mode: str
    slug: str | None
    page_width: str | None
    visibility: str | None
    published_at: datetime | None
    is_taken_down: bool
    word_count: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A Markdown text and how it is to look.

    `account_id` is None for a demo's, which has `expires_at` instead. `published_at` is None while it is not published;
    `slug` stays, once it has one. `revision` is raised by every change that its page would show.
    """

    id: str
    account_id: str | None
    title: str
    template_id: str
    theme_mode: str
    description: str | None = None
    page_width: str | None = None
    visibility: str | None = None
    hide_badge: bool = False
    slug: str | None = None
    published_at: datetime | None = None
    is_taken_down: bool = False
    expires_at: datetime | None = None
    word_count: int
    created_at: datetime
    updated_at: datetime
    revision: int = 1
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A finished page: its gzipped bytes and what its headers need.

    `etag` is the opaque part of its ETag, `style_hash` the source expression of its one style element
    (`sha256-…`), `render_version` the version of the rendering that made it, `revision` that of the document it shows.
    """

    body: bytes
    etag: str
    style_hash: str
    render_version: int
    revision: int = 1
    has_badge: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPage:
    """A page published without an account; `claim_token_hash` is the token's SHA-256 in hexadecimal."""

    identifier: str
    document_id: str
    claim_token_hash: str
    expires_at: datetime
    claimed_at: datetime | None = None

    @property
    def path(self) -> str:
        """The page's path on the public site."""
        return f"/p/{self.identifier}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedPage:
    """What a public path leads to.

    `path` is the document's current one, which may be another than was asked for. `page` is None where no bytes are
    kept. `plan`, `plan_until` and `is_suspended` are its account's; a demo has none of them, and no `account_id`.
    """

    document_id: str
    path: str
    revision: int
    visibility: str | None
    hide_badge: bool
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What somebody said of a page; `closed_at` and `outcome` are None until an operator has looked at it.

    `path` and `title` are the page's at that time. `email` is where the operator may answer, if that was told.
    """

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
    """Leave to sign up once; `token_hash` is the SHA-256 of the link's token, `note` says for whom it was made."""

    token_hash: str
    note: str
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailToken:
    """A link that was mailed to `email`; `token_hash` is the SHA-256 of its token.

    One to sign up (`purpose` is `signup`) holds the password's hash and the username that were asked for; one to choose a
    new password (`password`) the account.
    """

    token_hash: str
    purpose: str
    email: str
    account_id: str | None
    password_hash: str | None
    username: str | None
    created_at: datetime
    expires_at: datetime
