"""Constructs of MkDocs, Pandoc and Obsidian, each with its extension: what is shown, and what is written again.

The rows say what Python-Markdown 3.11 with PyMdown Extensions, Pandoc 3.9 and Obsidian's help make of them; Pandoc itself is
asked below.
"""

import io
import re
import zipfile

import pytest

from mdpublish_core import parse, render, select_extensions, to_markdown
from mdpublish_core.testing.steps import count_steps

NAMES = (
    "abbreviations",
    "attributes",
    "block-ids",
    "comments",
    "critic",
    "definition-lists",
    "fancy-lists",
    "image-sizes",
)
EXTENSIONS = select_extensions([*NAMES, "insertions", "keys", "sub-superscript", "table-captions", "wikilinks"])

TABLE = "| a |\n|---|\n| b |"


def labeled(attributes: str, *items: str) -> str:
    """Return a list whose labels are text."""
    lines = [
        f'<li><bdi class="label">{label}</bdi> {shown}</li>'
        for label, _, shown in (item.partition(" ") for item in items)
    ]
    return "\n".join((f'<ol {attributes} style="list-style-type:none">', *lines, "</ol>"))


CASES = [
    ("a ^^new *b*^^ c", "<p>a <ins>new <em>b</em></ins> c</p>", "a new b c"),
    ("x^2^ ^^y^^ H~2~O", "<p>x<sup>2</sup> <ins>y</ins> H<sub>2</sub>O</p>", "x² y H₂O"),
    ("++ctrl+alt+del++", "<p><kbd>Ctrl</kbd>+<kbd>Alt</kbd>+<kbd>Del</kbd></p>", "Ctrl+Alt+Del"),
    ('++page-up++ ++"My key"+f1++', "<p><kbd>Page Up</kbd> <kbd>My key</kbd>+<kbd>F1</kbd></p>", "Page Up My key+F1"),
    ("C++ g++ i++ a++b++", "<p>C++ g++ i++ a++b++</p>", "C++ g++ i++ a++b++"),
    ("## Usage ## {: #use }", '<h2><a name="use"></a>Usage</h2>', "Usage\n-----"),
    ("## Usage { #use .wide }", '<h2><a name="use"></a>Usage</h2>', "Usage\n-----"),
    ("Usage {#use}\n===", '<h1><a name="use"></a>Usage</h1>', "Usage\n====="),
    ("# Preface {-}", "<h1>Preface</h1>", "Preface\n======="),
    ("# T\n{: #id}", '<h1><a name="id"></a>T</h1>', "T\n==="),
    ("a\nb\n{ .wide #x }", '<p><a name="x"></a>a\nb</p>', "a\nb"),
    ("- a\n{: .b }\n\n{: .c }", "<ul>\n<li>a</li>\n</ul>", "- a"),
    ("[Go](u){ .button } `x`{.py} *e*{.red}", '<p><a href="u">Go</a> <code>x</code> <em>e</em></p>', "Go (u) x e"),
    ("[s]{.big} [m]{.mark} [u]{.underline}", "<p><span>s</span> <mark>m</mark> <u>u</u></p>", "s ==m== u"),
    ("x {#lit a {y} {1,2} {} z", "<p>x {#lit a {y} {1,2} {} z</p>", "x {#lit a {y} {1,2} {} z"),
    ("![a](u){ .x width=50% }", '<p><img src="u" alt="a" width="50%" /></p>', "[a] (u)"),
    ("![a|300](u)", '<p><img src="u" alt="a" width="300" /></p>', "[a] (u)"),
    ("![a|300x20][r]\n\n[r]: u", '<p><img src="u" alt="a" width="300" height="20" /></p>', "[a] (u)"),
    ('![a](u =200x "t")', '<p><img src="u" alt="a" title="t" width="200" /></p>', "[a] (u “t”)"),
    ("![a|b](u) ![c](v) |3", '<p><img src="u" alt="a|b" /> <img src="v" alt="c" /> |3</p>', "[a|b] (u) [c] (v) |3"),
    ("T\n: d", "<dl>\n<dt>T</dt>\n<dd>d</dd>\n</dl>", "T\n    d"),
    ("T\nU\n:   d\n:   e", "<dl>\n<dt>T</dt>\n<dt>U</dt>\n<dd>d</dd>\n<dd>e</dd>\n</dl>", "T\nU\n    d\n    e"),
    (
        "*T*\n\n:   d\n\n:   e\n\n        code\n\nend",
        (
            "<dl>\n<dt><em>T</em></dt>\n<dd>\n<p>d</p>\n</dd>\n<dd>\n<p>e</p>\n<pre><code>code\n</code></pre>\n</dd>\n</dl>"
            "\n<p>end</p>"
        ),
        "T\n    d\n    e\n\n        code\n\nend",
    ),
    (
        "T\n:   d\nlazy\n\nU\n\n:   - x",
        "<dl>\n<dt>T</dt>\n<dd>d\nlazy</dd>\n<dt>U</dt>\n<dd>\n<ul>\n<li>x</li>\n</ul>\n</dd>\n</dl>",
        "T\n    d\n    lazy\nU\n    - x",
    ),
    ("> T\n> : d", "<blockquote>\n<dl>\n<dt>T</dt>\n<dd>d</dd>\n</dl>\n</blockquote>", "> T\n>     d"),
    (": d\n\na\n:b\n\nat: 10:30", "<p>: d</p>\n<p>a\n:b</p>\n<p>at: 10:30</p>", ": d\n\na\n:b\n\nat: 10:30"),
    ("a) x\nb) y", labeled('type="a"', "a) x", "b) y"), "a) x\nb) y"),
    ("(iv) x\n(v) y", labeled('type="i" start="4"', "(iv) x", "(v) y"), "(iv) x\n(v) y"),
    ("h. x\ni. y", '<ol type="a" start="8">\n<li>x</li>\n<li>y</li>\n</ol>', "h. x\ni. y"),
    ("A.  x\nB.  y", '<ol type="A">\n<li>x</li>\n<li>y</li>\n</ol>', "A. x\nB. y"),
    ("I) x\nII) y", labeled('type="I"', "I) x", "II) y"), "I) x\nII) y"),
    ("#. x\n#. y", "<ol>\n<li>x</li>\n<li>y</li>\n</ol>", "1. x\n2. y"),
    ("(1) x\n(2) y", labeled('type="1"', "(1) x", "(2) y"), "(1) x\n(2) y"),
    (
        "2) x\n3) y\n\n1. z",
        labeled('type="1" start="2"', "2) x", "3) y") + "\n<ol>\n<li>z</li>\n</ol>",
        "2) x\n3) y\n\n1. z",
    ),
    (
        "1. x\n   a) y\n   b) z",
        "<ol>\n<li>x\n" + labeled('type="a"', "a) y", "b) z") + "\n</li>\n</ol>",
        "1. x\n   a) y\n   b) z",
    ),
    ("(@) x\n(@b) y", labeled('type="1"', "(1) x", "(2) y"), "(1) x\n(2) y"),
    (
        "(@) x\n\nText (@b), (@c) \\(@b)\n\n(@b) y",
        labeled('type="1"', "(1) x") + "\n<p>Text (2), (@c) (@b)</p>\n" + labeled('type="1" start="2"', "(2) y"),
        "(1) x\n\nText (2), (@c) (@b)\n\n(2) y",
    ),
    ("(@) x of\n(@) y", labeled('type="1"', "(1) x of", "(2) y"), "(1) x of\n(2) y"),
    ("x of\n(@) y\n(@) z", "<p>x of</p>\n" + labeled('type="1"', "(1) y", "(2) z"), "x of\n\n(1) y\n(2) z"),
    ("T\n  ~ d", "<dl>\n<dt>T</dt>\n<dd>d</dd>\n</dl>", "T\n    d"),
    ("about\n~ 5 of", "<p>about\n~ 5 of</p>", "about\n~ 5 of"),
    ("P^a\\ b^ a\\ b", "<p>P<sup>a\u00a0b</sup> a\u00a0b</p>", "P^(a\u00a0b) a\u00a0b"),
    (
        "{++a *b*++} {--c--} {~~d~>e~~} {==f==}",
        "<p><ins>a <em>b</em></ins> <del>c</del> <del>d</del><ins>e</ins> <mark>f</mark></p>",
        "a b ~~c~~ ~~d~~e ==f==",
    ),
    ("a {>>b<<} c{>>d<<}\n\n{>>e<<}", "<p>a c</p>", "a c"),
    ("{++ {--a--} {++b {>>", "<p>{++ <del>a</del> {++b {&gt;&gt;</p>", "{++ ~~a~~ {++b {>>"),
    ("A. Smith\n\nMr. X\n\na\\) b", "<p>A. Smith</p>\n<p>Mr. X</p>\n<p>a) b</p>", "A. Smith\n\nMr. X\n\na) b"),
    (
        "HTML, XHTML, **HTML**s\n\n*[HTML]: Hyper *x*",
        '<p><abbr title="Hyper *x*">HTML</abbr>, XHTML, <strong><abbr title="Hyper *x*">HTML</abbr></strong>s</p>',
        "HTML (Hyper *x*), XHTML, HTML (Hyper *x*)s",
    ),
    ("Os OS\n\n*[OS]: a\n*[Os]: b", '<p><abbr title="b">Os</abbr> <abbr title="a">OS</abbr></p>', "Os (b) OS (a)"),
    ("a %%me%% b %%c", "<p>a b %%c</p>", "a b %%c"),
    ("%%\na\n\nb\n%%\n\nc\n%%d%%\n\n%%e%%", "<p>c</p>", "c"),
    ("`%%` \\%%a%%", "<p><code>%%</code> %%a%%</p>", "%% %%a%%"),
    (
        "A block ^a-1\n\n[[#^a-1|b]]",
        '<p><a name="a-1"></a>A block</p>\n<p><a href="#a-1">b</a></p>',
        "A block\n\nb",
    ),
    ("- item ^i1\n\nx^2 ^no ^", '<ul>\n<li><a name="i1"></a>item</li>\n</ul>\n<p>x^2 ^no ^</p>', "- item\n\nx^2 ^no ^"),
]


