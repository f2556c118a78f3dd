"""Plug-ins of installed packages, found by entry points, and what happens if they fail."""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from mdpublish_core import (
    Document,
    Limits,
    Notice,
    Output,
    convert,
    get_output,
    get_template,
    list_templates,
    nodes,
    parse,
    plugins,
)
from mdpublish_core.cli import main
from mdpublish_core.errors import (
    InvalidArgument,
    LimitExceeded,
    PluginError,
    UnknownOutput,
    UnknownTemplate,
    UnknownTransform,
)
from mdpublish_core.plugins import allow_plugins, installed_plugins
from mdpublish_core.renderers import HtmlRenderer, PlainTextRenderer

EXAMPLES = Path(__file__).parents[2] / "docs/examples"

Install = Callable[[str, str, str], None]
"""Installs a package: its name, its entry points, and a module of the same name."""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    modules = set(sys.modules)
    monkeypatch.syspath_prepend(tmp_path)

    def add(name: str, entry_points: str, source: str) -> None:
        information = tmp_path / f"{name}-1.0.dist-info"
        information.mkdir()
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (information / "entry_points.txt").write_text(entry_points)
        (tmp_path / f"{name}.py").write_text(source)
        forget()

    def forget() -> None:
        plugins._installed.cache_clear()
        plugins.load_plugin.cache_clear()

    forget()
    allow_plugins(None)
    yield add
    forget()
    allow_plugins(None)
    for name in set(sys.modules) - modules:
        if name.startswith("mdpub_"):
            del sys.modules[name]


FENCE = "[mdpublish.fences]\nGreeting = mdpub_a:greet\n"
GREET = """
from mdpublish_core import nodes
def greet(fence):
    return nodes.Paragraph([nodes.RawText("Hello " + fence.content.strip())])
"""

IN_FENCE = "```greeting\nAnn\n```\n"


def test_installed_fence_is_read(install: Install) -> None:
    install("mdpub_a", FENCE, GREET)

    assert convert(IN_FENCE, to="html").html == "<p>Hello Ann</p>\n"
    assert [plugin.label for plugin in installed_plugins()] == ["the fence 'greeting' of mdpub_a 1.0"]


def test_installed_fence_is_not_read_where_others_are_passed(install: Install) -> None:
    install("mdpub_a", FENCE, GREET)

    assert "<pre>" in convert(IN_FENCE, to="html", fences={}).html


def test_installed_fence_is_not_read_without_its_extension(install: Install) -> None:
    install("mdpub_a", FENCE, GREET)

    assert "<pre>" in convert(IN_FENCE, to="html", extensions=frozenset()).html


def test_installed_fence_does_not_replace_a_figure_that_is_built_in(install: Install) -> None:
    install("mdpub_a", FENCE.replace("Greeting", "mermaid"), GREET)

    assert "Hello" not in convert("```mermaid\ngraph LR\n```", to="html").html


def test_package_that_is_not_allowed_is_not_imported(install: Install) -> None:
    install("mdpub_a", FENCE, GREET)
    allow_plugins(["mdpub-b"])

    assert "<pre>" in convert(IN_FENCE, to="html").html
    assert "mdpub_a" not in sys.modules
    assert installed_plugins() == ()


def test_allowed_package_is_found_however_it_is_written(install: Install) -> None:
    install("mdpub_a", FENCE, GREET)
    allow_plugins(["MDPUB.A"])

    assert "Hello" in convert(IN_FENCE, to="html").html


