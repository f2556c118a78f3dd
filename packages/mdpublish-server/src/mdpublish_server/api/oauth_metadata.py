"""Metadata by which apps find out how to connect (RFC 9728, RFC 8414)."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from mdpublish_server.auth.scopes import SCOPES
from mdpublish_server.services.apps import resource_of
from mdpublish_server.settings import Settings

MCP_FORMS = ("/mcp", "/mcp/")
"""As people type it."""

RESOURCE_PATH = "/.well-known/oauth-protected-resource"
_SERVER_PATH = "/.well-known/oauth-authorization-server"

CLIENT_METHODS = ("none", "client_secret_post", "client_secret_basic")
GRANT_TYPES = ("authorization_code", "refresh_token")


def metadata_url(settings: Settings, path: str) -> str:
    """Return where the metadata of a form of `/mcp` is, whose `resource` clients compare with what was typed."""
    return f"{settings.public_url}{RESOURCE_PATH}{path}"


def challenge(settings: Settings, path: str, *, has_token: bool) -> str:
    """Return the value of `WWW-Authenticate` that has an app ask for access to everything; the person chooses."""
    begin = 'error="invalid_token", ' if has_token else ""
    return f'Bearer {begin}resource_metadata="{metadata_url(settings, path)}", scope="{" ".join(SCOPES)}"'


class OAuthMetadata:
    """Both documents, each at the paths that clients look at."""

    def __init__(self, settings: Settings) -> None:
        public_url = settings.public_url
        self._resource = {
            "resource": resource_of(settings),
            "authorization_servers": [public_url],
            "scopes_supported": list(SCOPES),
            "bearer_methods_supported": ["header"],
            "resource_name": settings.service_name,
            "resource_documentation": f"{public_url}/docs",
        }
        self._server = {
            "issuer": public_url,
            "authorization_endpoint": f"{settings.dashboard_url}/authorize",
            "token_endpoint": f"{public_url}/token",
            "registration_endpoint": f"{public_url}/register",
            "revocation_endpoint": f"{public_url}/revoke",
            "scopes_supported": [*SCOPES, "offline_access"],
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": GRANT_TYPES,
            "token_endpoint_auth_methods_supported": CLIENT_METHODS,
            "revocation_endpoint_auth_methods_supported": CLIENT_METHODS,
            "code_challenge_methods_supported": ["S256"],
            "client_id_metadata_document_supported": True,
            "authorization_response_iss_parameter_supported": True,
            "service_documentation": f"{public_url}/docs",
        }
        self.paths = {
            **{RESOURCE_PATH + form: self.show_resource for form in ("", "/", *MCP_FORMS)},
            **{_SERVER_PATH + form: self.show_server for form in ("", "/", *MCP_FORMS)},
        }

    async def show_resource(self, request: Request) -> Response:
        form = "/" if request.scope["path"].endswith("/mcp/") else ""
        return JSONResponse({**self._resource, "resource": f"{self._resource['resource']}{form}"})

    async def show_server(self, _request: Request) -> Response:
        return JSONResponse(self._server)
