"""What the site answers beside the API: a path and its methods a line.

Paths that are asked for most come first; a route matches the first path that fits.
"""

from functools import partial

from mdpublish_server.exports import Exports
from mdpublish_server.listings import Listings
from mdpublish_server.policies.plans import plans_of
from mdpublish_server.policies.sign_ins import RequestThrottle, SignInThrottle
from mdpublish_server.state import AppState
from mdpublish_server.web import fonts, stylesheet
from mdpublish_server.web.account.claims import Claims
from mdpublish_server.web.account.documents import DocumentPages
from mdpublish_server.web.account.exports import ExportPages
from mdpublish_server.web.account.hashing import Hashing
from mdpublish_server.web.account.keys import KeyPages
from mdpublish_server.web.account.overview import Overview
from mdpublish_server.web.account.recovery import Recovery
from mdpublish_server.web.account.registering import Registering
from mdpublish_server.web.account.sessions import Endpoint, Sessions
from mdpublish_server.web.account.settings import Passwords, SettingsPages
from mdpublish_server.web.account.signing import Signing
from mdpublish_server.web.operator.invitations import Invitations
from mdpublish_server.web.operator.reports import Reports
from mdpublish_server.web.public import landing
from mdpublish_server.web.public.feeds import Feeds
from mdpublish_server.web.public.gallery import Gallery
from mdpublish_server.web.public.pages import Pages
from mdpublish_server.web.public.profiles import Profiles
from mdpublish_server.web.public.reporting import Reporting
from mdpublish_server.web.public.robots import Robots
from mdpublish_server.web.public.sitemaps import Sitemaps
from mdpublish_server.web.public.sources import Sources
from mdpublish_server.web.public.unfurls import Unfurls
from mdpublish_server.web.site import Site

SECRET_PATHS = ("/claim/", "/confirm/", "/reset/", "/signup/")
"""Paths behind which a token stands: what follows is in no log."""


def account_routes(state: AppState, site: Site) -> dict[str, dict[str, Endpoint]]:
    """Return what those see who have an account, want one, or run the service: endpoints by method of each path."""
    sessions = Sessions(state.settings, state.database, state.clock)
    return {**_account(state, site, sessions), **_operator(state, site, sessions)}


def public_routes(state: AppState, site: Site, published: Pages) -> dict[str, dict[str, Endpoint]]:
    """Return what everybody sees: endpoints by method of each path."""
    settings, clock = state.settings, state.clock
    reporting = Reporting(state.database, site, clock)
    unfurls = Unfurls(
        state.database, state.converter, clock, site_name=settings.service_name, public_url=settings.public_url
    )
    listings = Listings(state.database, public_url=settings.public_url)
    profiles = Profiles(listings, site)
    feeds = Feeds(listings, service_name=settings.service_name)
    sitemaps = Sitemaps(state.database, listings)
    sources = Sources(state.viewer)
    gallery = Gallery(public_url=settings.public_url, font_url=settings.font_url)
    return {
        "/u/{username}": {"GET": profiles.show},
        "/u/{username}/feed.atom": {"GET": feeds.show},
        "/u/{username}/{slug}.md": {"GET": sources.show},
        "/d/{slug}.md": {"GET": sources.show},
        "/p/{identifier}.md": {"GET": sources.show},
        "/u/{username}/{slug}.png": {"GET": unfurls.show},
        "/d/{slug}.png": {"GET": unfurls.show},
        "/p/{identifier}.png": {"GET": unfurls.show},
        "/u/{username}/{slug}": {"GET": published.show},
        "/d/{slug}": {"GET": published.show},
        "/p/{identifier}": {"GET": published.show},
        "/": {"GET": partial(landing.show, site), "POST": partial(landing.submit, site, state)},
        "/templates": {"GET": gallery.show},
        "/templates/{template_id}/{theme_mode}": {"GET": gallery.show_full},
        "/report": {"GET": reporting.show, "POST": reporting.submit},
        "/report/thanks": {"GET": reporting.thank},
        "/robots.txt": {"GET": Robots(listings).show},
        "/sitemap.xml": {"GET": sitemaps.show},
        "/sitemap-{number}.xml": {"GET": sitemaps.show_part},
        "/static/site.css": {"GET": stylesheet.show},
        **({f"{fonts.PATH}{{name}}": {"GET": fonts.show}} if settings.has_web_fonts else {}),
    }


