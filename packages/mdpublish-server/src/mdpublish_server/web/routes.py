"""The site's routes: a path and its methods per line.

The most requested paths come first, since the first match wins.
"""

from functools import partial
from importlib.util import find_spec
from typing import NamedTuple

from starlette.requests import Request
from starlette.types import ASGIApp

from mdpublish_server.auth.csrf import require_same_origin
from mdpublish_server.auth.plans import plans_of
from mdpublish_server.ratelimit.throttles import RequestThrottle, SignInThrottle, SiteThrottle
from mdpublish_server.services.exports import Exports
from mdpublish_server.services.feeds import PublicPages
from mdpublish_server.state import AppState
from mdpublish_server.web import assets, fonts, thumbnails
from mdpublish_server.web.account.applications import Applications
from mdpublish_server.web.account.claims import ClaimPages
from mdpublish_server.web.account.document import DocumentPage
from mdpublish_server.web.account.document_workbench import DocumentWorkbench
from mdpublish_server.web.account.documents import DocumentPages, show_former_path
from mdpublish_server.web.account.exports import ExportPages
from mdpublish_server.web.account.keys import KeyPages
from mdpublish_server.web.account.overview import OverviewPage
from mdpublish_server.web.account.password_hashing import PasswordHashing
from mdpublish_server.web.account.password_reset import PasswordResetPages
from mdpublish_server.web.account.resumption import Resumption
from mdpublish_server.web.account.revisions import RevisionPages
from mdpublish_server.web.account.sessions import Sessions
from mdpublish_server.web.account.settings import PasswordCheck, SettingsPages
from mdpublish_server.web.account.sign_in import SignIn, SignInPages
from mdpublish_server.web.account.sign_up import SignUpPages
from mdpublish_server.web.endpoints import Endpoint
from mdpublish_server.web.one_time_secrets import OneTimeSecrets
from mdpublish_server.web.operator.invitations import Invitations
from mdpublish_server.web.operator.reports import Reports
from mdpublish_server.web.public import api_reference
from mdpublish_server.web.public.feeds import FeedPages
from mdpublish_server.web.public.gallery import LIST_PATH, PATH, Gallery
from mdpublish_server.web.public.landing import Landing
from mdpublish_server.web.public.llms import LlmsFile
from mdpublish_server.web.public.pages import PublishedPages
from mdpublish_server.web.public.profiles import ProfilePages
from mdpublish_server.web.public.report_form import ReportForm
from mdpublish_server.web.public.robots import Robots
from mdpublish_server.web.public.sample import EXCERPT, SAMPLE
from mdpublish_server.web.public.sitemaps import Sitemaps
from mdpublish_server.web.public.social_images import SocialImages
from mdpublish_server.web.public.sources import Sources
from mdpublish_server.web.public.specimens import Specimens
from mdpublish_server.web.public.workbench import WorkbenchPages
from mdpublish_server.web.site import Site

SECRET_PATHS = ("/claim/", "/confirm/", "/copy/", "/reset/", "/signup/")
"""Prefixes of paths that contain a token, which is not logged."""


Routes = dict[str, dict[str, Endpoint]]
"""Endpoints by method of each path."""


class SiteRoutes(NamedTuple):
    """The two parts of the site, which may have a host each."""

    public: Routes
    accounts: Routes


def site_routes(state: AppState, site: Site, published: PublishedPages) -> SiteRoutes:
    sessions = Sessions(state.settings, state.database, state.clock)
    one_time_secrets = OneTimeSecrets(state.settings, state.server_key, state.clock)
    accounts = {
        **_account(state, site, sessions, one_time_secrets),
        **_revisions(state, site, sessions),
        **_operator(state, site, sessions, one_time_secrets),
    }
    landing = Landing(state, site, sessions, one_time_secrets)
    public = {
        **_public(state, site, sessions, published),
        **one_time_secrets.forgotten_by(_home(landing)),
        **_workbench(state, site, landing),
    }
    accounts = {
        **one_time_secrets.forgotten_by(accounts),
        # An owner link's page shows the same secret as the page after publishing.
        **{path: methods for path, methods in accounts.items() if path.startswith("/claim/")},
    }
    public_url, dashboard_url = state.settings.public_url, state.settings.dashboard_url
    return SiteRoutes(
        # Owner links, which are accounts' pages, copy and download too.
        public=_for_forms_of(public, public_url, dashboard_url),
        accounts=_for_forms_of(accounts, dashboard_url),
    )


def _for_forms_of(routes: Routes, *site_urls: str) -> Routes:
    """Return `routes` that refuse forms, and whatever else changes something, from other origins than `site_urls`."""

    def refusing(endpoint: Endpoint) -> Endpoint:
        async def respond(request: Request) -> ASGIApp:
            require_same_origin(request, *site_urls)
            return await endpoint(request)

        return respond

    return {
        path: {method: endpoint if method == "GET" else refusing(endpoint) for method, endpoint in methods.items()}
        for path, methods in routes.items()
    }


