"""Tables in files beside modules."""

from pathlib import Path

from mdpublish_core.data_files import read_fields, read_names, read_table, read_words

TABLE = """# A comment.
fragment	letters	[a-z]+
mark	#	(?&letters)#
fragment	two	(?&letters) (?&letters)
mark	name	# (?&two)
"""


def written(folder: Path, content: str) -> str:
    (folder / "table.tsv").write_text(content, "utf-8")
    return str(folder / "module.py")


def test_rows_have_fragments_in_place_of_their_names(tmp_path: Path) -> None:
    assert read_table(written(tmp_path, TABLE), "table.tsv") == [
        ["mark", "#", "[a-z]+#"],
        ["mark", "name", "# [a-z]+ [a-z]+"],
    ]


def test_names_are_grouped_by_kind_in_their_order(tmp_path: Path) -> None:
    module = written(tmp_path, "b\tz\t1\na\tx\t\nb\ty\t 2\n")

    assert read_names(module, "table.tsv") == {"b": {"z": "1", "y": " 2"}, "a": {"x": ""}}


def test_words_of_a_kind_may_take_several_rows(tmp_path: Path) -> None:
    module = written(tmp_path, "a\tone two\nb\tother\na\tthree\n")

    assert read_words(module, "table.tsv") == {"a": ("one", "two", "three"), "b": ("other",)}


def test_fields_of_a_cell_are_numbers_flags_words_and_tuples() -> None:
    assert read_fields("level=1 is_file is_text=no modes=light,dark one=light, name=a.b") == {
        "level": 1,
        "is_file": True,
        "is_text": False,
        "modes": ("light", "dark"),
        "one": ("light",),
        "name": "a.b",
    }
    assert read_fields("") == {}
