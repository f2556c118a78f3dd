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


class OperatorFailure(Exception):  # noqa: N818  (named after the fault)
    """What a command cannot do; the message, of one line, is for the operator."""


class ServiceError(Exception):
    """Base of all errors."""

    status: int = 500
    code: ClassVar[str] = "internal_error"

    def __init_subclass__(cls, *, status: int | None = None, code: str = "") -> None:
        cls.status, cls.code = status or cls.status, code or cls.code

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        retry_after: int | None = None,
    ) -> None:
        """`retry_after` is in seconds."""
        super().__init__(message)
        self.message = message
        self.status = self.status if status is None else status
        self.headers = dict(headers or {})
        if retry_after is not None:
            self.headers["Retry-After"] = str(retry_after)


class InvalidBody(ServiceError, status=400, code="invalid_body"):  # noqa: N818  (named after their codes)
    """The body is not a JSON object in UTF-8, or the Content-Type is wrong."""


class ValidationError(ServiceError, status=400, code="validation_error"):
    """A field is missing or has an invalid value."""


class ContentRejected(ServiceError, status=400, code="content_rejected"):  # noqa: N818
    """The text of a demo was classified as abuse."""


class Unauthorized(ServiceError, status=401, code="unauthorized"):  # noqa: N818
    """The API key is missing or invalid, or nobody is signed in."""


class Forbidden(ServiceError, status=403, code="forbidden"):  # noqa: N818
    """The plan does not allow it, HTTPS is required, or the form was sent from another site."""


class QuotaExceeded(ServiceError, status=403, code="quota_exceeded"):  # noqa: N818
    """The monthly quota is used up (429), or the plan's limit of documents or pages is reached (403)."""


class NotFound(ServiceError, status=404, code="not_found"):  # noqa: N818
    """There is no such resource, or it belongs to another account."""


class MethodNotAllowed(ServiceError, status=405, code="method_not_allowed"):  # noqa: N818
    """The path does not support this method; the `Allow` header lists those it does."""


class Conflict(ServiceError, status=409, code="conflict"):  # noqa: N818
    """The slug is taken, or a request with the same `Idempotency-Key` still runs."""


class Expired(ServiceError, status=410, code="expired"):  # noqa: N818
    """The demo page has expired."""


class PreconditionFailed(ServiceError, status=412, code="precondition_failed"):  # noqa: N818
    """The document has another revision than the one in `If-Match`."""


class IdempotencyMismatch(ServiceError, status=422, code="idempotency_mismatch"):  # noqa: N818
    """The `Idempotency-Key` was used with another body."""


class RateLimited(ServiceError, status=429, code="rate_limited"):  # noqa: N818
    """More requests per second than the plan allows."""


class ConversionError(ServiceError, code="conversion_error"):
    """The conversion failed or exceeded a limit."""


class RenderError(ServiceError, code="render_error"):
    """The page could not be rendered or exceeded a limit."""


class InternalError(ServiceError):
    """Internal server error."""


class ServiceUnavailable(ServiceError, status=503, code="service_unavailable"):  # noqa: N818
    """The service is temporarily unavailable."""


CODES = tuple(kind.code for kind in ServiceError.__subclasses__())
