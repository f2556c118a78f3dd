"""`mdpublish_core.client`: each operation of the API, in both clients, against the service."""

import asyncio
import inspect
import pickle
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from starlette.types import ASGIApp

from mdpublish_core import DocxOptions, PdfOptions
from mdpublish_core.client import AsyncClient, Client, NoResponse, RequestRefused, errors, models, operations
from mdpublish_core.errors import InvalidArgument
from mdpublish_server.api import OPERATIONS
from mdpublish_server.api.operations import Operation
from mdpublish_server.validation.validators import FILE_OPTIONS
from tests.clients import typed_program
from tests.image_files import PNG
from tests.server.conftest import MakeOwner
from tests.server.raw_server import serving

SERVICE = "http://service.example"


@pytest.fixture
def service_url(app: ASGIApp) -> Iterator[str]:
    with serving(app) as (host, port):
        yield f"http://{host}:{port}"


@pytest.fixture
def client(service_url: str, make_owner: MakeOwner) -> Iterator[Client]:
    with Client(service_url, api_key=make_owner("pro", plan="pro").key) as client:
        yield client


def method_of(operation: Operation) -> str:
    return re.sub("[A-Z]", lambda match: f"_{match[0].lower()}", operation.name)


@pytest.mark.parametrize("operation", OPERATIONS, ids=method_of)
def test_each_operation_is_a_method_with_its_fields(operation: Operation) -> None:
    name = method_of(operation)
    arguments = arguments_of(getattr(operations, name))
    if name == "convert":
        arguments |= (arguments_of(operations.convert_to_file) - {"options"}) | set(FILE_OPTIONS)
    headers = {"Idempotency-Key": "idempotency_key", "If-Match": "if_match"}
    parameters = {headers.get(each.name, each.name) for each in operation.parameters if each.name != "If-None-Match"}
    fields = operation.body.__struct_fields__ if operation.body else ["content"] * (name == "upload_image")

    assert {re.sub("^(document|image)_id$", "id", each) for each in arguments} == parameters | set(fields)
    assert inspect.signature(getattr(Client, name)) == inspect.signature(getattr(AsyncClient, name))


def arguments_of(describe: Callable[..., Any]) -> set[str]:
    """Return the names of a function's arguments, those of its typed dictionary among them."""
    parameters = inspect.signature(describe).parameters.values()
    named = {each.name for each in parameters if each.kind is not inspect.Parameter.VAR_KEYWORD}
    return named.union(*(each.annotation.__args__[0].__annotations__ for each in parameters if each.name not in named))


RESPONSES = [
    each
    for each in vars(models).values()
    if isinstance(each, type) and issubclass(each, msgspec.Struct) and each.__struct_fields__
]


@pytest.mark.parametrize("response_type", RESPONSES)
def test_response_cannot_be_changed(response_type: type[msgspec.Struct]) -> None:
    names = response_type.__struct_fields__
    response = response_type(**dict.fromkeys(names))

    with pytest.raises(AttributeError):
        setattr(response, names[0], "other")


def test_document_is_created_changed_published_listed_and_deleted(client: Client) -> None:
    created = client.create_document("# Hello", title="A")
    changed = client.update_document(created.id, title="B", if_match=created.etag)
    published = client.publish_document(created.id, visibility="public", description=None)
    read = client.get_document(created.id)

    assert (read.title, read.content, read.visibility) == ("B", "# Hello", "public")
    assert created.etag != changed.etag
    assert read.etag == published.etag != ""
    assert pickle.loads(pickle.dumps(read)).etag == read.etag
    assert httpx.get(published.published_url.replace("127.0.0.1:8000", client_host(client))).is_success
    assert [each.id for each in client.documents()] == [created.id]
    assert client.unpublish_document(created.id).is_published is False
    assert client.delete_document(created.id).success
    assert list(client.documents()) == []


def test_program_whose_types_are_checked_runs(client: Client, service_url: str, tmp_path: Path) -> None:
    for name in ("one", "two-2"):
        (tmp_path / f"{name}.md").write_text("# Hello")

    async def read_titles() -> list[str]:
        async with AsyncClient(service_url, api_key=client._http.headers["Authorization"].split()[1]) as other:
            return await typed_program.titles(other)

    pages = typed_program.publish(client, tmp_path)
    assert [url.rpartition("/")[2] for url in pages.values()] == ["one", "two-2"]
    assert typed_program.rename(client, typed_program.ids(client)[0], "Three") == "Three"
    assert typed_program.rename(client, "x", "Three") is None
    assert sorted(asyncio.run(read_titles())) == ["Three", "one"]
    file, html = typed_program.files(client, "# Hello", PNG)
    assert (file[:2], "Hello" in html) == (b"PK", True)


def client_host(client: Client) -> str:
    return str(client._http.base_url.netloc, "ascii")


def test_all_documents_are_listed_over_several_pages(client: Client) -> None:
    ids = [client.create_document(f"# {number}").id for number in range(102)]

    assert [each.id for each in client.documents()] == ids[::-1]


def test_markdown_is_converted_to_json_and_to_files(client: Client) -> None:
    converted = client.convert('# Hi\n\n```mermaid\npie\n"a": 1\n```', destination="email", extensions=["breaks"])

    assert "Hi" in converted.html
    assert converted.media[0].data.startswith(b"\x89PNG")
    blocks = client.convert_to_blocks("# Hi").messages
    assert [(each.text, each.blocks[0]["type"]) for each in blocks] == [("Hi", "header")]
    assert b"Subject: Hi" in client.convert_to_file("# Hi", format="eml")
    file = client.convert_to_file("# Hi", format="docx")
    assert file.startswith(b"PK")
    assert client.import_document(file=file, format="docx").markdown == "# Hi\n"
    assert client.convert_to_file("# Hi", format="docx", options=DocxOptions(reference_doc=file)).startswith(b"PK")


