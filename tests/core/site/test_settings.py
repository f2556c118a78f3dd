"""Settings of a site in TOML."""

from pathlib import Path

import pytest

from mdpublish_core.errors import InvalidSite
from mdpublish_core.site import NavItem, SiteSettings, read_site_settings

NAV = 'nav = ["index.md", {Guides = ["guides/", {Web = "https://example.org/"}]}]'


def test_settings_are_those_of_the_first_file_with_a_table(tmp_path: Path) -> None:
    assert read_site_settings(tmp_path) == SiteSettings()
    (tmp_path / "pyproject.toml").write_text('[tool.mdpublish.site]\ntitle = "Project"\n')
    assert read_site_settings(tmp_path).title == "Project"
    (tmp_path / "mdpublish.toml").write_text(
        f'[site]\ntitle = "Own"\nurl = "https://example.org/docs"\nedit-url = "https://git.example/"\n{NAV}\n'
    )

    settings = read_site_settings(tmp_path)

    assert (settings.title, settings.url, settings.edit_url) == (
        "Own",
        "https://example.org/docs/",
        "https://git.example/",
    )
    assert settings.nav == (
        NavItem(None, "index.md"),
        NavItem("Guides", None, (NavItem(None, "guides/"), NavItem("Web", "https://example.org/"))),
    )


def test_stylesheet_and_template_are_files_beside_the_settings(tmp_path: Path) -> None:
    (tmp_path / "own.css").write_text("p { color: red; }")
    (tmp_path / "mdpublish.toml").write_text('[site]\ncss = "own.css"\ntemplate = "paper"\n')

    settings = read_site_settings(tmp_path)

    assert (settings.css, settings.template) == ("p { color: red; }", "paper")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("[site]\ncolour = 1", "unknown setting 'colour'; choose from: "),
        ('[site]\ntitel = "A"', "unknown setting 'titel'; did you mean 'title'\\? Choose from: "),
        ('[site]\ntheme-mod = "dark"', "unknown setting 'theme-mod'; did you mean 'theme_mode'\\? Choose from: "),
        ("[site]\ntitle = 1", "title must be a string"),
        ("[site]\ndrafts = 'yes'", "drafts must be true or false"),
        ("[site]\nstatic = 'a'", "static must be a list of strings"),
        ("[site]\nlang = 'x!'", "lang must be a BCP 47 language tag"),
        ("[site]\ntheme_mode = [1]", r"theme_mode must be one of light, dark, auto \(got \[1\]\)"),
        ("[site]\ntheme_mode = 'pink'", "theme_mode must be one of light, dark, auto"),
        ("[site]\nurl = 'example.org'", "url must be an absolute URL"),
        ("[site]\nrepository = 'git@example.org:a/b'", "repository must be an absolute URL"),
        ("[site]\nlayout = 'blog'", "layout must be one of docs, theme"),
        ("[site]\nnav = 'a.md'", "nav must be a list"),
        ("[site]\nnav = [1]", "nav must have file names, or tables"),
        (f"[site]\nnav = {'[{a = ' * 40}[]{'}]' * 40}", "nav must be at most 32 levels deep"),
        ("[site]\ncss = 'none.css'", "cannot read none.css"),
        ("[site", "is not valid TOML"),
        ("site = 1", "site must be a table"),
        ("#" * 1_000_001, "at most 1,000,000 bytes"),
    ],
)
def test_mistakes_are_named_in_one_line(tmp_path: Path, content: str, problem: str) -> None:
    (tmp_path / "mdpublish.toml").write_text(content)

    with pytest.raises(InvalidSite, match=problem) as raised:
        read_site_settings(tmp_path)

    assert "\n" not in str(raised.value)
