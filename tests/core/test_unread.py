"""Notices of what is shown as text although its author meant more."""

import re

import pytest

from mdpublish_core import Notice, parse, select_extensions
from mdpublish_core.nodes import CodeFence
from mdpublish_core.testing.steps import count_steps


def notices(markdown: str, *extensions: str) -> tuple[Notice, ...]:
    return tuple(parse(markdown, extensions=select_extensions(extensions)).notices)


def sources(markdown: str, *extensions: str) -> list[str | None]:
    return [notice.source for notice in notices(markdown, *extensions)]


@pytest.mark.parametrize(
    ("markdown", "source", "remedy"),
    [
        ("See [[Some Page]].", "[[Some Page]]", "the extension wikilinks reads it"),
        ("![[image.png|300]]", "![[image.png|300]]", "the extension wikilinks reads it"),
        ("a ^[See the *book*.]", "^[See the *book*.]", "the extension inline-notes reads it"),
        ("a ^[See [it](b).]", "^[See [it](b).]", "the extension inline-notes reads it"),
        (":::note Title\nText\n:::", ":::note Title", "the extension admonitions reads it"),
        ('!!! tip "Title"\n    Text', '!!! tip "Title"', "the dialect mkdocs reads it"),
        ('=== "Shell"\n\n    Text', '=== "Shell"', "the dialect mkdocs reads it"),
        ("::: details More\nText\n:::", "::: details More", "the extension admonitions reads it"),
        ("::: my_package.module\n    options: {}", "::: my_package.module", "write what it stands for"),
        ("## Usage { #use }", "{ #use }", "the extension attributes reads it"),
        ("## Usage {#use .wide}", "{#use .wide}", "the extension attributes reads it"),
        ("a %%only for me%% b", "%%only for me%%", "the extension comments reads it"),
        ("[TOC]\n\n# A", "[TOC]", "--toc adds one to pages and Word files"),
        ("[[_TOC_]]", "[[_TOC_]]", "--toc adds one to pages and Word files"),
    ],
)
def test_syntax_of_others_is_noticed_with_what_reads_it(markdown: str, source: str, remedy: str) -> None:
    (notice,) = notices(markdown)

    assert (notice.code, notice.source) == ("unread-syntax", source)
    assert notice.message.endswith(f"is shown as text; {remedy}")


