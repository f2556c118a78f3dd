"""Word files in raw XML, for what python-docx cannot say."""

from collections.abc import Mapping
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from mdpublish_core.resources.open_xml import NAMESPACES

_DECLARED = " ".join(
    f'xmlns:{prefix}="{NAMESPACES[prefix]}"' for prefix in ("w", "r", "m", "mc", "w14", "wp", "a", "pic")
)
_VML = 'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:wps="urn:shapes"'
_RELATIONSHIPS = NAMESPACES["rel"]
_OFFICE = NAMESPACES["r"]


def word_file(body: str, links: Mapping[str, str] | None = None, **parts: str | bytes) -> bytes:
    """Return a file with the content of `w:body`; `parts` are contents of roots such as `styles`, or `media` files."""
    roots = {name: content for name, content in parts.items() if isinstance(content, str)}
    files = {name: content for name, content in parts.items() if isinstance(content, bytes)}
    targets = {
        **{name: ("Internal", name, f"{name}.xml") for name in roots},
        **{name: ("Internal", "image", f"media/{name}") for name in files},
        **{name: ("External", "hyperlink", url) for name, url in (links or {}).items()},
    }
    output = BytesIO()
    with ZipFile(output, "w", ZIP_DEFLATED) as archive:
        main = {"main": ("Internal", "officeDocument", "word/document.xml")}
        archive.writestr("_rels/.rels", _relationships(main))
        archive.writestr("word/_rels/document.xml.rels", _relationships(targets))
        archive.writestr("word/document.xml", root("document", f"<w:body>{body}</w:body>"))
        for name, content in roots.items():
            archive.writestr(f"word/{name}.xml", root(name, content))
        for name, data in files.items():
            archive.writestr(f"word/media/{name}", data)
    return output.getvalue()


def root(name: str, content: str) -> str:
    return f"<w:{name} {_DECLARED} {_VML}>{content}</w:{name}>"


def _relationships(targets: Mapping[str, tuple[str, str, str]]) -> str:
    each = "".join(
        f'<Relationship Id="{key}" Type="{_OFFICE}/{kind}" Target="{target}" TargetMode="{mode}"/>'
        for key, (mode, kind, target) in targets.items()
    )
    return f'<Relationships xmlns="{_RELATIONSHIPS}">{each}</Relationships>'


def paragraph(content: str, properties: str = "") -> str:
    """Return a paragraph; `content` is text, or runs in XML."""
    runs = content if content.startswith("<") else run(content) if content else ""
    return f"<w:p><w:pPr>{properties}</w:pPr>{runs}</w:p>"


def run(content: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{content}</w:t></w:r>'


def item(content: str, list_id: int, level: int = 0) -> str:
    return paragraph(content, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>')


def style(kind: str, style_id: str, name: str, properties: str = "") -> str:
    return f'<w:style w:type="{kind}" w:styleId="{style_id}"><w:name w:val="{name}"/>{properties}</w:style>'


def definition(number: int, *formats: str, start: int = 1) -> str:
    """Return the definition of a list, with a format for each level, and the list with its number."""
    levels = "".join(
        f'<w:lvl w:ilvl="{level}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>'
        f'<w:pPr><w:ind w:left="{720 * (level + 1)}" w:hanging="360"/></w:pPr></w:lvl>'
        for level, form in enumerate(formats)
    )
    return f'<w:abstractNum w:abstractNumId="{number}">{levels}</w:abstractNum>'


def numbered_list(number: int, of: int, override: str = "") -> str:
    return f'<w:num w:numId="{number}"><w:abstractNumId w:val="{of}"/>{override}</w:num>'


def with_entry(content: bytes, name: str, data: bytes) -> bytes:
    """Return a file with another part in place of one."""
    output = BytesIO()
    with ZipFile(BytesIO(content)) as source, ZipFile(output, "w", ZIP_DEFLATED) as archive:
        for entry in source.namelist():
            if entry != name:
                archive.writestr(entry, source.read(entry))
        archive.writestr(name, data)
    return output.getvalue()
