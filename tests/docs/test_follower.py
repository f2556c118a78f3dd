"""The follower detects the mistakes that pages make."""

import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.docs.examples import Block, read_blocks
from tests.docs.follower import Failure, Follower

FENCE = "```"


@contextmanager
def following(folder: Path, markdown: str) -> Iterator[tuple[Follower, list[Block]]]:
    blocks = list(read_blocks(markdown, "page.md"))
    follower = Follower(folder, blocks)
    try:
        yield follower, blocks
    finally:
        follower.close()


@pytest.fixture
def follow(tmp_path: Path) -> Callable[[str], list[str]]:
    def followed(markdown: str) -> list[str]:
        with following(tmp_path, markdown) as (follower, blocks):
            return [follower.follow(block) for block in blocks]

    return followed


WRONG = {
    "exit status of a script": ("```python\nraise SystemExit(3)\n```", "exit status: 3"),
    "exit status of a command": ("```sh\nfalse\necho on\n```", "exit status: 1"),
    "exit status in a pipe": ("```sh\nfalse | cat\n```", "exit status: 1"),
    "variable that is not set": ("```sh\necho $SECTION\n```", "SECTION: unbound variable"),
    "warning": ("```python\nimport warnings\nwarnings.warn('old')\n```", "UserWarning: old"),
    "output": ("```sh\necho a\n```\n```text\nb\n```", "is not what was printed:\na\n"),
    "too long an output": ("```sh\nseq 3\n```\n```text\n1\n2\n```", "is not what was printed:"),
    "output of nothing": ("```text\na\n```", "follows no block that prints it"),
    "output far from its command": ("```sh\necho a\n```\n\nOne.\n\nTwo.\n\n```text\na\n```", "follows no block"),
    "file that a command made otherwise": (
        "```sh\nseq 3 > a.txt\n```\n\nIn `a.txt`:\n\n```text\n4\n```",
        "is not what",
    ),
    "file of another language": ("Read `a.md`:\n\n```python\nraise SystemExit(3)\n```", "exit status: 3"),
    "script that nothing runs": (
        "Write `a.py`:\n\n```python\nprint(1)\n```\n\n```sh\ntrue\n```",
        "no block further down",
    ),
    "option in a workflow": ("In `a.yml`:\n\n```yaml\n- run: mdpublish check --old docs\n```", "No such option"),
    "file that cannot be read": ("In `a.toml`:\n\n```toml\na =\n```", "is no TOML"),
    "JSON": ("```json\n{a: 1}\n```", "is no JSON"),
    "TOML": ("```toml\na =\n```", "is no TOML"),
    "stylesheet": ("```css\np { color: red; background: url(a.png) }\n```", "is no stylesheet"),
    "HTML": ("```html\n<p></div>\n```", "is no HTML"),
    "script": ("```js\nexport const = 1;\n```", "is no JavaScript"),
    "language that nothing runs": ("```powershell\nGet-Item\n```", "a block of powershell cannot be run"),
    "no language": ("```\na\n```", "a block without a language cannot be run"),
    "commands behind a service": ("```sh\nmdpublish-server serve\necho on\n```", "needs a block of its own"),
    "service that does not start": ("```sh\nMDPUBLISH_HOST=' ' mdpublish-server serve\n```", "does not answer"),
    "network": ("```sh\ncurl -fsS https://example.org/\n```", "tests reach no other"),
}


@pytest.mark.parametrize(("markdown", "problem"), WRONG.values(), ids=WRONG)
def test_planted_fault_is_reported(follow: Callable[[str], list[str]], markdown: str, problem: str) -> None:
    with pytest.raises(Failure) as failure:
        follow(markdown)

    assert problem in str(failure.value)


def test_service_runs_on_beside_the_next_blocks_and_is_ended(tmp_path: Path) -> None:
    page = """
```sh
mdpublish-server serve
```

```text
mdpublish is at http://127.0.0.1:8000/
```

```sh
curl -fsS http://127.0.0.1:8000/healthz
```

```text
{"status":"ok"}
```
"""
    with following(tmp_path, page) as (follower, blocks):
        done = [follower.follow(block) for block in blocks]
        port = int(follower.localised("127.0.0.1:8000").rpartition(":")[2])

    assert done == ["run", "compared", "run", "compared"]
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))


def test_preview_ends_the_one_before_it(follow: Callable[[str], list[str]]) -> None:
    page = """
```sh
mdpublish preview notes.md
```

```text
Preview of notes.md at http://127.0.0.1:8765/
Press Ctrl-C to stop.
```

```sh
mdpublish preview news.md --to email  # as a mail
```

```text
Preview of news.md at http://127.0.0.1:8765/
…
```
"""
    assert follow(page) == ["run", "compared", "run", "compared"]


def test_copied_text_is_on_the_clipboard(follow: Callable[[str], list[str]]) -> None:
    page = """
```sh
mdpublish copy hello.md --to word
```

```text
Copied for word: HTML, … KB (for text only: --plain)
```

```sh
xclip -selection clipboard -t text/html -o | grep -q MsoNormal
```
"""
    if shutil.which("pbcopy"):
        pytest.skip("a Mac's clipboard needs no program that could have a stand-in")
    assert follow(page) == ["run", "compared", "run"]


def test_marks_say_what_is_left_out() -> None:
    page = f"""
<!-- not run: needs an account -->
{FENCE}sh
false
{FENCE}

{FENCE}text
what it would print
{FENCE}

<!-- run by: interop -->

{FENCE}sh
soffice
{FENCE}
"""
    first, printed, last = read_blocks(page, "page.md")

    assert (first.reason, first.place) == ("needs an account", "page.md:3")
    assert printed.reason == "it is printed by a block that is not run"
    assert (last.reason, last.session) == (None, "interop")


def test_generated_output_is_left_to_another_test() -> None:
    page = "<!-- made: x -->\n\n```text\na\n```\n\n```sh\ntrue\n```\n\n<!-- end -->\n\n```text\nb\n```"

    assert [(block.language, block.code) for block in read_blocks(page, "page.md")] == [
        ("sh", "true\n"),
        ("text", "b\n"),
    ]


@pytest.mark.parametrize(
    ("page", "problem"),
    [
        ("<!-- not run -->\n```sh\nfalse\n```", "page.md:2: <!-- not run: … --> does not say why"),
        ("<!-- run by: -->\n```sh\nfalse\n```", "page.md:2: <!-- run by: … --> does not say which"),
        (
            "<!-- not run: old -->\n\nText.\n\n```sh\nfalse\n```",
            "page.md:1: <!-- not run: old --> stands before no code",
        ),
        ("Text.\n\n<!-- not run: old -->", "page.md:3: <!-- not run: old --> stands before no code"),
    ],
)
def test_mark_that_says_nothing_is_an_error(page: str, problem: str) -> None:
    with pytest.raises(ValueError, match=r"page\.md") as error:
        list(read_blocks(page, "page.md"))

    assert problem in str(error.value)
