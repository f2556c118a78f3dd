"""The site's routes: a path and its methods per line.

The most requested paths come first, since the first match wins.
"""

from functools import partial

from mdpublish_server.auth.plans import plans_of
from mdpublish_server.ratelimit.throttles import RequestThrottle, SignInThrottle
from mdpublish_server.services.exports import Exports
from mdpublish_server.services.feeds import PublicPages
from mdpublish_server.state import AppState
from mdpublish_server.web import fonts, stylesheet
from mdpublish_server.web.account.claims import ClaimPages
from mdpublish_server.web.account.documents import DocumentPages
from mdpublish_server.web.account.exports import ExportPages
from mdpublish_server.web.account.keys import KeyPages
from mdpublish_server.web.account.overview import OverviewPage
from mdpublish_server.web.account.password_hashing import PasswordHashing
from mdpublish_server.web.account.password_reset import PasswordResetPages
from mdpublish_server.web.account.sessions import Endpoint, Sessions
from mdpublish_server.web.account.settings import PasswordCheck, SettingsPages
from mdpublish_server.web.account.sign_in import SignInPages
from mdpublish_server.web.account.sign_up import SignUpPages
from mdpublish_server.web.operator.invitations import Invitations
from mdpublish_server.web.operator.reports import Reports
from mdpublish_server.web.public import landing
from mdpublish_server.web.public.feeds import FeedPages
from mdpublish_server.web.public.gallery import Gallery
from mdpublish_server.web.public.pages import PublishedPages
from mdpublish_server.web.public.profiles import ProfilePages
from mdpublish_server.web.public.report_form import ReportForm
from mdpublish_server.web.public.robots import Robots
from mdpublish_server.web.public.sitemaps import Sitemaps
from mdpublish_server.web.public.social_images import SocialImages
from mdpublish_server.web.public.sources import Sources
from mdpublish_server.web.site import Site

SECRET_PATHS = ("/claim/", "/confirm/", "/reset/", "/signup/")
"""Prefixes of paths that contain a token, which is not logged."""


def account_routes(state: AppState, site: Site) -> dict[str, dict[str, Endpoint]]:
    sessions = Sessions(state.settings, state.database, state.clock)
    return {**_account(state, site, sessions), **_operator(state, site, sessions)}


def public_routes(state: AppState, site: Site, published: PublishedPages) -> dict[str, dict[str, Endpoint]]:
    """Return what everybody sees: endpoints by method of each path."""
    settings, clock = state.settings, state.clock
    report_form = ReportForm(state.database, site, clock)
    social_images = SocialImages(
        state.database, state.converter, clock, site_name=settings.service_name, public_url=settings.public_url
    )
    public_pages = PublicPages(state.database, public_url=settings.public_url)
    profiles = ProfilePages(public_pages, site)
    feeds = FeedPages(public_pages, service_name=settings.service_name)
    sitemaps = Sitemaps(state.database, public_pages)
    sources = Sources(state.page_server)
    gallery = Gallery(public_url=settings.public_url, font_url=settings.font_url)
    return {
        "/u/{username}": {"GET": profiles.show},
        "/u/{username}/feed.atom": {"GET": feeds.show},
        "/u/{username}/{slug}.md": {"GET": sources.show},
        "/d/{slug}.md": {"GET": sources.show},
        "/p/{identifier}.md": {"GET": sources.show},
        "/u/{username}/{slug}.png": {"GET": social_images.show},
        "/d/{slug}.png": {"GET": social_images.show},
        "/p/{identifier}.png": {"GET": social_images.show},
        "/u/{username}/{slug}": {"GET": published.show},
        "/d/{slug}": {"GET": published.show},
        "/p/{identifier}": {"GET": published.show},
        "/": {"GET": partial(landing.show, site), "POST": partial(landing.submit, site, state)},
        "/templates": {"GET": gallery.show},
        "/templates/{template_id}/{theme_mode}": {"GET": gallery.show_full},
        "/report": {"GET": report_form.show, "POST": report_form.submit},
        "/report/thanks": {"GET": report_form.thank},
        "/robots.txt": {"GET": Robots(public_pages).show},
        "/sitemap.xml": {"GET": sitemaps.show},
        "/sitemap-{number}.xml": {"GET": sitemaps.show_part},
        "/static/site.css": {"GET": stylesheet.show},
        **({f"{fonts.PATH}{{name}}": {"GET": fonts.show}} if settings.has_web_fonts else {}),
    }


