"""`mdpublish batch`: links between files work, unchanged files are skipped, and a bad file does not stop the run."""

import json
import os
import re
import signal
import subprocess
import time
from concurrent.futures import Future, ProcessPoolExecutor
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import docx
import psutil
import pytest
from click.testing import CliRunner, Result
from docx.shared import Inches
from docx.text.hyperlink import Hyperlink

from mdpublish_core.cli import main
from mdpublish_core.cli.batch.cache import FILE_NAME
from mdpublish_core.resources.media import image_data_url
from tests.running import BIN

PNG = b"\x89PNG\r\n\x1a\n" + bytes(8) + (5).to_bytes(4, "big") + (7).to_bytes(4, "big")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: `docs`, with pages that link to one another, to images and to files."""
    files = {
        "index.md": "# The *docs*\n\n[guide](guide/README.md) [b](guide/b%20c.md?q=1#Part-two) ![p](images/p.png)\n",
        "guide/README.md": "# Guide\n\n[up](../index.md#the-docs) [here](b%20c.md) [folder](../guide) [file](../data.csv)\n",
        "guide/b c.md": "# B\n\n## Part two\n\n[out](https://example.org/x.md) [self](#part-two) [top](/index.md)\n",
        "data.csv": "1,2\n",
        ".hidden/secret.md": "hidden\n",
        "guide/.draft.md": "hidden\n",
    }
    for name, content in files.items():
        path = tmp_path / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    (tmp_path / "docs/images").mkdir()
    (tmp_path / "docs/images/p.png").write_bytes(PNG)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["batch", *arguments])


def written(target: Path) -> list[str]:
    files = (path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file())
    return sorted(name for name in files if name != FILE_NAME)


def hrefs(page: Path) -> list[str]:
    return re.findall(r'href="([^"]*)"', page.read_text("utf-8").partition("<main>")[2])


def test_each_document_becomes_a_page_and_what_it_names_goes_along(folder: Path) -> None:
    result = run("docs", "site")

    assert result.exit_code == 0, result.output
    assert result.stderr.startswith("3 converted; 0 notices; ")
    assert written(folder / "site") == ["data.csv", "guide/b c.html", "guide/index.html", "images/p.png", "index.html"]
    assert (folder / "site/images/p.png").read_bytes() == PNG


def test_links_lead_from_page_to_page(folder: Path) -> None:
    run("docs", "site")

    assert hrefs(folder / "site/index.html") == ["guide/index.html", "guide/b%20c.html?q=1#md-Part-two"]
    assert hrefs(folder / "site/guide/index.html") == [
        "../index.html#md-the-docs",
        "b%20c.html",
        "index.html",
        "../data.csv",
    ]
    assert hrefs(folder / "site/guide/b c.html") == ["https://example.org/x.md", "#md-part-two", "/index.md"]


def test_pages_name_the_pages_above_them(folder: Path) -> None:
    run("docs", "site")

    def breadcrumbs(page: str) -> list[tuple[str, str]]:
        header = (folder / "site" / page).read_text("utf-8").partition("<main>")[0]
        return re.findall(r'<a href="([^"]*)">([^<]*)</a>', header)

    assert breadcrumbs("index.html") == []
    assert breadcrumbs("guide/index.html") == [("../index.html", "The docs")]
    assert breadcrumbs("guide/b c.html") == [("../index.html", "The docs"), ("index.html", "Guide")]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_document_that_cannot_be_converted_stops_none(folder: Path, workers: str) -> None:
    (folder / "docs/bad.md").write_bytes(b"a\xff")
    (folder / "docs/large.md").write_bytes(b"a" * 5_000_001)
    (folder / "docs/index.markdown").write_text("another index")
    (folder / "docs/guide/b c.md").write_text("# Größe", "utf-16")

    result = run("docs", "site", "--workers", workers)

    assert result.exit_code == 1
    assert "docs/bad.md: not valid UTF-8 (byte 2); save it as UTF-8\n" in result.stderr
    assert (
        "docs/large.md: max_input_bytes exceeded: got 5,000,001, limit 5,000,000; split the document\n" in result.stderr
    )
    assert "docs/index.md: has the same output file as index.markdown\n" in result.stderr
    assert re.search(r"^3 converted, 3 failed; \d notices; ", result.stderr, re.MULTILINE)
    assert {"index.html", "guide/index.html", "guide/b c.html"} <= set(written(folder / "site"))


def test_unchanged_documents_are_left_alone(folder: Path) -> None:
    run("docs", "site")
    before = {path: path.stat().st_mtime_ns for path in (folder / "site").rglob("*.html")}

    result = run("docs", "site")

    assert result.stderr.startswith("0 converted, 3 unchanged; ")
    assert {path: path.stat().st_mtime_ns for path in before} == before


def _change_document(folder: Path) -> None:
    (folder / "docs/guide/b c.md").write_text("# New")


def _change_image(folder: Path) -> None:
    (folder / "docs/images/p.png").write_bytes(PNG + b"x")


def _remove_output(folder: Path) -> None:
    (folder / "site/guide/index.html").unlink()


def _remove_copy(folder: Path) -> None:
    (folder / "site/images/p.png").unlink()


def _remove_target(folder: Path) -> None:
    (folder / "docs/guide/b c.md").unlink()


def _change_title_above(folder: Path) -> None:
    index = folder / "docs/index.md"
    index.write_text(index.read_text("utf-8").replace("docs", "papers"), "utf-8")


def _break_ledger(folder: Path) -> None:
    (folder / "site" / FILE_NAME).write_text("[" * 100_000)


@pytest.mark.parametrize(
    ("change", "converted"),
    [
        (_change_document, 1),
        (_change_image, 1),
        (_remove_output, 1),
        (_remove_copy, 1),
        (_remove_target, 2),  # the two that link to it
        (_change_title_above, 3),  # itself, and the two below it that show its title
        (_break_ledger, 3),
    ],
)
def test_what_has_changed_is_converted_again(folder: Path, change: object, converted: int) -> None:
    run("docs", "site")
    assert callable(change)
    change(folder)

    assert run("docs", "site").stderr.splitlines()[-1].startswith(f"{converted} converted")


@pytest.mark.parametrize(
    "options",
    [
        *(["--theme-mode", "dark"], ["--force"], ["--template", "paper"], ["--css", "own.css"], ["--lang", "de"]),
        ["--extension", "breaks"],
    ],
)
def test_another_style_converts_everything_again(folder: Path, options: list[str]) -> None:
    (folder / "own.css").write_text("p { color: red }")
    run("docs", "site")

    assert run("docs", "site", *options).stderr.startswith("3 converted; ")


def test_extensions_are_as_requested_also_in_breadcrumbs(folder: Path) -> None:
    (folder / "docs/guide/README.md").write_text("# Guide :tada:\n", "utf-8")

    run("docs", "site", "--extension", "emoji")

    assert "Guide 🎉</h1>" in (folder / "site/guide/index.html").read_text("utf-8")
    assert "Guide 🎉</a>" in (folder / "site/guide/b c.html").read_text("utf-8")
    assert run("docs", "site", "--extension", "emoji").stderr.startswith("0 converted, 3 unchanged")


def test_links_that_lead_nowhere_have_a_notice(folder: Path) -> None:
    (folder / "secret.txt").write_text("s")
    (folder / "docs/link.txt").symlink_to(folder / "secret.txt")
    (folder / "docs/index.md").write_text(
        "[a](none.md)\n\n[b](../secret.txt) [c](link.txt) [d](.hidden/secret.md)\n\n![e](e.png)\n"
    )

    result = run("docs", "site")

    assert result.stderr.splitlines()[:5] == [
        "docs/index.md:1:1: the link 'none.md' points to a missing file [broken-link]",
        "docs/index.md:3:1: the link '../secret.txt' points outside the source directory [broken-link]",
        (
            "docs/index.md:3:20: the link 'link.txt' points to a file that is left out: it leads to "
            f"'{folder}/secret.txt', outside '{folder}/docs'; put a copy in its place [broken-link]"
        ),
        "docs/index.md:3:34: the link '.hidden/secret.md' points to a missing file [broken-link]",
        "docs/index.md:5:1: the image 'e.png' points to a missing file [missing-image]",
    ]
    assert "secret.txt" not in written(folder / "site")
    second_run = run("docs", "site").stderr
    assert second_run.splitlines()[:5] == result.stderr.splitlines()[:5]
    assert "0 converted, 3 unchanged; 5 notices; " in second_run


HOSTILE = [
    "a" * 5_000,
    "../" * 2_000 + "etc/passwd",
    "%00.png",
    "loop",
    "a/" * 3_000,
    "%ff%fe.md",
    "\ud800.md",
    "[::1.md",
    "//[::1/a.md",
    "?",
    "#" * 100,
    "a.md#" + "%" * 100,
    "CON",
    "index.md/x.md",
    "~root/.ssh/id_rsa",
    "file:///etc/passwd",
    "C:\\boot.ini",
    ".",
    "..",
]


@pytest.mark.parametrize("command", ["batch", "check", "convert"])
def test_urls_that_mean_harm_do_none(folder: Path, command: str) -> None:
    (folder / "docs/loop").symlink_to(folder / "docs/loop")
    markdown = "\n\n".join(f"[a](<{url}>) ![b](<{url}>)" for url in HOSTILE)
    (folder / "docs/index.md").write_bytes(
        markdown.encode("utf-8", "surrogatepass").replace(b"\xed\xa0\x80", b"\xef\xbf\xbd")
    )
    arguments = {
        "batch": ["batch", "docs", "site"],
        "check": ["check", "docs/index.md"],
        "convert": ["convert", "docs/index.md", "--to", "word", "-o", "out.html"],
    }

    result = CliRunner().invoke(main, arguments[command])

    assert result.exit_code == (1 if command == "check" else 0), result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "root:" not in result.output
    assert not (folder / "site/etc").exists()


def test_outputs_that_are_read_elsewhere_hold_their_images(folder: Path) -> None:
    run("docs", "word", "--to", "word")
    run("docs", "slack", "--to", "slack")

    assert str(image_data_url(PNG)) in (folder / "word/index.html").read_text("utf-8")
    assert written(folder / "word") == ["guide/README.html", "guide/b c.html", "index.html"]
    assert written(folder / "slack") == ["guide/README.txt", "guide/b c.txt", "index.txt"]


def test_mails_are_whole_where_that_is_requested(folder: Path) -> None:
    assert run("docs", "mails", "--to", "eml").exit_code == 0

    assert written(folder / "mails") == ["guide/README.eml", "guide/b c.eml", "index.eml"]
    mail = message_from_bytes((folder / "mails/index.eml").read_bytes(), policy=policy.default)
    assert mail["Subject"] == "The docs"
    assert [part.get_content() for part in mail.walk() if part.get_content_type() == "image/png"] == [PNG]


def test_changed_reference_document_converts_all_files_again(folder: Path) -> None:
    arguments = ("docs", "files", "--to", "docx", "--reference-doc", "corporate.docx")
    for font in ("Georgia", "Verdana"):
        template = docx.Document()
        template.styles["Normal"].font.name = font
        template.save(str(folder / "corporate.docx"))
        assert run(*arguments).exit_code == 0

        files = [docx.Document(str(path)) for path in (folder / "files").rglob("*.docx")]
        assert {file.styles["Normal"].font.name for file in files} == {font}


def test_word_files_contain_images_and_link_to_one_another(folder: Path) -> None:
    result = run("docs", "files", "--to", "docx", "--paper", "letter", "--toc")

    assert result.exit_code == 0, result.output
    assert written(folder / "files") == ["data.csv", "guide/README.docx", "guide/b c.docx", "index.docx"]
    files = {path.stem: docx.Document(str(path)) for path in (folder / "files").rglob("*.docx")}
    assert files["index"].core_properties.title == "The docs"
    assert [part.blob for part in files["index"].part.package.iter_parts() if part.partname.ext == "png"] == [PNG]
    assert {file.sections[0].page_width for file in files.values()} == {Inches(8.5)}
    links = {
        link.address + "#" * bool(link.fragment) + link.fragment for file in files.values() for link in hyperlinks(file)
    }
    assert {"guide/README.docx", "../index.docx#md-the-docs", "b%20c.docx", "../data.csv"} <= links
    assert "https://example.org/x.md" in links
    # No query, which files have not.
    assert any(link.startswith("guide/b%20c.docx#") for link in links)
    assert files["index"].element.xpath("//w:bookmarkStart[@w:name='md-the-docs']")


def hyperlinks(file: "docx.document.Document") -> list[Hyperlink]:
    return [link for paragraph in file.paragraphs for link in paragraph.hyperlinks if link.address]


def test_word_files_are_made_again_for_another_option(folder: Path) -> None:
    assert run("docs", "files", "--to", "docx").exit_code == 0

    assert written(folder / "files") == ["data.csv", "guide/README.docx", "guide/b c.docx", "index.docx"]
    assert run("docs", "files", "--to", "docx").stderr.count("0 converted, 3 unchanged;") == 1
    assert run("docs", "files", "--to", "docx", "--toc").stderr.count("\n3 converted;") == 1


def test_images_that_mail_programs_do_not_show_have_a_notice(folder: Path) -> None:
    result = run("docs", "mails", "--to", "email")

    assert "docs/index.md: most email clients block images embedded in HTML" in result.stderr
    assert "write an email file: --to eml [missing-image]" in result.stderr
    assert written(folder / "mails") == ["guide/README.html", "guide/b c.html", "index.html"]


def test_fragments_link_to_one_another_too(folder: Path) -> None:
    run("docs", "parts", "--to", "generic")

    page = (folder / "parts/index.html").read_text("utf-8")
    assert page.startswith('<div class="mdpublish-swiss-light">')
    assert 'href="guide/README.html"' in page


def test_pages_are_of_the_requested_language(folder: Path) -> None:
    run("docs", "site", "--lang", "fr")

    assert '<html lang="fr">' in (folder / "site/index.html").read_text("utf-8")


def test_output_folder_inside_of_the_input_is_not_read(folder: Path) -> None:
    run("docs", "docs/site")
    (folder / "docs/site/x.md").write_text("x")

    assert run("docs", "docs/site").stderr.startswith("0 converted, 3 unchanged; ")


@pytest.mark.parametrize("options", [(), ("--to", "docx")])
def test_workers_make_what_one_makes(folder: Path, options: tuple[str, ...]) -> None:
    assert run("docs", "one", *options, "--workers", "1").exit_code == 0
    assert run("docs", "two", *options, "--workers", "2").exit_code == 0

    assert written(folder / "one") == written(folder / "two")
    for name in written(folder / "one"):
        assert (folder / "one" / name).read_bytes() == (folder / "two" / name).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none", "site"], "cannot access none: No such file or directory"),
        (["docs/index.md", "site"], "docs/index.md is a file; use: mdpublish convert docs/index.md"),
        (["docs", "docs/index.md"], "cannot access docs/index.md: File exists"),
        (["docs", "docs"], "SRC and DST are the same directory: docs"),
        (["docs/images", "site"], "no Markdown files (.md, .markdown, .mdx) found in docs/images"),
        (["docs", "site", "--to", "fax"], "unknown output 'fax'"),
        (["docs", "site", "--template", "comic"], "unknown template 'comic'"),
        (["docs", "site", "--to", "word", "--paper", "a4"], "--paper requires --to docx or --to pdf (got --to word)"),
        (
            ["docs", "site", "--to", "word", "--toc"],
            "--toc requires --to page or --to docx or --to pdf (got --to word)",
        ),
        (["docs", "site", "--to", "docx", "--base-url", "/"], "--base-url requires --to page (got --to docx)"),
        (["docs", "site", "--workers", "0"], "Invalid value for '--workers'"),
        (["docs", "site", "--css", "docs/data.csv"], "stylesheet"),
    ],
)
def test_mistake_ends_in_a_message(folder: Path, arguments: list[str], message: str) -> None:
    result = run(*arguments)

    assert result.exit_code in {1, 2}
    assert isinstance(result.exception, SystemExit)
    assert message in result.stderr
    assert not (folder / "site").exists()


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Documents that keep two processes busy for some seconds."""
    for number in range(120):
        path = tmp_path / f"many/{number}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"# {number}\n\n" + "some *text* with `code`, [links](https://example.org)\n\n" * 300)
    return tmp_path


