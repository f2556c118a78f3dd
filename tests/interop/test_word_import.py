"""Word files that pandoc wrote, and LibreOffice wrote anew: comments, changes, tasks, references and symbols are read."""

import subprocess
from pathlib import Path

import docx
import pypandoc  # type: ignore[import-untyped]  # it has no types, and one function is called
import pytest

from mdpublish_core import read_file
from tests.interop.libreoffice import FileFormat, save_as

pytestmark = pytest.mark.interop

WORD = FileFormat("docx", "MS Word 2007 XML")

_WHEN = 'date="2026-01-01T00:00:00Z"'

SOURCE = f"""\
# First part {{#one}}

See [the first](#one) and [the second][two part].

- [ ] open
- [x] done

[why?]{{.comment-start id="0" author="Ann" {_WHEN}}}Words[]{{.comment-end id="0"}}, [new]{{.insertion author="Ben" {_WHEN}}}
and [old]{{.deletion author="Ben" {_WHEN}}}

| a | b |
|---|---|
| [so -->?]{{.comment-start id="1" author="Ann" {_WHEN}}}x[]{{.comment-end id="1"}} | y |

# Two part
"""

IMPORTED = """\
# First part

See [the first](#first-part) and [the second](#two-part).

- [ ] open
- [x] done

Words, new and <!-- Ann on 'Words': why? --> <!-- Ben inserts 'new' --> <!-- Ben deletes 'old' -->

| a                               | b   |
| ------------------------------- | --- |
| x <!-- Ann on 'x': so - ->? --> | y   |

# Two part
"""


def test_file_of_pandoc_is_read_also_after_libreoffice(tmp_path: Path) -> None:
    command = [pypandoc.get_pandoc_path(), "--from=markdown-smart", "--output", str(tmp_path / "a.docx")]
    subprocess.run(command, input=SOURCE, text=True, check=True, timeout=60)

    files = [tmp_path / "a.docx", *save_as(WORD, [tmp_path / "a.docx"], tmp_path / "again")]

    assert [read_file(file.read_bytes(), ".docx", comments=True).markdown for file in files] == [IMPORTED] * 2


def test_comments_and_symbols_of_libreoffice_are_read(tmp_path: Path) -> None:
    document = docx.Document()
    for content, style in (("Head", "Heading 1"), ("item", "List Bullet"), ("text", "Normal")):
        written = document.add_paragraph(content, style=style)
        document.add_comment(written.runs, f"of {content}\n\nmore", author="Ann")
    document.add_paragraph().add_run("J").font.name = "Wingdings"
    document.save(str(tmp_path / "a.docx"))

    (file,) = save_as(WORD, [tmp_path / "a.docx"], tmp_path / "again")

    imported = read_file(file.read_bytes(), ".docx", comments=True)
    assert imported.notices == ()
    assert imported.markdown == (
        "# Head <!-- Ann on 'Head': of Head more -->\n\n- item <!-- Ann on 'item': of item more -->\n\n"
        "text <!-- Ann on 'text': of text more -->\n\n☺\n"
    )
