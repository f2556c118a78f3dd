"""The formatter: each rule, what it leaves alone, and its proof."""

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from mdpublish_core.formatting import Formatted, RefusedUnit, format_markdown, formatter
from mdpublish_core.formatting.rules import DEFAULT_RULES, RULES
from mdpublish_core.formatting.source import MarkedSource, Unit
from mdpublish_core.options.extensions import ALL_EXTENSIONS
from mdpublish_core.strings.changes import Change

CHANGED = {
    "bullets": [
        ("- a\n- b\n\ntext\n\n* c\n", "- a\n- b\n\ntext\n\n- c\n"),
        ("+ a\n+ b\n\ntext\n\n- c\n", "+ a\n+ b\n\ntext\n\n+ c\n"),
        ("> * a\n> * b\n\n- c\n", "> * a\n> * b\n\n* c\n"),
        ("*   a\n\n    - b\n*   c\n", "*   a\n\n    * b\n*   c\n"),
        ("1. one\n   - a\n2. two\n   * b\n   * c\n", "1. one\n   * a\n2. two\n   * b\n   * c\n"),
        ("-\ta\n-\tb\n\ntext\n\n*\tc\n", "-\ta\n-\tb\n\ntext\n\n-\tc\n"),
    ],
    "emphasis": [
        ("_a_ *b* *c*\n", "*a* *b* *c*\n"),
        ("__a__ __b__ **c**\n", "__a__ __b__ __c__\n"),
        ("# *a* _b_\n\n*c*\n", "# *a* *b*\n\n*c*\n"),
        ("| _a_ | \\| _b_ |\n|---|---|\n| *c* | *d* *e* |\n", "| *a* | \\| *b* |\n|---|---|\n| *c* | *d* *e* |\n"),
        ("[_a_](_b_) *c* *d*\n", "[*a*](_b_) *c* *d*\n"),
        ("> _a\n> b_ *c* *d*\n", "> *a\n> b* *c* *d*\n"),
    ],
    "headings": [
        ("Title\n===\n", "# Title\n"),
        ("Title\n---\ntext\n", "## Title\ntext\n"),
        ("  Title  \n===  \n", "# Title\n"),
        ("> Title\n> -----\n> text\n", "> ## Title\n> text\n"),
        (">  Title\n> ===\n", ">  # Title\n"),
        ("[a]: /b\nTitle\n===\n\n[a]\n", "[a]: /b\n# Title\n\n[a]\n"),
        ("Title { #id }\n===\n", "# Title { #id }\n"),
    ],
    "heading-spaces": [
        ("#  Title\n", "# Title\n"),
        ("##\tTitle ##\n", "## Title\n"),
        ("# Title ###\n", "# Title\n"),
        ("> #   a b   #\n", "> # a b\n"),
        ("- ###  a\n", "- ### a\n"),
    ],
    "fences": [
        ("```\na\n```\n\n~~~\nb\n~~~\n", "```\na\n```\n\n```\nb\n```\n"),
        ("~~~py\na\n~~~\n\n~~~\n~~~\n\n```\nc\n```\n", "~~~py\na\n~~~\n\n~~~\n~~~\n\n~~~\nc\n~~~\n"),
        ("~~~~ {.py}\na\n~~~~\n\n```\n```\n", "```` {.py}\na\n````\n\n```\n```\n"),
        ("> ~~~\n> a\n> ~~~\n\n```\n```\n", "> ```\n> a\n> ```\n\n```\n```\n"),
        ("1.  a\n\n    ~~~\n    b\n    ~~~\n\n```\n```\n", "1.  a\n\n    ```\n    b\n    ```\n\n```\n```\n"),
    ],
    "escapes": [
        ("snake\\_case\n", "snake_case\n"),
        ("The end\\.\n", "The end.\n"),
        ("well\\-known words\n", "well-known words\n"),
        ("# snake\\_case\n", "# snake_case\n"),
        ("| a\\_b |\n|---|\n| Stop\\! |\n", "| a_b |\n|---|\n| Stop! |\n"),
    ],
    "trailing-blanks": [
        ("a \nb\n", "a\nb\n"),
        ("a  \n\nb\t\n", "a\n\nb\n"),
        ("# a  \nb\n", "# a\nb\n"),
        ("- a  \n- b  \n", "- a\n- b\n"),
        ("> a \n> b\n", "> a\n> b\n"),
    ],
    "blank-lines": [
        ("a\n\n\nb\n", "a\n\nb\n"),
        ('```py title="a.py" hl_lines="1"\na\n```\n\n\nb\n', '```py title="a.py" hl_lines="1"\na\n```\n\nb\n'),
        ("```x y\n```\n\n\na\n\n```py\n```\n\n\nb\n", "```x y\n```\n\n\na\n\n```py\n```\n\nb\n"),
        ("a\n \t\nb\n", "a\n\nb\n"),
        ("\n\na\n", "a\n"),
        ("- a\n\n\n- b\n", "- a\n\n- b\n"),
        ("```\na\n\n\nb\n```\n\n\nc\n", "```\na\n\n\nb\n```\n\nc\n"),
        ("---\na: b\n---\n\n\nc\n", "---\na: b\n---\n\nc\n"),
    ],
    "final-line-end": [
        ("a", "a\n"),
        ("a\n\n \n", "a\n"),
        ("\n\n", ""),
        ("a\r\nb", "a\r\nb\r\n"),
        ("```\na", "```\na\n"),
    ],
    "indents": [
        ("-   a\n\n    b\n-   c\n", "- a\n\n  b\n- c\n"),
        ("*  a\n   *  b\n      c\n", "* a\n  * b\n    c\n"),
        ("1.  a\n\n    ```sh\n    x\n      y\n    ```\n2.  b\n", "1. a\n\n   ```sh\n   x\n     y\n   ```\n2. b\n"),
        ("-   a\nlazy\n-   b\n", "- a\nlazy\n- b\n"),
        ("- a\n\n  -   b\n\n      c\n\n  d\n", "- a\n\n  - b\n\n    c\n\n  d\n"),
        ("-   a\n\n        code\n", "- a\n\n      code\n"),
        ("-     a\n- \tb\n> -   c\n", "-     a\n- \tb\n> -   c\n"),
    ],
    "numbers": [
        ("1. a\n3. b\n7. c\n", "1. a\n2. b\n3. c\n"),
        ("1. a\n1. b\n5. c\n", "1. a\n1. b\n1. c\n"),
        ("3) a\n\n7) b\n", "3) a\n\n4) b\n"),
        ("> 0. a\n> 0. b\n> 1. c\n", "> 0. a\n> 0. b\n> 0. c\n"),
        ("- 01. a\n  05. b\n  03. c\n", "- 01. a\n  2. b\n  03. c\n"),
        ("1. a\n\n    4. b\n    4. c\n    5. d\n3. e\n", "1. a\n\n    4. b\n    4. c\n    4. d\n2. e\n"),
    ],
    "tables": [
        ("|a|b|\n|-|:-:|\n|one|two|\n", "| a   |  b  |\n| --- | :-: |\n| one | two |\n"),
        ("a | b\n--|--:\nlong | c\n|d\n", "a    |   b\n---- | --:\nlong |   c\n| d\n"),
        ("a|b\n-:|-\nlong cell|c\n", "a         | b\n--------: | ---\nlong cell | c\n"),
        ("> |a|\n> |:--|\n> ||\n", "> | a   |\n> | :-- |\n> |     |\n"),
        ("| 日本 | b |\n|---|---|\n| a\\|c | é |\n", "| 日本 | b   |\n| ---- | --- |\n| a\\|c | é   |\n"),
        ("|a|\n|-|\n|a\\_b _c_ *d*|\n", "| a           |\n| ----------- |\n| a_b *c* *d* |\n"),
        ("- |a|b|\n  |-|-|\n  |  `c`|\n", "- | a   | b   |\n  | --- | --- |\n  | `c` |\n"),
    ],
}
"""Texts before and after, by the rule that changes them."""