def test_package_is_imported_when_it_is_used(install: Install) -> None:
    install("mdpub_a", FENCE, GREET)

    convert("```python\n1\n```\n\n# x", to="email")

    assert "mdpub_a" not in sys.modules


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("import no_such_module", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"),
        ("", "cannot be loaded: AttributeError: module 'mdpub_a' has no attribute 'greet'"),
        ("greet = 5", "must be a function (got int)"),
        ("raise SystemError('a\\nb')", "cannot be loaded: SystemError: a"),
    ],
)
def test_fence_that_cannot_be_loaded_is_code(install: Install, source: str, problem: str) -> None:
    install("mdpub_a", FENCE, source)

    conversion = convert(IN_FENCE, to="html")

    assert conversion.html == '<pre><code class="language-greeting">Ann\n</code></pre>\n'
    assert [notice.message for notice in conversion.notices] == [
        f"the greeting fence is shown as its source: the fence 'greeting' of mdpub_a 1.0 {problem}"
    ]


def test_two_packages_with_one_name_are_named(install: Install) -> None:
    install("mdpub_a", FENCE, GREET)
    install("mdpub_b", FENCE.replace("mdpub_a", "mdpub_b"), GREET)

    (notice,) = convert(IN_FENCE).notices

    assert notice.message.endswith("the fence 'greeting' comes with mdpub_a and mdpub_b; uninstall all but one of them")


DESTINATION = "[mdpublish.outputs]\nloud = mdpub_a:LOUD\n"
LOUD = """
from mdpublish_core import Output
from mdpublish_core.renderers import PlainTextRenderer
class LoudRenderer(PlainTextRenderer):
    def render_raw_text(self, token):
        return token.content.upper()
LOUD = Output("loud", "loud text", renderer=LoudRenderer, is_text=True)
"""


def test_installed_destination_is_used_by_its_name(install: Install, tmp_path: Path) -> None:
    install("mdpub_a", DESTINATION, LOUD)
    (tmp_path / "a.md").write_text("---\nto: loud\n---\n\n*Hi*")

    conversion = convert("*Hi*", to="loud")
    from_option = CliRunner().invoke(main, ["convert", "--to", "loud", "--raw-html", "escape", str(tmp_path / "a.md")])
    from_front_matter = CliRunner().invoke(main, ["convert", str(tmp_path / "a.md")])

    assert (conversion.text, conversion.plain_text, conversion.output) == ("HI\n", "Hi\n", "loud")
    assert from_option.output == from_front_matter.output == "HI\n"


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("LOUD = 5", "must be an Output with a renderer (got int)"),
        ("from mdpublish_core import get_output\nLOUD = get_output('html')", "must be an Output with a renderer (got Output)"),
        (LOUD.replace('"loud"', '"low"'), "must have the name of its entry point (got 'low')"),
    ],
)  # fmt: skip
def test_destination_of_a_wrong_type_is_an_error(install: Install, source: str, problem: str) -> None:
    install("mdpub_a", DESTINATION, source)

    with pytest.raises(PluginError, match=re.escape(f"the output 'loud' of mdpub_a 1.0 {problem}")):
        convert("x", to="loud")


def test_unknown_names_list_those_of_plug_ins(install: Install) -> None:
    install("mdpub_a", f"{DESTINATION}{TRANSFORM}{TEMPLATE}", LOUD)

    with pytest.raises(UnknownOutput, match=r"tree, loud$"):
        get_output("fax")
    with pytest.raises(UnknownTransform, match="unknown transform 'x'; choose from: upper"):
        parse("x", transform="x")
    with pytest.raises(UnknownTemplate, match=r"harbour$"):
        get_template("x")


TEMPLATE = "[mdpublish.templates]\nharbour = mdpub_a:HARBOUR\n"
HARBOUR = """
from dataclasses import replace
from mdpublish_core import get_template
HARBOUR = replace(get_template("swiss"), id="harbour")
"""


def test_installed_template_is_used_by_its_id(install: Install) -> None:
    install("mdpub_a", TEMPLATE, HARBOUR)

    assert convert("x", template="harbour").template_id == "harbour"
    assert convert("---\ntemplate: harbour\n---\n\nx").template_id == "harbour"


