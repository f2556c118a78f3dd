"""The programs whose HTML we know: a small module each, and a line of `_PROGRAMS`.

A module has `clean(root)`, which turns what only the program writes into plain HTML, and `prepare(text)` if something must happen before
the parser. `marks` are what its HTML has and no other's: without a wrapper, as a selection has none.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from mdpublish_core.errors import UnknownSource
from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources import (
    chatgpt,
    claude,
    confluence,
    copilot,
    email,
    gemini,
    github,
    gmail,
    google_docs,
    libreoffice,
    notion,
    onenote,
    perplexity,
    sheets_excel,
    slack,
    teams,
    word,
    word_online,
)
from mdpublish_core.readers.html.sources.cleaning import tidy_code


def _nothing(_root: Element) -> None:
    return


class Source(NamedTuple):
    """A program; `keeps_lines` if a line end in its HTML is one of the Markdown that it was made of."""

    name: str
    marks: str = ""
    clean: Callable[[Element], None] = _nothing
    prepare: Callable[[str], str] = str
    keeps_lines: bool = False


_PROGRAMS = (
    Source("mdpublish", r'class="mdpublish-', keeps_lines=True),
    Source("mdpublish-email", r'class="frame" style="padding:', email.clean),
    Source("google-docs", r"docs-internal-guid", google_docs.clean, google_docs.prepare),
    Source("sheets-excel", r"google-sheets-html-origin|data-sheets-|office:excel|Excel\.Sheet", sheets_excel.clean),
    Source("word-online", r"OutlineElement|ListContainerWrapper", word_online.clean),
    Source("word", r"office:word|class=[\"']?Mso|mso-list:|OneNote\.File", word.clean, word.prepare),
    Source("onenote", r'data-tag="|style="width:24px"></td>|data-absolute-enabled', onenote.clean),
    Source("slack", r"data-stringify-|c-mrkdwn", slack.clean),
    Source("teams", r"schema\.skype\.com", teams.clean),
    Source("notion", r"<!-- notionvc:", notion.clean),
    Source("confluence", r"data-prosemirror-|data-panel-type|data-task-list-local-id", confluence.clean),
    Source("libreoffice", r'name="generator" content="LibreOffice', libreoffice.clean),
    Source(
        "gemini",
        r"data-math=|code-block-decoration|data-turn-source-index|\bmodel-response",
        gemini.clean,
        gemini.prepare,
    ),
    Source("claude", r"font-claude-|standard-markdown", claude.clean),
    Source("perplexity", r"data-pplx-", perplexity.clean),
    Source("copilot", r'data-content="ai-message"', copilot.clean),
    Source(
        "chatgpt",
        r"data-message-author-role|\bdata-start=|webpage-citation-pill|utm_source=chatgpt|cm-content",
        chatgpt.clean,
        chatgpt.prepare,
    ),
    Source("github", r"markdown-body|user-content-|js-file-line|highlight-source-|\bmath-renderer", github.clean),
    Source("gmail", r"class=[\"']?gmail_", gmail.clean),
    Source("html", clean=tidy_code),
)
"""In the order in which their marks are looked for; the last one is any other."""

SOURCES: Mapping[str, Source] = {source.name: source for source in _PROGRAMS}

AUTO = "auto"


def find_source(name: str, html: str) -> Source:
    """Return the program of this name, or for `auto` the one whose marks the HTML has. Raises `UnknownSource`."""
    if name == AUTO:
        return next(source for source in _PROGRAMS if re.search(source.marks, html))
    if name not in SOURCES:
        raise UnknownSource(name, (AUTO, *SOURCES))
    return SOURCES[name]
