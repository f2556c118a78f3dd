"""cssutils for one thread at a time, with its log captured."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from logging.handlers import BufferingHandler
from threading import Lock

from mdpublish_core.errors import importing_extra

_LOCK = Lock()


@contextmanager
def exclusive_cssutils() -> Iterator[list[logging.LogRecord]]:
    """Lock cssutils, whose parser state is global, and premailer; capture warnings. Raises `MissingExtra`."""
    with importing_extra("themes", "premailer"):
        import_module("premailer")  # and with it cssutils
    logger = logging.getLogger("CSSUTILS")
    errors = BufferingHandler(sys.maxsize)
    errors.setLevel(logging.WARNING)
    with _LOCK:
        handlers, propagate = logger.handlers, logger.propagate
        logger.handlers, logger.propagate = [errors], False
        try:
            yield errors.buffer
        finally:
            logger.handlers, logger.propagate = handlers, propagate
