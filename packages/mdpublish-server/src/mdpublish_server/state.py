"""The application state: one of each service, put together from the settings.

Opened and closed in one place, so that tests, the application and the command run the same service.
"""

from dataclasses import dataclass

from mdpublish_server.clock import Clock, utc_now
from mdpublish_server.conversion import Converter
from mdpublish_server.demos import Demos
from mdpublish_server.documents import Documents
from mdpublish_server.edits import Edits
from mdpublish_server.mails import Outbox, mail_server
from mdpublish_server.pages import PageMaker
from mdpublish_server.policies.admission import Admission
from mdpublish_server.policies.caps import HourlyCap
from mdpublish_server.policies.plans import plans_of
from mdpublish_server.policies.rates import RateWindow, rate_window
from mdpublish_server.publishing import Publisher
from mdpublish_server.settings import Settings
from mdpublish_server.storage import Database, open_database
from mdpublish_server.sweeping import Sweeper
from mdpublish_server.viewing import Viewer


@dataclass(frozen=True, slots=True, kw_only=True)
class AppState:
    """Everything that the API and the site work with."""

    settings: Settings
    clock: Clock
    database: Database
    window: RateWindow
    admission: Admission
    converter: Converter
    documents: Documents
    publisher: Publisher
    demos: Demos
    demo_cap: HourlyCap
    viewer: Viewer
    sweeper: Sweeper
    outbox: Outbox | None
    """None where no mail server is set."""

    async def start(self) -> None:
        """Start the workers, wait until they are warm, and begin to sweep."""
        await self.converter.start()
        self.sweeper.start()
        if self.outbox:
            self.outbox.start()

    async def stop(self) -> None:
        """End everything; no request may follow."""
        if self.outbox:
            await self.outbox.stop()
        await self.sweeper.stop()
        self.converter.close()
        self.window.close()
        self.database.close()


def make_state(
    settings: Settings,
    *,
    database: Database | None = None,
    converter: Converter | None = None,
    clock: Clock = utc_now,
) -> AppState:
    """Return the state for these settings; its database, the one they name or the one given, is migrated already."""
    database = database or open_database(settings.database_url)
    converter = converter or Converter(workers=settings.workers, demo_workers=settings.demo_workers)
    window = rate_window(settings.redis_url)
    admission = Admission(database, window, plans_of(settings), clock)
    pages = PageMaker(
        converter, public_url=settings.public_url, site_name=settings.service_name, font_url=settings.font_url
    )
    edits = Edits(admission)
    publisher = Publisher(database, admission, edits, pages, has_suffixes=settings.has_link_suffixes)
    return AppState(
        settings=settings,
        clock=clock,
        database=database,
        window=window,
        admission=admission,
        converter=converter,
        documents=Documents(database, admission, edits, converter, pages),
        publisher=publisher,
        demos=Demos(database, edits, pages, publisher, clock=clock, account_url=settings.account_url),
        demo_cap=HourlyCap(settings.demos_per_hour, "demo pages", clock),
        viewer=Viewer(database, pages, clock),
        sweeper=Sweeper(database, clock),
        outbox=_outbox(settings),
    )


def _outbox(settings: Settings) -> Outbox | None:
    if settings.smtp_url is None or settings.mail_from is None:
        return None
    return Outbox(mail_server(settings.smtp_url), sender=settings.mail_from, sender_name=settings.service_name)