def html_of(markdown: str) -> str:
    return render(parse(markdown, extensions=EXTENSIONS), to="html").html.rstrip("\n")


@pytest.mark.parametrize(("markdown", "html", "shown"), CASES)
def test_construct_is_shown_as_meant(markdown: str, html: str, shown: str) -> None:
    document = parse(markdown, extensions=EXTENSIONS)

    assert render(document, to="html").html.rstrip("\n") == html
    assert render(document, to="plain-text").text.rstrip("\n") == shown
    has_values = re.search(r"\{:? ?[^{}]*(?:\.(?!mark|underline)\w|\b(?!width|height)\w+=(?!=))[^{}]*\}", markdown)
    assert len(document.notices) == bool(has_values)
    assert all("a class or value in an attribute list" in notice.message for notice in document.notices)


CAPTIONED = [
    (f"{TABLE}\n\n: A *cap*\n\nb", "</table>\n<figcaption>A <em>cap</em></figcaption>\n</figure>\n<p>b</p>"),
    (f"{TABLE}\n: Cap", "</table>\n<figcaption>Cap</figcaption>\n</figure>"),
    (f"{TABLE}\n\nTable: Cap {{#t}}", '</table>\n<figcaption><a name="t"></a>Cap</figcaption>\n</figure>'),
    (f"Table: Cap\n\n{TABLE}", "</tbody>\n</table>\n</figure>"),
    (f"{TABLE}\n\n/// caption\nCap\n///", "</table>\n<figcaption>Cap</figcaption>\n</figure>"),
    ("![a](b.png)\n\n/// caption\nCap\n///", "<figcaption>Cap</figcaption>\n</figure>"),
    ("Table: of nothing\n\n/// caption\nopen", "<p>/// caption\nopen</p>"),
]