@pytest.mark.parametrize(
    ("markdown", "line", "source", "dialect"),
    [
        ('a\n\n??? note "Title"\n    Text', 3, '??? note "Title"', "MkDocs"),
        ('a\n\n!!! info inline end "T"\n    Text', 3, '!!! info inline end "T"', "MkDocs"),
        ('a\n\n--8<-- "part.md"', 3, '--8<-- "part.md"', "MkDocs"),
        ("{{#include part.rs}}", 1, "{{#include part.rs}}", "mdBook"),
        ("a\n\nb\n{: .wide }", 4, "{: .wide }", "kramdown"),
        ("a\nb\n{ .wide #x }", 3, "{ .wide #x }", "MkDocs"),
        ("## Title { .wide }", 1, "{ .wide }", "MkDocs"),
        ("- a\n\n  [Go](u){ .md-button }", 3, "{ .md-button }", "MkDocs"),
        ("![a](b.png){ align=right }", 1, "{ align=right }", "Pandoc"),
        ("`x`{.py} [small]{.smallcaps}", 1, "{.py}", "Pandoc"),
        ("* TOC\n{:toc}", 2, "{:toc}", "kramdown"),
        ("![a](b.png){width=50%}", 1, "{width=50%}", "Pandoc"),
        ("![a|300x200](b.png)", 1, "![a|300x200](", "Obsidian"),
        ("![a](b.png =200x)", 1, "![a](b.png =200x)", "Obsidian"),
        ("> a :material-check: b", 1, ":material-check:", "Material for MkDocs"),
        ("a ++ctrl+alt+del++ b", 1, "++ctrl+alt+del++", "MkDocs"),
        ("a ^^new^^ b", 1, "^^new^^", "MkDocs"),
        ("a {--old--} {~~a~>b~~}", 1, "{--old--}", "CriticMarkup"),
        ("HTML\n\n*[HTML]: Hypertext", 3, "*[HTML]: Hypertext", "MkDocs"),
        ("Term\n: Text", 2, ": Text", "Pandoc"),
        ("Term\n\n:   Text\n\n:   More", 3, ":   Text", "Pandoc"),
        ("| a |\n|---|\n| b |\n\n: Caption", 5, ": Caption", "Pandoc"),
        ("Table: Caption\n\n| a |\n|---|\n| b |", 1, "Table: Caption", "Pandoc"),
        ("%%\na\n\nb\n%%", 1, "%%", "Obsidian"),
        ("A block ^abc-1", 1, "^abc-1", "Obsidian"),
        ("> [!recipe]- Cake\n> Mix.", 1, "[!recipe]", "Obsidian"),
        ("- [x] a\n- [/] b", 2, "[/]", "Obsidian"),
        ('a\n\n{{< figure src="x" >}}', 3, '{{< figure src="x" >}}', "Hugo"),
        ("[a]({{< ref b >}})", 1, "{{< ref b >}}", "Hugo"),
        ("{{% note %}}\na\n{{% /note %}}", 1, "{{% note %}}", "Hugo"),
        ("{% include a.html %}", 1, "{% include a.html %}", "Jekyll"),
        ("a {{ site.title }}", 1, "{{ site.title }}", "Jekyll"),
        ("a\n\na) one\nb) two", 3, "a) one", "Pandoc"),
        ("Text:\na) one\nb) two", 2, "a) one", "Pandoc"),
        ("(iv) four", 1, "(iv) four", "Pandoc"),
        ("#. one\n#. two", 1, "#. one", "Pandoc"),
        ("(@good) one", 1, "(@good) one", "Pandoc"),
        ("+---+---+\n| a | b |\n+---+---+", 1, "+---+---+\n|", "Pandoc"),
        ("10 m^2^", 1, "^2^", "Pandoc"),
        ("It is so [@smith2020, p. 3].", 1, "[@smith2020, p. 3]", "Pandoc"),
        ("a [see @a; also @b]", 1, "[see @a; also @b]", "Pandoc"),
        ("a\n\nimport A from './a.js'", 3, "import A from './a.js'", "MDX"),
        ("export const a = 1", 1, "export const a = 1", "MDX"),
        ('<Tabs>\n<TabItem value="a">\n\nb', 1, "<Tabs>", "MDX"),
        ("a <Badge size={1} /> b", 1, "<Badge size={1} />", "MDX"),
        ("{/* truncate */}", 1, "{/* truncate */}", "MDX"),
        ("a\n\n```{python}\n1\n```", 3, "```{python}", "Quarto"),
        ("```{code-block} python\n1\n```", 1, "```{code-block} python", "MyST"),
        ("```{=latex}\n1\n```\n\n```{r, echo=FALSE}\n```", 1, "```{=latex}", "Pandoc"),
    ],
)
def test_syntax_of_a_dialect_is_noticed_once_with_its_place(
    markdown: str, line: int, source: str, dialect: str
) -> None:
    (notice,) = notices(markdown)

    assert (notice.code, notice.line, notice.source) == ("unread-syntax", line, source)
    assert re.search(rf" of .*\b{dialect}\b.* is shown as (text|code)", notice.message)


@pytest.mark.parametrize(
    ("markdown", "source", "fix", "message"),
    [
        (r"Energy: \[ E = mc^2 \].", r"\[ E = mc^2 \]", "$$E = mc^2$$", "is shown as text; write it as $$…$$"),
        ("- a\n- b \\[\\frac12\\]", r"\[\frac12\]", r"$$\frac12$$", "is shown as text; write it as $$…$$"),
        ("> **Status:**OK", "**Status:**", "**Status:** ", "is shown as text"),
        ("10%~20%, $5~$7", "~20%, $5~", r"\~20%, $5\~", r"write \~ for a tilde"),
        ("5~7 or 10~20", "~7 or 10~", r"\~7 or 10\~", r"strike text out; write \~ for a tilde"),
        ("H~2~O", "~2~", r"\~2\~", r"strike text out; write \~ for a tilde"),
        ("<https://a.example|b>", "<https://a.example|b>", "[b](https://a.example)", "write it as [text](URL)"),
        ("<https://a.example|b c>", "<https://a.example|b c>", "[b c](https://a.example)", "leads to another URL"),
    ],
)
def test_slip_of_a_chat_is_noticed_with_its_fix(markdown: str, source: str, fix: str, message: str) -> None:
    (notice,) = notices(markdown)

    assert (notice.code, notice.source, notice.fix) == ("unread-syntax", source, fix)
    assert message in notice.message
    assert notices(markdown.replace(source, fix)) == ()


