"""The document around the text, in the dialect that Word saves and copies."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from mdpublish_core.data_files import read_pairs
from mdpublish_core.html import HtmlWriter
from mdpublish_core.templates import Style
from mdpublish_core.writers.language import proofing_language
from mdpublish_core.writers.structure.bidi import Direction
from mdpublish_core.writers.styled.stylesheets import compile_stylesheet
from mdpublish_core.writers.word.styles import NO_HEIGHT, STYLES, paragraph_style
from mdpublish_core.writers.word_model.computed_styles import WordStyle, style_factory

_NAMESPACES = tuple(read_pairs(__file__, "namespaces.tsv").items())

_WHITE = frozenset({"#ffffff", "transparent"})


def start_document(
    writer: HtmlWriter,
    style: Style,
    title: str | None,
    page: WordStyle,
    *,
    lang: str | None = None,
    direction: Direction = "ltr",
    is_white: bool = False,
) -> None:
    """Write what comes before the text; `style` is that of the page, `is_white` ignores its background."""
    background = "transparent" if is_white else page.background
    writer.doctype()
    writer.start_line("html", _NAMESPACES)
    writer.start_line("head")
    for attributes in (
        (("charset", "utf-8"),),
        (("http-equiv", "Content-Type"), ("content", "text/html; charset=utf-8")),
        (("name", "ProgId"), ("content", "Word.Document")),
    ):
        writer.empty("meta", attributes)
        writer.line()
    if title:
        writer.element("title", title)
        writer.line()
    _write_settings(writer, background)
    writer.style(stylesheet(style))
    writer.line()
    # Other programs raise footnote marks by `sup`.
    writer.start_conditional("gte mso 9")
    writer.style("span.MsoFootnoteReference{mso-style-name:'Footnote Reference';vertical-align:super}")
    writer.end_conditional()
    writer.line()
    writer.end_line()
    color = page.computed.get("color")
    page_color = None if background in _WHITE else background
    body_style = f"color:{color}" if page_color is None else f"background:{page_color};color:{color}"
    body_direction = "rtl" if direction == "rtl" else None
    writer.start_line(
        "body",
        (
            ("lang", lang and proofing_language(lang)),
            ("bgcolor", page_color),
            ("dir", body_direction),
            ("style", body_style),
        ),
    )
    writer.comment("StartFragment")
    writer.line()


def end_document(writer: HtmlWriter) -> None:
    writer.comment("EndFragment")
    writer.line()
    writer.end_line()
    writer.end_line()


def _write_settings(writer: HtmlWriter, background: str) -> None:
    """Use print layout, and show the page color."""
    writer.start_conditional("gte mso 9")
    writer.start("xml")
    writer.start("w:WordDocument")
    writer.element("w:View", "Print")
    writer.element("w:Zoom", "100")
    if background not in _WHITE:
        writer.empty("w:DisplayBackgroundShape")
    writer.empty("w:DoNotOptimizeForBrowser")
    writer.end()
    writer.end()
    writer.end_conditional()
    writer.line()


@lru_cache(maxsize=512)
def stylesheet(style: Style) -> str:
    return "\n".join(_rules(style))


def _rules(style: Style) -> Iterator[str]:
    for name, (class_, path) in STYLES.items():
        # Word writes an empty value, but LibreOffice stops there.
        parent = "" if name == "Normal" else "mso-style-parent:Normal;"
        declared = NO_HEIGHT if name == "Spacer" else paragraph_style(_sample_style(style, path))
        selectors = f"p.{class_},li.{class_},div.{class_}"
        yield f"{selectors}{{mso-style-name:'{name}';mso-style-qformat:yes;{parent}{declared}}}"
    for level in range(1, 7):
        computed = _sample_style(style, (f"h{level}",))
        declarations = (
            f"mso-style-name:'Heading {level}';mso-style-qformat:yes;mso-style-next:Normal;mso-outline-level:{level}"
        )
        yield f"h{level}{{{declarations};{paragraph_style(computed)}}}"
    # Without a size: code in a small table is as small as its text, and says so nowhere.
    run_style = _sample_style(style, ("p", "code")).run_style.split(";")
    code = ";".join(each for each in run_style if not each.startswith("font-size:"))
    yield f"span.CodeChar{{mso-style-name:'Code Char';mso-style-link:Code;{code};mso-no-proof:yes}}"
    link = _sample_style(style, ("p", "a"))
    yield f"a:link,span.MsoHyperlink{{{link.run_style}}}"


def _sample_style(style: Style, path: Sequence[str]) -> WordStyle:
    """Sample an element that isn't the first in the document."""
    cursor = compile_stylesheet(style, "word", style_factory(style.template.fonts)).cursor()
    computed: WordStyle = cursor.enter("&")
    cursor.enter("hr")
    cursor.leave()
    for element in path:
        computed = cursor.enter(element)
    return computed