@pytest.mark.parametrize(("markdown", "end"), CAPTIONED)
def test_caption_is_shown_with_its_block(markdown: str, end: str) -> None:
    html = html_of(markdown)

    assert html.endswith(end)
    assert ("<figure>" in html) == ("</figure>" in end)


@pytest.mark.parametrize(
    "form",
    ["{}\n: x", "T\n: {}", "T\n\n: {}", f"{TABLE}\n\n: {{}}", "^^{}^^", "[{}]{{.mark}}", "a) {}", "## {} {{#x}}"],
)
def test_raw_html_in_a_construct_is_sanitized(form: str) -> None:
    markdown = form.format("a <b>c</b> <script>d</script><i onclick=e>f</i> g")
    html = html_of(markdown)

    assert "<strong>c</strong>" in html
    assert "<em>f</em>" in html
    assert not re.search("<script|<i |onclick", html)


SOURCES = [markdown for markdown, *_ in (*CASES, *CAPTIONED)]


@pytest.mark.parametrize("markdown", SOURCES)
@pytest.mark.parametrize("raw_html", ["sanitize", "keep", "escape"])
def test_markdown_is_read_as_the_same_document(markdown: str, raw_html: str) -> None:
    document = parse(markdown, extensions=EXTENSIONS, raw_html=raw_html)  # type: ignore[arg-type]
    written = to_markdown(document)

    assert parse(written, extensions=EXTENSIONS, raw_html=raw_html) == document  # type: ignore[arg-type]
    assert to_markdown(parse(written, extensions=EXTENSIONS, raw_html=raw_html)) == written  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "markdown",
    [
        "a ^^new^^ ++ctrl+x++",
        "## Usage {#use}",
        "![a](u){width=50%}",
        "T\nU\n:   d\n:   e\n\n    f\n\nV\n\n:   g",
        "T\n:   d\n\n<!-- -->\n\nU\n:   d",
        "(iv) x\n(v) y",
        "A.  x\nB.  y\n\na) z",
        "a\\) b",
        "HTML\n\n*[HTML]: Hyper",
        "| a   |\n| --- |\n| b   |\n\n: Cap\n\n\\: d",
        "![a](b.png)\n\n/// caption\nCap\n///",
        "A block ^a-1",
        "x \\%%a\\%%",
        "a \\{#b}",
    ],
)
def test_markdown_has_the_dialect_s_own_form(markdown: str) -> None:
    assert to_markdown(parse(markdown, extensions=EXTENSIONS)).rstrip("\n") == markdown