UNCHANGED = {
    "front matter": [
        '+++\ntitle = "Orders"\npath = "D:\\\\data"\nname = \'c\\-d\\_e\'\n\n\n+++\n\n# Orders\n',
        "---\nname:   x  # remark\n\n\nnested: {a: [b]}  \n---\n\ntext\n",
        '{\n  "title": "a\\_b" \n\n\n}\n\ntext\n',
        "{\n  return a;\n```\n}\n\n\nb\n```\n",
        "\ufeff---\ntag: !ENV x\\_y\n---\ntext\n",
        "---\r\n_a_: *b\r\n...\r\ntext\r\n",
        "\n\n---\na: b\n\n---\n",
        "\n+++\na = 1\n+++\n",
    ],
    "other meanings of marks": [
        "CO~2~ is a gas.\n",
        "2^10^ bytes, ~~gone~~ and ~x~\n",
        "From 3~4 pm, then 10~20 pages\n",
        "**Price:**10 and *a*b\n",
        "==marked== ++ctrl+c++ ^^new^^\n",
    ],
    "definitions": [
        "Read [manual].\n\n[manual]: https://a.example/one\n[manual]: https://a.example/two\n",
        "[g]\n\n> [g]: /one\n\n[g]: /two\n",
        '[//]: # "remark"\n\ntext\n',
        "[a\\_b]\n\n[a\\_b]: /c_d\n",
        "a[^1]\n\n[^1]: one\n[^1]: two\n",
    ],
    "blocks of MkDocs": [
        '=== "npm"\n\n    Install it.\n\n=== "yarn"\n\n    * Add it.\n',
        '!!! warning "Care"\n    __Two__ lines.\n\n    -   a\n\n        * b\n\n- c **d**\n',
        "???+ info\n    * a\n    * b\n\n- c\n- d\n- e\n",
        "::: package.module.Class\n    options:\n      * a\n\n- b\n- c\n",
        "Term\n:   Definition  \n    * a\n\n- b\n- c\n",
        "/// note | Title\n* a\n///\n\n- b\n- c\n",
    ],
    "templates": [
        '{{< image src="b.png" title="A \\"good\\" one\\_two" >}}\n',
        "{{% notice %}}\n* a  \n\n\n__b__\n{{% /notice %}}\n\n- c **d** **e**\n",
        "{% if x %}\n\n\n* a\n{% endif %}\n\n- b\n- c\n",
        "a {{ b\\_c }} {%- d\\_e -%}\n",
        "{{#each x}}\n_a_\n{{/each}}\n\n*b* *c*\n",
        "{% highlight text %}\n_a_ \n{% endhighlight %}\n\n*b* *c*\n",
        "<% a\\-b %> and <%= c\\_d _e_ -%>, *f* *g*\n",
        "<%\n  a\\-b\n\n\n* c \n%>\n\n- d\n- e\n",
        "```\n<%\n```\n_a_\n```\n%>\n```\n\n*b* *c*\n",
        "[% a\\-b | _c_ %] [% IF d %]\n\n*e* *f*\n",
        "{# a\\_b\n\n\n* c \n#}\n\n- d\n- e\n",
        "{{{ a\\_b }}} #{c\\-d} @{e\\-f} ${g\\-h} [[ i\\-j ]]\n",
        "<% a > b\\-c %> <a:b c='{{ d > e\\-f }}'> *g* *h*\n",
    ],
    "tags": [
        "<c:out value='a\\_b'/> *c*\n",
        "<#if a\\_b gt c\\-d> *e* </#if>\n",
        "<@macro a\\-b />\n",
        "<Tab {...props} a=`b\\_c`>d</Tab>\n",
        "<<name\\_of\\_it>> <?= a\\-b ?>\n",
    ],
    "attribute lists": [
        "# Title {#a\\_b}\n\ntext\n{: .x data-y='_z_' }\n\n*a*\n",
        "*a*{.x_y_} b\n",
        "[a](b){ target=_blank title='_c_ \\_d' } *e*\n",
        "```{ .py hl_lines='1 2' }\na\n```\n",
        "{++ _new_ ++} {-- _old_ --} {~~ _a_ ~> _b_ ~~} *c* *d* *e* *f* *g*\n",
    ],
    "lists below another block, without a blank line": [
        "- a\n- b\n\ntext\n* c\n* d\n",
        "- a\n- b\n\n> text\n> + c\n",
        "- a\n- b\n\n| a |\n|---|\n* c\n",
        "- a\n- b\n\n<br>text\n* c\n",
        "- a\n- b\n\n  text\n  * c\n- d\n- e\n",
        "- a\n- b\n\n# c\n\n*text*  \n  + c\n  + d\n",
        "- a\n- b\n\ntext\n* c\n  + d\n* e\n",
    ],
    "text that is code below a fence with unknown options": [
        '```toml tab="a"\nb\n```\n\ntext\n\n\ntext\n\n```\nc\n```\n',
        '```toml tab="a"\nb\n```\n\n```\nc\n```\n\n\n*d*\n',
        "```ts twoslash\na\n```\n\n* b\n\ntext\n\n- c\n- d\n\n```ts\ne\n```\n",
        "```a b\n```\n\n\nc\n\n~~~a b\n~~~\n\n\nc\n\n~~~d\n~~~\n\n\ne\n\n````d\n````\n\n\ne\n",
        "```js {1} showLineNumbers\na\n```\n\n*b* __c__  \n\n\ntext\n",
        '```py title="a.py" live\na\n```\n\n# snake\\_case\n\n~~~sh\nb\n~~~\n',
    ],
    "empty lines above what is no definition by them": [
        "Term\n\n\n: Definition\n",
        "Term\n\n\n\n:   Definition\n\ntext\n",
        "Term\n\n\n~ Definition\n",
        "- Term\n\n\n  :\tDefinition\n",
        "*One*\n: a\n\n*Two*\n\n\n: b\n",
    ],
    "MDX": [
        "import Tabs from '@a/b_c_d';\nimport _x_ from 'y_z_'\n\n*a*\n",
        "export const a = {\n  b: '_c_',\n}\n\n*a*\n",
        "a {/* _b_\n\n\n* c */} *d*\n",
        ":::tip Title\n* a\n:::\n\n- b\n- c\n",
        "::::note\n\n\n:::tip\n__a__\n:::\n\n\n::::\n\n**b**\n",
    ],
    "formulas": [
        "$$\na\\_b \n\n\n* c\n$$\n\n- d\n- e\n",
        "\\[ a\\_b *c* \\]\n\n_d_ _e_\n",
        "\\( a\\_b \\) and $a\\_b$\n",
        "\\begin{align}\na\\_b\\\\\n\\end{align}\n",
        "$_a_ \\, b$ *c*\n",
    ],
    "comments": [
        "%% _a_ \n\n\n* b %%\n\n*c*\n",
        "<!-- format off -->\n*  a  \n\n\n- b\n<!-- format on -->\n\n- c\n- d\n",
        "text\n\n<!-- format off -->\n\n\n* a \n",
        "{/* format off */}\n\n*  a  \n\n\n- b\n\n{/* format on */}\n\n- c\n- d\n",
        "%%\n\n\n* a \n%%\n\n- b\n- c\n",
        "<!-- prettier-ignore -->\n* a \n* b\n\n- c\n- d\n- e\n",
        "<!-- a\n\n\n_b_ -->\n\n*c*\n",
        "a\n\n<!-- prettier-ignore -->\n",
    ],
    "code": [
        "    * a \n\n\n    b\n\n- c\n",
        "```\n* a \n\n\nTitle\n===\n```\n",
        "`` _a_ \\_ `` *b*\n",
        "~~~\n```\n~~~\n\n```\n```\n",
        "- a\n\n      * b \n\n\n      c\n",
        "- ~~~\n  a\n  ~~~\n\n~~~~\na\n~~~~~\n\n```\n```\n\n```\n```\n",
    ],
    "entities and invisible characters": [
        "20&nbsp;kg and hy&shy;phen\n",
        "&copy; caf&eacute; &lt;b&gt;\n",
        "a&#x200b;b\u200bc\n",
        "&amp;nbsp; &#35; a\n",
        "a\u00a0\nb\u2028c\n",
    ],
    "tables": [
        "|a|b|\n|-|:-:|\n|one|two|three|four|\n",
        "| a |\n|---|\n| x |\n| x | y |\n",
        "a | b\n--|--\n1 | 2 |\n",
        "|  a  | b\n|:--|--:\n| `c|d`\n",
        "| a |\n| - |\n| $x|y$ |\n",
    ],
    "lists": [
        "- a\n- b\n\n* c\n",
        "-   a\n\n    b\n\n1) c\n7) d\n",
        "- [x] a\n- [ ] b\n",
        "* * *\n\n- a\n",
        "- a\n\n\t- b\n",
    ],
    "lists that are text for Python-Markdown": [
        "- a\n- b\n\ntext\n* c\n* d\n",
        "> - a\n>\n> text\n> * b\n",
        "- a\n- b\n\ntext\n1. c\n    * d\n    * e\n",
        "text\n* a  \n* b  \n* c\n",
        "- a\n\n  text\n  * b\n- c\n",
        "- a\n- b\n\n*text*\n+ c\n\n    + d\n",
        "- a\n- b\n\ntext\n\n* b\n\n    c\n* d\n",
        "- a\n- b\n\n> text\n* c\n",
        "- a\n\n    text\n    * b\n    + c\n- d  \n- e\n",
    ],
    "marks that other programs pair in other ways": [
        "***a** b* _c_ _d_\n",
        "a*b*c _d_ _e_\n",
        "*a*_b_ _c_ _d_\n",
        "______*______\n",
        "**_a_** **b** *c* *d*\n",
    ],
    "needed escapes": [
        "1\\. no list\n",
        "\\_a\\_ \\*b\\* \\[c\\]\n",
        "a \\- b\\... c\\![d](e)\n",
        "https\\://a.example/b www\\.a.example\n",
        "\\# a\n",
    ],
    "line ends": [
        "a  \nb\\\nc\n",
        "Two\nlines\n===\n",
        "- Title\n  ===\n",
        "a\r\nb\n",
        "# a ##  \n",
        "  \na\n",
    ],
}
"""Texts that stay as they are, by what they have."""

