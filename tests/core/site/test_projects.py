"""Sites of other programs: their menus, settings and files, and what only the programs themselves can work out."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from lxml import html

from mdpublish_core.cli import main
from tests.core.png_images import blank_png

MKDOCS = {
    "base.yml": "site_name: Base\nrepo_url: https://github.com/acme/tide\ntheme:\n  name: material\n  language: de\n",
    "mkdocs.yml": """\
INHERIT: base.yml
site_name: Tide
site_url: https://tide.example/docs/
site_author: !ENV [AUTHOR, "Ada"]
edit_uri: edit/main/docs/
theme:
  features: [navigation.indexes]
  icon: {logo: material/egg}
nav:
  - index.md
  - Start: start.md
  - Guides:
      - guides/index.md
      - First steps: guides/a.md
      - Deep:
          - guides/b.md
          - ./guides/c.md
  - Missing: none.md
  - Code: https://git.example/tide
exclude_docs: |
  internal/
  *.draft.md
plugins:
  - search
  - macros
  - blog: {enabled: true}
markdown_extensions:
  - admonition
  - pymdownx.snippets
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
extra_css: [a.css]
""",
    "docs/index.md": '# Welcome\n\n!!! note\n    Body\n\n--8<-- "part.txt"\n',
    "docs/start.md": "No heading, [a file](data/a.csv).\n",
    "docs/guides/index.md": "# All guides\n",
    "docs/guides/a.md": "---\ntitle: From front matter\n---\n# A\n",
    "docs/guides/b.md": "# B *heading*\n",
    "docs/guides/c.md": "---\ntitle: See\n---\nText\n",
    "docs/internal/secret.md": "# Secret\n",
    "docs/x.draft.md": "# Draft\n",
    "docs/data/a.csv": "1,2",
    "docs/data/b.csv": "1,2",
    "docs/other.md": "# Other\n",
    "part.txt": "Included *text*",
}  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "site").mkdir()
    monkeypatch.chdir(tmp_path / "site")
    return tmp_path / "site"


def write(files: dict[str, str]) -> None:
    for name, content in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["site", ".", "out", *arguments])


def messages(result: Result, file: str) -> list[str]:
    """Return the notices of a file."""
    return [
        notice["message"] for each in json.loads(result.stdout) if each["file"] == file for notice in each["notices"]
    ]


def page(name: str) -> html.HtmlElement:
    return html.fromstring(Path(f"out/{name}.html").read_bytes())


def menu(name: str) -> list[str]:
    """Return the labels of a page's menu with their URLs, indented."""
    entries = page(name).xpath("//*[@id='site-menu']//li")
    return [
        f"{'  ' * len(each.xpath('ancestor::li'))}{each[0].text_content()} {each[0].get('href', '-')}"
        for each in entries
    ]


def test_menu_titles_and_edit_links_are_those_of_mkdocs() -> None:
    """As MkDocs 1.6.1 itself has them; the section's own page is Material's."""
    write(MKDOCS)
    assert run("--output-format", "json").exit_code == 0

    assert menu("guides/b") == [
        "Welcome ../index.html",
        "Start ../start.html",
        "Guides ../guides/index.html",
        "  First steps ../guides/a.html",
        "  Deep ../guides/b.html",
        "    B heading ../guides/b.html",
        "    See ../guides/c.html",
        "Code https://git.example/tide",
    ]
    for name in ("index", "start", "guides/index", "guides/a", "guides/b", "guides/c"):
        assert page(name).xpath("//a[contains(@href, '/edit/')]/@href") == [
            f"https://github.com/acme/tide/edit/main/docs/{name}.md"
        ]
    assert page("index").xpath("//a[@class='site-title']")[0].text == "Tide"
    assert page("index").get("lang") == "de"
    assert page("guides/b").xpath("//link[@rel='canonical']/@href") == ["https://tide.example/docs/guides/b.html"]


def test_page_without_a_title_in_its_text_shows_that_of_the_menu() -> None:
    """As Material for MkDocs 9 shows it; a page with another h1 has that."""
    write(MKDOCS | {"docs/start.md": "Text\n\n## First part\n\n## Start\n", "docs/other.md": "## Part\n\nText\n"})
    run()

    assert [page(name).xpath("//h1")[0].text_content() for name in ("guides/a", "guides/c")] == ["A", "See"]
    assert page("start").xpath("//title/text()") == ["Start"]
    assert not page("start").xpath("//h1"), "an h2 says it"
    assert not page("other").xpath("//h1"), "its first heading is its title"

    write({"docs/start.md": "Text\n\n## First part\n", "docs/other.md": "<div><h1>Tide</h1></div>\n\n## Part\n"})
    run()

    assert [each.text_content() for each in page("other").xpath("//h1")] == ["Tide"]
    (title,) = page("start").xpath("//h1")
    assert title.text_content() == "Start"
    assert page("start").xpath("//h1/following::p[1]")[0].text == "Text"


