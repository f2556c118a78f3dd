"""Worker jobs that crash, hang or convert a document with figures."""

import os
import time

import psutil

from mdpublish_core import convert
from mdpublish_core.workers import is_worker


def _load(payload: bytes) -> bytes:
    return payload


def _render(payload: bytes) -> bytes:
    if payload == b"crash":
        os.abort()
    if payload == b"hang":
        time.sleep(60)
    return payload + b" by %d" % os.getpid()


def _convert(payload: bytes) -> bytes:
    """Return the number of inline SVGs, whether this process is a worker, and the PIDs of its children."""
    html = convert(payload.decode()).html
    children = [str(child.pid) for child in psutil.Process().children()]
    return " ".join((str(html.count("<svg ")), str(is_worker()), *children)).encode()


JOBS = {"load": _load, "render": _render, "convert": _convert}
