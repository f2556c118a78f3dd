"""The site's routes: a path and its methods per line.

The most requested paths come first, since the first match wins.
"""

from functools import partial
from importlib.util import find_spec
from typing import NamedTuple

from starlette.requests import Request
from starlette.types import ASGIApp

from mdpublish_core.hosting.templates import example_page, specimen_page
from mdpublish_server.auth.csrf import require_same_origin
from mdpublish_server.services.feeds import PublicPages
from mdpublish_server.services.images import PATH as IMAGES
from mdpublish_server.state import AppState
from mdpublish_server.web import assets, fonts, thumbnails
from mdpublish_server.web.account.access import AccessPages
from mdpublish_server.web.account.claims import ClaimPages
from mdpublish_server.web.account.connected_apps import ConnectedApps
from mdpublish_server.web.account.consent import ConsentPages
from mdpublish_server.web.account.document import DocumentPage
from mdpublish_server.web.account.document_workbench import DocumentWorkbench
from mdpublish_server.web.account.documents import DocumentPages, show_former_path
from mdpublish_server.web.account.exports import ExportPages
from mdpublish_server.web.account.keys import KeyPages
from mdpublish_server.web.account.overview import OverviewPage
from mdpublish_server.web.account.password_reset import PasswordResetPages
from mdpublish_server.web.account.resumption import Resumption
from mdpublish_server.web.account.revisions import RevisionPages
from mdpublish_server.web.account.second_factor import SecondFactorPages
from mdpublish_server.web.account.session_pages import SessionPages
from mdpublish_server.web.account.settings import SettingsPages
from mdpublish_server.web.account.several import SeveralPages
from mdpublish_server.web.account.sign_in import CODE_PATH, passwords_off
from mdpublish_server.web.account.sign_in_pages import SignInPages
from mdpublish_server.web.account.sign_up import SignUpPages
from mdpublish_server.web.endpoints import Endpoint
from mdpublish_server.web.operator.invitations import Invitations
from mdpublish_server.web.operator.reports import Reports
from mdpublish_server.web.page_context import PageContext
from mdpublish_server.web.public import api_reference, locked, template_comparison
from mdpublish_server.web.public.gallery import LIST_PATH, PATH, Gallery
from mdpublish_server.web.public.images import StoredImages
from mdpublish_server.web.public.imports import Imports
from mdpublish_server.web.public.landing import Landing
from mdpublish_server.web.public.pages import PublishedPages
from mdpublish_server.web.public.pdfs import PagePdfs
from mdpublish_server.web.public.profiles import ProfilePages
from mdpublish_server.web.public.report_form import ReportForm
from mdpublish_server.web.public.sample import EXCERPT, SAMPLE
from mdpublish_server.web.public.sitemaps import Sitemaps
from mdpublish_server.web.public.social_images import SocialImages
from mdpublish_server.web.public.sources import Sources
from mdpublish_server.web.public.specimens import Specimens
from mdpublish_server.web.public.text_files import llms_file, robots_file
from mdpublish_server.web.public.workbench import WorkbenchPages
from mdpublish_server.web.scim import Scim
from mdpublish_server.web.site import Site

SECRET_PATHS = ("/claim/", "/confirm/", "/copy/", "/download/", "/read/", "/reset/", "/signup/", "/upload/")
"""Prefixes of paths that contain a token, which is not logged."""

Routes = dict[str, dict[str, Endpoint]]
"""Endpoints by method of each path."""


class SiteRoutes(NamedTuple):
    """The two parts of the site, which may have a host each."""

    public: Routes
    accounts: Routes