def test_extensions_included_files_and_static_files_are_those_of_mkdocs() -> None:
    write(MKDOCS)
    run()

    main_part = page("index").xpath("//main")[0].text_content()
    assert "!!!" not in main_part
    assert "Included text" in main_part
    assert page("start").xpath("//main//a/@href") == ["data/a.csv"]
    assert {each.name for each in Path("out/data").iterdir()} == {"a.csv", "b.csv"}
    assert not list(Path("out").rglob("*secret*"))
    assert not list(Path("out").rglob("x.*"))
    assert Path("out/other.html").is_file()


def test_page_is_built_again_after_a_change_of_what_it_includes() -> None:
    write(MKDOCS)
    run()
    Path("part.txt").write_text("Changed")

    assert "7 pages: 1 written" in run().stderr
    assert "Changed" in page("index").xpath("//main")[0].text_content()


def test_what_is_not_read_is_named() -> None:
    write(MKDOCS)

    assert messages(run("--output-format", "json"), "mkdocs.yml") == [
        "only MkDocs itself can work out author",
        "settings of MkDocs that have no counterpart: theme.icon, extra_css",
        "the menu's page 'none.md' is missing",
        "only MkDocs itself can work out the plugin macros, the plugin blog",
    ]
    assert run("--strict").exit_code == 1


def test_settings_go_before_those_of_a_project_and_folders_leave_it_out() -> None:
    write(MKDOCS | {"mdpublish.toml": '[site]\ntitle = "Ours"\nnav = ["guides/"]\n'})
    run()
    assert menu("index") == ["All guides guides/index.html"]
    assert page("index").xpath("//a[@class='site-title']")[0].text == "Ours"

    write({"docs/mdpublish.toml": "[site]\n"})
    assert CliRunner().invoke(main, ["site", "docs", "bare", "--from", "folders"]).exit_code == 0
    assert "Deep" not in Path("bare/guides/b.html").read_text("utf-8")


def test_folder_of_the_documents_is_that_of_its_project() -> None:
    write(MKDOCS)

    assert CliRunner().invoke(main, ["site", "docs", "out"]).exit_code == 0
    assert menu("guides/b")[1] == "Start ../start.html"


@pytest.mark.parametrize("folder_of_docs", ["../private", "/etc", "link", "../docs"])
def test_documents_outside_the_project_are_refused(folder: Path, folder_of_docs: str) -> None:
    (folder.parent / "private").mkdir()
    (folder.parent / "private/secret.md").write_text("SECRET")
    for link in (Path("link"), folder.parent / "docs"):
        link.symlink_to(folder.parent / "private", target_is_directory=True)
    write({"mkdocs.yml": f"docs_dir: {folder_of_docs}\n", "a.md": "# A"})

    result = run()

    assert result.exit_code == 1
    assert "its documents must be a folder below its own, or in its repository" in result.stderr
    assert run("--from", "folders").exit_code == 0


def test_program_without_its_configuration_and_unreadable_ones_are_refused() -> None:
    write({"a.md": "# A"})
    assert "there is no mkdocs.yml or mkdocs.yaml in" in run("--from", "mkdocs").stderr
    for name, content in {"mkdocs.yml": "{[", "book.toml": "{[", "sidebars.js": "module.exports = {["}.items():
        write({name: content, "docs/a.md": "# A"})
        result = run()
        assert result.exit_code == 1
        assert f"{name}: " in result.stderr
        Path(name).unlink()


