"""Errors of the service, with HTTP status and error code.

    ServiceError(message, headers)
    ├── InvalidBody           400 invalid_body
    ├── ValidationError       400 validation_error
    ├── ContentRejected       400 content_rejected
    ├── Unauthorized          401 unauthorized
    ├── Forbidden             403 forbidden
    ├── QuotaExceeded         403 or 429 quota_exceeded
    ├── NotFound              404 not_found
    ├── MethodNotAllowed      405 method_not_allowed
    ├── Conflict              409 conflict
    ├── Expired               410 expired
    ├── PreconditionFailed    412 precondition_failed
    ├── IdempotencyMismatch   422 idempotency_mismatch
    ├── RateLimited           429 rate_limited
    ├── ConversionError       500 conversion_error
    ├── RenderError           500 render_error
    ├── InternalError         500 internal_error
    └── ServiceUnavailable    503 service_unavailable

Messages are for clients: no internals.
"""

from collections.abc import Mapping
from typing import ClassVar


class ServiceError(Exception):
    """Base of all errors."""

    status: int = 500
    code: ClassVar[str] = "internal_error"

    def __init__(self, message: str, *, status: int | None = None, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.status = self.status if status is None else status
        self.headers = dict(headers or {})


class InvalidBody(ServiceError):  # noqa: N818  (named after their codes)
    """The body is not a JSON object in UTF-8, or the Content-Type is wrong."""

    status = 400
    code = "invalid_body"


class ValidationError(ServiceError):
    """A field is missing or has an invalid value."""

    status = 400
    code = "validation_error"


class ContentRejected(ServiceError):  # noqa: N818
    """The text of a demo was classified as abuse."""

    status = 400
    code = "content_rejected"


class Unauthorized(ServiceError):  # noqa: N818
    """The API key is missing or invalid, or nobody is signed in."""

    status = 401
    code = "unauthorized"


class Forbidden(ServiceError):  # noqa: N818
    """The plan does not allow it, HTTPS is required, or the form was sent from another site."""

    status = 403
    code = "forbidden"


class QuotaExceeded(ServiceError):  # noqa: N818
    """The monthly quota is used up (429), or the plan's limit of documents or pages is reached (403)."""

    status = 403
    code = "quota_exceeded"


class NotFound(ServiceError):  # noqa: N818
    """There is no such resource, or it belongs to another account."""

    status = 404
    code = "not_found"


class MethodNotAllowed(ServiceError):  # noqa: N818
    """The path does not support this method; the `Allow` header lists those it does."""

    status = 405
    code = "method_not_allowed"


class Conflict(ServiceError):  # noqa: N818
    """The slug is taken, or a request with the same `Idempotency-Key` still runs."""

    status = 409
    code = "conflict"


class Expired(ServiceError):  # noqa: N818
    """The demo page has expired."""

    status = 410
    code = "expired"


class PreconditionFailed(ServiceError):  # noqa: N818
    """The document has another revision than the one in `If-Match`."""

    status = 412
    code = "precondition_failed"


class IdempotencyMismatch(ServiceError):  # noqa: N818
    """The `Idempotency-Key` was used with another body."""

    status = 422
    code = "idempotency_mismatch"


class RateLimited(ServiceError):  # noqa: N818
    """More requests per second than the plan allows."""

    status = 429
    code = "rate_limited"


class ConversionError(ServiceError):
    """The conversion failed or exceeded a limit."""

    code = "conversion_error"


class RenderError(ServiceError):
    """The page could not be rendered or exceeded a limit."""

    code = "render_error"


class InternalError(ServiceError):
    """Internal server error."""


class ServiceUnavailable(ServiceError):  # noqa: N818
    """The service is temporarily unavailable."""

    status = 503
    code = "service_unavailable"


CODES = tuple(kind.code for kind in ServiceError.__subclasses__())
