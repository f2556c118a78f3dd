"""Jobs for a process that draws, each of which goes wrong in a way of its own."""

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
    """Convert a text, and tell how many drawings it has, whether this is a worker, and which processes drew them."""
    html = convert(payload.decode()).html
    children = [str(child.pid) for child in psutil.Process().children()]
    return " ".join((str(html.count("<svg ")), str(is_worker()), *children)).encode()


JOBS = {"load": _load, "render": _render, "convert": _convert}
