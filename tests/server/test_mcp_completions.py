"""Arguments of prompts and resource templates are completed."""

import pytest
from mcp_types import PromptReference, ResourceTemplateReference

from mdpublish_core import list_templates
from mdpublish_core.hosting.outputs import DESTINATIONS
from mdpublish_server.mcp.completions import MAX_VALUES
from mdpublish_server.state import AppState
from tests.server.conftest import MakeOwner
from tests.server.test_mcp import Assistant, connected

pytestmark = pytest.mark.anyio

DOCUMENT = ResourceTemplateReference(uri="mdpublish://documents/{document_id}")


async def completed(assistant: Assistant, name: str, value: str) -> list[str]:
    reference = DOCUMENT if name == "document_id" else PromptReference(name="publish_this")
    result = await assistant.client.complete(reference, {"name": name, "value": value})
    return result.completion.values


async def test_templates_and_destinations_are_completed(state: AppState, make_owner: MakeOwner) -> None:
    async with connected(state, make_owner().headers) as assistant:
        assert await completed(assistant, "template", "sw") == ["swiss"]
        assert await completed(assistant, "template", "") == [each.id for each in list_templates()][:MAX_VALUES]
        assert await completed(assistant, "destination", "") == list(DESTINATIONS)
        assert await completed(assistant, "markdown", "a") == []


async def test_documents_are_completed_for_their_owner_alone(state: AppState, make_owner: MakeOwner) -> None:
    async with connected(state, make_owner().headers) as assistant:
        created = await assistant.use("create_document", markdown="# a")
        assert await completed(assistant, "document_id", created["document_id"][:4]) == [created["document_id"]]
        assert await completed(assistant, "document_id", "../") == []
    async with connected(state, make_owner("rosa").headers) as stranger:
        assert await completed(stranger, "document_id", "") == []
