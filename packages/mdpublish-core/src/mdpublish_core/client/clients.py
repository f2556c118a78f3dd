"""`Client` and `AsyncClient`: how requests are sent, and sent again."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import wraps
from typing import Any, Generic, ParamSpec, Self, TypeVar, overload

from mdpublish_core.errors import MissingExtra

try:
    import httpx
    import msgspec

    from mdpublish_core.client import operations
    from mdpublish_core.client.errors import NoResponse, error_of
    from mdpublish_core.client.models import DocumentSummary, Tagged
    from mdpublish_core.client.operations import ApiRequest
except ImportError as error:
    raise MissingExtra("client", error.name or "httpx") from error

MAX_WAIT = 60.0
"""Seconds: a `Retry-After` above is an error at once."""

TIMEOUT = 30.0
"""Seconds without a byte of the response."""

Arguments = ParamSpec("Arguments")
Response = TypeVar("Response")


class _Method(Generic[Arguments, Response]):
    """A method of both clients, from the description of its request."""

    def __init__(self, describe: Callable[Arguments, ApiRequest[Response]]) -> None:
        self._describe = describe
        self.__doc__ = describe.__doc__

    @overload
    def __get__(self, client: None, owner: type) -> Callable[Arguments, ApiRequest[Response]]: ...
    @overload
    def __get__(self, client: "Client", owner: type) -> Callable[Arguments, Response]: ...
    @overload
    def __get__(self, client: "AsyncClient", owner: type) -> Callable[Arguments, Awaitable[Response]]: ...

    def __get__(self, client: "Client | AsyncClient | None", owner: type) -> Callable[Arguments, Any]:
        if client is None:
            return self._describe

        @wraps(self._describe)
        def run(*arguments: Arguments.args, **named: Arguments.kwargs) -> Any:
            return client.send(self._describe(*arguments, **named))

        return run


class _Operations:
    convert = _Method(operations.convert)
    convert_to_file = _Method(operations.convert_to_file)
    convert_to_blocks = _Method(operations.convert_to_blocks)
    import_document = _Method(operations.import_document)
    create_document = _Method(operations.create_document)
    list_documents = _Method(operations.list_documents)
    create_and_publish_document = _Method(operations.create_and_publish_document)
    get_document = _Method(operations.get_document)
    update_document = _Method(operations.update_document)
    delete_document = _Method(operations.delete_document)
    publish_document = _Method(operations.publish_document)
    unpublish_document = _Method(operations.unpublish_document)
    publish_demo = _Method(operations.publish_demo)
    claim_demo = _Method(operations.claim_demo)
    upload_image = _Method(operations.upload_image)
    list_images = _Method(operations.list_images)
    free_image = _Method(operations.free_image)
    delete_image = _Method(operations.delete_image)
    list_templates = _Method(operations.list_templates)
    get_usage = _Method(operations.get_usage)

    def __init__(self, retries: int) -> None:
        self._retries = retries


class Client(_Operations):
    """Sends requests and waits for their responses. Thread-safe.

    `service_url` is the address of the service, without `/v1`; `api_key` is needed for all but demo pages. A request is sent
    again up to `retries` times; `timeout` is in seconds. `transport` is one of httpx, such as for a proxy.
    """

    def __init__(
        self,
        service_url: str,
        *,
        api_key: str = "",
        retries: int = 3,
        timeout: float = TIMEOUT,
        transport: "httpx.BaseTransport | None" = None,
    ) -> None:
        super().__init__(retries)
        self._http = httpx.Client(**_options(service_url, api_key, timeout), transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def documents(self) -> Iterator[DocumentSummary]:
        """Yield all documents, the last updated first: a request for each 100."""
        page = self.list_documents(limit=100)
        yield from page.data
        while page.has_more and page.next_cursor:
            page = self.list_documents(limit=100, cursor=page.next_cursor)
            yield from page.data

    def send(self, request: ApiRequest[Response]) -> Response:
        """Send a request and return its response. Raises `ServiceError`."""
        for attempt in range(self._retries + 1):
            try:
                outcome = _outcome(request, self._http.send(_request(self._http, request)), attempt < self._retries)
            except httpx.TransportError as error:
                outcome = _wait_after(request, error, attempt, attempt < self._retries)
            if not isinstance(outcome, _Wait):
                return outcome
            time.sleep(outcome.seconds)
        raise AssertionError


class AsyncClient(_Operations):
    """`Client` for asyncio: its methods are awaited, and `documents` is an asynchronous iterator."""

    def __init__(
        self,
        service_url: str,
        *,
        api_key: str = "",
        retries: int = 3,
        timeout: float = TIMEOUT,
        transport: "httpx.AsyncBaseTransport | None" = None,
    ) -> None:
        super().__init__(retries)
        self._http = httpx.AsyncClient(**_options(service_url, api_key, timeout), transport=transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def documents(self) -> AsyncIterator[DocumentSummary]:
        """Yield all documents, the last updated first: a request for each 100."""
        page = await self.list_documents(limit=100)
        for document in page.data:
            yield document
        while page.has_more and page.next_cursor:
            page = await self.list_documents(limit=100, cursor=page.next_cursor)
            for document in page.data:
                yield document

    async def send(self, request: ApiRequest[Response]) -> Response:
        """Send a request and return its response. Raises `ServiceError`."""
        for attempt in range(self._retries + 1):
            try:
                outcome = _outcome(
                    request, await self._http.send(_request(self._http, request)), attempt < self._retries
                )
            except httpx.TransportError as error:
                outcome = _wait_after(request, error, attempt, attempt < self._retries)
            if not isinstance(outcome, _Wait):
                return outcome
            await asyncio.sleep(outcome.seconds)
        raise AssertionError


class _Wait:
    """The request is sent again, after some seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds


