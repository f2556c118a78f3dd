"""What our Word files and pandoc's have for each construct: rows of a table in docs/reference/word-files.md.

Run as a module, it rewrites the table.
"""

import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pypandoc  # type: ignore[import-untyped]  # it has no types, and one function is called

from mdpublish_core import ALL_EXTENSIONS, convert
from tests.core.docx.word_files import WordParts, invalid

PAGE = Path(__file__).parents[2] / "docs/reference/word-files.md"

START, END = "<!-- beside pandoc -->\n\n", "\n<!-- of the table -->"

READER = "gfm+alerts+footnotes+tex_math_dollars+task_lists+yaml_metadata_block-east_asian_line_breaks"

HTML_TABLE = '<table><tr><th colspan="2">a</th></tr><tr><td>b</td><td>c</td></tr></table>'


class Row(NamedTuple):
    """A construct, and how a file shows that it has it."""

    construct: str
    markdown: str
    holds: Callable[[WordParts], bool]


def has(path: str, count: int = 1, part: str = "document") -> Callable[[WordParts], bool]:
    """Tell whether a part has as many elements."""
    return lambda word: f"word/{part}.xml" in word.files and len(word.find(path, part)) >= count


ROWS = (
    Row("headings with Word's own styles", "# a\n\n## b", has("//w:pStyle[@w:val='Heading1' or @w:val='Heading2']", 2)),
    Row("lists with Word's own numbering, on their levels", "1. a\n   - b", has("//w:numPr/w:ilvl[@w:val='1']")),
    Row("a list that begins with another number", "3. a", has("//w:start[@w:val='3'] | //w:startOverride[@w:val='3']", part="numbering")),
    Row("a list of letters, in HTML", '<ol type="a"><li>b</li></ol>', lambda word: has("//w:numPr")(word) and has("//w:numFmt[@w:val='lowerLetter']", part="numbering")(word)),
    Row("checkboxes to click", "- [ ] a\n- [x] b", has("//w14:checkbox", 2)),
    Row("a table's header on each page", "| a |\n|---|\n| b |", has("//w:tr/w:trPr/w:tblHeader")),
    Row("rows not divided between pages", "| a |\n|---|\n| b |", has("//w:tr/w:trPr/w:cantSplit", 2)),
    Row("columns as wide as their text", "| a | b |\n|---|---|\n| c | long text of several words |", lambda word: len({str(column.get(f"{{{W}}}w")) for column in word.find("//w:gridCol")}) == 2),
    Row("merged cells, in HTML", HTML_TABLE, has("//w:gridSpan[@w:val='2']")),
    Row("code with colors", "```python\ndef a(): pass\n```", has("//w:rStyle[starts-with(@w:val, 'Code') or contains(@w:val, 'Tok')]")),
    Row("code in a shaded block", "```\na\n```", has("//w:style[@w:styleId='SourceCode']/w:pPr/w:shd", part="styles")),
    Row("code is not spell-checked", "`a`", has("//w:style[@w:styleId='VerbatimChar']/w:rPr/w:noProof", part="styles")),
    Row("callouts of their own look, title kept with the text", "> [!NOTE]\n> a", lambda word: has("//w:p[.//w:t='Note']/w:pPr/w:keepNext | //w:p[.//w:t='Note']/w:pPr/w:pStyle[@w:val='CalloutNoteTitle']")(word) and has("//w:style[contains(@w:styleId, 'Note')]/w:pPr/w:pBdr", part="styles")(word)),
    Row("footnotes", "a[^1]\n\n[^1]: b", has("//w:footnoteReference")),
    Row("a second reference to a footnote has its number", "a[^1] b[^1]\n\n[^1]: c", lambda word: len(word.find("//w:footnoteReference")) == 1),
    Row("formulas as Office Math", "$a^2$\n\n$$b$$", has("//m:oMath", 2)),
    Row("diagrams as pictures with a description", "```mermaid\nflowchart LR\n  A --> B\n```", has("//wp:docPr[string-length(@descr) > 10]")),
    Row("links to URLs, and to headings", "# a\n\n[b](#a) [c](https://e.org)", lambda word: has("//w:hyperlink[@w:anchor]")(word) and has("//w:hyperlink[@r:id]")(word)),
    Row("keys, and superscripts in HTML", "<kbd>a</kbd> b<sup>2</sup>", lambda word: has("//w:rStyle")(word) and has("//w:vertAlign[@w:val='superscript']")(word)),
    Row("definition lists, in HTML", "<dl><dt>a</dt><dd>b</dd></dl>", has("//w:pStyle[@w:val='DefinitionTerm']")),
    Row("right-to-left text without saying so", "שלום", has("//w:pPr/w:bidi")),
    Row("language of a Japanese text", "これは日本語です。", has("//w:lang[@w:eastAsia='ja-JP']", part="styles")),
    Row("page numbers", "a", lambda word: any(b" PAGE " in content for name, content in word.files.items() if "footer" in name)),
    Row("title and author in the properties", "---\ntitle: a\nauthor: b\n---\nc", lambda word: b"<dc:title>a<" in word.files["docProps/core.xml"] and b"<dc:creator>b<" in word.files["docProps/core.xml"]),
)  # fmt: skip

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def pandoc_writes(markdown: str, folder: Path) -> bytes:
    target = folder / "pandoc.docx"
    command = [pypandoc.get_pandoc_path(), "-f", READER, "-t", "docx", "-o", str(target)]
    subprocess.run(command, input=markdown, text=True, check=True, timeout=60, cwd=folder, capture_output=True)
    return target.read_bytes()


def table(folder: Path) -> str:
    lines = ["| | mdpublish | pandoc |", "|---|:-:|:-:|"]
    ours: list[bytes] = []
    theirs: list[bytes] = []
    for row in ROWS:
        ours.append(convert(row.markdown, to="docx", extensions=ALL_EXTENSIONS - {"breaks"}).to_bytes())
        theirs.append(pandoc_writes(row.markdown, folder))
        marks = [_mark(row.holds(WordParts(content))) for content in (ours[-1], theirs[-1])]
        lines.append(f"| {row.construct} | {marks[0]} | {marks[1]} |")
    valid = [_mark(not any(invalid(content, folder) for content in files)) for files in (ours, theirs)]
    lines.append(f"| all of these files valid by the schemas of Office | {valid[0]} | {valid[1]} |")
    return "\n".join(lines) + "\n"


def _mark(holds: bool) -> str:
    return "yes" if holds else "no"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        before, _, rest = PAGE.read_text("utf-8").partition(START)
        PAGE.write_text(f"{before}{START}{table(Path(name))}{END}{rest.partition(END)[2]}", "utf-8")
