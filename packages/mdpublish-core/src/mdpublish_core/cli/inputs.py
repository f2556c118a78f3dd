"""What commands read: texts, templates and stylesheets. What cannot be read ends the command with a message."""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdpublish_core.errors import LimitExceeded, MdpublishError

if TYPE_CHECKING:
    from mdpublish_core import Template

# What Python makes of a byte in an argument or in a name that it cannot decode.
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")

_WEB_URL = re.compile(r"https?://", re.IGNORECASE)

STANDARD_INPUT = "-"
"""What stands for standard input where a file's name may."""


def read_markdown(file: str) -> str:
    """Return the text of a file or of standard input (-), which must be UTF-8."""
    if _WEB_URL.match(file):
        raise click.ClickException(
            f"{file} is a web address, and mdpublish reads nothing from the network; "
            f"let another program fetch it: curl -fsSL {file} | mdpublish convert -"
        )
    try:
        content = sys.stdin.buffer.read() if file == STANDARD_INPUT else Path(file).read_bytes()
    except IsADirectoryError:
        message = f"{file} is a folder; convert what is in it with: mdpublish batch {file} DST"
        raise click.ClickException(message) from None
    except OSError as error:
        raise click.ClickException(f"cannot read {file}: {error.strerror}") from None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"{display_name(file)} is not UTF-8: byte {error.start + 1} cannot be read; save it as UTF-8"
        raise click.ClickException(message) from None


def read_template(template: str) -> "Template":
    """Return a built-in template by id, or a user's own by the path of its file."""
    from mdpublish_core import get_template, load_template

    if not template.endswith(".toml"):
        return get_template(template)
    try:
        return load_template(template)
    except OSError as error:
        raise click.ClickException(f"cannot read {template}: {error.strerror}") from None


def read_css(file: str | None) -> str | None:
    """Return a stylesheet's text; None for none."""
    return None if file is None else read_markdown(file)


def error_message(error: MdpublishError) -> str:
    """Return why the library refuses a text or an option; what a program could pass instead is not the user's to say."""
    if isinstance(error, LimitExceeded):
        return f"{error.limit} is {error.actual:,}, more than the {error.allowed:,} allowed; divide the text"
    return str(error)


def replace_surrogates(value: str) -> str:
    """Return what a user or a file's name says, as text that can be written: a byte that is no UTF-8 becomes U+FFFD."""
    return _LONE_SURROGATE.sub("\ufffd", value)


def folder_of(file: str) -> Path:
    """Return the folder in which a file's relative addresses lead somewhere; for standard input, the current one."""
    return Path() if file == STANDARD_INPUT else Path(file).parent


def display_name(file: str) -> str:
    """Return what messages call a file."""
    return "standard input" if file == STANDARD_INPUT else file