DOCUSAURUS = {
    "docusaurus.config.js": """\
// @ts-check
import {themes as prismThemes} from 'prism-react-renderer';
/** @type {import('@docusaurus/types').Config} */
const config = {
  title: 'Tide', tagline: 'Of the sea', url: 'https://tide.example', baseUrl: '/',
  i18n: {defaultLocale: 'en', locales: ['en']},
  presets: [['classic', /** @type {import('x').Options} */ ({
    docs: {sidebarPath: require.resolve('./sidebars.js'), editUrl: 'https://git.example/edit/main/'},
  })]],
  themeConfig: {navbar: {}},
};
export default config;
""",
    "sidebars.js": """\
const guides = ['guides/first'];
module.exports = {
  docs: [
    'intro',
    {type: 'category', label: 'Guides', link: {type: 'doc', id: 'guides/index'}, items: [...guides, {type: 'doc', id: 'guides/named', label: 'Second'}]},
    {type: 'category', label: 'API', items: [{type: 'autogenerated', dirName: 'api'}]},
    {type: 'link', label: 'Code', href: 'https://git.example'},
    {Short: ['guides/first']},
    makeItem('x'),
    'gone',
  ],
};
""",
    "docs/01-intro.mdx": "---\nsidebar_label: Welcome\n---\nimport A from '@site/a';\n\n# Intro\n\n:::tip\nBody\n:::\n\n<Chart data={1} />\n\n![l](/img/logo.png) ![m](/img/none.png)\n",
    "docs/guides/index.md": "# Guides\n",
    "docs/guides/first.md": "# First {#start}\n\n[intro](../01-intro.mdx#intro)\n",
    "docs/guides/other.md": "---\nid: named\n---\n# Other\n",
    "docs/guides/_part.md": "# Partial\n",
    "docs/api/_category_.json": '{"label": "Interfaces"}',
    "docs/api/b.md": "---\nsidebar_position: 1\n---\n# B\n",
    "docs/api/a.md": "# A\n",
    "docs/api/more/_category_.yml": "label: More of it\n",
    "docs/api/more/c.md": "# C\n",
}  # fmt: skip


def test_menu_and_files_are_those_of_docusaurus() -> None:
    write(DOCUSAURUS)
    Path("static/img").mkdir(parents=True)
    Path("static/img/logo.png").write_bytes(blank_png(2, 2))

    result = run("--output-format", "json")

    assert menu("guides/first") == [
        "Welcome ../01-intro.html",
        "Guides ../guides/index.html",
        "  First ../guides/first.html",
        "  Second ../guides/other.html",
        "API ../api/b.html",
        "Code https://git.example",
        "Short ../guides/first.html",
    ]
    assert menu("api/a")[2:6] == [
        "API ../api/b.html",
        "  B ../api/b.html",
        "  A ../api/a.html",
        "  More of it ../api/more/c.html",
    ]
    assert page("01-intro").xpath("//main//img/@src")[0] == "img/logo.png"
    assert Path("out/img/logo.png").is_file()
    assert not list(Path("out/guides").rglob("*part*"))
    assert page("guides/first").xpath("//a[contains(@href, '/edit/')]/@href") == [
        "https://git.example/edit/main/docs/guides/first.md"
    ]
    assert messages(result, "docusaurus.config.js") == [
        "settings of Docusaurus that have no counterpart: themeConfig",
        "only Docusaurus itself can work out an entry of the sidebars",
        "the menu's page 'gone' is missing",
    ]
    assert [each.partition(" is shown")[0] for each in messages(result, "docs/01-intro.mdx")] == [
        "an import or export of MDX",
        "a component of MDX",
        "the image '/img/none.png' points to a missing file",
    ]


def test_subcategories_of_docusaurus_1_are_sections() -> None:
    sidebars = {"docs": {"Guides": ["a", {"type": "subcategory", "label": "Deep", "ids": ["b"]}]}}
    write({"sidebars.json": json.dumps(sidebars), "docs/a.md": "# A\n", "docs/b.md": "# B\n"})

    run()

    assert menu("b")[:4] == ["Guides a.html", "  A a.html", "  Deep b.html", "    B b.html"]


def test_sidebars_that_a_program_makes_leave_the_folders() -> None:
    write(DOCUSAURUS | {"sidebars.js": "module.exports = makeSidebars();\n"})

    result = run("--output-format", "json")

    assert menu("guides/first")[0] == "Welcome ../01-intro.html"
    assert "only Docusaurus itself can work out what sidebars.js exports" in messages(result, "docusaurus.config.js")