def test_each_slip_is_noticed() -> None:
    assert sources("**a:**b **c.**d\n\n**e!**f 1~2 3~4 <https://x.example|y>") == [
        *("**a:**", "**c.**", "**e!**", "~2 3~", "<https://x.example|y>")
    ]


def test_syntax_is_noticed_once_with_its_number() -> None:
    (notice,) = notices("a [[b]]\n\n> [[c]] and ![[d.png]]")

    assert (notice.line, notice.column) == (1, 3)
    assert "(3 times)" in notice.message


def test_extension_that_is_on_is_not_recommended() -> None:
    markdown = "[[Page]] ^[a note] ==mark==\n\n:::note\nText\n:::\n\n:::own\nText\n:::\n\n!!! tip\n    Text"

    assert notices(markdown, "wikilinks", "inline-notes", "admonitions") == ()


def test_directive_of_a_package_is_no_admonition() -> None:
    (notice,) = notices("a\n\n::: a.B\n    x: 1", "admonitions")

    assert (notice.line, notice.source) == (3, "::: a.B")


@pytest.mark.parametrize(
    ("info", "language", "options"),
    [
        ("{ .py .annotate title='x' linenums=1 }", "py", {"title": "x", "linenums": "1"}),
        ("{.haskell}", "haskell", {}),
        ("{#a .r b=c}", "r", {"b": "c"}),
        ("{python}", "python", {}),
        ("{r, echo=FALSE}", "r", {"echo": "FALSE"}),
        ("{=html}", "{=html}", {}),
        ("{title=a}", "{title=a}", {}),
        ("{1,3}", "{1,3}", {}),
        ("{note} A b", "{note}", {}),
        ("py {1}", "py", {}),
    ],
)
def test_language_in_braces_is_the_language_of_a_fence(info: str, language: str, options: dict[str, str]) -> None:
    (fence,) = parse(f"```{info}\na\n```").children

    assert isinstance(fence, CodeFence)
    assert (fence.language, fence.options, fence.info_string) == (language, options, info)


def test_highlight_is_noticed_where_it_is_off() -> None:
    markdown = "a ==b== c==d e== `==f==`"

    assert notices(markdown) == ()
    assert sources(markdown, "no-highlight") == ["==b=="]


@pytest.mark.parametrize(
    "markdown",
    [
        "`[[a]]` \\[[b]] [[1, 2], [3, 4]] [[1]](u) [[ -f file ]]",
        "`^[a b]` \\^[a b] ^[a-z]+ x^[2]",
        "5%% of 6%% and `%%a b%%` %%1",
        "    :::note\n\n```\n:::note\n[[a]]\n```",
        "a [toc] b, wow !!! great",
        "[[]] [[=angular]] a {#x} b {{#if}}",
        "[x] [ ] [foo] rows[i][j] f(x)[a][b] [1][2] [a][b]\n\n[b]: u",
        "[^a-z] [^ ] `[^1]` [^1]\n\n[^1]: a",
        r"a\[i+1\] \[see it\] \[x_1 = 2\] \\[ x = 2 \\] `\[ x = 2 \]`",
        "f(**kwargs) g(**opts) 10**(-3) 10**(-6) src/**/*.js **/*.ts **「あ」**い `**a:**b`",
        "~gone~ ~~so~~ 1~2 `3~4 5~6`",
        "<https://x.example/css?family=A|B> `<https://x.example|a>`",
        "#tag #other\n\n#123 fixes it\n\n#lower case\n\n#Python is great.\n\nText\n#Title of it\n\n#!/bin/sh",
        "```\na\n```\n\n- ```\n  a\n  ```",
        "`{{< a >}}` `:material-a:` `++a++` `x^2^` `{% a %}` `{.a}` `[@a]` `%%a b%%` $x^2^$",
        "    a) b\n    c\n\n```\na) b\n: c\n--8<-- 'a'\n*[A]: b\n<Tabs>\nimport a from 'b'\n```",
        "<!-- {{< a >}} ++a++ -->\n\na <!-- {% a %} --> <b title='x^2^ :material-a:'>b</b>",
        "<div>\n:material-a: x^2^ {: .a }\n</div>",
        r"\{{< a >}} \++a++ \{% a %} x\^2^ \:material-a: \[@a]",
        "https://a.example/x^2^/:material-a: <https://a.example/++a++>",
        "C++ and g++ and i++ + j++ or a++b++",
        "2^10 and 2^n^m, x ^ y ^ z, ^_^ and a^b",
        "x = 2 ^10\n\nsee^that\n\n^",
        "Time: 10:30\n\na : b :c: :+1: :smile:",
        "(see a) and b) c\n\na, b) c\n\nand (i) a or\n(ii) b",
        "A. Smith wrote it\n\na.b c\n\n(2020) was\n\ne) ",
        "Table of it\n\nTable: a caption of nothing",
        "**Note**: a\n\n:a\n\na\n:b",
        "{a} {} {1,2} {.5} {a: b} f(x){ return 1 } a { .b } c",
        "text :contentReference[oaicite:0]{index=0} {color:red} [a](b) {c}\n\n{ x }",
        "import a thing from there\n\nexport it\n\nimports 'a'",
        "<T>\n\nList<String> a\n\n<ID>\n\n<MY_NAME>\n\n<Foo",
        "[a@b.example] [@a/b] [@a](u) [@c]\n\n[@c]: u",
        "[!](u) a [!b] [-] [*] [?]",
        "![a|b](c) ![a](b) = c) a | 300",
        "{{ name }} {{name}} {{#if}} {{/if}} 100% {%} {{ user.name }}",
        "a == b != c, a === b, ==\n\n<< a >> <<< b",
        "% of a\n\n%\n\n| a\n\n@a [b] `@a [p. 3]` @a [p. 3](u) - - -\n\n---\n\n`a`{=} (tm) (c) --> <-- +/-",
        "+-\n\n+---+ a",
        "```{}\na\n```\n\n```{title='a'}\n```\n\n```{1,3}\na\n```\n\n``` { .py #a }\na\n```\n\n```{.r .b}\na\n```",
        '```py title="a"\na\n```\n\n```{mermaid}\ngraph TD; a-->b\n```',
    ],
)
def test_what_is_meant_as_text_is_not_noticed(markdown: str) -> None:
    assert notices(markdown) == ()