BEFORE_AND_AFTER = [
    *((before, after) for cases in CHANGED.values() for before, after in cases),
    *((each, each) for cases in UNCHANGED.values() for each in cases),
]


@pytest.mark.parametrize("rule", CHANGED)
def test_rule_changes_what_it_is_for(rule: str) -> None:
    changed = [(before, format_markdown(before, rules=DEFAULT_RULES | {rule}).markdown) for before, _ in CHANGED[rule]]

    assert changed == CHANGED[rule]


def test_each_rule_has_examples_and_is_described() -> None:
    page = (Path(__file__).parents[2] / "docs/how-to/format-markdown.md").read_text("utf-8")

    assert set(RULES) - set(CHANGED) == {"wrapping"}
    assert min(map(len, CHANGED.values())) >= 5
    assert [rule for rule in RULES if f"\n| {rule} | " not in page] == []


@pytest.mark.parametrize("kind", UNCHANGED)
def test_what_another_program_may_read_stays(kind: str) -> None:
    assert [format_markdown(each).markdown for each in UNCHANGED[kind]] == UNCHANGED[kind]


@pytest.mark.parametrize("kind", UNCHANGED)
def test_it_stays_with_all_extensions(kind: str) -> None:
    formatted = [format_markdown(each, extensions=ALL_EXTENSIONS).markdown for each in UNCHANGED[kind]]

    assert formatted == UNCHANGED[kind]


