"""`mdpublish check`: rules, what is reported, fixes, files left out, and the cache."""

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from mdpublish_core.cli import main
from mdpublish_core.cli.check import cache
from mdpublish_core.cli.rules import read_rules
from mdpublish_core.notices import NOTICES

BAD = "##Usage\n\n[a][b] [c](none.md)\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with one bad document."""
    (tmp_path / "bad.md").write_text(BAD)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MDPUBLISH_CACHE", "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    return tmp_path


def run(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, ["check", *arguments], input=stdin)


def codes(*arguments: str, stdin: str = "") -> list[str]:
    result = run(*arguments, "--output-format", "json", stdin=stdin)
    return [notice["code"] for checked in json.loads(result.stdout) for notice in checked["notices"]]


# Rules


def test_every_notice_is_a_rule() -> None:
    assert read_rules().keys() == NOTICES.keys()
    assert [code for code, rule in read_rules().items() if rule.group == "others" or not rule.remedy] == []


@pytest.mark.parametrize("code", [code for code, rule in read_rules().items() if rule.example])
def test_example_of_a_rule_breaks_it(code: str) -> None:
    rule = read_rules()[code]
    outputs = [option for name in rule.to for option in ("--to", name)]

    assert code in codes("-", *outputs, stdin=rule.example)


def test_rule_is_explained() -> None:
    explained = run("--explain", "heading-without-space")

    assert explained.exit_code == 0
    for part in ("# heading-without-space (syntax)", "    ##Usage", "`--fix` writes it", "mdpublish: ignore heading-w"):
        assert part in explained.stdout


def test_group_is_explained_rule_by_rule() -> None:
    assert run("--explain", "tables").stdout.count("# table-") == 5


@pytest.mark.parametrize("option", ["--explain", "--select", "--ignore", "--per-file-ignores"])
def test_unknown_rule_is_a_mistake_in_the_options(option: str) -> None:
    result = run(option, "*.md:brokn-link" if option == "--per-file-ignores" else "brokn-link")

    assert result.exit_code == 2
    assert "unknown rule 'brokn-link'; did you mean 'broken-link'?" in result.stderr


# Selection


def test_rules_and_groups_are_selected_and_ignored() -> None:
    assert codes() == ["heading-without-space", "undefined-reference", "broken-link"]
    assert codes("--select", "links") == ["undefined-reference", "broken-link"]
    assert codes("--select", "links", "--ignore", "broken-link") == ["undefined-reference"]
    assert run("--select", "images").exit_code == 0


def test_rules_are_ignored_by_file(folder: Path) -> None:
    (folder / "old").mkdir()
    (folder / "old/bad.md").write_text(BAD)

    assert codes("--per-file-ignores", "old/**:links", "--per-file-ignores", "old/**:syntax") == codes("bad.md")


def test_configuration_selects(folder: Path) -> None:
    (folder / "pyproject.toml").write_text(
        '[tool.mdpublish.check]\nselect = ["links"]\nexclude = ["old/"]\n'
        '[tool.mdpublish.check.per_file_ignores]\n"b*.md" = "broken-link"\n'
    )
    (folder / "old").mkdir()
    (folder / "old/a.md").write_text(BAD)

    assert codes() == ["undefined-reference"]
    assert codes("--select", "syntax") == ["heading-without-space"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('select = ["lnks"]', "check.select: unknown rule 'lnks'; did you mean 'links'?"),
        ("per_file_ignores = { a = 1 }", "check.per_file_ignores.a: must be an array of strings (got 1)"),
        ("fix = true", "check.fix: unknown key"),
    ],
)
def test_mistake_in_the_configuration_has_status_2(folder: Path, line: str, problem: str) -> None:
    (folder / "mdpublish.toml").write_text(f"[check]\n{line}\n")

    result = run()

    assert (result.exit_code, problem in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("markdown", "left"),
    [
        ("[a](none) <!-- mdpublish: ignore broken-link -->\n[b](none)", [2]),
        ("[a](none) [b][c] <!-- mdpublish: ignore -->\n", []),
        ("[a](none) <!-- mdpublish: ignore unsafe-link, missing-image -->\n", [1]),
        ("<!-- mdpublish: ignore broken-link -->\n[a](none)\n[b](none)\n\n[c](none)", [5]),
        ("<!-- mdpublish: ignore -->\n\n- [a](none)\n\n  [b](none)\n\n[c](none)", [7]),
        ("- a\n\n  <!-- mdpublish: ignore -->\n  [a](none)\n\n  [b](none)", [6]),
        ("# a\n\n<!-- mdpublish: ignore-file broken-link -->\n\n[a](none)\n\n[b](none)\n", []),
        ("| a |\n|---|\n| [b](none) <!-- mdpublish: ignore --> |\n| [c](none) |\n", [4]),
        ("```html\n<!-- mdpublish: ignore-file -->\n```\n\n[a](none)", [5]),
        ("[a](none) `<!-- mdpublish: ignore -->`", [1]),
    ],
)
def test_comment_ignores_a_line_a_block_or_the_file(markdown: str, left: list[int]) -> None:
    result = run("-", "--output-format", "json", stdin=markdown)

    assert [notice["line"] for notice in json.loads(result.stdout)[0]["notices"]] == left


