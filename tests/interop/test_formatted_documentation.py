"""Formatted documentation is shown as before by the programs that it was written for; `benchmarks.formatters` reads more.

Also in mixed styles, of which a formatter changes most lines.
"""

from random import Random

import pytest

from mdpublish_core.formatting import format_markdown
from tests import dialects
from tests.corpora.documentation import FOLDERS
from tests.corpora.styles import mixed

pytestmark = pytest.mark.interop

FILES = 3
"""Of each folder."""

FROM_DEBIAN = {"Redux (Docusaurus)", "MkDocs", "Material for MkDocs", "Hugo", "Chart.js (VuePress)", "pandoc"}
"""Those with large archives; they are for the benchmark."""


LEFT = {"goldmark", "pandoc", "markdown-it", "MyST", "Python-Markdown"}
"""Programs that are for the benchmark, since the session has no pip, or an older Python than theirs; `core/test_formatting.py`
has what they found."""


@pytest.mark.parametrize("program", sorted({folder.program for folder in FOLDERS.values()} - LEFT))
def test_documentation_is_shown_as_before(program: str) -> None:
    chooser = Random("folders")
    sources = {
        f"{name}: {path}{style}": source
        for name, folder in FOLDERS.items()
        if folder.program == program and name not in FROM_DEBIAN
        for path, markdown in folder.files(FILES)
        for style, source in (("", markdown), (", mixed", mixed(markdown, chooser)))
    }
    changed = {name: format_markdown(source).markdown for name, source in sources.items()}
    changed = {name: after for name, after in changed.items() if after != sources[name]}

    before = dialects.shown(program, [sources[name] for name in changed])
    after = dialects.shown(program, list(changed.values()))

    assert len(changed) >= FILES
    assert [name for name, *pages in zip(changed, before, after, strict=True) if len(set(pages)) > 1] == []