def _account(state: AppState, site: Site, sessions: Sessions) -> dict[str, dict[str, Endpoint]]:
    """Return what those see who have an account, or want one."""
    settings, clock, database, outbox = state.settings, state.clock, state.database, state.outbox
    hashing, requests, throttle = Hashing(), RequestThrottle(clock), SignInThrottle(clock)
    signing = Signing(settings, database, sessions, site, throttle=throttle, hashing=hashing)
    registering = Registering(
        settings,
        database,
        sessions,
        site,
        throttle=requests,
        guesses=throttle,
        hashing=hashing,
        outbox=outbox,
        clock=clock,
    )
    recovery = Recovery(
        settings, database, sessions, site, throttle=requests, hashing=hashing, outbox=outbox, clock=clock
    )
    claims = Claims(state, sessions, site)
    return {
        "/signup": {"GET": registering.show_sign_up, "POST": registering.sign_up},
        "/signup/{token}": {"GET": registering.show_sign_up, "POST": registering.sign_up},
        "/confirm/{token}": {"GET": registering.show_confirm, "POST": registering.confirm},
        "/signin": {"GET": signing.show_sign_in, "POST": signing.sign_in},
        "/signout": {"POST": signing.sign_out},
        "/forgot": {"GET": recovery.show_forgot, "POST": recovery.send_letter},
        "/reset/{token}": {"GET": recovery.show_reset, "POST": recovery.reset},
        "/claim/{token}": {"GET": claims.show, "POST": claims.claim},
        "/claim/{token}/delete": {"GET": claims.ask_to_delete, "POST": claims.delete},
        **_members(state, site, sessions, Passwords(throttle, hashing)),
    }


def _members(state: AppState, site: Site, sessions: Sessions, passwords: Passwords) -> dict[str, dict[str, Endpoint]]:
    """Return what those see who are signed in; `members` lets nobody else in."""
    settings, members = state.settings, sessions.members
    overview = Overview(plans_of(settings), site, state.clock)
    documents = DocumentPages(state, site)
    keys = KeyPages(state, site)
    chosen = SettingsPages(state, site, sessions=sessions, passwords=passwords)
    exports = ExportPages(Exports(state.database, public_url=settings.public_url), state)
    return {
        "/account": {"GET": members(overview.show)},
        "/account/documents": {"GET": members(documents.show)},
        "/account/documents/{id}/publish": {"POST": members(documents.publish)},
        "/account/documents/{id}/unpublish": {"POST": members(documents.unpublish)},
        "/account/documents/{id}/delete": {
            "GET": members(documents.ask_to_delete),
            "POST": members(documents.delete),
        },
        "/account/keys": {"GET": members(keys.show), "POST": members(keys.create)},
        "/account/keys/{id}/revoke": {"GET": members(keys.ask_to_revoke), "POST": members(keys.revoke)},
        "/account/settings": {"GET": members(chosen.show)},
        "/account/settings/username": {"POST": members(chosen.set_username)},
        "/account/settings/password": {"POST": members(chosen.change_password)},
        "/account/export": {"POST": members(exports.download)},
        "/account/delete": {"GET": members(chosen.ask_to_delete), "POST": members(chosen.delete)},
    }


def _operator(state: AppState, site: Site, sessions: Sessions) -> dict[str, dict[str, Endpoint]]:
    """Return what operators see; to others it is not there."""
    operators = sessions.operators
    clock = state.clock
    reports = Reports(state.database, site, clock)
    invitations = Invitations(state.settings, state.database, site, clock)
    return {
        "/operator/reports": {"GET": operators(reports.list)},
        "/operator/reports/{document_id}": {"GET": operators(reports.show), "POST": operators(reports.decide)},
        "/operator/invitations": {"GET": operators(invitations.show), "POST": operators(invitations.create)},
        "/operator/invitations/{id}/revoke": {"POST": operators(invitations.revoke)},
    }
