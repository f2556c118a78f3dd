"""`mdpublish publish` and `login`, against the service."""

import json
import os
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from click.testing import CliRunner, Result
from mcp.client.client import Client as McpClient
from PIL import Image
from starlette.types import ASGIApp

from mdpublish_core.cli import main
from mdpublish_core.cli.mcp.folders import Folders
from mdpublish_core.cli.mcp.server import build_server
from mdpublish_core.client import Client
from tests.mcp_outputs import Steps, check_output
from tests.server.conftest import MakeOwner
from tests.server.raw_server import serving

Run = Callable[..., Result]


@pytest.fixture
def service_url(app: ASGIApp) -> Iterator[str]:
    with serving(app) as (host, port):
        yield f"http://{host}:{port}"


@pytest.fixture
def key(make_owner: MakeOwner) -> str:
    return make_owner("pro", plan="pro", username="pro").key


@pytest.fixture
def run(service_url: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command in a folder of its own, with the service and a key."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setattr("click.get_app_dir", lambda name: str(tmp_path / "settings" / name))

    def run(*arguments: str, input: str | None = None, **environment: str) -> Result:  # noqa: A002  (click's name)
        variables = {"MDPUBLISH_URL": service_url, "MDPUBLISH_API_KEY": key, **environment}
        return CliRunner().invoke(main, list(arguments), input=input, env=variables)

    return run


@pytest.fixture
def client(service_url: str, key: str) -> Iterator[Client]:
    with Client(service_url, api_key=key) as client:
        yield client


def write(files: dict[str, str]) -> None:
    for path, content in files.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(content, "utf-8")


def pages() -> dict[str, Any]:
    (service,) = json.loads(Path("docs/.mdpublish/pages.json").read_text("utf-8"))["services"].values()
    return dict(service["pages"])


def png(width: int, height: int) -> bytes:
    file = BytesIO()
    Image.new("RGB", (width, height), "red").save(file, "PNG")
    return file.getvalue()


DOCS = {
    "docs/index.md": '---\ntemplate: paper\n---\n# Start\n\nSee [a](guides/a.md#part "t"), [b][b], `[a](guides/a.md)`.\n\n[b]: guides/b.md\n',
    "docs/guides/a.md": "# A\n\n## Part\n\nBack to [start](../index.md) and [elsewhere](https://docs.example/none.md).\n",
    "docs/guides/b.md": "No heading, [a](<a.md>).\n",
}


def test_folder_becomes_pages_that_link_to_each_other(run: Run, client: Client) -> None:
    write(DOCS)

    result = run("publish", "docs")

    assert result.exit_code == 0, result.output
    start, a, b = (pages()[path] for path in ("index.md", "guides/a.md", "guides/b.md"))
    stored = client.get_document(start["id"])
    assert stored.content == DOCS["docs/index.md"].replace("(guides/a.md#part ", f"({a['url']}#part ").replace(
        ": guides/b.md", f": {b['url']}"
    )
    assert (stored.title, stored.template_id) == ("Start", "paper")
    assert (
        client.get_document(a["id"]).content.splitlines()[-1]
        == f"Back to [start]({start['url']}) and [elsewhere](https://docs.example/none.md)."
    )
    assert client.get_document(b["id"]).title == "b"
    assert f"index.md: published {start['url']}" in result.output


LINKS = {
    "docs/a.md": "# A\n\n[tool](tools/run%20me.py#L2), [top](../README.md), [gone](gone.md), [other](notes/b.md)\n\n![](../top.png) [[Named]]\n",
    "docs/notes/Named.md": "# Named\n",
    "docs/notes/b.md": "# B\n",
    "docs/tools/run me.py": "pass\n",
    "README.md": "# Top\n",
    "top.png": "outside",
}


def test_links_that_lead_nowhere_are_notices(run: Run, client: Client) -> None:
    write(LINKS)

    result = run("publish", "docs/a.md", "docs/notes/Named.md", "--extension", "wikilinks")

    assert result.exit_code == 0, result.output
    notices = sorted(line for line in result.output.splitlines() if line.startswith("a.md:") and line.endswith("]"))
    assert notices == [
        "a.md:3:1: the link 'tools/run%20me.py#L2' points to a file that is no page; --repository links to such files [broken-link]",
        "a.md:3:31: the link '../README.md' points to a file that is no page; --repository links to such files [broken-link]",
        "a.md:3:52: the link 'gone.md' points to a missing file [broken-link]",
        "a.md:3:69: the link 'notes/b.md' points to a file that is no page; --repository links to such files [broken-link]",
        "a.md:5:1: the image '../top.png' points outside the folder or to a missing file [missing-image]",
    ]
    assert pages()["notes/Named.md"]["url"] in client.get_document(pages()["a.md"]["id"]).content


def test_links_to_files_that_are_no_pages_lead_to_a_repository(run: Run, client: Client) -> None:
    write(LINKS)
    Path(".git").mkdir()

    result = run("publish", "docs/a.md", "--repository", "https://git.example/me/it/", "--output-format", "json")

    assert result.exit_code == 0, result.output
    content = client.get_document(pages()["a.md"]["id"]).content
    assert content.splitlines()[2] == (
        "[tool](https://git.example/me/it/blob/HEAD/docs/tools/run%20me.py#L2), "
        "[top](https://git.example/me/it/blob/HEAD/README.md), [gone](gone.md), "
        "[other](https://git.example/me/it/blob/HEAD/docs/notes/b.md)"
    )
    (outcome,) = json.loads(result.stdout)
    assert [notice["source"] for notice in outcome["notices"]] == ["[gone](gone.md)", "![](../top.png)", None]
    assert "the extension wikilinks reads it" in outcome["notices"][-1]["message"]


def test_id_in_the_front_matter_finds_the_page_of_a_renamed_file_without_the_list(run: Run, client: Client) -> None:
    write(
        {
            "docs/a.md": "---\ntemplate: paper\n---\n# A\n",
            "docs/b.md": "No front matter.\n",
            "docs/c.md": "---\r\n\r\nC\r\n",
            "docs/d.md": "+++\ntitle = 'D'\n+++\n# D\n",
        }
    )
    assert run("publish", "docs", "--id-in-front-matter").exit_code == 0
    ids = {path: page["id"] for path, page in pages().items()}
    assert Path("docs/a.md").read_text() == f"---\nmdpublish-page: {ids['a.md']}\ntemplate: paper\n---\n# A\n"
    assert Path("docs/b.md").read_text() == f"---\nmdpublish-page: {ids['b.md']}\n---\nNo front matter.\n"
    assert Path("docs/d.md").read_text() == f"+++\nmdpublish-page = \"{ids['d.md']}\"\ntitle = 'D'\n+++\n# D\n"
    assert client.get_document(ids["b.md"]).content == "No front matter.\n"
    assert run("publish", "docs").output == "0 changes, 4 unchanged\n"

    Path("docs/.mdpublish/pages.json").unlink()
    Path("docs/a.md").rename("docs/renamed.md")
    assert run("publish", "docs").output == "0 changes, 4 unchanged\n"
    write({"docs/renamed.md": Path("docs/renamed.md").read_text() + "Changed.\n"})
    assert run("publish", "docs").output.startswith("renamed.md: updated http")
    assert client.get_document(ids["a.md"]).content == "---\ntemplate: paper\n---\n# A\nChanged.\n"
    assert len(list(client.documents())) == 4


def test_prune_leaves_the_page_of_a_renamed_file(run: Run, client: Client) -> None:
    write({"docs/a.md": "# A\n"})
    run("publish", "docs", "--id-in-front-matter")
    Path("docs/a.md").rename("docs/b.md")
    assert run("publish", "docs", "--prune", input="y\n").exit_code == 0
    assert [each.id for each in client.documents()] == [pages()["b.md"]["id"]]
    assert set(pages()) == {"b.md"}


def test_theirs_keeps_the_id(run: Run, client: Client) -> None:
    write({"docs/a.md": "# A\n"})
    run("publish", "docs", "--id-in-front-matter")
    page = pages()["a.md"]["id"]
    client.update_document(page, content="# Theirs\n")
    write({"docs/a.md": Path("docs/a.md").read_text() + "Mine.\n"})
    assert run("publish", "docs", "--theirs").exit_code == 0
    assert Path("docs/a.md").read_text() == f"---\nmdpublish-page: {page}\n---\n# Theirs\n"
    assert run("publish", "docs").output == "0 changes, 1 unchanged\n"


def test_terminal_shows_what_is_being_sent(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write(DOCS)
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _stream: True)
    shown = run("publish", "docs", CI="", TERM="xterm").stderr.split("\r")
    steps = [line.strip() for line in shown if " of " in line]
    assert steps[0] == "1 of 6: guides/a.md"
    assert [step.partition(":")[0] for step in steps] == [f"{number} of 6" for number in range(1, 7)]
    assert shown[-1] == "3 changes, 0 unchanged\n"


def test_second_run_changes_nothing_and_an_edit_one_page(run: Run, client: Client) -> None:
    write(DOCS)
    run("publish", "docs")
    before = client.get_usage().used

    assert run("publish", "docs").output == "0 changes, 3 unchanged\n"
    assert client.get_usage().used == before

    write({"docs/guides/b.md": "Changed.\n"})
    assert "would be updated" in run("publish", "docs", "--dry-run").output
    assert client.get_usage().used == before
    assert run("publish", "docs").output.startswith("guides/b.md: updated http")
    assert client.get_usage().used == before + 1
    assert client.get_document(pages()["guides/b.md"]["id"]).content == "Changed.\n"


def test_text_changed_on_the_web_and_in_the_file_is_kept_twice(run: Run, client: Client) -> None:
    write(DOCS)
    run("publish", "docs")
    page = pages()["guides/a.md"]
    on_the_web = client.get_document(page["id"]).content + "\nFrom the web.\n"
    client.update_document(page["id"], content=on_the_web)

    assert run("publish", "docs").exit_code == 0, "an unchanged file leaves the page alone"
    write({"docs/guides/a.md": "# A\n\nFrom the file.\n"})
    result = run("publish", "docs")

    assert result.exit_code == 1
    assert "guides/a.md: was changed on the web since it was published; --mine" in result.output
    assert client.get_document(page["id"]).content == on_the_web
    assert Path("docs/guides/a.md").read_text("utf-8") == "# A\n\nFrom the file.\n"


def test_theirs_takes_the_text_of_the_web_with_links_to_files(run: Run, client: Client) -> None:
    write(DOCS)
    run("publish", "docs")
    page = pages()["guides/a.md"]
    client.update_document(page["id"], content=client.get_document(page["id"]).content + "\nFrom the web.\n")
    write({"docs/guides/a.md": DOCS["docs/guides/a.md"] + "\nFrom the file.\n"})

    assert run("publish", "docs", "--theirs").exit_code == 0
    assert Path("docs/guides/a.md").read_text("utf-8") == DOCS["docs/guides/a.md"] + "\nFrom the web.\n"
    assert run("publish", "docs").output == "0 changes, 3 unchanged\n"


def test_mine_replaces_the_text_of_the_web(run: Run, client: Client) -> None:
    write(DOCS)
    run("publish", "docs")
    page = pages()["guides/b.md"]
    client.update_document(page["id"], content="Theirs.")
    write({"docs/guides/b.md": "Mine.\n"})

    assert run("publish", "docs", "--mine").exit_code == 0
    assert client.get_document(page["id"]).content == "Mine.\n"


def test_pages_of_files_that_are_gone_are_deleted_after_a_question(run: Run, client: Client) -> None:
    write(DOCS)
    run("publish", "docs")
    Path("docs/guides/b.md").unlink()

    assert run("publish", "docs", "--prune", input="n\n").exit_code == 0
    assert len(list(client.documents())) == 3
    assert run("publish", "docs", "--prune", input="y\n").exit_code == 0
    assert len(list(client.documents())) == 2
    assert set(pages()) == {"index.md", "guides/a.md"}


def test_draft_is_stored_and_published_by_a_later_run(run: Run, client: Client) -> None:
    write(DOCS)

    assert "index.md: created" in run("publish", "docs", "--draft").output
    assert not any(each.is_published for each in client.documents())
    assert run("publish", "docs").exit_code == 0
    assert all(each.is_published for each in client.documents())
    assert pages()["guides/a.md"]["url"] in client.get_document(pages()["index.md"]["id"]).content


def test_page_deleted_on_the_web_is_published_as_a_new_one(run: Run, client: Client) -> None:
    write(DOCS)
    run("publish", "docs")
    client.delete_document(pages()["guides/b.md"]["id"])
    write({"docs/guides/b.md": "Changed.\n"})

    assert run("publish", "docs").exit_code == 0
    assert len(list(client.documents())) == 3


def test_run_that_was_killed_before_it_noted_a_page_makes_no_second_one(run: Run, client: Client) -> None:
    write({"docs/a.md": "# A"})
    run("publish", "docs")
    Path("docs/.mdpublish/pages.json").unlink()

    assert run("publish", "docs").exit_code == 0
    assert [each.id for each in client.documents()] == [pages()["a.md"]["id"]]


def test_images_are_uploaded_once_and_shown(run: Run, client: Client) -> None:
    write({"docs/a.md": "# A\n\n![One](img/one.png) ![One](./img/one.png)\n", "docs/b.md": "![One](img/one.png)\n"})
    image = Path("docs/img/one.png")
    image.parent.mkdir()
    image.write_bytes(png(20, 10))

    assert "img/one.png: uploaded http" in run("publish", "docs").output
    (uploaded,) = client.list_images().data
    assert (
        client.get_document(pages()["a.md"]["id"]).content == f"# A\n\n![One]({uploaded.url}) ![One]({uploaded.url})\n"
    )
    assert run("publish", "docs").output == "0 changes, 2 unchanged\n"

    image.write_bytes(png(30, 10))
    assert run("publish", "docs").output.count("updated") == 2


def test_image_that_is_refused_fails_alone(run: Run, client: Client) -> None:
    write({"docs/a.md": "![One](one.png)\n", "docs/one.png": "no image"})

    result = run("publish", "docs")

    assert result.exit_code == 1
    assert "one.png: The file is no image" in result.output
    assert [each.is_published for each in client.documents()] == [True]


def test_file_that_is_refused_fails_alone(run: Run, client: Client) -> None:
    write({"docs/a.md": "# A\n", "docs/big.md": "x" * 102_401, "docs/z.md": "# Z\n"})
    problem = "big.md: content must be at most 102,400 bytes of UTF-8 (got 102,401)"

    demos = run("publish", "docs", MDPUBLISH_API_KEY="")
    assert demos.exit_code == 1
    assert problem in demos.output
    assert "docs/z.md: published until" in demos.output

    write({"docs/big.md": "# Small\n"})
    assert run("publish", "docs").exit_code == 0
    write({"docs/big.md": "x" * 4_000_000, "docs/new.md": "x" * 4_000_000, "docs/z.md": "# Other\n"})
    result = run("publish", "docs")
    assert result.exit_code == 1
    assert "big.md: content must be at most" in result.output
    assert "new.md: content must be at most" in result.output
    assert client.get_document(pages()["z.md"]["id"]).content == "# Other\n"
    assert "1 change, 1 unchanged, 2 failed" in result.output


def test_json_lists_what_happened(run: Run) -> None:
    write({"docs/a.md": "# A"})

    result = run("publish", "docs", "--output-format", "json", "--dry-run")

    assert json.loads(result.stdout) == [
        {"file": "a.md", "action": "published", "url": "", "problem": "", "notices": []}
    ]
    assert not Path("docs/.mdpublish").exists()


@pytest.mark.parametrize(
    ("front_matter", "sent"),
    [
        ("", "---\nextensions: inline-notes, breaks\n---\n"),
        ("---\ntitle: T\n---\n", "---\nextensions: inline-notes, breaks\ntitle: T\n---\n"),
        ("---\nextensions: breaks\n---\n", "---\nextensions: inline-notes, breaks, breaks\n---\n"),
        ("---\nextensions:\n- emoji\n---\n", "---\nextensions: inline-notes, emoji, breaks\n---\n"),
        ("---\nextensions: [breaks, inline-notes]\n---\n", "---\nextensions: [breaks, inline-notes]\n---\n"),
    ],
)
def test_extensions_and_what_they_lose_arrive(run: Run, client: Client, front_matter: str, sent: str) -> None:
    Path("mdpublish.toml").write_text('extensions = ["inline-notes"]\n', "utf-8")
    write({"docs/a.md": f"{front_matter}# A\n\nb^[c]\nc\n\n```chart\n{{\n```\n"})
    line = 7 + front_matter.count("\n")

    result = run("publish", "docs", "--extension", "breaks", "--id-in-front-matter")

    assert result.exit_code == 0, result.output
    content = client.get_document(pages()["a.md"]["id"]).content
    assert content.startswith(f"{sent}# A\n")
    assert f"a.md:{line}: " in result.stderr
    assert run("publish", "docs", "--extension", "breaks").output == "0 changes, 1 unchanged\n"
    client.update_document(pages()["a.md"]["id"], content=f"{content}\nFrom the web.\n")
    Path("docs/a.md").write_text(Path("docs/a.md").read_text("utf-8") + "From the file.\n", "utf-8")
    assert run("publish", "docs", "--extension", "breaks", "--theirs").exit_code == 0
    assert run("publish", "docs", "--extension", "breaks").output == "0 changes, 1 unchanged\n"


def test_without_a_key_a_file_becomes_a_demo_page(run: Run) -> None:
    write({"a.md": "# A\n\n```chart\n{\n```\n"})

    result = run("publish", "a.md", MDPUBLISH_API_KEY="")

    assert result.stderr.startswith("a.md: ")
    assert "a.md: published until 20" in result.output
    assert "claim it at http" in result.output
    assert not Path(".mdpublish").exists()


def test_key_is_tried_and_kept_for_later_runs(run: Run, key: str, tmp_path: Path) -> None:
    write({"a.md": "# A"})

    assert run("login", input="svc_wrong\n", MDPUBLISH_API_KEY="").exit_code == 1
    result = run("login", input=f"{key}\n", MDPUBLISH_API_KEY="")

    assert result.exit_code == 0, result.output
    assert "plan pro" in result.output
    (settings_file,) = (tmp_path / "settings").rglob("*.json")
    assert settings_file.stat().st_mode & 0o777 == 0o600
    assert "a.md: published http" in run("publish", "a.md", MDPUBLISH_API_KEY="", MDPUBLISH_URL="").output


@pytest.mark.parametrize(
    ("arguments", "environment", "message"),
    [
        (["a.md"], {"MDPUBLISH_URL": ""}, "name a service: --service URL"),
        (["a.md", "--service", "ftp://x"], {}, "the URL of a service begins with https://"),
        (["a.md"], {"MDPUBLISH_URL": "http://127.0.0.1:1"}, "POST http://127.0.0.1:1/v1/documents/publish: "),
        (["none.md"], {}, "cannot read"),
        (["a.md", "--repository", "me/it"], {}, "--repository must be an http or https URL (got 'me/it')"),
    ],
)
def test_mistakes_are_reported_in_one_line(
    run: Run, arguments: list[str], environment: dict[str, str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda _seconds: None)
    write({"a.md": "# A"})

    result = run("publish", *arguments, **environment)

    assert result.exit_code in (1, 2)
    assert [line for line in result.output.splitlines() if message in line]


def test_damaged_list_of_pages_is_not_overwritten(run: Run) -> None:
    write({"docs/a.md": "# A", "docs/.mdpublish/pages.json": "{"})

    result = run("publish", "docs")

    assert "cannot read" in result.output
    assert Path("docs/.mdpublish/pages.json").read_text("utf-8") == "{"


def test_published_pages_are_read_with_their_links(run: Run, service_url: str) -> None:
    write(DOCS)
    run("publish", "docs")
    url = pages()["index.md"]["url"].replace("http://127.0.0.1:8000", service_url)

    assert f'href="{pages()["guides/a.md"]["url"]}#part"' in httpx.get(url).text


def test_assistant_publishes_a_file_and_its_changes(
    service_url: str, key: str, client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MDPUBLISH_URL", service_url)
    monkeypatch.setenv("MDPUBLISH_API_KEY", key)

    steps = Steps()

    def publish(path: str = "garden.md") -> dict[str, Any]:
        async def ask() -> Any:
            async with McpClient(build_server(None, Folders([tmp_path]))) as assistant:
                result: Any = await assistant.call_tool("publish_file", {"path": path}, progress_callback=steps)
                assert not result.is_error, result
                check_output((await assistant.list_tools()).tools, "publish_file", result.structured_content)
                return result

        result = anyio.run(ask)
        [outcome] = result.structured_content["outcomes"]
        return dict(outcome)

    (tmp_path / "garden.md").write_text("# Garden\n\nThe roses are out.\n")
    first = publish()
    (tmp_path / "garden.md").write_text("# Garden\n\nThey are gone.\n")
    second = publish()
    steps.clear()
    assert publish(".") == {**second, "action": "unchanged"}
    assert steps == [(0, 1, "garden.md")]

    assert first["url"] == second["url"]
    [document] = client.list_documents().data
    assert "They are gone" in client.get_document(document.id).content
    assert document.is_published


@pytest.fixture
def outside(run: Run, tmp_path: Path) -> Path:
    """A folder beside the repository `work`, with files of the user."""
    del run
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/pw.md").write_text("# stolen\n")
    (tmp_path / "outside/pw.png").write_bytes(png(3, 4))
    Path(".git").mkdir()
    write({"docs/a.md": "# A\n", "README.md": "# Readme\n"})
    return tmp_path / "outside"


@pytest.mark.parametrize("with_key", [True, False])
@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("../../outside/pw.md", "it leads to '{outside}/pw.md', outside '{work}'"),
        ("/etc/passwd", "it leads to '/etc/passwd', outside '{work}'"),
        ("none.md", "No such file or directory"),
        ("pw.md", "Too many levels of symbolic links"),
        (None, "not a regular file"),
    ],
)
def test_file_that_leads_out_of_the_repository_fails_alone(
    run: Run, outside: Path, target: str | None, reason: str, *, with_key: bool
) -> None:
    if target:
        Path("docs/pw.md").symlink_to(target)
    else:
        os.mkfifo("docs/pw.md")

    result = run("publish", "docs", **({} if with_key else {"MDPUBLISH_API_KEY": ""}))

    assert result.exit_code == 1, result.output
    (line,) = [each for each in result.stderr.splitlines() if "pw.md" in each]
    assert reason.format(outside=outside, work=Path.cwd()) in line
    assert "a.md: published" in result.output
    if with_key:
        assert list(pages()) == ["a.md"]


def test_linked_folder_outside_is_named_and_not_published(run: Run, outside: Path) -> None:
    Path("docs/sub").symlink_to(outside)

    result = run("publish", "docs")

    assert result.exit_code == 0, result.output
    assert f"docs/sub is left out: it leads to '{outside}'" in result.stderr
    assert list(pages()) == ["a.md"]


@pytest.mark.usefixtures("outside")
def test_link_within_the_repository_is_a_page_of_its_own(run: Run, client: Client) -> None:
    Path("docs/index.md").symlink_to("../README.md")
    write({"docs/a.md": "# A\n\n[start](index.md)\n"})

    result = run("publish", "docs")

    assert result.exit_code == 0, result.output
    assert client.get_document(pages()["index.md"]["id"]).content == "# Readme\n"
    assert pages()["index.md"]["url"] in client.get_document(pages()["a.md"]["id"]).content


def test_image_is_uploaded_only_within_the_repository(run: Run, client: Client, outside: Path) -> None:
    Path("logo.png").write_bytes(png(2, 2))
    Path("docs/in.png").symlink_to("../logo.png")
    Path("docs/out.png").symlink_to(outside / "pw.png")
    Path("docs/sub").symlink_to(outside)
    (outside / ".git").mkdir()
    write({"docs/a.md": "![1](in.png) ![2](out.png) ![3](sub/pw.png)\n"})

    result = run("publish", "docs")

    assert result.exit_code == 1
    for name in ("out.png", "sub/pw.png"):
        assert f"Error: {name}: cannot read it: it leads to '{outside}/pw.png'" in result.stderr
    content = client.get_document(pages()["a.md"]["id"]).content
    assert "in.png" not in content
    assert content.endswith("![2](out.png) ![3](sub/pw.png)\n")


def test_text_of_the_web_is_not_written_through_a_link(run: Run, client: Client, outside: Path) -> None:
    assert run("publish", "docs").exit_code == 0
    client.update_document(
        pages()["a.md"]["id"], content="# web\n", if_match=client.get_document(pages()["a.md"]["id"]).etag
    )
    Path("docs/a.md").unlink()
    Path("docs/a.md").symlink_to(outside / "pw.md")

    result = run("publish", "docs", "--theirs")

    assert result.exit_code == 1
    assert (outside / "pw.md").read_text() == "# stolen\n"


def test_list_of_pages_is_kept_within_the_repository(run: Run, outside: Path) -> None:
    Path("docs/.mdpublish").symlink_to(outside)

    result = run("publish", "docs")

    assert result.exit_code == 1
    assert f"it leads to '{outside}/pages.json', outside '{Path.cwd()}'" in result.stderr
    assert sorted(each.name for each in outside.iterdir()) == ["pw.md", "pw.png"]


@pytest.mark.usefixtures("run")
def test_assistant_publishes_nothing_outside_its_folder(
    key: str, service_url: str, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folder counts, which may be a part of a repository."""
    Path("docs/out.md").symlink_to(outside / "pw.md")
    Path("docs/up.md").symlink_to("../README.md")
    Path("logo.png").write_bytes(png(2, 2))
    Path("docs/logo.png").symlink_to("../logo.png")
    write({"docs/a.md": "![1](logo.png)\n"})
    monkeypatch.setenv("MDPUBLISH_URL", service_url)
    monkeypatch.setenv("MDPUBLISH_API_KEY", key)

    async def publish() -> Any:
        async with McpClient(build_server(None, Folders([Path("docs")]))) as assistant:
            return await assistant.call_tool("publish_file", {"path": "."})

    outcomes = anyio.run(publish).structured_content["outcomes"]

    actions = {each["file"]: each["action"] for each in outcomes}
    assert actions == {"logo.png": "failed", "out.md": "failed", "up.md": "failed", "a.md": "published"}