def test_formatting_twice_changes_nothing() -> None:
    """Also texts that are made of several."""
    chooser = random.Random("formatting")
    sources = [before for before, _ in BEFORE_AND_AFTER]
    joined = ["\n".join(chooser.sample(sources, 5)) for _ in range(100)]

    for rules in (DEFAULT_RULES, RULES):
        once = [format_markdown(each, rules=rules).markdown for each in (*sources, *joined)]

        assert [format_markdown(each, rules=rules).markdown for each in once] == once


@pytest.mark.parametrize(
    "written",
    [
        "|a|\n|-|\n|b|c|\n",
        "|a|b|\n|-|-|\n|`c|d`|\n",
        "|a|b|\n|-|-|\n|$c|d$|\n",
        "|a|b|\n|-|-|\n|c\\\\|d|\n",
        "|a|\n|-|\nb\n",
        "text\n|a|\n|-|\n|b|\n",
        f"|a|\n|-|\n|{'b' * 200}|\n",
        f"|{'a' * 60}|\n|-|\n" + "|b|\n" * 60,
        "text\n1. a\n3. b\n",
        "999999999. a\n0. b\n",
        "9. a\n\n   b\n9. c\n",
        "1986\\. a\n3\\. b\n",
        "1. a\n2. b\n    1. c\n    2. d\n3. e\n",
    ],
)
def test_tables_and_numbers_stay_where_programs_or_readers_would_differ(written: str) -> None:
    assert format_markdown(written, rules=RULES).markdown == written