def _public(state: AppState, site: Site, sessions: Sessions, published: PublishedPages) -> Routes:
    """Return what everybody sees."""
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
    return {
        "/u/{username}": {"GET": profiles.show},
        "/u/{username}/feed.atom": {"GET": feeds.show},
        "/u/{username}/{slug}.md": {"GET": sources.show},
        "/d/{slug}.md": {"GET": sources.show},
        "/p/{identifier}.md": {"GET": sources.show},
        "/u/{username}/{slug}.png": {"GET": social_images.show},
        "/d/{slug}.png": {"GET": social_images.show},
        "/p/{identifier}.png": {"GET": social_images.show},
        "/social.png": {"GET": social_images.show_site},
        "/u/{username}/{slug}": {"GET": published.show},
        "/d/{slug}": {"GET": published.show},
        "/p/{identifier}": {"GET": published.show},
        api_reference.PATH: {"GET": api_reference.ApiReferencePage(settings, site).show},
        **_templates(state, site, sessions),
        "/report": {"GET": report_form.show, "POST": report_form.submit},
        "/report/thanks": {"GET": report_form.thank},
        "/robots.txt": {"GET": Robots(public_pages).show},
        "/llms.txt": {"GET": LlmsFile(settings, has_mcp=find_spec("mcp") is not None).show},
        "/sitemap.xml": {"GET": sitemaps.show},
        "/sitemap-{number}.xml": {"GET": sitemaps.show_part},
        **assets.asset_routes(),
        f"{thumbnails.PATH}{{name}}": {"GET": thumbnails.THUMBNAILS.show},
        **({f"{fonts.PATH}{{name}}": {"GET": fonts.FONTS.show}} if settings.has_web_fonts else {}),
    }


def _home(landing: Landing) -> Routes:
    return {
        "/": {"GET": landing.show, "POST": landing.publish},
        "/published/{identifier}": {"GET": landing.show_published},
        "/workbench": {"GET": landing.show, "POST": landing.resume},
        "/copy/{token}": {"GET": landing.show_copy_page},
    }


def _templates(state: AppState, site: Site, sessions: Sessions) -> Routes:
    gallery = Gallery(state, site, sessions)
    specimens = Specimens(site, font_url=state.settings.font_url)
    template = f"{PATH}/{{template_id}}/{{theme_mode}}"
    return {
        PATH: {"GET": gallery.show, "POST": gallery.show_carrying},
        LIST_PATH: {"GET": gallery.list},
        template: {"GET": gallery.show_template, "POST": gallery.show_template_carrying},
        f"{template}/specimen": {"GET": specimens.show},
    }


def _workbench(state: AppState, site: Site, landing: Landing) -> Routes:
    throttle = SiteThrottle(state.settings.site_rate_limit, state.clock)
    workbench = WorkbenchPages(state, site, throttle, refuse=landing.refuse)
    return {
        "/preview": {"POST": workbench.preview},
        "/preview/sample": {"GET": partial(workbench.preview_sample, content=SAMPLE)},
        "/preview/excerpt": {"GET": partial(workbench.preview_sample, content=EXCERPT)},
        "/copy": {"POST": workbench.copy},
        **workbench.downloads(),
    }


def _account(state: AppState, site: Site, sessions: Sessions, one_time_secrets: OneTimeSecrets) -> Routes:
    settings, clock, database, mailer = state.settings, state.clock, state.database, state.mailer
    hashing, requests, throttle = PasswordHashing(), RequestThrottle(state.hits), SignInThrottle(state.hits)
    passwords = SignIn(database=database, throttle=throttle, hashing=hashing)
    applications = Applications(state, throttle=requests, hashing=hashing)
    sign_in = SignInPages(settings, sessions, site, passwords)
    sign_up = SignUpPages(
        state,
        sessions,
        site,
        applications=applications,
        sign_in=passwords,
        one_time_secrets=one_time_secrets,
    )
    password_reset = PasswordResetPages(
        settings,
        database,
        sessions,
        site,
        throttle=requests,
        hashing=hashing,
        mailer=mailer,
        one_time_secrets=one_time_secrets,
        clock=clock,
    )
    claims = ClaimPages(
        state, sessions, site, applications=applications, sign_in=passwords, one_time_secrets=one_time_secrets
    )
    return {
        "/signup": {"GET": sign_up.show_sign_up, "POST": sign_up.sign_up},
        sign_up.SENT: {"GET": sign_up.show_sent},
        "/signup/{token}": {"GET": sign_up.show_sign_up, "POST": sign_up.sign_up},
        "/confirm/{token}": {"GET": sign_up.show_confirm, "POST": sign_up.confirm},
        "/signin": {"GET": sign_in.show_sign_in, "POST": sign_in.sign_in},
        "/signout": {"POST": sign_in.sign_out},
        "/forgot": {"GET": password_reset.show_forgot, "POST": password_reset.send_email},
        password_reset.SENT: {"GET": password_reset.show_sent},
        "/reset/{token}": {"GET": password_reset.show_reset, "POST": password_reset.reset},
        "/claim/{token}": {"GET": claims.show, "POST": claims.claim},
        "/claim/{token}/sent": {"GET": claims.show_sent},
        "/claim/{token}/delete": {"GET": claims.confirm_deletion, "POST": claims.delete},
        **_members(state, site, sessions, PasswordCheck(throttle, hashing), one_time_secrets),
        **_documents(state, site, sessions, Resumption(sessions, passwords, site)),
    }