# Files


def test_ignored_and_excluded_files_are_left_out(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / ".gitignore").write_text("/build/\n*.draft.md\n!keep.draft.md\n")
    for name in ("build/a.md", "sub/a.md", "sub/b.draft.md", "keep.draft.md", "sub/c.md", "sub/build/a.md"):
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text("")
    (folder / "sub/.gitignore").write_text("c.md\n")

    def checked(*arguments: str) -> int:
        return int(run(*arguments).stderr.split("in ")[1].split(" file")[0])

    assert checked(".") == 4
    assert checked("sub") == 2
    assert checked(".", "--exclude", "/sub/a.md") == 3
    assert checked(".", "--no-respect-gitignore") == 7
    assert checked("build/a.md") == 1


def test_pattern_with_many_wildcards_is_not_matched(folder: Path) -> None:
    (folder / ".gitignore").write_text("*a" * 20 + "\n")
    (folder / f"{'a' * 200}.md").write_text("")

    assert run().stderr.startswith("3 notices in 2 files")
    assert run("--exclude", "*a" * 20).exit_code == 2


# Fixes


def test_safe_fixes_are_written_and_the_rest_is_reported(folder: Path) -> None:
    result = run("--fix")

    assert (folder / "bad.md").read_text() == BAD.replace("##Usage", "## Usage")
    assert result.exit_code == 1
    assert result.stderr == "2 notices in 1 file, 1 fixed\n"


def test_all_fixed_is_a_success(folder: Path) -> None:
    (folder / "bad.md").write_text("##Usage\n\n```\ncode\n")

    assert run("--fix").exit_code == 0
    assert (folder / "bad.md").read_text() == "## Usage\n\n```\ncode\n```\n"
    assert run().exit_code == 0


def test_guesses_are_written_only_if_asked_for(folder: Path) -> None:
    (folder / "installation.md").write_text("# Set it up\n")
    (folder / "bad.md").write_text("[a](instalation.md) [b](installation.md#set-it-upp)\n")

    assert "2 by --fix --unsafe-fixes" in run().stderr
    assert run("--fix").exit_code == 1
    assert run("--fix", "--unsafe-fixes").exit_code == 0
    assert (folder / "bad.md").read_text() == "[a](installation.md) [b](installation.md#set-it-up)\n"


@pytest.mark.parametrize(
    ("written", "fixed"),
    [
        ("[a](Guide.md)", "[a](guide.md)"),
        ("[a](./Sub/My_File.md#a-b)", "[a](./sub/my-file.md#a-b)"),
        ("![a](SUB/pic.png)", "![a](sub/pic.png)"),
        ("[a](#some_heading)\n\n# Some heading", "[a](#some-heading)\n\n# Some heading"),
        ("[a]: Guide.md\n\n[a]", None),
    ],
)
def test_name_in_another_spelling_is_fixed(folder: Path, written: str, fixed: str | None) -> None:
    (folder / "sub").mkdir()
    for name in ("guide.md", "sub/my-file.md", "sub/pic.png"):
        (folder / name).write_text("# A b\n")
    (folder / "bad.md").write_text(written)

    assert codes("bad.md") == ["inexact-link"]
    run("bad.md", "--fix")
    assert (folder / "bad.md").read_text() == (fixed or written)


def test_fix_keeps_line_ends_and_byte_order_mark(folder: Path) -> None:
    (folder / "bad.md").write_bytes("\ufeff##Usage\r\n\r\n```\r\ncode".encode())

    run("--fix")

    assert (folder / "bad.md").read_bytes() == "\ufeff## Usage\r\n\r\n```\r\ncode\r\n```".encode()


def test_ignored_notices_are_not_fixed(folder: Path) -> None:
    (folder / "bad.md").write_text("##Usage <!-- mdpublish: ignore -->\n")

    assert run("--fix").exit_code == 0
    assert (folder / "bad.md").read_text().startswith("##Usage")


