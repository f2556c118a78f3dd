"""Commands over strangers' folders: links out of the repository are neither read nor written, and are named."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mdpublish_core import convert
from mdpublish_core.cli import main
from mdpublish_core.resources.media import image_data_url
from tests.image_files import PNG

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links")

COMMANDS = {
    "batch": ["batch", "docs", "../out"],
    "site": ["site", "docs", "../out"],
    "format": ["format", "docs"],
    "format-check": ["format", "--check", "docs"],
    "check": ["check", "docs"],
    "check-fix": ["check", "--fix", "docs"],
}
SECRET = "# stolen #\n\n* a\n\n\n* b\n"
"""What `format` and `check --fix` would change."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, a repository with a folder `docs`; beside it are files of the user."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/pw.md").write_text(SECRET)
    (tmp_path / "outside/pw.png").write_bytes(PNG)
    (tmp_path / "project/docs").mkdir(parents=True)
    (tmp_path / "project/docs/a.md").write_text("# A\n")
    (tmp_path / "project/README.md").write_text("# Readme\n")
    subprocess.run(["git", "init", "-q", tmp_path / "project"], check=True)
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def run(command: str) -> Result:
    return CliRunner().invoke(main, COMMANDS[command])


def lines_about(result: Result, name: str) -> list[str]:
    return [line for line in result.stderr.splitlines() if name in line]


def outputs(folder: Path) -> str:
    """Return all that is written."""
    files = (file for file in (folder.parent / "out").rglob("*") if file.is_file())
    return "\n".join(f"{file.name} {file.read_bytes()!r}" for file in files)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("../../outside/pw.md", "it leads to '{tmp}/outside/pw.md', outside '{tmp}/project'"),
        ("{tmp}/outside/pw.md", "it leads to '{tmp}/outside/pw.md', outside '{tmp}/project'"),
        ("/etc/passwd", "it leads to '/etc/passwd', outside '{tmp}/project'"),
        ("../.git/config", "it leads to '{tmp}/project/.git/config', which is hidden"),
        ("none.md", "No such file or directory"),
        ("pw.md", "Too many levels of symbolic links"),
        ("/dev/zero", "it leads to '/dev/zero', outside"),
    ],
)
def test_link_out_of_the_repository_is_left_out_with_one_line(
    folder: Path, command: str, target: str, reason: str
) -> None:
    (folder / "docs/pw.md").symlink_to(target.format(tmp=folder.parent))

    result = run(command)

    assert result.exit_code == (2 if command.startswith("format") else 1), result.output
    assert isinstance(result.exception, SystemExit)
    (line,) = lines_about(result, "docs/pw.md")
    assert reason.format(tmp=folder.parent) in line
    assert (folder.parent / "outside/pw.md").read_text() == SECRET
    assert (folder / "docs/pw.md").is_symlink()
    for secret in ("stolen", "root:x:", "repositoryformatversion"):
        assert secret not in outputs(folder) + result.stdout
    assert command not in {"batch", "site"} or "a.html" in outputs(folder)


@pytest.mark.parametrize("command", COMMANDS)
def test_pipe_is_left_out_and_not_waited_for(folder: Path, command: str) -> None:
    os.mkfifo(folder / "docs/pipe.md")

    result = run(command)

    assert result.exit_code == (2 if command.startswith("format") else 1), result.output
    assert "not a regular file" in lines_about(result, "docs/pipe.md")[0]


@pytest.mark.parametrize("command", COMMANDS)
def test_linked_folder_is_not_searched_and_one_outside_is_named(folder: Path, command: str) -> None:
    (folder / "docs/sub").symlink_to("../../outside")
    (folder / "docs/within").symlink_to("../docs")

    result = run(command)

    assert result.exit_code == 0, result.output
    assert lines_about(result, "docs/sub") == [
        f"docs/sub is left out: it leads to '{folder.parent}/outside', outside '{folder}'; put a copy in its place"
    ]
    assert not lines_about(result, "within")
    assert "stolen" not in outputs(folder)


@pytest.mark.parametrize("command", COMMANDS)
def test_link_within_the_repository_is_a_document(folder: Path, command: str) -> None:
    (folder / "README.md").write_text("# Readme #\n\n[x](nowhere.md)\n")
    (folder / "docs/index.md").symlink_to("../README.md")

    result = run(command)

    assert "left out" not in result.stderr
    if command == "format":
        assert (folder / "README.md").read_text() == "# Readme\n\n[x](nowhere.md)\n"
    elif command == "format-check":
        assert result.stdout == "Would format docs/index.md\n"
    elif command.startswith("check"):
        assert "docs/index.md:3:1: the link 'nowhere.md' points to a missing file" in result.stdout
    else:
        assert "Readme" in (folder.parent / "out/index.html").read_text()
    assert (folder / "docs/index.md").is_symlink()


