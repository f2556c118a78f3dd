"""IDs of theme files in the catalog are unique and equal the file names."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from mdpublish_core import get_template, list_templates
from mdpublish_core.errors import InvalidTheme
from mdpublish_core.templates import catalog

SWISS = next(Path(str(catalog._FOLDER)).glob("*/swiss.toml"))


def forget() -> None:
    for cached in (catalog._catalog, catalog._files, catalog._read):
        cached.cache_clear()


@pytest.fixture
def themes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A catalog folder with `free/swiss.toml` and an empty `dark`."""
    folder = tmp_path / "themes"
    for category in ("free", "dark"):
        (folder / category).mkdir(parents=True)
    shutil.copy(SWISS, folder / "free")
    monkeypatch.setattr(catalog, "_FOLDER", folder)
    forget()
    yield folder
    forget()


def test_theme_file_is_a_template(themes: Path) -> None:
    theme = SWISS.read_text("utf-8").replace('id = "swiss"', 'id = "harbour"')
    (themes / "free/harbour.toml").write_text(theme, "utf-8")

    assert {template.id for template in list_templates()} == {"harbour", "swiss"}
    assert get_template("harbour").id == "harbour"


def test_file_with_the_id_of_another_is_refused(themes: Path) -> None:
    shutil.copy(SWISS, themes / "free/harbour.toml")

    problem = "themes/free/harbour.toml: id: is 'swiss', the id of themes/free/swiss.toml; allowed: the file's name, 'harbour'"
    with pytest.raises(InvalidTheme) as refused:
        list_templates()
    assert str(refused.value) == problem
    with pytest.raises(InvalidTheme):
        get_template("harbour")


def test_file_whose_name_is_not_its_id_is_refused(themes: Path) -> None:
    (themes / "free/swiss.toml").rename(themes / "free/harbour.toml")

    with pytest.raises(InvalidTheme, match=r"^themes/free/harbour.toml: id: is 'swiss'; allowed: the file's name"):
        list_templates()


def test_two_files_of_one_name_are_refused(themes: Path) -> None:
    shutil.copy(SWISS, themes / "dark")

    with pytest.raises(InvalidTheme) as refused:
        list_templates()
    for category in ("dark", "free"):
        assert f"themes/{category}/swiss.toml" in str(refused.value)


def test_file_without_an_id_is_refused(themes: Path) -> None:
    theme = SWISS.read_text("utf-8").replace('id = "swiss"\n', "")
    (themes / "free/swiss.toml").write_text(theme, "utf-8")

    with pytest.raises(InvalidTheme, match=r"^themes/free/swiss.toml: id: "):
        list_templates()
