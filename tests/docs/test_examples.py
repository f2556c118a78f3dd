"""All code blocks of the documentation work as shown."""

from pathlib import Path

import pytest

from tests.conftest import SESSIONS
from tests.docs.conftest import Tally
from tests.docs.examples import FOLLOWED, STANDALONE, Block, blocks_of
from tests.docs.follower import Failure, Follower
from tests.docs.pages import ROOT

# Sessions collect files that name their marks: pytest.mark.browser, pytest.mark.interop.
PAGES = [(page, str(page.relative_to(ROOT))) for page in FOLLOWED]


def follow(page: Path, folder: Path, tally: Tally, *, session: str | None = None) -> None:
    """Raises `AssertionError` with all failures."""
    failures = []
    blocks = blocks_of(page)
    follower = Follower(folder, blocks, has_samples=page not in STANDALONE)
    try:
        for block in blocks:
            if block.reason or block.session not in {None, session}:
                tally.leave(block)
                continue
            try:
                tally.done[follower.follow(block)] += 1
            except Failure as failure:
                failures.append(described(block, failure))
    finally:
        try:
            follower.close()
        except Failure as failure:
            failures.append(str(failure))
    if failures:
        pytest.fail("\n\n".join(failures), pytrace=False)


def described(block: Block, failure: Failure) -> str:
    code = "".join(f"    {line}\n" for line in block.code.splitlines())
    return f"{block.place} ({block.file or block.language}):\n{code}{failure}"


@pytest.mark.docs
@pytest.mark.parametrize("page", [pytest.param(page, id=name) for page, name in PAGES if blocks_of(page)])
def test_every_block_of_a_page_works(page: Path, tmp_path: Path, tally: Tally) -> None:
    follow(page, tmp_path, tally)


@pytest.mark.parametrize(
    ("page", "session"),
    [
        pytest.param(page, session, id=f"{name}-{session}", marks=getattr(pytest.mark, session))
        for page, name in PAGES
        for session in SESSIONS
        if any(block.session == session for block in blocks_of(page))
    ],
)
def test_every_block_left_to_a_session_works(page: Path, session: str, tmp_path: Path, tally: Tally) -> None:
    follow(page, tmp_path, tally, session=session)


def test_every_block_left_to_a_session_names_one() -> None:
    left = [block for page in FOLLOWED for block in blocks_of(page) if block.session]

    assert {block.place: block.session for block in left if block.session not in SESSIONS} == {}