def test_diff_writes_nothing(folder: Path) -> None:
    result = run("--diff")

    assert result.exit_code == 1
    assert result.stdout.splitlines()[:5] == ["--- bad.md", "+++ bad.md", "@@ -1,3 +1,3 @@", "-##Usage", "+## Usage"]
    assert (folder / "bad.md").read_text() == BAD
    assert run("--diff", "--select", "broken-link").exit_code == 0


def test_standard_input_is_fixed_to_standard_output() -> None:
    result = run("-", "--fix", stdin="##Usage\n\n[a][b]\n")

    assert (result.stdout, result.exit_code) == ("## Usage\n\n[a][b]\n", 1)
    assert "undefined-reference" in result.stderr


# Output


def test_statistics_count_by_rule() -> None:
    result = run("--statistics")

    assert result.stdout.splitlines() == [
        "     1 [*] heading-without-space",
        "     1     undefined-reference",
        "     1 [-] broken-link",
    ]
    assert result.exit_code == 1


def test_sarif_has_places_rules_and_fixes() -> None:
    (sarif,) = json.loads(run("bad.md", "none.md", "--output-format", "sarif").stdout)["runs"]

    assert [rule["id"] for rule in sarif["tool"]["driver"]["rules"]] == [
        "broken-link",
        "heading-without-space",
        "undefined-reference",
    ]
    heading = sarif["results"][0]
    region = {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 8}
    assert heading["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "bad.md"}, "region": region}
    (change,) = heading["fixes"][0]["artifactChanges"]
    assert change["replacements"] == [{"deletedRegion": region, "insertedContent": {"text": "## Usage"}}]
    assert sarif["invocations"][0]["executionSuccessful"] is False


def test_junit_has_a_case_for_each_file(folder: Path) -> None:
    (folder / "good.md").write_text("# Good\n")
    (folder / "odd.md").write_text("[a\x1b][b]\n")

    suite = ET.fromstring(run("--output-format", "junit").stdout)[0]

    assert [(case.get("name"), [each.get("type") for each in case]) for case in suite] == [
        ("bad.md", ["heading-without-space", "undefined-reference", "broken-link"]),
        ("good.md", []),
        ("odd.md", ["undefined-reference"]),
    ]


def test_changed_file_is_checked_again_while_watching(folder: Path) -> None:
    command = [sys.executable, "-m", "mdpublish_core", "check", "--watch", "--no-cache"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout
        try:
            assert next(line for line in process.stdout if "in 1 file" in line).startswith("3 notices")
            (folder / "bad.md").write_text("# Good\n")
            assert next(line for line in process.stdout if "in 1 file" in line).startswith("0 notices")
        finally:
            process.kill()


# Cache


def test_unchanged_file_is_not_checked_again(folder: Path) -> None:
    first = run().stdout
    cache_file = folder / cache.FOLDER_NAME / "check.json"
    content = json.loads(cache_file.read_text())
    (entry,) = content["files"].values()
    entry[2][0]["message"] = "from the cache"
    cache_file.write_text(json.dumps(content))

    assert "from the cache" in run().stdout
    assert run("--no-cache").stdout == first
    assert run("--to", "email").stdout == first  # other options
    (folder / "bad.md").write_text("# Good\n")
    assert run().exit_code == 0


def test_file_is_checked_again_when_what_it_links_to_changes(folder: Path) -> None:
    (folder / "bad.md").write_text("[a](b.md#c)\n")

    assert codes() == ["broken-link"]
    (folder / "b.md").write_text("# b\n")
    assert "missing heading" in run().stdout
    (folder / "b.md").write_text("# b\n\n# c\n")
    assert run().exit_code == 0


def test_file_that_is_named_alone_leaves_no_cache(folder: Path) -> None:
    run("bad.md")

    assert [file.name for file in folder.iterdir()] == ["bad.md"]


def test_cache_is_not_written_through_a_link(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (folder / cache.FOLDER_NAME).symlink_to(elsewhere)

    run()

    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize("content", ["", "[]", '{"fingerprint": "x"}', '{"files": 1}', "[" * 100_000])
def test_spoiled_cache_is_of_no_harm(folder: Path, content: str) -> None:
    run()
    (folder / cache.FOLDER_NAME / "check.json").write_text(content)

    assert run().stderr.startswith("3 notices")


def test_many_files_are_checked_in_processes(folder: Path) -> None:
    for number in range(40):
        (folder / f"{number:02}.md").write_text(f"[a](none-{number}.md)\n")

    result = run("--no-cache", "--select", "broken-link")

    assert result.stderr == "41 notices in 41 files\n"
    assert [line.split(":")[0] for line in result.stdout.splitlines()] == [f"{n:02}.md" for n in range(40)] + ["bad.md"]