@pytest.mark.parametrize("command", COMMANDS)
def test_folder_without_a_repository_is_its_own_boundary(folder: Path, command: str) -> None:
    (folder / ".git").rename(folder / "git")
    (folder / "docs/index.md").symlink_to("../README.md")
    (folder / "docs/b.md").symlink_to("a.md")

    result = run(command)

    assert result.exit_code == (2 if command.startswith("format") else 1), result.output
    assert f"outside '{folder}/docs'" in lines_about(result, "docs/index.md")[0]
    assert "outside" not in "".join(lines_about(result, "b.md"))


@pytest.mark.parametrize("command", ["format", "check-fix", "convert"])
def test_link_that_is_named_is_followed(folder: Path, command: str) -> None:
    (folder / "pw.md").symlink_to("../outside/pw.md")
    arguments = {"format": ["format"], "check-fix": ["check", "--fix"], "convert": ["convert"]}[command]

    result = CliRunner().invoke(main, [*arguments, "pw.md"])

    assert "outside" not in result.stderr
    if command == "convert":
        assert "stolen" in result.stdout
    elif command == "format":
        assert (folder.parent / "outside/pw.md").read_text() != SECRET


@pytest.mark.parametrize(
    "arguments", [["convert", "docs/a.md", "--to", "word"], ["batch", "docs", "../out", "--to", "word"]]
)
def test_image_is_embedded_only_within_the_repository(folder: Path, arguments: list[str]) -> None:
    (folder / "logo.png").write_bytes(PNG)
    (folder / "docs/in.png").symlink_to("../logo.png")
    (folder / "docs/out.png").symlink_to("../../outside/pw.png")
    (folder / "docs/sub").symlink_to("../../outside")
    os.mkfifo(folder / "docs/pipe.png")
    (folder / "docs/a.md").write_text("![1](in.png)\n\n![2](out.png)\n\n![3](sub/pw.png)\n\n![4](pipe.png)\n")

    result = CliRunner().invoke(main, arguments)

    assert result.exit_code == 0, result.output
    assert (result.stdout + outputs(folder)).count("data:image/png") == 1
    for name, reason in {
        "out.png": f"it leads to '{folder.parent}/outside/pw.png', outside '{folder}'",
        "sub/pw.png": f"it leads to '{folder.parent}/outside/pw.png', outside '{folder}'",
        "pipe.png": "not a regular file",
    }.items():
        (line,) = lines_about(result, f"'{name}'")
        assert line.endswith("[missing-image]")
        assert reason in line


@pytest.mark.parametrize("command", ["batch", "site"])
def test_linked_file_is_copied_only_within_the_repository(folder: Path, command: str) -> None:
    (folder / "logo.png").write_bytes(PNG)
    (folder / "docs/in.png").symlink_to("../logo.png")
    (folder / "docs/pw.png").symlink_to("../../outside/pw.png")
    (folder / "docs/sub").symlink_to("../../outside")
    (folder / "docs/env.txt").symlink_to("../.env")
    (folder / ".env").write_text("secret")
    (folder / "docs/a.md").write_text("![1](in.png)\n\n![2](pw.png)\n\n[3](sub/pw.png)\n\n[4](env.txt)\n")

    result = run(command)

    assert result.exit_code == 0, result.output
    assert (folder.parent / "out/in.png").read_bytes() == PNG
    assert "pw.png b'" not in outputs(folder)
    assert "secret" not in outputs(folder)
    for name in ("pw.png", "sub/pw.png"):
        (line,) = lines_about(result, f"'{name}'")
        assert f"points to a file that is left out: it leads to '{folder.parent}/outside/pw.png'" in line


def test_static_file_of_a_site_that_leads_out_is_left_out(folder: Path) -> None:
    (folder / "docs/files").mkdir()
    (folder / "docs/files/pw.txt").symlink_to("../../../outside/pw.md")
    (folder / "docs/mdpublish.toml").write_text('[site]\nstatic = ["files/*"]\n')

    result = run("site")

    assert result.exit_code == 1
    assert "outside/pw.md" in lines_about(result, "docs/files/pw.txt")[0]
    assert "stolen" not in outputs(folder)