def test_line_ends_stay() -> None:
    changed = [(before.replace("\n", "\r\n"), after.replace("\n", "\r\n")) for before, after in CHANGED["headings"]]

    assert [(before, format_markdown(before).markdown) for before, _ in changed] == changed


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a long line of words\nand a short one\n", "a long line of words and\na short one\n"),
        ("> a long line of words and more\n", "> a long line of words\n> and more\n"),
        ("- [ ] a long line of words, too\n", "- [ ] a long line of\n  words, too\n"),
        ("a [link of some words](/url) that is long\n", "a\n[link of some words](/url)\nthat is long\n"),
        ("a line that ends hard  \nhere and\nthere\n", "a line that ends hard  \nhere and there\n"),
        ("some good words, just - and 1. after\n", "some good words, just -\nand 1. after\n"),
        ("words and a {{ template }} that is long\n", "words and a {{ template }} that is long\n"),
        ("Some long term of words\n: a definition\n", "Some long term of words\n: a definition\n"),
        ("a[^1]\n\n[^1]: a note of some words\n", "a[^1]\n\n[^1]: a note of some\n    words\n"),
        ("# a heading of a good many words\n", "# a heading of a good many words\n"),
        ("a\r\nb\r\n", "a b\r\n"),
    ],
)
def test_paragraphs_are_filled_on_request(before: str, after: str) -> None:
    assert format_markdown(before, width=25).markdown == after
    assert format_markdown(after, width=25).markdown == after