def test_installed_templates_are_listed_below_their_category(install: Install) -> None:
    install("mdpub_a", TEMPLATE, HARBOUR)

    listed = CliRunner().invoke(main, ["templates"]).stdout.splitlines()
    free = [line for line in listed if line.split()[1] == "free"]
    assert [line.split()[0] for line in free] == [*(each.id for each in list_templates("free")), "harbour"]
    assert len(listed) == len(list_templates()) + 1
    others = CliRunner().invoke(main, ["templates", "--category", "business"]).stdout
    assert "harbour" not in others


def test_installed_template_that_cannot_be_loaded_does_not_hide_the_others(install: Install) -> None:
    install("mdpub_a", TEMPLATE, "raise RuntimeError('no\\nmore')\n")

    result = CliRunner().invoke(main, ["templates"])

    assert len(result.stdout.splitlines()) == len(list_templates())
    problem = "the template 'harbour' of mdpub_a 1.0 cannot be loaded: RuntimeError: no"
    assert (result.exit_code, result.stderr) == (1, f"Error: {problem}\n")


def test_template_that_cannot_be_loaded_is_an_error_or_a_notice(install: Install) -> None:
    install("mdpub_a", TEMPLATE, "HARBOUR = 1")
    problem = "the template 'harbour' of mdpub_a 1.0 must be a Template, as load_template returns it (got int)"

    with pytest.raises(PluginError, match=re.escape(problem)):
        convert("x", template="harbour")
    assert [notice.message for notice in convert("---\ntemplate: harbour\n---\n\nx").notices] == [
        f"`template` cannot be used: {problem}; it is ignored"
    ]


TRANSFORM = "[mdpublish.transforms]\nupper = mdpub_a:upper\n"
UPPER = """
from mdpublish_core import nodes
def upper(document):
    return nodes.transform(document, upper_text)
def upper_text(node):
    return nodes.RawText(node.content.upper()) if isinstance(node, nodes.RawText) else node
"""


def test_installed_transform_is_applied_by_its_name_alone(install: Install, tmp_path: Path) -> None:
    install("mdpub_a", TRANSFORM, UPPER)
    (tmp_path / "a.md").write_text("*Hi*")

    by_option = CliRunner().invoke(main, ["convert", "--to", "html", "--transform", "upper", str(tmp_path / "a.md")])

    assert convert("*Hi*", to="html").html == "<p><em>Hi</em></p>\n"
    assert convert("*Hi*", to="html", transform="upper").html == "<p><em>HI</em></p>\n"
    assert by_option.output == "<p><em>HI</em></p>\n"


def test_transforms_are_applied_in_order() -> None:
    def add(word: str) -> Callable[[Document], Document]:
        def transform(document: Document) -> Document:
            return nodes.Document([*document.children, nodes.Paragraph([nodes.RawText(word)])])

        return transform

    assert convert("a", to="html", transform=[add("b"), add("c")]).html == "<p>a</p>\n<p>b</p>\n<p>c</p>\n"


def fail_halfway(document: Document) -> Document:
    nodes.replace(document, children=[])
    raise KeyError("x")


def change_in_place(document: Document) -> Document:
    document.children = []
    return document


@pytest.mark.parametrize(
    ("transform", "problem"),
    [
        (fail_halfway, "the transform fail_halfway raised KeyError: 'x'"),
        (change_in_place, "the transform change_in_place raised FrozenTree: a Document cannot be changed; use `nodes.replace(node, children=…)` or `nodes.transform`"),
        (lambda _: None, "the transform <lambda> returns an invalid document: it must be a nodes.Document (got None)"),
        (lambda _: nodes.Document([nodes.RawText("x")]), "the transform <lambda> raised InvalidArgument: children must be blocks, such as nodes.Paragraph (got nodes.RawText)"),
        (lambda _: nodes.Document([], notices=("x",)), "the transform <lambda> raised InvalidArgument: notices must be a tuple of Notice (got an object of builtins.tuple)"),  # type: ignore[arg-type]
        (lambda _: nodes.Document([nodes.ThematicBreak()] * 100_000), "the transform <lambda> returns a document that takes more work than documents of its size are allowed"),
    ],
)  # fmt: skip
def test_transform_that_fails_leaves_the_document(transform: Callable[[Document], Document], problem: str) -> None:
    conversion = convert("a[^1]\n\n[^1]: b", to="plain-text", transform=transform)

    assert conversion.text == "a[1]\n\n[1] b\n"
    assert [(notice.code, notice.message) for notice in conversion.notices] == [
        ("plugin-failed", f"{problem}; the document is shown without it")
    ]


