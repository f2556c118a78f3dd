"""The bodies that the API takes and the answers it gives, as they stand in JSON.

A field without a default must be there; one with a default may be left out, but null is not a value of either. What a
value may be beyond its type is for `policies` to say.
"""

from msgspec import Struct


class ConvertBody(Struct, frozen=True, kw_only=True):
    """What `POST /v1/convert` takes."""

    markdown: str
    destination: str = "generic"
    template_id: str = "swiss"
    theme_mode: str = "light"


class NoticeAnswer(Struct, frozen=True, kw_only=True):
    """One thing that could not be shown as it was written; `line` is 1-based, null where it concerns the whole text."""

    code: str
    message: str
    line: int | None


class MediaAnswer(Struct, frozen=True, kw_only=True):
    """A picture that `html` names by its content id; `data` is base64."""

    content_id: str
    media_type: str
    data: str


class ConvertAnswer(Struct, frozen=True, kw_only=True):
    """What `POST /v1/convert` gives."""

    html: str
    plain_text: str
    destination: str
    template_id: str
    theme_mode: str
    media: tuple[MediaAnswer, ...]
    notices: tuple[NoticeAnswer, ...]


class DemoPublishBody(Struct, frozen=True, kw_only=True):
    """What `POST /v1/demo/publish` takes."""

    content: str
    title: str = "Untitled"
    template_id: str = "swiss"
    theme_mode: str = "light"


class DemoPublishAnswer(Struct, frozen=True, kw_only=True):
    """What `POST /v1/demo/publish` gives; `expires_at` is ISO 8601 in UTC."""

    url: str
    claim_token: str
    expires_at: str
    template_id: str
    id: str


class HealthAnswer(Struct, frozen=True, kw_only=True):
    """What `GET /healthz` gives while the service works."""

    status: str


class ErrorDetail(Struct, frozen=True, kw_only=True):
    """What went wrong: a stable code, words for people, and the HTTP status."""

    code: str
    message: str
    status: int


class ErrorAnswer(Struct, frozen=True, kw_only=True):
    """The envelope that every error of the API comes in."""

    error: ErrorDetail
