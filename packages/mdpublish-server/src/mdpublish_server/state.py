"""The application's services, built from the settings."""

from dataclasses import dataclass

from mdpublish_server.auth.authentication import Authenticator
from mdpublish_server.auth.plans import plans_of
from mdpublish_server.clock import Clock, utc_now
from mdpublish_server.conversion import Converter
from mdpublish_server.ratelimit.hourly_limit import HourlyLimit
from mdpublish_server.ratelimit.sliding_window import RateLimiter, make_rate_limiter
from mdpublish_server.services.cleanup import CleanupTask
from mdpublish_server.services.concurrency import OptimisticUpdates
from mdpublish_server.services.demos import Demos
from mdpublish_server.services.documents import Documents
from mdpublish_server.services.mailer import Mailer, parse_smtp_url
from mdpublish_server.services.page_serving import PageServer
from mdpublish_server.services.pages import PageMaker
from mdpublish_server.services.publishing import Publisher
from mdpublish_server.settings import Settings
from mdpublish_server.storage import Database, open_database


@dataclass(frozen=True, slots=True, kw_only=True)
class AppState:
    """All services of an application."""

    settings: Settings
    clock: Clock
    database: Database
    rate_limiter: RateLimiter
    authenticator: Authenticator
    converter: Converter
    documents: Documents
    publisher: Publisher
    demos: Demos
    demo_limit: HourlyLimit
    page_server: PageServer
    cleanup: CleanupTask
    mailer: Mailer | None
    """None without a mail server."""

    async def start(self) -> None:
        """Start the workers, wait until they are warm, and start background tasks."""
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


def make_state(
    settings: Settings,
    *,
    database: Database | None = None,
    converter: Converter | None = None,
    clock: Clock = utc_now,
) -> AppState:
    """Build the state; the database must be migrated."""
    database = database or open_database(settings.database_url)
    converter = converter or Converter(workers=settings.workers, demo_workers=settings.demo_workers)
    rate_limiter = make_rate_limiter(settings.redis_url)
    authenticator = Authenticator(database, rate_limiter, plans_of(settings), clock)
    pages = PageMaker(
        converter, public_url=settings.public_url, site_name=settings.service_name, font_url=settings.font_url
    )
    updates = OptimisticUpdates(authenticator)
    publisher = Publisher(database, authenticator, updates, pages, has_suffixes=settings.has_link_suffixes)
    return AppState(
        settings=settings,
        clock=clock,
        database=database,
        rate_limiter=rate_limiter,
        authenticator=authenticator,
        converter=converter,
        documents=Documents(database, authenticator, updates, converter, pages),
        publisher=publisher,
        demos=Demos(
            database,
            updates,
            pages,
            publisher,
            clock=clock,
            dashboard_url=settings.dashboard_url,
            max_bytes=settings.demo_megabytes * 1_000_000 or None,
        ),
        demo_limit=HourlyLimit(settings.demo_rate_limit, "demo pages", clock),
        page_server=PageServer(database, pages, clock),
        cleanup=CleanupTask(database, clock),
        mailer=_mailer(settings),
    )


def _mailer(settings: Settings) -> Mailer | None:
    if settings.smtp_url is None or settings.mail_from is None:
        return None
    return Mailer(parse_smtp_url(settings.smtp_url), sender=settings.mail_from, sender_name=settings.service_name)