def test_transform_may_add_notices_and_keeps_those_of_the_parser() -> None:
    def remark(document: Document) -> Document:
        return nodes.replace(document, notices=(*document.notices, Notice("plugin-notice", "hm", 1)))

    notices = parse("[a](javascript:b)", transform=remark).notices

    assert [(notice.code, notice.source) for notice in notices] == [
        ("plugin-notice", None),
        ("unsafe-link", "[a](javascript:b)"),
    ]


def test_transform_cannot_trust_a_document() -> None:
    def trust(document: Document) -> Document:
        return nodes.Document([nodes.HtmlBlock("<script>x</script>"), *document.children], trusted=True)

    assert convert("a", to="html", transform=trust).html == "<p>a</p>\n"


@pytest.mark.parametrize("raw_html", ["sanitize", "keep"])
def test_transform_that_changes_nothing_changes_nothing(raw_html: str) -> None:
    markdown = (EXAMPLES.parents[1] / "README.md").read_text("utf-8")

    plain = convert(markdown, raw_html=raw_html)  # type: ignore[arg-type]
    transformed = convert(markdown, raw_html=raw_html, transform=lambda document: document)  # type: ignore[arg-type]

    assert transformed == plain


def test_renderer_that_raises_is_named() -> None:
    class Broken(PlainTextRenderer):
        def render_strong(self, token: nodes.Strong) -> str:
            raise KeyError(token)

    class Wrong(HtmlRenderer):
        @classmethod
        def render(cls, document: nodes.Document, context: object) -> str:  # noqa: ARG003
            return 5  # type: ignore[return-value]

    with pytest.raises(PluginError, match="the output 'x' raised KeyError"):
        convert("**a**", to=Output("x", "x", renderer=Broken))
    with pytest.raises(PluginError, match=re.escape("the output 'x' must return a str (got int)")):
        convert("**a**", to=Output("x", "x", renderer=Wrong))


def test_own_destination_keeps_the_limits() -> None:
    destination = Output("x", "x", renderer=HtmlRenderer)

    with pytest.raises(LimitExceeded):
        convert("# a", to=destination, limits=Limits(max_output_bytes=-100))


def test_wrong_destination_is_our_error() -> None:
    with pytest.raises(InvalidArgument):
        Output("x", "x", renderer=convert)  # type: ignore[arg-type]


def test_examples_work_as_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    for example in EXAMPLES.iterdir():
        monkeypatch.syspath_prepend(example)
    from mdpublish_abbreviations import abbreviations  # type: ignore[import-not-found]
    from mdpublish_jira import JIRA  # type: ignore[import-not-found]
    from mdpublish_plantuml import sequence  # type: ignore[import-not-found]

    markdown = "The API\n\n```plantuml\nAnn -> Bob: hello\n```\n\n|a|\n|-|\n|b|\n\n*[API]: Interface\n"
    conversion = convert(markdown, to=JIRA, fences={"plantuml": sequence}, transform=abbreviations)

    assert conversion.text == "The API (Interface)\n\n# {*}Ann{*} → Bob: hello\n\n||a||\n|b|\n"
    assert conversion.notices == ()
    (notice,) = convert("```plantuml\nAnn -> Bob\nclass X\n```", fences={"plantuml": sequence}).notices
    assert (notice.code, notice.line, notice.source) == ("fence-failed", 3, "class X")