def test_headings_of_a_link_out_or_a_pipe_are_not_read(folder: Path) -> None:
    os.mkfifo(folder / "docs/pipe.md.fifo")
    (folder / "docs/pipe.markdown").symlink_to("pipe.md.fifo")
    (folder / "out.md").symlink_to("../outside/pw.md")
    (folder / "docs/a.md").write_text("[1](pipe.markdown#x) [2](../out.md#x) [3](../README.md#x)\n")

    result = CliRunner().invoke(main, ["check", "docs/a.md"])

    assert [line.partition(" points")[0] for line in result.stdout.splitlines()] == [
        "docs/a.md:1:39: the link '../README.md#x'"
    ]


def test_gitignore_that_is_a_link_counts_no_more_than_for_git(folder: Path) -> None:
    (folder / "ignored").write_text("a.md\n")
    (folder / "docs/.gitignore").symlink_to("../ignored")

    git = subprocess.run(["git", "check-ignore", "docs/a.md"], check=False, capture_output=True)

    assert git.returncode == 1
    assert "in 1 file" in run("check").stderr


def test_gitignore_that_is_a_pipe_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "docs/.gitignore")

    assert "in 1 file" in run("check").stderr


@pytest.mark.parametrize("command", ["import", "merge"])
def test_media_are_not_written_through_a_link(folder: Path, command: str) -> None:
    (folder / "a.md").write_text("# A\n\ntext\n")
    (folder / "a.html").write_text(convert("# A\n\ntext\n\n![p](https://x.example/p.png)\n", to="generic").html)
    html = (folder / "a.html").read_text().replace("https://x.example/p.png", str(image_data_url(PNG)))
    (folder / "a.html").write_text(html)
    arguments = {"import": ["import", "a.html"], "merge": ["merge", "a.md", "a.html"]}[command]
    CliRunner().invoke(main, [*arguments, "-o", "b.md", "--media-folder", "media"])
    (image,) = (folder / "media").iterdir()
    image.unlink()
    image.symlink_to(folder.parent / "outside/pw.md")

    result = CliRunner().invoke(main, [*arguments, "-o", "b.md", "--media-folder", "media"])

    assert result.exit_code == 0, result.output
    assert (folder.parent / "outside/pw.md").read_text() == SECRET
    assert image.read_bytes() == PNG


@pytest.mark.parametrize("command", ["batch", "site"])
def test_output_is_written_through_no_link(folder: Path, command: str) -> None:
    """The output may be part of what a stranger made, too."""
    (folder / "docs/keys").mkdir()
    (folder / "docs/keys/authorized").write_text("stolen")
    (folder / "docs/a.md").write_text("[1](keys/authorized)\n")
    (folder.parent / "out").mkdir()
    (folder.parent / "out/keys").symlink_to(folder.parent / "outside")

    result = run(command)

    assert result.exit_code == 1
    assert f"it leads to '{folder.parent}/outside', outside '{folder.parent}/out'" in result.stderr
    assert sorted(each.name for each in (folder.parent / "outside").iterdir()) == ["pw.md", "pw.png"]


def test_files_of_an_earlier_site_are_deleted_through_no_link(folder: Path) -> None:
    assert run("site").exit_code == 0
    manifest = folder.parent / "out/.mdpublish-site/manifest.json"
    content = json.loads(manifest.read_text())
    content["files"]["sub/pw.md"] = {"key": "", "digest": "", "size": -1, "notices": []}
    manifest.write_text(json.dumps(content))
    (folder.parent / "out/sub").symlink_to(folder.parent / "outside")

    result = run("site")

    assert result.exit_code == 1
    assert "out/sub/pw.md: it leads to" in result.stderr
    assert (folder.parent / "outside/pw.md").read_text() == SECRET


def test_unfinished_files_of_a_site_are_removed_through_no_link(folder: Path) -> None:
    (folder.parent / "outside/parts").mkdir()
    (folder.parent / "out").mkdir()
    (folder.parent / "out/.mdpublish-site").symlink_to(folder.parent / "outside")

    result = run("site")

    assert result.exit_code == 1
    assert "out/.mdpublish-site/parts: it leads to" in result.stderr
    assert (folder.parent / "outside/parts").is_dir()


def test_very_deep_folders_are_refused(folder: Path) -> None:
    descriptor = os.open(folder / "docs", os.O_RDONLY)
    for _ in range(1_200):  # a path is too long for this
        os.mkdir("x", dir_fd=descriptor)
        inner = os.open("x", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
    os.close(descriptor)

    try:
        results = [run(command) for command in COMMANDS]
    finally:
        subprocess.run(["rm", "-r", folder / "docs/x"], check=True)  # pytest would recur

    assert [type(result.exception) for result in results] == [SystemExit] * len(COMMANDS)
    assert all("folders must be at most 200 deep" in result.stderr for result in results)