def _options(service_url: str, api_key: str, timeout: float) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    return {"base_url": f"{service_url.rstrip('/').removesuffix('/v1')}/v1", "headers": headers, "timeout": timeout}


def _request(http: "httpx.Client | httpx.AsyncClient", request: ApiRequest[Any]) -> "httpx.Request":
    return http.build_request(
        request.method,
        request.path,
        params=request.query,
        json=request.body,
        content=request.content,
        headers=request.headers,
    )


def _outcome(request: ApiRequest[Response], response: "httpx.Response", can_wait: bool) -> "Response | _Wait":
    """Return what a response holds, or how long to wait for the next one."""
    if response.is_success:
        return _read(request, response)
    after = response.headers.get("Retry-After", "")
    if can_wait and response.status_code in {429, 503} and after.isdecimal() and int(after) <= MAX_WAIT:
        return _Wait(float(after))
    try:
        failure = response.json()["error"]
        raise error_of(response.status_code, str(failure["code"]), str(failure["message"]))
    except (ValueError, KeyError, TypeError):
        # Something before the service, such as a proxy.
        raise error_of(response.status_code, "unknown", f"{response.reason_phrase} at {response.url}") from None


def _read(request: ApiRequest[Response], response: "httpx.Response") -> Response:
    if issubclass(request.response, bytes):
        return request.response(response.content)
    try:
        read = msgspec.json.decode(response.content, type=request.response)
    except msgspec.DecodeError as error:
        raise error_of(response.status_code, "unknown", f"the response is not one of this API: {error}") from error
    if isinstance(read, Tagged):
        vars(read)["etag"] = response.headers.get("ETag", "")
    return read


def _wait_after(request: ApiRequest[Any], error: "httpx.TransportError", attempt: int, can_wait: bool) -> _Wait:
    # Without a connection, nothing was sent.
    if can_wait and (request.is_repeatable or isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)):
        return _Wait(0.5 * 2**attempt)
    problem = str(error) or type(error).__name__
    if isinstance(error, httpx.ConnectError):
        problem += "; use http://, it has no HTTPS" if "WRONG_VERSION" in problem else "; is the service running?"
    raise NoResponse(f"{request.method} {error.request.url}: {problem}") from error