def wait_for(process: "subprocess.Popen[str]", folder: Path, outputs: int) -> None:
    """Wait for a number of output files. The command must still be running."""
    end = time.monotonic() + 60
    while len(list(folder.glob("*.html"))) < outputs:
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_worker_that_dies_takes_no_document_along(many: Path) -> None:
    command = [str(BIN / "mdpublish"), "batch", str(many / "many"), str(many / "out"), "--workers", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        wait_for(process, many / "out", 1)
        worker = max(psutil.Process(process.pid).children(recursive=True), key=lambda child: sum(child.cpu_times()[:2]))
        worker.kill()
        _, message = process.communicate(timeout=60)

    assert message.startswith("120 converted; 0 notices; ")
    assert process.returncode == 0
    assert len(list((many / "out").glob("*.html"))) == 120


def test_interruption_waits_until_no_lock_of_the_pool_is_held(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Raised inside, it could leave a lock locked, and the command hung."""
    inside = []

    class Interrupted(ProcessPoolExecutor):
        def submit(self, *arguments: Any, **keywords: Any) -> Future[Any]:
            try:
                os.kill(os.getpid(), signal.SIGINT)
                return super().submit(*arguments, **keywords)
            except KeyboardInterrupt:
                inside.append("raised")
                raise
            finally:
                monkeypatch.setattr(Interrupted, "submit", ProcessPoolExecutor.submit)

    monkeypatch.setattr("mdpublish_core.site.pool.ProcessPoolExecutor", Interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        result = run(str(many / "many"), str(many / "out"), "--workers", "2")
        after = signal.getsignal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)

    assert inside == []
    assert result.output.strip() == "Aborted!"
    assert after is signal.default_int_handler


@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_was_done_before_an_interruption_is_remembered(many: Path, workers: str) -> None:
    command = [str(BIN / "mdpublish"), "batch", str(many / "many"), str(many / "out"), "--workers", workers]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        wait_for(process, many / "out", 20)
        os.killpg(process.pid, signal.SIGINT)  # like Ctrl-C in a terminal
        _, message = process.communicate(timeout=60)

    assert process.returncode == 130
    assert message.strip() == "Aborted!"
    assert not list((many / "out").glob("*.part"))
    second_run = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=True)
    outputs = re.match(r"(\d+) converted, (\d+) unchanged; ", second_run.stderr)
    assert outputs
    # Outputs written while the signal was being delivered may be missing from the build cache.
    assert int(outputs[2]) >= 5
    assert int(outputs[1]) + int(outputs[2]) == 120


def test_names_that_are_no_utf_8_do_no_harm(folder: Path) -> None:
    name = os.fsdecode(b"\xff.md")
    try:
        (folder / "docs" / name).write_text("[a](none.md)")
        (folder / "docs" / name[0]).mkdir()
        (folder / "docs" / name[0] / "index.md").write_text("[a](../index.md)")
        (folder / "docs" / name[0] / "b").mkdir()
        (folder / "docs" / name[0] / "b/b.md").write_text("b")
    except OSError:
        pytest.skip("this file system has no such names")
    commands = [
        ["batch", "docs", "site"],
        ["batch", "docs", "site"],
        ["batch", "docs", "again", "--workers", "2"],
        ["batch", "docs", "named", "--base-url", f"https://a.example/{name}"],
        ["check", "docs"],
        ["check", "docs", "--output-format", "json"],
        ["check", "docs", "--output-format", "github"],
        ["convert", f"docs/{name}", "--to", "page", "--title", name, "-o", "out.html"],
        ["convert", f"docs/{name}", "--to", "page", "-o", "out.html"],
        ["convert", f"docs/{name}", "-o", "out.eml", "--mail-subject", name],
    ]
    for command in commands:
        done = subprocess.run(
            [BIN / "mdpublish", *map(os.fsencode, command)],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )

        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode == ("check" in command)
        assert "internal error" not in done.stderr
    assert "<title>\ufffd</title>" in (folder / "out.html").read_text("utf-8")
    assert '<a href="../index.html">\ufffd</a>' in (folder / "site" / name[0] / "b/b.html").read_text("utf-8")


def test_notices_of_all_documents_are_json_for_programs(folder: Path) -> None:
    (folder / "docs/index.md").write_text("[a](javascript:b)\n")
    result = run("docs", "site", "--output-format", "json")

    named = {each["file"]: each for each in json.loads(result.stdout)}
    assert named["docs/index.md"]["error"] is None
    assert [(each["line"], each["column"], each["source"]) for each in named["docs/index.md"]["notices"]] == [
        (1, 1, "[a](javascript:b)")
    ]
