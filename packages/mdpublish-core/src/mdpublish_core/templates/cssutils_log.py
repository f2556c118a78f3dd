"""cssutils for one thread at a time, with its log captured."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_LOCK = Lock()


class ErrorLog(logging.Handler):
    """Keeps the first message."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.first: str | None = None

    def emit(self, record: logging.LogRecord) -> None:
        self.first = self.first or record.getMessage()


@contextmanager
def exclusive_cssutils() -> Iterator[ErrorLog]:
    """Lock cssutils, whose parser state is global, and capture its log. premailer is not thread-safe either."""
    logger = logging.getLogger("CSSUTILS")
    errors = ErrorLog()
    with _LOCK:
        handlers, propagate = logger.handlers, logger.propagate
        logger.handlers, logger.propagate = [errors], False
        try:
            yield errors
        finally:
            logger.handlers, logger.propagate = handlers, propagate