def site_routes(state: AppState, site: Site, published: PublishedPages) -> SiteRoutes:
    context = PageContext(state, site)
    accounts = {**_account(context), **_members(context), **_documents(context), **_operator(context)}
    landing = Landing(context, documents=DocumentPage(context))
    if state.settings.scim_token is not None:
        accounts |= Scim(state, state.settings.scim_token).routes()
    accounts["/claim/{token}/edit"] = {"GET": landing.show_demo, "POST": landing.edit_demo}
    public = {
        **_public(context, published),
        **context.one_time_secrets.forgotten_by(_home(landing)),
        **_workbench(context, landing),
    }
    accounts = {
        **context.one_time_secrets.forgotten_by(accounts),
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


def _public(context: PageContext, published: PublishedPages) -> Routes:
    """Return what everybody sees."""
    state, site, settings = context.state, context.site, context.state.settings
    report_form, readers = ReportForm(context), locked.ReaderPages(context)
    social_images = SocialImages(state)
    public_pages = PublicPages(state.database, public_url=settings.public_url)
    profiles = ProfilePages(context, public_pages)
    sitemaps = Sitemaps(state.database, public_pages)
    shown: dict[str, Endpoint] = {
        ".md": Sources(state.page_server, settings).show,
        ".pdf": PagePdfs(state).show,
        ".png": social_images.show,
        "": published.show,
    }
    return {
        "/u/{username}": {"GET": profiles.show},
        "/u/{username}/feed.atom": {"GET": profiles.show_feed},
        **{
            f"{path}{suffix}": {"GET": context.sessions.with_use(show)}
            for suffix, show in shown.items()
            for path in ("/u/{username}/{slug}", "/d/{slug}", "/p/{identifier}")
        },
        "/social.png": {"GET": social_images.show_site},
        api_reference.PATH: {"GET": api_reference.ApiReferencePage(settings, site).show},
        f"{IMAGES}{{name}}": {"GET": context.sessions.with_use(StoredImages(state.images, settings).show)},
        **_templates(context),
        locked.PATH: {"POST": readers.submit},
        locked.SENT: {"GET": readers.show_sent},
        f"{locked.PATH}/{{token}}": {"GET": readers.show_link, "POST": readers.use_link},
        "/report": {"GET": report_form.show, "POST": report_form.submit},
        "/report/thanks": {"GET": report_form.thank},
        "/robots.txt": {"GET": robots_file(public_pages).show},
        "/llms.txt": {"GET": llms_file(settings, has_mcp=find_spec("mcp") is not None).show},
        "/sitemap.xml": {"GET": sitemaps.show},
        "/sitemap-{number}.xml": {"GET": sitemaps.show_part},
        **assets.asset_routes(fonts.PATH if settings.has_web_fonts else None),
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


def _templates(context: PageContext) -> Routes:
    gallery = Gallery(context)
    pages = partial(Specimens, context.site, font_url=context.state.settings.font_url)
    template = f"{PATH}/{{template_id}}/{{theme_mode}}"
    return {
        PATH: {"GET": gallery.show, "POST": gallery.show},
        LIST_PATH: {"GET": gallery.list},
        template: {"GET": gallery.show_template, "POST": gallery.show_template},
        f"{template}/example": {"GET": pages(example_page).show},
        f"{template}/specimen": {"GET": pages(specimen_page).show},
    }


def _workbench(context: PageContext, landing: Landing) -> Routes:
    workbench = WorkbenchPages(context, refuse=landing.refuse)
    comparison = template_comparison.TemplateComparison(context, preview=workbench.preview_page)
    return {
        "/preview": {"POST": workbench.preview},
        "/preview/sample": {"GET": partial(workbench.preview_sample, content=SAMPLE)},
        "/preview/excerpt": {"GET": partial(workbench.preview_sample, content=EXCERPT)},
        template_comparison.PATH: {"GET": comparison.show, "POST": comparison.show},
        "/copy": {"POST": workbench.copy},
        "/repair": {"POST": workbench.repair},
        "/import": {"POST": Imports(context).read},
        "/download/{token}": {"GET": workbench.hand_over},
        **workbench.downloads(),
    }


def _account(context: PageContext) -> Routes:
    sign_in, sign_up = SignInPages(context), SignUpPages(context)
    password_reset, claims = PasswordResetPages(context), ClaimPages(context)
    consent, second_factor = ConsentPages(context), SecondFactorPages(context)
    routes: Routes = {
        "/signup": {"GET": sign_up.show_sign_up, "POST": sign_up.sign_up},
        sign_up.SENT: {"GET": sign_up.show_sent},
        "/signup/{token}": {"GET": sign_up.show_sign_up, "POST": sign_up.sign_up},
        "/confirm/{token}": {"GET": sign_up.show_confirm, "POST": sign_up.confirm},
        consent.PATH: {"GET": consent.show, "POST": consent.decide},
        "/signin": {"GET": sign_in.show_sign_in, "POST": sign_in.sign_in},
        CODE_PATH: {"GET": second_factor.ask, "POST": second_factor.sign_in},
        "/signout": {"POST": sign_in.sign_out},
        "/forgot": {"GET": password_reset.show_forgot, "POST": password_reset.send_email},
        password_reset.SENT: {"GET": password_reset.show_sent},
        "/reset/{token}": {"GET": password_reset.show_reset, "POST": password_reset.reset},
        "/claim/{token}": {"GET": claims.show, "POST": claims.claim},
        "/claim/{token}/sent": {"GET": claims.show_sent},
        "/claim/{token}/delete": {"GET": claims.confirm_deletion, "POST": claims.delete},
    }
    return _with_provider(context, routes)


def _with_provider(context: PageContext, routes: Routes) -> Routes:
    """Return the routes for signing in with the operator's provider, too, or with nothing else."""
    if (provider := context.state.provider) is None:
        return routes
    from mdpublish_server.web.account.openid import OpenIdPages

    async def refuse(_request: Request) -> ASGIApp:
        raise passwords_off(context.state.settings)

    pages = OpenIdPages(context, provider)
    if not context.state.settings.local_passwords:
        of_passwords = ("/signup", "/confirm", "/forgot", "/reset")
        routes |= {path: {"GET": refuse, "POST": refuse} for path in routes if path.startswith(of_passwords)}
    return {
        **routes,
        pages.START: {"GET": pages.begin},
        pages.CALLBACK: {"GET": pages.finish},
        pages.LOGOUT: {"POST": pages.log_out},
        "/signout": {"POST": pages.sign_out},
    }


def _members(context: PageContext) -> Routes:
    members = context.sessions.require_sign_in
    overview, keys, account_settings = OverviewPage(context), KeyPages(context), SettingsPages(context)
    exports, apps, sessions = ExportPages(context), ConnectedApps(context), SessionPages(context)
    second_factor = SecondFactorPages(context)
    return {
        "/account": {"GET": members(overview.show)},
        "/account/keys": {"GET": members(keys.show), "POST": members(keys.create)},
        "/account/keys/{id}/revoke": {"GET": members(keys.confirm_revocation), "POST": members(keys.revoke)},
        apps.PATH: {"GET": members(apps.show)},
        f"{apps.PATH}/{{id}}/disconnect": {"POST": members(apps.disconnect)},
        sessions.PATH: {"GET": members(sessions.show)},
        sessions.ACTIVITY: {"GET": members(sessions.show_activity)},
        f"{sessions.PATH}/{{id}}/end": {"POST": members(sessions.end)},
        f"{sessions.PATH}/signout": {"POST": members(sessions.end_all)},
        "/account/settings": {"GET": members(account_settings.show)},
        "/account/settings/username": {"POST": members(account_settings.set_username)},
        "/account/settings/language": {"POST": members(account_settings.set_default_language)},
        "/account/settings/password": {"POST": members(account_settings.change_password)},
        second_factor.PATH: {"GET": members(second_factor.show), "POST": members(second_factor.add)},
        second_factor.CODES: {"GET": members(second_factor.show_codes)},
        f"{second_factor.PATH}/remove": {"POST": members(second_factor.remove)},
        "/account/export": {"POST": members(exports.download)},
        "/account/delete": {
            "GET": members(account_settings.confirm_deletion),
            "POST": members(account_settings.delete),
        },
    }


def _documents(context: PageContext) -> Routes:
    members, resumption = context.sessions.require_sign_in, Resumption(context)
    documents, page, revisions = DocumentPages(context), DocumentPage(context), RevisionPages(context)
    access, several = AccessPages(context), SeveralPages(context, documents)
    workbench = DocumentWorkbench(context, resumption=resumption, page=page)
    former = "/documents/{id}/revisions"
    return {
        "/account/documents": {"GET": show_former_path},
        "/documents": {"GET": members(documents.show)},
        "/documents/several": {"GET": members(several.ask), "POST": members(several.change)},
        "/documents/new": {"GET": members(page.show_new), "POST": resumption.require_sign_in(page.create)},
        "/documents/deleted": {"GET": members(documents.show_deleted)},
        "/documents/{id}": {"GET": members(page.show), "POST": resumption.require_sign_in(page.save)},
        "/documents/{id}/preview": {"GET": members(workbench.preview_stored), "POST": workbench.preview},
        "/documents/{id}/copy": {"POST": workbench.copy},
        "/documents/{id}/repair": {"POST": workbench.repair},
        **workbench.downloads("/documents/{id}"),
        "/documents/{id}/changes": {"GET": members(page.compare)},
        "/documents/{id}/changes/restore": {"POST": members(page.restore_changes)},
        "/documents/{id}/publish": {"POST": members(documents.publish)},
        "/documents/{id}/unpublish": {"POST": members(documents.unpublish)},
        "/documents/{id}/duplicate": {"POST": members(documents.duplicate)},
        "/documents/{id}/restore": {"POST": members(documents.restore)},
        "/documents/{id}/erase": {"POST": members(documents.erase)},
        "/documents/{id}/delete": {
            "GET": members(documents.confirm_deletion),
            "POST": members(documents.delete),
        },
        "/documents/{id}/access": {"GET": members(access.show), "POST": members(access.save)},
        "/documents/{id}/access/link": {"POST": members(access.make_link)},
        "/documents/{id}/access/revoke": {"POST": members(access.revoke)},
        former: {"GET": members(revisions.show)},
        f"{former}/{{number}}": {"GET": members(revisions.show_one)},
        f"{former}/{{number}}/preview": {"GET": members(revisions.preview)},
        f"{former}/{{number}}/comparison": {"GET": members(revisions.compare)},
        f"{former}/{{number}}/name": {"POST": members(revisions.name)},
        f"{former}/{{number}}/restore": {"POST": members(revisions.restore)},
    }


def _operator(context: PageContext) -> Routes:
    """Return operators' routes, which are 404 for others."""
    operators = context.sessions.require_operator
    reports, invitations = Reports(context), Invitations(context)
    return {
        "/operator/reports": {"GET": operators(reports.list)},
        "/operator/reports/{document_id}": {"GET": operators(reports.show), "POST": operators(reports.decide)},
        "/operator/reports/{document_id}/source": {"GET": operators(reports.source)},
        "/operator/invitations": {"GET": operators(invitations.show), "POST": operators(invitations.create)},
        "/operator/invitations/{id}/revoke": {"POST": operators(invitations.revoke)},
    }