def _without_words(source: MarkedSource, name: str) -> Iterable[Unit]:
    """Propose to drop each line with an x, an entity, a URL or a second definition, and an empty line."""
    for number, line in enumerate(source.lines):
        if line.startswith(("x", "&", "https:", "[d]: /b")) or (not line and number == 1):
            yield Unit(name, [Change(source.start_of(number), source.start_of(number + 1), "")])


def test_units_that_would_lose_something_are_not_made_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatter, "RULES", {"dropping": _without_words})
    written = "# a\n\nb [d]\nx\n&nbsp;\nhttps://a.example/b\n\n[d]: /a\n[d]: /b\n"

    assert format_markdown(written, rules=["dropping"]) == Formatted(
        written.replace("# a\n\n", "# a\n"),
        1,
        [
            RefusedUnit("dropping", 3, 'the text would lose "x"'),
            RefusedUnit("dropping", 4, 'the text would lose "&nbsp;"'),
            RefusedUnit("dropping", 5, 'the text would lose "https://a.example/b"'),
            RefusedUnit("dropping", 8, 'the text would lose "b", "[d]:"'),
        ],
    )


def test_units_of_which_too_many_cannot_be_made_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatter, "RULES", {"dropping": _without_words})
    monkeypatch.setattr(formatter, "_MAX_CHECKS", 0)
    written = "x1\n" * 64

    formatted = format_markdown(written, rules=["dropping"])

    assert (formatted.markdown, len(formatted.refused)) == (written, 64)
    assert formatter.TOO_MANY in {each.reason for each in formatted.refused}


@pytest.mark.parametrize(
    "hostile",
    [
        "{" * 20_000,
        "{{ " * 20_000 + "}}",
        "$a " * 20_000,
        "[[" * 20_000,
        "%% " * 20_001,
        "{% a %}" * 5_000 + "{% enda %}" * 5_000,
        ":::a\n" * 10_000 + ":::\n" * 10_000,
        "!!! a\n" * 20_000,
        "<!-- prettier-ignore -->\n" * 20_000,
        "_a_ *b* " * 5_000,
        "\\_" * 20_000,
        "a\\_b" * 10_000,
        "> " * 20_000 + "a",
        "- " * 20_000 + "a",
        "- a\n\n* b\n\n" * 2_000,
        "a \n" * 5_000,
        "| _a_ " * 5_000 + "\n|" + "-|" * 5_000,
        f"|{'a' * 190}|\n|-|\n" + "|b|\n" * 10_000,
        "text\n" + "1. a\n1. b\n3. c\n\ntext\n" * 2_000,
        "~~~\n~~~\n" * 3_000 + "```\n```\n",
        "---\n" * 10_000,
        "[" * 20_000 + "_a_",
    ],
    ids=lambda hostile: hostile[:8],
)
def test_hostile_texts_are_formatted(hostile: str) -> None:
    """In a time that `security` measures of the parser; here, only that there is a result and it is final."""
    formatted = format_markdown(hostile, rules=RULES)

    assert format_markdown(formatted.markdown, rules=RULES).markdown == formatted.markdown
