"""A reader's first questions are one click from the index."""

import pytest

from mdpublish_core import nodes, parse
from tests.docs.pages import ROOT

INDEX = ROOT / "docs/index.md"

# A page may say "not yet".
QUESTIONS = {
    "install": "how-to/install.md",
    ".docx": "how-to/write-a-word-file.md",
    "webhook": "how-to/post-to-slack.md",
    "thread safety": "how-to/convert-many-texts.md",
    "smtplib": "how-to/send-a-mail.md",
    "PDF": "how-to/make-a-pdf.md",
    "rate limits": "how-to/run-the-service.md",
    "Move from SQLite to PostgreSQL": "how-to/move-to-postgresql.md",
    "RHEL": "how-to/install.md",
    "Alpine": "how-to/install.md",
    "front matter": "how-to/write-front-matter.md",
    "configuration file": "how-to/configure.md",
    "custom fence": "how-to/write-a-plug-in.md",
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_page_for_a_question_is_one_click_from_the_index(question: str) -> None:
    page = QUESTIONS[question]
    links = {
        token.target.partition("#")[0]
        for token in nodes.walk(parse(INDEX.read_text("utf-8")))
        if isinstance(token, nodes.Link)
    }

    assert page in links
    assert question.lower() in (ROOT / "docs" / page).read_text("utf-8").lower()
