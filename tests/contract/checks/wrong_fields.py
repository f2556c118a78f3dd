"""What the messages of refused fields say."""

from typing import Any

from mdpublish_core import ALL_EXTENSIONS
from tests.contract.claims import claim
from tests.contract.service import Service
from tests.server.api_requests import create, get, refusal

CONVERT = "/v1/convert"
IMPORT = "/v1/import"
DOCUMENTS = "/v1/documents"
DOCUMENT = "/v1/documents/{id}"
PUBLISH = "/v1/documents/{id}/publish"
PUBLISH_NEW = "/v1/documents/publish"
DEMO = "/v1/demo/publish"
CLAIM = "/v1/demo/claim"

MODE = "theme_mode must be one of light, dark (got 'sepia')"
WIDTH = "page_width must be one of standard, wide, full (got 'narrow')"
TITLE = "title must be at most 200 characters (got 201)"
DESCRIPTION = "description must be at most 500 characters (got 501)"
TOKEN = "claim_token must be the token of 36 characters that publishing the demo returned"
MAX_EXTENSIONS = 2 * len(ALL_EXTENSIONS)

# Method, path, required fields, and for wrong fields the message, or how it begins where it ends with a space. Types
# are checked by `tests/server/test_bad_input.py`.
MESSAGES: tuple[tuple[str, str, dict[str, Any], tuple[tuple[dict[str, Any], str], ...]], ...] = (
    (
        "POST",
        CONVERT,
        {"markdown": "x"},
        (
            ({"markdown": None}, "markdown is required"),
            ({"markdown": ""}, "markdown must be 1 to 102,400 bytes of UTF-8 (got 0)"),
            ({"markdown": "", "format": "docx"}, "markdown must be 1 to 102,400 bytes of UTF-8 (got 0)"),
            ({"markdown": "x" * 102_401}, "markdown must be at most 102,400 bytes of UTF-8 (got 102,401)"),
            ({"markdown": "é" * 51_201}, "markdown must be at most 102,400 bytes of UTF-8 (got 102,402)"),
            ({"theme_mode": "Dark"}, "theme_mode must be one of light, dark (got 'Dark'); did you mean 'dark'?"),
            ({"theme_mode": ""}, "theme_mode must be one of light, dark (got '')"),
            ({"images": "attachment"}, "images must be one of cid, data (got 'attachment')"),
            ({"format": "rtf"}, "format must be one of json, docx, pdf, eml, adf, blocks (got 'rtf')"),
            ({"extensions": ["math", "brakes"]}, "extensions[1] must be one of abbreviations, admonitions, "),
            ({"extensions": ["no-no-math"]}, "extensions[0] must be one of abbreviations, admonitions, "),
            (
                {"extensions": ["math"] * (MAX_EXTENSIONS + 1)},
                f"extensions must have at most {MAX_EXTENSIONS} items (got {MAX_EXTENSIONS + 1})",
            ),
            ({"extensions": {}}, "extensions must be an array (got an object)"),
            ({"extensions": ["math", 1]}, "extensions[1] must be a string (got an integer)"),
        ),
    ),
    (
        "POST",
        IMPORT,
        {},
        (
            ({}, "one of html, file is required (got 0)"),
            ({"html": None}, "one of html, file is required (got 0)"),
            ({"html": "x", "file": "eA=="}, "one of html, file is required (got 2)"),
            ({"html": ""}, "html must be 1 to 102,400 bytes of UTF-8 (got 0)"),
            ({"html": "x" * 102_401}, "html must be at most 102,400 bytes of UTF-8 (got 102,401)"),
            ({"html": "x", "format": "csv"}, "format must be left out, unless file is given (got 'csv')"),
            ({"file": "eA==", "format": "rtf"}, "format must be one of docx, "),
            ({"file": ""}, "file must be 1 to 20,000,000 bytes (got 0)"),
            ({"file": "?"}, "file must be base64, without a data: prefix"),
            ({"html": "x", "media": "upload"}, "media must be one of inline (got 'upload')"),
        ),
    ),
    *(
        (
            method,
            path,
            {},
            (
                ({"title": "x" * 201}, TITLE),
                ({"content": "é" * 500_001}, "content must be at most 1,000,000 bytes of UTF-8 (got 1,000,002)"),
                ({"theme_mode": "Dark"}, "theme_mode must be one of light, dark (got 'Dark'); did you mean 'dark'?"),
                ({"template_id": "nosuch"}, "template_id must be one of "),
                ({"description": 1}, "description must be "),
                ({"description": "x" * 501}, DESCRIPTION),
                ({"page_width": "narrow"}, WIDTH),
            ),
        )
        for method, path in (("POST", DOCUMENTS), ("PATCH", DOCUMENT))
    ),
    (
        "PATCH",
        DOCUMENT,
        {},
        (
            *(
                ({field: None}, f"{field} must be a string (got null)")
                for field in ("title", "content", "template_id", "theme_mode", "page_width")
            ),
            ({"slug": "A B"}, "slug must "),
        ),
    ),
    (
        "POST",
        PUBLISH_NEW,
        {"content": "x"},
        (
            ({"content": None}, "content is required"),
            ({"content": ""}, "content must be 1 to 1,000,000 bytes of UTF-8 (got 0)"),
            ({"content": "x" * 1_000_001}, "content must be at most 1,000,000 bytes of UTF-8 (got 1,000,001)"),
            ({"template_id": "nosuch"}, "template_id must be one of "),
            ({"theme_mode": "sepia"}, MODE),
            ({"title": "x" * 201}, TITLE),
            ({"description": "x" * 501}, DESCRIPTION),
            ({"slug": "No"}, "slug must be 3 to 60 characters (got 2)"),
        ),
    ),
    (
        "POST",
        PUBLISH,
        {},
        (
            ({"hide_badge": 1}, "hide_badge must be a boolean (got an integer)"),
            ({"visibility": "secret"}, "visibility must be one of link, public, specific (got 'secret')"),
            (
                {"readers": ["nobody"]},
                "readers must be email addresses such as name@example.org, or domains such as ",
            ),
            (
                {"readers": ["bücher@example.org"]},
                "readers must be email addresses such as name@example.org, or domains such as @example.org, in ASCII ",
            ),
            ({"readers": ["a@example.org"] * 101}, "readers must have at most 100 items (got 101)"),
            ({"password": "short"}, "password must be 8 to 200 characters (got 5)"),
            (
                {"expires_at": "soon"},
                "expires_at must be a time in ISO 8601, such as 2027-01-31T12:00:00Z (got 'soon')",
            ),
            ({"expires_at": "2026-03-01T00:00:00Z"}, "expires_at must be in the future and at most ten years away "),
            ({"expires_at": "2036-03-03T00:00:00Z"}, "expires_at must be in the future and at most ten years away "),
            ({"page_width": "narrow"}, WIDTH),
            ({"description": "x" * 501}, DESCRIPTION),
        ),
    ),
    (
        "POST",
        DEMO,
        {"content": "x"},
        (
            ({"content": None}, "content is required"),
            ({"content": ""}, "content must be 1 to 102,400 bytes of UTF-8 (got 0)"),
            ({"content": "x" * 102_401}, "content must be at most 102,400 bytes of UTF-8 (got 102,401)"),
            ({"title": "x" * 9_999}, "title must be at most 200 characters (got 9,999)"),
            ({"template_id": "nosuch"}, "template_id must be one of "),
            ({"template_id": "nord"}, "template_id 'nord' requires the Pro plan; "),
            ({"theme_mode": "sepia"}, MODE),
        ),
    ),
    (
        "POST",
        CLAIM,
        {},
        (
            ({}, "claim_token is required"),
            ({"claim_token": None}, "claim_token is required"),
            ({"claim_token": ""}, f"{TOKEN} (got 0 characters)"),
            ({"claim_token": "x" * 201}, f"{TOKEN} (got 201 characters)"),
        ),
    ),
)


@claim(
    "request.message",
    "convert.400.validation_error",
    "import.400.validation_error",
    "create.400.validation_error",
    "update.400.validation_error",
    "create-and-publish.400.validation_error",
    "publish.400.validation_error",
    "demo.400.validation_error",
    "claim.400.validation_error",
)
async def message_names_the_field(service: Service) -> None:
    document_id = await create(service.pro)
    before = await get(service.pro, document_id)
    for method, path, required, wrong in MESSAGES:
        for fields, expected in wrong:
            response = await service.pro.request(method, path.format(id=document_id), json={**required, **fields})
            assert refusal(response) == (400, "validation_error")
            message = response.json()["error"]["message"]
            assert message.startswith(expected) if expected.endswith(" ") else message == expected
    # Nothing was stored.
    assert [each["id"] for each in (await service.pro.get(DOCUMENTS)).json()["data"]] == [document_id]
    assert await get(service.pro, document_id) == before