def test_option_that_the_service_does_not_take_is_refused(client: Client) -> None:
    with pytest.raises(
        InvalidArgument, match=r"^page_numbers of PdfOptions must be left out; the service does not take it"
    ):
        client.convert_to_file("# Hi", format="pdf", options=PdfOptions(page_numbers=False))
    with pytest.raises(InvalidArgument, match=r"margin is an option of pdf, not of docx$"):
        client.convert_to_file("# Hi", format="docx", options=PdfOptions(margin=9))


def test_demo_becomes_a_document_of_the_account(service_url: str, client: Client) -> None:
    with Client(service_url) as anonymous:
        demo = anonymous.publish_demo("# Demo")

    claimed = client.claim_demo(demo.claim_token)

    assert client.get_document(claimed.id).content == "# Demo"
    assert client.get_usage().used == 1
    assert client.list_templates(category="free").total < client.list_templates().total


def test_errors_are_those_of_the_status(client: Client, service_url: str) -> None:
    stale = client.create_document("a")
    client.update_document(stale.id, content="b")

    with pytest.raises(errors.BadRequest, match="title must be at most 200 characters"):
        client.create_document(title="x" * 201)
    with pytest.raises(errors.NotFound):
        client.get_document("9f6c1b34-9a53-4c53-8a83-6c1a8f0f2b11")
    with pytest.raises(errors.Conflict):
        client.update_document(stale.id, content="c", if_match=stale.etag)
    with Client(service_url) as anonymous, pytest.raises(errors.Unauthorized) as raised:
        anonymous.get_usage()
    assert (raised.value.status, raised.value.code) == (401, "unauthorized")
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


@pytest.mark.anyio
async def test_asynchronous_client_does_the_same(service_url: str, make_owner: MakeOwner) -> None:
    async with AsyncClient(service_url, api_key=make_owner("pro", plan="pro").key) as client:
        pages = await asyncio.gather(*(client.create_and_publish_document(f"# {number}") for number in range(5)))
        listed = [each.id async for each in client.documents()]

        assert {page.id for page in pages} == set(listed)
        with pytest.raises(errors.NotFound):
            await client.delete_document("9f6c1b34-9a53-4c53-8a83-6c1a8f0f2b11")


USAGE = {
    "used": 1,
    "limit": 2,
    "remaining": 1,
    "month": "2026-11",
    "reset_date": "",
    "tier": "free",
    "added": 1,
    "image_bytes": 0,
    "image_bytes_limit": 1,
}


def responding(*responses: httpx.Response | Exception) -> tuple[Client, list[httpx.Request]]:
    """Return a client of a service that gives these responses, and the list of its requests."""
    left, requests = list(responses), list[httpx.Request]()

    def respond(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        response = left.pop(0)
        if isinstance(response, Exception):
            raise response
        return response

    return Client(SERVICE, retries=2, transport=httpx.MockTransport(respond)), requests


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that a client would have waited."""
    seconds: list[float] = []
    monkeypatch.setattr("time.sleep", seconds.append)
    return seconds


def refused(status: int, **headers: str) -> httpx.Response:
    body = {"error": {"code": "rate_limit_exceeded", "message": "later", "status": status}}
    return httpx.Response(status, json=body, headers={name.replace("_", "-"): value for name, value in headers.items()})


def test_request_is_sent_again_after_the_time_that_the_service_names(waits: list[float]) -> None:
    client, requests = responding(
        refused(429, retry_after="7"), refused(503, retry_after="0"), httpx.Response(200, json=USAGE)
    )

    assert client.get_usage().used == 1
    assert waits == [7, 0]
    assert len(requests) == 3


@pytest.mark.parametrize(
    ("responses", "error"),
    [
        ([refused(429, retry_after="3600")], errors.TooManyRequests),
        ([refused(429)], errors.TooManyRequests),
        ([refused(503, retry_after="1")] * 3, errors.ServiceFailed),
        ([httpx.Response(502, text="<html>")], errors.ServiceFailed),
        ([httpx.Response(200, text="<html>")], RequestRefused),
    ],
)
def test_request_that_cannot_succeed_is_an_error(
    responses: list[httpx.Response], error: type[Exception], waits: list[float]
) -> None:
    client, requests = responding(*responses)

    with pytest.raises(error):
        client.get_usage()
    assert len(requests) == len(responses) == len(waits) + 1


def test_lost_request_is_sent_again_with_the_same_key_if_that_is_safe(waits: list[float]) -> None:
    created = {
        "id": "1", "title": "", "template_id": "", "theme_mode": "", "created_at": "", "notices": []
    }  # fmt: skip
    client, requests = responding(httpx.ReadTimeout("slow"), httpx.Response(201, json=created, headers={"ETag": '"1"'}))
    assert client.create_document("a").etag == '"1"'
    first, second = (request.headers["Idempotency-Key"] for request in requests)
    assert first == second

    client, requests = responding(httpx.ReadTimeout("slow"))
    with pytest.raises(NoResponse, match=r"DELETE http.*/v1/documents/1: slow"):
        client.delete_document("1")
    assert len(requests) == 1

    client, requests = responding(httpx.ConnectError("refused"), httpx.Response(200, json={"success": True}))
    assert client.delete_document("1").success
    assert waits == [0.5, 0.5]


def test_ids_cannot_leave_their_place_in_the_url() -> None:
    client, requests = responding(refused(404))

    with pytest.raises(errors.NotFound):
        client.get_document("../usage?x")
    assert requests[0].url.raw_path == b"/v1/documents/..%2Fusage%3Fx"
