"""`DocxOptions(embed_fonts=True)`: the template's own faces in the file."""

from io import BytesIO
from pathlib import Path
from typing import Any

from fontTools.ttLib import TTFont
from lxml import etree

from mdpublish_core import DocxOptions, convert, get_template
from tests.core.docx.reference_documents import german_letterhead
from tests.core.docx.word_files import NAMES, WordParts, invalid

MARKDOWN = "# Title\n\nText, **bold** and *italic*.\n\n```\ncode\n```\n"
EMBEDDING = DocxOptions(embed_fonts=True)
_W, _R = (f"{{{NAMES[prefix]}}}" for prefix in ("w", "r"))


def embedded(word: WordParts) -> dict[tuple[str, str], Any]:
    """Return the fonts by family and face, read back by the key."""
    targets = {
        str(each.get("Id")): str(each.get("Target"))
        for each in etree.fromstring(word.files.get("word/_rels/fontTable.xml.rels", b"<none/>"))
    }
    fonts = {}
    for face in word.find("//w:font/*[@r:id]", "fontTable"):
        content = bytearray(word.files[f"word/{targets[str(face.get(f'{_R}id'))]}"])
        # ECMA-376-1, 17.8.1: the GUID's digits from the last to the first, over the first 32 bytes.
        key = bytes.fromhex(str(face.get(f"{_W}fontKey")).strip("{}").replace("-", ""))[::-1]
        content[:32] = bytes(byte ^ key[place % 16] for place, byte in enumerate(content[:32]))
        family = face.getparent()
        assert family is not None
        name = (str(family.get(f"{_W}name")), face.tag.removeprefix(f"{_W}embed"))
        fonts[name] = TTFont(BytesIO(bytes(content)))
    return fonts


def test_file_has_the_template_s_faces_under_the_names_by_which_word_finds_them(tmp_path: Path) -> None:
    content = convert(MARKDOWN, to="docx", template="resume", options=EMBEDDING).to_bytes()
    word = WordParts(content)
    fonts = embedded(word)

    assert set(fonts) >= {("Public Sans", face) for face in ("Regular", "Bold", "Italic", "BoldItalic")}
    assert {family for family, _ in fonts} == set(filter(None, get_template("resume").fonts.hosted))
    for (family, face), font in fonts.items():
        assert (font["name"].getDebugName(1), font["name"].getDebugName(2).replace(" ", "")) == (family, face)
        assert [font["name"].getDebugName(number) for number in (16, 17)] == [None, None]
        assert (bool(font["OS/2"].fsSelection & 1), bool(font["OS/2"].fsSelection & 32)) == (
            "Italic" in face,
            "Bold" in face,
        )
        assert font["OS/2"].fsType == 0
        assert set(map(ord, "Title, bold.")) <= font.getBestCmap().keys()
    assert word.values("//w:docDefaults//w:rFonts", "styles", "ascii") == ["Public Sans"]
    assert len(word.find("//w:embedTrueTypeFonts", "settings")) == 1
    assert invalid(content, tmp_path) == []


def test_letters_of_other_languages_are_in_the_same_face() -> None:
    plain, extended = (
        embedded(WordParts(convert(markdown, to="docx", template="resume", options=EMBEDDING).to_bytes()))
        for markdown in ("Plain", "Příliš žluťoučký")
    )

    assert ord("ř") not in plain["Public Sans", "Regular"].getBestCmap()
    assert ord("ř") in extended["Public Sans", "Regular"].getBestCmap()
    # Equal arguments make equal bytes.
    assert {font["head"].modified == font["head"].created for font in extended.values()} == {True}


def test_faces_are_those_that_the_document_uses() -> None:
    fonts = {
        template: {
            family
            for family, _ in embedded(
                WordParts(convert(MARKDOWN, to="docx", template=template, options=EMBEDDING).to_bytes())
            )
        }
        for template in ("latex", "print", "newspaper", "terminal")
    }

    assert fonts == {
        "latex": {"CMU Serif", "CMU Typewriter Text"},
        "print": set(filter(None, get_template("print").fonts.hosted)) - {"Cabin"},
        "newspaper": set(filter(None, get_template("newspaper").fonts.hosted)),
        "terminal": set(),
    }


def test_front_matter_chooses_fonts() -> None:
    written = convert(f"---\nembed_fonts: true\n---\n{MARKDOWN}", to="docx").to_bytes()

    assert written == convert(MARKDOWN, to="docx", options=EMBEDDING).to_bytes()
    assert len(convert(MARKDOWN, to="docx").to_bytes()) < 20_000


def test_reference_document_keeps_its_fonts_and_our_styles_bring_theirs(tmp_path: Path) -> None:
    options = DocxOptions(embed_fonts=True, reference_doc=german_letterhead())
    content = convert(MARKDOWN, to="docx", template="resume", options=options).to_bytes()

    families = {family for family, _ in embedded(WordParts(content))}
    assert "Red Hat Mono" in families
    # Of headings, which the letterhead has.
    assert "Oswald" not in families
    assert invalid(content, tmp_path) == []
