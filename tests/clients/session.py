"""A whole session with a client that openapi-python-client generated as `service_client`."""

import sys
from urllib.request import urlopen
from uuid import UUID

from service_client import AuthenticatedClient
from service_client.api.conversion import convert
from service_client.api.documents import create_document, delete_document, get_document, list_documents, update_document
from service_client.api.publishing import publish_document, unpublish_document
from service_client.api.templates import list_templates
from service_client.api.usage import get_usage
from service_client.models import (
    ConvertRequest,
    DocumentCreate,
    DocumentUpdate,
    Error,
    ErrorDetail,
    ListTemplatesCategory,
    PublishOptions,
)

url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=f"{url}/v1", token=key)

assert convert.sync(client=client, body=ConvertRequest(markdown="*a*", destination="slack")).html == "_a_\n"

created = create_document.sync(client=client, body=DocumentCreate(content="# Garden day"))
identifier = UUID(str(created.id))
assert get_document.sync(identifier, client=client).content == "# Garden day"
assert update_document.sync(identifier, client=client, body=DocumentUpdate(title="Garden")).title == "Garden"
assert list_documents.sync(client=client, limit=1).data[0].title == "Garden"

published = publish_document.sync(identifier, client=client, body=PublishOptions())
with urlopen(published.published_url) as page:
    assert page.status == 200
assert unpublish_document.sync(identifier, client=client).is_published is False
assert delete_document.sync(identifier, client=client).success is True

missing = get_document.sync(identifier, client=client)
assert isinstance(missing, Error)
assert missing.error.code == "not_found"
# A code that comes later.
assert ErrorDetail.from_dict({"code": "a_later_code", "message": "a", "status": 400}).code == "a_later_code"

assert list_templates.sync(client=client, category=ListTemplatesCategory.FREE).total == 8
assert get_usage.sync(client=client).tier == "pro"
print("done")
