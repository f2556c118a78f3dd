"""Real READMEs keep their words in order in Word files, as pandoc reads them: five here, 25 in `conformance`."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path

import html5lib
import pytest

from mdpublish_core import render
from tests.core.docx.word_files import invalid, pandoc_reads
from tests.core.test_readmes_everywhere import EDGES, READMES, lost, plain, read, strings


def problem(markdown: str, folder: Path) -> list[str]:
    readme = read(markdown)
    content = render(readme.document, to="docx").to_bytes()
    root = html5lib.parse(pandoc_reads(content, folder, "html"), namespaceHTMLElements=False)
    lost_word = lost(readme.words, plain("".join(strings(root, EDGES))))
    return [*([lost_word] if lost_word else []), *invalid(content, folder)]


@pytest.mark.corpora
def test_readmes_arrive_whole_in_word_files(readmes: Mapping[str, str], tmp_path: Path) -> None:
    assert {name: problems for name, markdown in readmes.items() if (problems := problem(markdown, tmp_path))} == {}


@pytest.mark.conformance
def test_many_readmes_arrive_whole_in_word_files(many_readmes: Mapping[str, str], tmp_path: Path) -> None:
    chosen = dict(islice(many_readmes.items(), READMES))

    assert len(chosen) == READMES
    assert {name: problems for name, markdown in chosen.items() if (problems := problem(markdown, tmp_path))} == {}