@pytest.mark.parametrize(
    ("source", "written"),
    [
        ("a %%b%% c\n\nd", "a c\n\n%%b%%\n\nd"),
        ("%%\na\n\nb\n%%\n\n- c\n- d %%e%%\n\nf", "%%\na\n\nb\n%%\n\n- c\n- d\n\n%%e%%\n\nf"),
        ("> %%a%%\n\n> %%b%%", ">\n\n%%a%%\n\n>\n\n%%b%%"),
        ("a{>>b<<}", "a\n\n{>>b<<}"),
    ],
)
def test_comments_stay_in_markdown_beside_their_blocks(source: str, written: str) -> None:
    document = parse(source, extensions=EXTENSIONS)

    assert to_markdown(document) == f"{written}\n"
    assert parse(written, extensions=EXTENSIONS) == document
    assert to_markdown(parse(written, extensions=EXTENSIONS)) == f"{written}\n"


def test_markdown_in_html_is_read() -> None:
    source = '<figure markdown="span">\n  ![a](b.png){ width=9 }\n  <figcaption>*c*</figcaption>\n</figure>'

    html = render(parse(source, extensions=select_extensions(["mkdocs"])), to="html").html
    assert '<img src="b.png" alt="a" width="9" />' in html
    assert "<img" not in render(parse(source), to="html").html


def test_image_alone_has_a_caption_as_in_pandoc() -> None:
    extensions = select_extensions(["image-captions"])
    document = parse('![A *b*](c.png)\n\n![](d.png)\n\n![e](f.png "g")\n\nh ![i](j.png)', extensions=extensions)

    assert [image.title for image in document.images] == ["A b", "", "g", ""]
    assert parse(to_markdown(document), extensions=extensions) == document


def test_size_is_written_as_its_extension_reads_it() -> None:
    extensions = select_extensions(["image-sizes"])

    assert to_markdown(parse("![a|3x4](u) ![b](u =5x)", extensions=extensions)) == "![a|3x4](u) ![b|5](u)\n"


def test_word_has_true_labels_and_anchors() -> None:
    markdown = "a) one\nb) two\n   (i) x\n\n## T {#use}\n\n[go](#use) ++ctrl+a++\n\nT\n: d"
    data = render(parse(markdown, extensions=EXTENSIONS), to="docx").to_bytes()
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        numbering, body = (package.read(f"word/{name}.xml").decode() for name in ("numbering", "document"))

    assert {"%1)", "(%2)"} <= set(re.findall(r'lvlText w:val="([^"]*)"', numbering))
    assert {"lowerLetter", "lowerRoman"} <= set(re.findall(r'numFmt w:val="([^"]*)"', numbering))
    assert re.search(r'w:bookmarkStart [^>]*w:name="md-use"', body)
    assert 'w:anchor="md-use"' in body
    assert re.sub("<[^>]+>", "", body).endswith("onetwoxTgo Ctrl+ATd")


@pytest.mark.parametrize(
    ("destination", "labels"),
    [
        ("slack", ["a) one", "(ii) x", "1) y"]),
        ("plain-text", ["a) one", "(ii) x", "1) y"]),
        ("email", ["a)\u00a0one", "(ii)\u00a0x", "1)\u00a0y", "list-style-type:none"]),
        ("word", ["a) one", "(ii) x", "1) y", "list-style-type:none"]),
        ("google-docs", ["a) one", "(ii) x", "1) y", "list-style-type:none"]),
        ("generic", ["a)</bdi> one", "(ii)</bdi> x", "1)</bdi> y", ".labels{list-style-type:none}"]),
        ("onenote", ["a) one", "(ii) x", "1) y"]),
    ],
)
def test_labels_are_in_every_output(destination: str, labels: list[str]) -> None:
    document = parse("a) one\n\n(ii) x\n\n1) y", extensions=EXTENSIONS)
    shown = render(document, to=destination).text

    assert [label for label in labels if label not in shown] == []


