"""Field names and validation of request bodies, which services receive by field name."""

from dataclasses import fields
from typing import get_type_hints

import pytest
from msgspec import Struct

from mdpublish_server import models
from mdpublish_server.api import OPERATIONS
from mdpublish_server.errors import ValidationError
from mdpublish_server.storage import DocumentRecord

REQUESTS = [operation.body for operation in OPERATIONS if operation.body is not None]

# Validated by their endpoints, or any value is valid.
UNCHECKED = {"claim_token", "comments", "hide_badge", "offer_pdf", "repair", "show_source", "whole_page"}


@pytest.mark.parametrize(
    "request_type",
    [
        models.DocumentCreate,
        models.DocumentUpdate,
        models.DocumentCreateAndPublish,
        models.PublishOptions,
        models.DemoCreate,
    ],
)
def test_fields_of_a_request_are_fields_of_a_document(request_type: type[Struct]) -> None:
    # Of a password, the hash is stored.
    stored = {field.name for field in fields(DocumentRecord)} | {"password"}
    assert set(request_type.__struct_fields__) <= stored


@pytest.mark.parametrize("request_type", REQUESTS)
def test_every_field_of_a_request_has_its_check(request_type: type[Struct]) -> None:
    hints = get_type_hints(request_type, include_extras=True)

    unchecked = {name for name, hint in hints.items() if "validate_" not in str(hint)}

    assert unchecked <= UNCHECKED


def test_fields_are_checked_in_their_order_and_those_left_out_are_not() -> None:
    body = models.DocumentUpdate(theme_mode="sepia", description="x" * 501)

    with pytest.raises(ValidationError, match=r"theme_mode must be one of .+ \(got 'sepia'\)"):
        models.checked(body)
    assert models.fields_set(models.checked(models.DocumentUpdate(title=" a\n"))) == {"title": "a"}