def _account(state: AppState, site: Site, sessions: Sessions) -> dict[str, dict[str, Endpoint]]:
    settings, clock, database, mailer = state.settings, state.clock, state.database, state.mailer
    hashing, requests, throttle = PasswordHashing(), RequestThrottle(clock), SignInThrottle(clock)
    sign_in = SignInPages(settings, database, sessions, site, throttle=throttle, hashing=hashing)
    sign_up = SignUpPages(
        settings,
        database,
        sessions,
        site,
        throttle=requests,
        sign_in_throttle=throttle,
        hashing=hashing,
        mailer=mailer,
        clock=clock,
    )
    password_reset = PasswordResetPages(
        settings, database, sessions, site, throttle=requests, hashing=hashing, mailer=mailer, clock=clock
    )
    claims = ClaimPages(state, sessions, site)
    return {
        "/signup": {"GET": sign_up.show_sign_up, "POST": sign_up.sign_up},
        "/signup/{token}": {"GET": sign_up.show_sign_up, "POST": sign_up.sign_up},
        "/confirm/{token}": {"GET": sign_up.show_confirm, "POST": sign_up.confirm},
        "/signin": {"GET": sign_in.show_sign_in, "POST": sign_in.sign_in},
        "/signout": {"POST": sign_in.sign_out},
        "/forgot": {"GET": password_reset.show_forgot, "POST": password_reset.send_email},
        "/reset/{token}": {"GET": password_reset.show_reset, "POST": password_reset.reset},
        "/claim/{token}": {"GET": claims.show, "POST": claims.claim},
        "/claim/{token}/delete": {"GET": claims.confirm_deletion, "POST": claims.delete},
        **_members(state, site, sessions, PasswordCheck(throttle, hashing)),
    }


def _members(
    state: AppState, site: Site, sessions: Sessions, passwords: PasswordCheck
) -> dict[str, dict[str, Endpoint]]:
    settings, members = state.settings, sessions.require_sign_in
    overview = OverviewPage(plans_of(settings), site, state.clock)
    documents = DocumentPages(state, site)
    keys = KeyPages(state, site)
    account_settings = SettingsPages(state, site, sessions=sessions, passwords=passwords)
    exports = ExportPages(Exports(state.database, public_url=settings.public_url), state)
    return {
        "/account": {"GET": members(overview.show)},
        "/account/documents": {"GET": members(documents.show)},
        "/account/documents/{id}/publish": {"POST": members(documents.publish)},
        "/account/documents/{id}/unpublish": {"POST": members(documents.unpublish)},
        "/account/documents/{id}/delete": {
            "GET": members(documents.confirm_deletion),
            "POST": members(documents.delete),
        },
        "/account/keys": {"GET": members(keys.show), "POST": members(keys.create)},
        "/account/keys/{id}/revoke": {"GET": members(keys.confirm_revocation), "POST": members(keys.revoke)},
        "/account/settings": {"GET": members(account_settings.show)},
        "/account/settings/username": {"POST": members(account_settings.set_username)},
        "/account/settings/password": {"POST": members(account_settings.change_password)},
        "/account/export": {"POST": members(exports.download)},
        "/account/delete": {
            "GET": members(account_settings.confirm_deletion),
            "POST": members(account_settings.delete),
        },
    }


def _operator(state: AppState, site: Site, sessions: Sessions) -> dict[str, dict[str, Endpoint]]:
    """Return operators' routes, which are 404 for others."""
    operators = sessions.require_operator
    clock = state.clock
    reports = Reports(state.database, site, clock)
    invitations = Invitations(state.settings, state.database, site, clock)
    return {
        "/operator/reports": {"GET": operators(reports.list)},
        "/operator/reports/{document_id}": {"GET": operators(reports.show), "POST": operators(reports.decide)},
        "/operator/invitations": {"GET": operators(invitations.show), "POST": operators(invitations.create)},
        "/operator/invitations/{id}/revoke": {"POST": operators(invitations.revoke)},
    }
