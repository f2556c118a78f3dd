"""A typed client of the service's API: `Client`, and `AsyncClient` for asyncio. Needs the extra `client`.

    from mdpublish_core.client import Client

    with Client("https://mdpublish.example.org", api_key="svc_…") as client:
        page = client.create_and_publish_document("# Report")
        print(page.published_url)

Each operation is a method of both. A response is a class of `models`; an error of the service is raised as one of
`errors`. Requests that were refused with 429 or 503 are sent again, after the time in `Retry-After`; so are those
without a response that can be repeated, as ones that create something are sent with an `Idempotency-Key`.
"""

from typing import TYPE_CHECKING

from mdpublish_core import lazy_names

if TYPE_CHECKING:
    from mdpublish_core.client.clients import AsyncClient, Client
    from mdpublish_core.client.errors import NoResponse, RequestRefused, ServiceError

__all__ = ["AsyncClient", "Client", "NoResponse", "RequestRefused", "ServiceError"]

if not TYPE_CHECKING:  # which knows the names above
    __getattr__, __dir__ = lazy_names(
        globals(),
        {"client.clients": "AsyncClient Client", "client.errors": "NoResponse RequestRefused ServiceError"},
    )
