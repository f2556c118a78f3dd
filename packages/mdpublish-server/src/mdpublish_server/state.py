"""The application's services, built from the settings."""

from typing import TYPE_CHECKING

from mdpublish_core.hosting.mail import parse_smtp_url
from mdpublish_core.plugins import allow_plugins
from mdpublish_server.auth.authentication import Authenticator
from mdpublish_server.auth.password_hashing import PasswordHashing
from mdpublish_server.auth.plans import plans_of
from mdpublish_server.auth.server_key import ServerKey
from mdpublish_server.clock import Clock, utc_now
from mdpublish_server.conversion import cpu_time
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.conversion.uploads import Uploads
from mdpublish_server.ratelimit.hourly_limit import HourlyLimit
from mdpublish_server.ratelimit.shared import make_rate_limits
from mdpublish_server.ratelimit.throttles import SiteThrottle
from mdpublish_server.services.apps import Apps, resource_of
from mdpublish_server.services.cleanup import CleanupTask
from mdpublish_server.services.client_documents import ClientDocuments
from mdpublish_server.services.concurrency import OptimisticUpdates
from mdpublish_server.services.demos import Demos, demo_limit
from mdpublish_server.services.documents import Documents
from mdpublish_server.services.editing import Editor
from mdpublish_server.services.front_matter import FrontMatterDefaults
from mdpublish_server.services.idempotency import IdempotentRequests
from mdpublish_server.services.image_removal import ImageRemoval
from mdpublish_server.services.images import Images
from mdpublish_server.services.keeping import PageKeeper
from mdpublish_server.services.known_images import KnownImages
from mdpublish_server.services.mailer import Mailer
from mdpublish_server.services.page_serving import PageServer
from mdpublish_server.services.pages import PageMaker
from mdpublish_server.services.publishing import Publisher
from mdpublish_server.services.reading import Reading
from mdpublish_server.services.rebasing import Rebasing
from mdpublish_server.services.revision_history import RevisionHistory
from mdpublish_server.services.revisions import Revisions
from mdpublish_server.services.security_mails import SecurityMails
from mdpublish_server.services.slug_choice import SlugChooser
from mdpublish_server.services.trash import Trash
from mdpublish_server.services.workbench import Workbench
from mdpublish_server.services.working_copies import WorkingCopies
from mdpublish_server.settings import Settings
from mdpublish_server.storage import Database, open_database
from mdpublish_server.storage.object_store import open_store

if TYPE_CHECKING:
    from mdpublish_server.services.openid import OpenIdProvider


class AppState:
    """All services of an application; the database must be migrated."""

    def __init__(
        self,
        settings: Settings,
        *,
        database: Database | None = None,
        converter: Converter | None = None,
        clock: Clock = utc_now,
    ) -> None:
        self.settings = settings
        self.clock = clock
        self.database = database = database or open_database(settings.database_url, has_reserve=True)
        allow_plugins(settings.plugins)
        self.converter = converter = converter or Converter(
            workers=settings.workers, demo_workers=settings.demo_workers, plugins=settings.plugins
        )
        self.mailer = make_mailer(settings)
        self.server_key = server_key = ServerKey(database, clock)
        self.hashing = hashing = PasswordHashing()
        self.rate_limiter, self.hits = make_rate_limits(settings.redis_url, clock, server_key.derive)
        self.authenticator = authenticator = Authenticator(
            database, self.rate_limiter, plans_of(settings), clock, resource=resource_of(settings)
        )
        self.idempotent_requests = IdempotentRequests(database, server_key, self.hits, clock)
        self.uploads = Uploads()
        self.provider = _provider(settings, clock)
        self.security_mails = SecurityMails(self.mailer, self.hits, settings, clock)
        self.apps = Apps(database, settings, clock, ClientDocuments(clock))
        pages, front_matter = PageMaker(converter, settings), FrontMatterDefaults(converter)
        self._add_documents(pages, front_matter, OptimisticUpdates(authenticator))
        store = open_store(settings.image_store)
        removal = ImageRemoval(database, store, clock)
        self.cleanup = CleanupTask(database, clock, removal, audit_days=settings.audit_days)
        self.images = Images(database, authenticator, converter, store, removal, settings, clock)
        converter.know_images(KnownImages(database, self.images).find)
        self.reading = Reading(database, self.hits, hashing, server_key, self.mailer, clock, settings)

    def _add_documents(self, pages: PageMaker, front_matter: FrontMatterDefaults, updates: OptimisticUpdates) -> None:
        """Build the services of documents and their pages."""
        settings, clock, server_key = self.settings, self.clock, self.server_key
        database, authenticator, converter = self.database, self.authenticator, self.converter
        history = RevisionHistory(database, settings)
        rebasing = Rebasing(database, converter)
        self.documents = documents = Documents(
            database, authenticator, updates, converter, pages, front_matter, history, rebasing, self.hashing
        )
        self.working_copies = copies = WorkingCopies(database, updates, converter, history)
        self.revisions = Revisions(database, authenticator, documents, copies, converter, pages)
        slugs = SlugChooser(database, converter, has_suffixes=settings.has_link_suffixes)
        self.publisher = publisher = Publisher(
            database, authenticator, updates, pages, front_matter, slugs, rebasing, self.hashing
        )
        self.trash = Trash(database, authenticator, converter, publisher)
        self.editor = Editor(documents, copies, publisher, converter, server_key)
        self.demo_limit = HourlyLimit(settings.demo_rate_limit, "demo pages", clock)
        self.demos = Demos(
            database,
            updates,
            pages,
            publisher,
            front_matter,
            server_key,
            clock,
            dashboard_url=settings.dashboard_url,
            max_bytes=demo_limit(settings.database_url, settings.demo_megabytes),
        )
        self.page_keeper = PageKeeper(database, authenticator, self.demos, server_key, clock)
        self.workbench = Workbench(converter, pages, front_matter)
        self.page_server = PageServer(database, pages, clock, stale_seconds=settings.stale_if_error)

    def site_throttle(self, *, of: str) -> SiteThrottle:
        """Return a limit of the CPU time that browsers ask for, each network's or account's."""
        return SiteThrottle(self.settings.site_cpu_seconds, self.clock, of=of, spent=cpu_time.spent)

    async def start(self) -> None:
        """Start the workers, wait for the first ones, and start background tasks."""
        await self.converter.start()
        self.cleanup.start()
        if self.mailer:
            self.mailer.start()

    async def stop(self) -> None:
        if self.mailer:
            await self.mailer.stop()
        await self.cleanup.stop()
        self.converter.close()
        self.rate_limiter.close()
        self.database.close()


def _provider(settings: Settings, clock: Clock) -> "OpenIdProvider | None":
    if settings.oidc_issuer is None:
        return None
    from mdpublish_server.services.openid import OpenIdProvider  # most services do without its libraries

    return OpenIdProvider(settings, clock)


def make_mailer(settings: Settings) -> Mailer | None:
    if settings.smtp_url is None or settings.mail_from is None:
        return None
    return Mailer(parse_smtp_url(settings.smtp_url), sender=settings.mail_from, sender_name=settings.service_name)
