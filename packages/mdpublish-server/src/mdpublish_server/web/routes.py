"""What the site answers beside the API: a path and its methods a line.

Paths that are asked for most come first; a route matches the first path that fits.
"""

from functools import partial

from mdpublish_server.policies.plans import plans_of
from mdpublish_server.services import Service
from mdpublish_server.settings import Settings
from mdpublish_server.web import stylesheet
from mdpublish_server.web.account.overview import Overview
from mdpublish_server.web.account.sessions import Endpoint, Sessions
from mdpublish_server.web.account.signing import Signing
from mdpublish_server.web.operator.reports import Reports
from mdpublish_server.web.public import landing
from mdpublish_server.web.public.pages import Pages
from mdpublish_server.web.public.reporting import Reporting
from mdpublish_server.web.site import Site


def site_routes(settings: Settings, service: Service, site: Site, published: Pages) -> dict[str, dict[str, Endpoint]]:
    """Return the endpoints of each path by method."""
    sessions = Sessions(settings, service.database, service.services.clock)
    return {
        **_public(service, site, published),
        **_account(settings, service, site, sessions),
        **_operator(service, site, sessions),
    }


def _public(service: Service, site: Site, published: Pages) -> dict[str, dict[str, Endpoint]]:
    """Return what everybody sees."""
    clock = service.services.clock
    reporting = Reporting(service.database, site, clock)
    return {
        "/u/{username}/{slug}": {"GET": published.show},
        "/d/{slug}": {"GET": published.show},
        "/p/{identifier}": {"GET": published.show},
        "/": {"GET": partial(landing.show, site), "POST": partial(landing.submit, site, service.services)},
        "/report": {"GET": reporting.show, "POST": reporting.submit},
        "/report/thanks": {"GET": reporting.thank},
        "/static/site.css": {"GET": stylesheet.show},
    }


def _account(settings: Settings, service: Service, site: Site, sessions: Sessions) -> dict[str, dict[str, Endpoint]]:
    """Return what those see who have an account, or want one; `members` lets nobody else in."""
    clock = service.services.clock
    members = sessions.members
    signing = Signing(settings, service.database, service.services, sessions, site)
    overview = Overview(plans_of(settings), site, clock)
    return {
        "/signup": {"GET": signing.show_sign_up, "POST": signing.sign_up},
        "/signin": {"GET": signing.show_sign_in, "POST": signing.sign_in},
        "/signout": {"POST": signing.sign_out},
        "/account": {"GET": members(overview.show)},
    }


def _operator(service: Service, site: Site, sessions: Sessions) -> dict[str, dict[str, Endpoint]]:
    """Return what operators see; to others it is not there."""
    operators = sessions.operators
    reports = Reports(service.database, site, service.services.clock)
    return {
        "/operator/reports": {"GET": operators(reports.list)},
        "/operator/reports/{document_id}": {"GET": operators(reports.show), "POST": operators(reports.decide)},
    }
