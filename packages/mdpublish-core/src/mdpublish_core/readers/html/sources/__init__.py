"""The programs whose HTML we know: a small module each, assistants in one, and a line of `_PROGRAMS`.

A line has what its HTML has and no other's, without a wrapper, as a selection has none; and the functions that turn
what only the program writes into plain HTML: of the tree, in order, or of the text if it must precede the parser.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from mdpublish_core.errors import UnknownSource
from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources import (
    apple_notes,
    assistants,
    confluence,
    documentation,
    email,
    github,
    gmail,
    google_docs,
    libreoffice,
    notion,
    onenote,
    sheets_excel,
    slack,
    teams,
    word,
    word_online,
)
from mdpublish_core.readers.html.sources.cleaning import join_code, tidy_code, tidy_response, unwrap_item_paragraphs


class Source(NamedTuple):
    """A program; `keeps_lines` if a line end in its HTML is one of the Markdown that it was made of."""

    name: str
    marks: str = ""
    cleaning: Sequence[Callable[[Element], None]] = ()
    prepare: Callable[[str], str] = str
    keeps_lines: bool = False


_PROGRAMS = (
    Source("mdpublish", r'class="mdpublish-', keeps_lines=True),
    Source("mdpublish-email", r'class="frame" style="padding:', [email.clean]),
    Source(
        "google-docs",
        r"docs-internal-guid",
        [unwrap_item_paragraphs, google_docs.clean, join_code],
        google_docs.prepare,
    ),
    Source("sheets-excel", r"google-sheets-html-origin|data-sheets-|office:excel|Excel\.Sheet", [sheets_excel.clean]),
    Source("apple-notes", r"Cocoa HTML Writer", [apple_notes.clean, join_code]),
    Source("word-online", r"OutlineElement|ListContainerWrapper", [word_online.clean]),
    Source("word", r"office:word|class=[\"']?Mso|mso-list:|OneNote\.File", [word.clean, join_code], word.prepare),
    Source("onenote", r'data-tag="|style="width:24px"></td>|data-absolute-enabled', [onenote.clean, join_code]),
    Source("slack", r"data-stringify-|c-mrkdwn", [slack.clean]),
    Source("teams", r"schema\.skype\.com", [teams.clean]),
    Source("notion", r"<!-- notionvc:", [unwrap_item_paragraphs, notion.clean]),
    Source(
        "confluence",
        r"data-prosemirror-|data-panel-type|data-task-list-local-id|confluence-information-macro|data-syntaxhighlighter|inline-task-list|panelContent\b",
        [unwrap_item_paragraphs, confluence.clean],
    ),
    Source(
        "libreoffice", r'name="generator" content="LibreOffice', [libreoffice.clean, join_code, unwrap_item_paragraphs]
    ),
    Source(
        "gemini",
        r"data-math=|code-block-decoration|data-turn-source-index|\bmodel-response",
        [assistants.clean_gemini, tidy_response],
        assistants.prepare,
    ),
    Source("claude", r"font-claude-|standard-markdown", [assistants.clean_claude, tidy_response]),
    Source("perplexity", r"data-pplx-", [assistants.clean_perplexity, tidy_response]),
    Source("copilot", r'data-content="ai-message"', [assistants.clean_copilot, tidy_response]),
    Source(
        "chatgpt",
        r"data-message-author-role|\bdata-start=|webpage-citation-pill|utm_source=chatgpt|cm-content",
        [assistants.clean_chatgpt, tidy_response],
        assistants.prepare,
    ),
    Source("github", r"markdown-body|user-content-|js-file-line|highlight-source-|\bmath-renderer", [github.clean]),
    Source("gmail", r"class=[\"']?gmail_", [gmail.clean]),
    Source("html", cleaning=[tidy_code, documentation.clean]),
)
"""The sources in the order in which their marks are looked for; the last is any other."""

SOURCES: Mapping[str, Source] = {source.name: source for source in _PROGRAMS}

_TITLES: Mapping[str, str] = {
    "chatgpt": "ChatGPT",
    "github": "GitHub",
    "libreoffice": "LibreOffice",
    "onenote": "OneNote",
    "sheets-excel": "a spreadsheet",
    "mdpublish-email": "mdpublish",
    "mdpublish": "mdpublish",
    "html": "",
}
"""Of those that are not written as their names, with capitals."""

AUTO = "auto"


def find_source(name: str, html: str) -> Source:
    """Return the program of this name, or for `auto` the one whose marks the HTML has. Raises `UnknownSource`."""
    if name == AUTO:
        return next(source for source in _PROGRAMS if re.search(source.marks, html))
    if name not in SOURCES:
        raise UnknownSource(name, (AUTO, *SOURCES))
    return SOURCES[name]


def program_title(html: str) -> str:
    """Return what people call the program whose marks HTML has, such as `Google Docs`; empty for any other."""
    name = find_source(AUTO, html).name
    return _TITLES.get(name, name.replace("-", " ").title())
