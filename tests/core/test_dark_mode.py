"""Which of two styles a dark template's text has."""

from mdpublish_core.css.matcher import Styles
from mdpublish_core.writers.styled.stylesheets import DarkModeStyles


class Named(Styles[str]):
    """Styles that are their own name and the path of elements."""

    def __init__(self, name: str) -> None:
        self.path = [name]

    def enter(self, element: str, **_options: object) -> str:
        self.path.append(element)
        return self.current

    def leave(self) -> None:
        self.path.pop()

    def visit(self, element: str, **_options: object) -> str:
        return f"{self.current} {element}"

    @property
    def current(self) -> str:
        return " ".join(self.path)


def test_text_has_the_page_s_style_outside_of_painted_cells_and_the_cell_s_within() -> None:
    styles = DarkModeStyles(Named("light"), Named("dark"))

    assert (styles.enter("p"), styles.visit("code"), styles.current) == ("light p", "light p code", "light p")
    with styles.painted_cell():
        assert (styles.visit("code"), styles.current) == ("dark p code", "dark p")
        assert styles.enter("em") == "dark p em"
    assert styles.current == "light p em"