@pytest.mark.parametrize(
    ("name", "markdown"),
    [
        ("attributes", "## Usage {#use}"),
        ("attributes", "[a](u){ #b }"),
        ("attributes", "## Usage {/* #use */}"),
        ("image-sizes", "![a|300](u)"),
        ("image-sizes", "![a](u){width=50%}"),
        ("definition-lists", "T\n: d"),
        ("fancy-lists", "a) b\nc) d"),
        ("insertions", "a ^^b c^^"),
        ("keys", "++ctrl+a++"),
        ("abbreviations", "HTML\n\n*[HTML]: b"),
        ("table-captions", f"{TABLE}\n\n: c"),
        ("comments", "a %%b%% c"),
        ("block-ids", "a b ^c-1"),
    ],
)
def test_notice_names_the_extension_that_reads_a_construct(name: str, markdown: str) -> None:
    (notice,) = parse(markdown).notices

    assert notice.code == "unread-syntax"
    assert notice.message.endswith(f"is shown as text; the extension {name} reads it")
    assert parse(markdown, extensions=select_extensions([name])).notices == ()


@pytest.mark.parametrize(
    ("markdown", "pattern"),
    [
        ("T\n: d\n\nU\nlazy", r"<d[dt]>"),
        ("T\n\n:   d\n\n:   e", r"<(?:d[dt]|p)>"),
        ("a) x\nb) y", "<ol.*?>|<li>"),
        ("(iv) x\n(v) y", "<ol.*?>|<li>"),
        ("h) x\ni) y", "<ol.*?>|<li>"),
        ("v) x\nvi) y", "<ol.*?>|<li>"),
        ("i. e. so", "<ol.*?>|<li>"),
        ("A. x", "<ol.*?>|<li>"),
        ("A.  x\nB.  y", "<ol.*?>|<li>"),
        ("#. x\n#. y", "<ol.*?>|<li>"),
    ],
)
@pytest.mark.needs("pypandoc")
def test_pandoc_reads_the_same(markdown: str, pattern: str) -> None:
    import pypandoc  # type: ignore[import-untyped]  # it has no types, and one function is called

    theirs = pypandoc.convert_text(markdown, "html", format="markdown")
    ours = re.sub(' type="1"| style="[^"]*"', "", html_of(markdown))
    elements = [
        [sorted(re.findall(r"[\w=\"]+", each)) for each in re.findall(pattern, html)] for html in (ours, theirs)
    ]

    assert elements[0] == elements[1]


@pytest.mark.parametrize(
    "piece",
    [
        *("^^a ", "^^a^^ ", "++a", "++a++ ", "{.a ", "a{.a}", "[a]{.b} ", "![a|3", "![a](b =", "%%a ", "%%a%% "),
        *("T\n: d\n\n", "T\n: ", ": d\n", "a) b\n", "(i) x\n\n", "Table: x\n\n", "*[A]: b\n", "A ", "^a ", "^a\n\n"),
        *("{++a", "{++a++}", "{~~a~>", "{>>", "(@a) b\n", "(@", "(@a)", "  ~ d\n", "T\n  ~ d\n\n", "a^b\\ "),
        *("| a |\n|---|\n: c\n\n", "/// caption\n", "%%\n", "> %%\n", "- T\n  : d\n"),
    ],
)
def test_time_is_linear(piece: str) -> None:
    few, many = (count_steps(lambda count=count: parse(piece * count, extensions=EXTENSIONS)) for count in (100, 1000))  # type: ignore[misc]

    assert many < 12 * few


def test_lines_that_are_no_line_block_are_told_at_once() -> None:
    # Took time that doubled with each line.
    almost = "|          >   # 1. - x y z\n" * 2_000 + "| a | b"

    assert parse(almost).notices == ()
    assert [notice.code for notice in parse("| One line\n| and another").notices] == ["unread-syntax"]


def test_abbreviations_past_the_limit_are_named() -> None:
    definitions = "".join(f"*[A{number}]: a\n" for number in range(501))

    document = parse(f"A0 A500\n\n{definitions}", extensions=EXTENSIONS)

    [notice] = document.notices
    assert notice.message == "abbreviations must be at most 500 (got 501); further ones are not explained"
    assert render(document, to="html").html == '<p><abbr title="a">A0</abbr> A500</p>\n'