def _members(
    state: AppState, site: Site, sessions: Sessions, passwords: PasswordCheck, one_time_secrets: OneTimeSecrets
) -> Routes:
    settings, members = state.settings, sessions.require_sign_in
    overview = OverviewPage(plans_of(settings), site, state.clock)
    keys = KeyPages(state, site, one_time_secrets)
    account_settings = SettingsPages(state, site, sessions=sessions, passwords=passwords)
    exports = ExportPages(Exports(state.database, public_url=settings.public_url), state)
    return {
        "/account": {"GET": members(overview.show)},
        "/account/keys": {"GET": members(keys.show), "POST": members(keys.create)},
        "/account/keys/{id}/revoke": {"GET": members(keys.confirm_revocation), "POST": members(keys.revoke)},
        "/account/settings": {"GET": members(account_settings.show)},
        "/account/settings/username": {"POST": members(account_settings.set_username)},
        "/account/settings/language": {"POST": members(account_settings.set_default_language)},
        "/account/settings/password": {"POST": members(account_settings.change_password)},
        "/account/export": {"POST": members(exports.download)},
        "/account/delete": {
            "GET": members(account_settings.confirm_deletion),
            "POST": members(account_settings.delete),
        },
    }


def _documents(state: AppState, site: Site, sessions: Sessions, resumption: Resumption) -> Routes:
    members = sessions.require_sign_in
    documents = DocumentPages(state, site)
    page = DocumentPage(state, site)
    throttle = SiteThrottle(state.settings.site_rate_limit, state.clock, of="account")
    workbench = DocumentWorkbench(state, site, throttle, sessions=sessions, resumption=resumption, page=page)
    return {
        "/account/documents": {"GET": show_former_path},
        "/documents": {"GET": members(documents.show)},
        "/documents/new": {"GET": members(page.show_new), "POST": resumption.require_sign_in(page.create)},
        "/documents/{id}": {"GET": members(page.show), "POST": resumption.require_sign_in(page.save)},
        "/documents/{id}/preview": {"GET": members(workbench.preview_stored), "POST": workbench.preview},
        "/documents/{id}/copy": {"POST": workbench.copy},
        **workbench.downloads("/documents/{id}"),
        "/documents/{id}/publish": {"POST": members(documents.publish)},
        "/documents/{id}/unpublish": {"POST": members(documents.unpublish)},
        "/documents/{id}/delete": {
            "GET": members(documents.confirm_deletion),
            "POST": members(documents.delete),
        },
    }


def _revisions(state: AppState, site: Site, sessions: Sessions) -> Routes:
    revisions, members = RevisionPages(state, site), sessions.require_sign_in
    path = "/documents/{id}/revisions"
    return {
        path: {"GET": members(revisions.show)},
        f"{path}/{{number}}": {"GET": members(revisions.show_one)},
        f"{path}/{{number}}/preview": {"GET": members(revisions.preview)},
        f"{path}/{{number}}/comparison": {"GET": members(revisions.compare)},
        f"{path}/{{number}}/restore": {"POST": members(revisions.restore)},
    }


def _operator(state: AppState, site: Site, sessions: Sessions, one_time_secrets: OneTimeSecrets) -> Routes:
    """Return operators' routes, which are 404 for others."""
    operators = sessions.require_operator
    clock = state.clock
    reports = Reports(state.database, site, clock)
    invitations = Invitations(state.settings, state.database, site, one_time_secrets, clock)
    return {
        "/operator/reports": {"GET": operators(reports.list)},
        "/operator/reports/{document_id}": {"GET": operators(reports.show), "POST": operators(reports.decide)},
        "/operator/reports/{document_id}/source": {"GET": operators(reports.source)},
        "/operator/invitations": {"GET": operators(invitations.show), "POST": operators(invitations.create)},
        "/operator/invitations/{id}/revoke": {"POST": operators(invitations.revoke)},
    }