FOLDERS = {
    "docusaurus.config.js": "module.exports = {title: 'Tide'};\n",
    "docs/intro.md": "---\nsidebar_position: 2\n---\n# Intro\n",
    "docs/zero.md": "# Zero\n",
    "docs/04-late.md": "# Late\n",
    "docs/basics/_category_.json": '{"label": "First steps", "position": 1.5, "link": {"type": "doc", "id": "run"}}',
    "docs/basics/run.md": "# Run\n",
    "docs/basics/02-stop.md": "# Stop\n",
    "docs/basics/01-start.md": "# Start\n",
    "docs/03-extras/_category_.yml": "link: {type: generated-index}\n",
    "docs/03-extras/a.md": "# A\n",
    "docs/api/README.md": "# Interfaces\n",
    "docs/api/b.md": "# B\n",
    "docs/bad/_category_.yaml": "label: [\n",
    "docs/bad/c.md": "# C\n",
}


def test_folders_of_docusaurus_are_in_the_order_of_their_positions() -> None:
    """As its documentation of generated sidebars says."""
    write(FOLDERS)

    result = run("--output-format", "json")

    assert menu("zero") == [
        "First steps basics/run.html",
        "Intro intro.html",
        "Extras 03-extras/a.html",
        "Late 04-late.html",
        "Api api/index.html",
        "Bad bad/c.html",
        "Zero zero.html",
    ]
    assert menu("basics/run")[:3] == [
        "First steps ../basics/run.html",
        "  Start ../basics/01-start.html",
        "  Stop ../basics/02-stop.html",
    ]
    assert messages(result, "docusaurus.config.js") == [
        "only Docusaurus itself can work out what bad/_category_.yaml says"
    ]


def test_categories_say_nothing_where_no_file_of_docusaurus_is() -> None:
    write({name: content for name, content in FOLDERS.items() if name.startswith("docs/")})

    run()

    assert [each.strip() for each in menu("docs/zero") if "asics" in each] == ["Basics ../docs/basics/01-start.html"]


MDBOOK = {
    "book.toml": """\
[book]
title = "The Tide"
authors = ["Ada", "Bo"]
language = "fr"
[output.html]
git-repository-url = "https://git.example/acme/tide"
edit-url-template = "https://git.example/acme/tide/edit/main/{path}"
additional-css = ["a.css"]
[preprocessor.mermaid]
command = "mdbook-mermaid"
""",
    "src/SUMMARY.md": """\
# Summary

[Preface](README.md)

# Using it

- [Start](./start.md)
  - [Install *it*](start/install.md)
  - [Later]()
- [Gone](gone.md)
- [Outside](/etc/passwd)

# Reference

1. [API](api.md)

---

[Thanks](thanks.md)
""",
    **{
        f"src/{name}.md": f"# Title of {name}\n"
        for name in ("README", "start", "start/install", "api", "thanks", "part")
    },
    "src/data.csv": "1",
}


def test_menu_is_the_summary_of_mdbook() -> None:
    write(MDBOOK)

    result = run("--output-format", "json")

    assert menu("start/install") == [
        "Preface ../index.html",
        "Using it ../start.html",
        "  Start ../start.html",
        "    Install it ../start/install.html",
        "    Later -",
        "Reference ../api.html",
    ]
    assert page("index").get("lang") == "fr"
    assert page("api").xpath("//a[contains(@href, '/edit/')]/@href") == [
        "https://git.example/acme/tide/edit/main/src/api.md"
    ]
    assert Path("out/data.csv").is_file()
    assert not Path("out/part.html").exists()
    assert not Path("out/SUMMARY.html").exists()
    assert messages(result, "book.toml") == [
        "settings of mdBook that have no counterpart: output.html.additional-css",
        "the menu's page 'gone.md' is missing",
        "the menu's page '/etc/passwd' is missing",
        "only mdBook itself can work out the preprocessor mermaid",
    ]


def test_titles_that_pages_of_a_folder_share_yield() -> None:
    write({"docs/a.md": "x"})
    shared = '<h1 align="center">Fastify</h1>\n\n'
    for name, rest in {
        "index": "",
        "hooks": "## Hooks\n",
        "plugins": "## Plugins\n\n## Hooks\n",
        "a-b": "## Contents\n",
        "c": "## Contents\n",
        "d": "text\n",
    }.items():
        write({f"docs/{name}.md": shared + rest})

    result = CliRunner().invoke(main, ["site", "docs", "out", "--output-format", "json"])

    assert [each.rsplit(" ", 1)[0] for each in menu("index")] == ["Fastify", "A b", "A", "C", "D", "Hooks", "Plugins"]
    assert page("hooks").xpath("string(//title)") == "Hooks"
    assert messages(result, "docs/hooks.md") == [
        "other pages of the folder are called 'Fastify', too; this one is 'Hooks'"
    ]
    assert messages(result, "docs/index.md") == []
