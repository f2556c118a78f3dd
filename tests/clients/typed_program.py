"""A user's program, checked by `mypy --strict` in `nox -s types` and run by a test; `assert_type` is a promise."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import assert_type

from mdpublish_core import DocxOptions
from mdpublish_core.client import AsyncClient, Client, models
from mdpublish_core.client.errors import Conflict, NotFound, RequestRefused, ServiceError


def publish(client: Client, folder: Path) -> dict[str, str]:
    """Return the URL of each file's page."""
    pages: dict[str, str] = {}
    for path in sorted(folder.glob("*.md")):
        try:
            created = client.create_document(path.read_text("utf-8"), title=path.stem)
            page = client.publish_document(created.id, visibility="link", slug=path.stem)
        except Conflict as error:
            assert_type(error.status, int)
            continue
        assert_type(created, models.CreatedDocument)
        assert_type(page, models.PublishedDocument)
        pages[path.name] = page.published_url
    return pages


def rename(client: Client, document_id: str, title: str) -> str | None:
    try:
        current = client.get_document(document_id)
        return client.update_document(document_id, title=title, if_match=current.etag).title
    except NotFound:
        return None
    except RequestRefused as error:
        raise SystemExit(error.code) from error
    except ServiceError:
        return None


def files(client: Client, markdown: str, image: bytes) -> tuple[bytes, str]:
    uploaded = client.upload_image(image)
    assert_type(uploaded, models.Image)
    file = client.convert_to_file(
        f"{markdown}\n\n![]({uploaded.url})", format="docx", options=DocxOptions(toc=True), lang="de-CH"
    )
    converted = client.convert(markdown, destination="email", images="data", repair=True)
    assert_type(converted.notices[0].line if converted.notices else None, int | None)
    assert client.delete_image(uploaded.id).success
    return file, converted.html


async def titles(client: AsyncClient) -> list[str]:
    documents = client.documents()
    assert_type(documents, AsyncIterator[models.DocumentSummary])
    titles = [document.title async for document in documents]
    assert_type(await client.get_usage(), models.Usage)
    return titles


def ids(client: Client) -> list[str]:
    assert_type(client.documents(), Iterator[models.DocumentSummary])
    return [document.id for document in client.documents()]