def test_reference_without_a_definition_is_noticed() -> None:
    assert sources("[a][b] ![c][d] [e][] [f][1]\n\n[a]: u") == ["[a][b]", "![c][d]", "[e][]", "[f][1]"]
    assert {notice.code for notice in notices("[a][b]")} == {"undefined-reference"}


def test_footnote_without_a_definition_is_noticed() -> None:
    (first, second) = notices("a[^1] b[^long-name] c[^1]")

    assert (first.code, first.source, second.source) == ("undefined-footnote", "[^1]", "[^long-name]")


def test_heading_without_a_space_is_noticed_with_its_fix() -> None:
    given = notices("##Usage\n\n#A longer title\n\n> ###In a quote")

    assert [(notice.code, notice.source, notice.fix) for notice in given] == [
        ("heading-without-space", "##Usage", "## Usage"),
        ("heading-without-space", "#A longer title", "# A longer title"),
        ("heading-without-space", "###In a quote", "### In a quote"),
    ]


@pytest.mark.parametrize(
    ("markdown", "line", "source", "fix"),
    [
        ("```py\na\n", 2, "a", "a\n```"),
        ("a\n\n  ~~~~\nb\n\n", 5, "", "  ~~~~"),
        ("a\n```", 2, "```", "```\n```"),
        ("- ```\n  a\n\nb", 1, None, None),
    ],
)
def test_fence_without_an_end_is_noticed(markdown: str, line: int, source: str | None, fix: str | None) -> None:
    (notice,) = notices(markdown)

    assert (notice.code, notice.line, notice.source, notice.fix) == ("unclosed-fence", line, source, fix)


@pytest.mark.parametrize(
    "piece",
    [
        "[[a ",
        "[[a]] ",
        "%%a ",
        "%%a%% ",
        "==a ",
        "[a][b] ",
        "[^a] ",
        "^[a b] ",
        "##a\n",
        "#A b\n\n",
        r"\[ a=b ",
        r"\[ a=b \] ",
        "**a:**b ",
        "a**(",
        "1~2 ",
        "<http://a|",
        "{.a ",
        "{{< a ",
        "{{#include a ",
        "++a",
        "a^b",
        "^^a",
        "{~~a~>",
        "![a|1",
        "![a](b =",
        ") {width=",
        ":material-a",
        "a) b\n",
        "import a from ",
        "<Ab c={",
        "<Tabs\n",
        "[@a ",
        "@a [p",
        "% a\n",
        "| a\n",
        "--  --\n",
        "`a`{=",
        ": a\n",
    ],
)
def test_time_is_linear(piece: str) -> None:
    few, many = (count_steps(lambda count=count: notices(piece * count, "no-highlight")) for count in (100, 1000))  # type: ignore[misc]

    assert many < 12 * few
