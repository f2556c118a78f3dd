r"""Stylesheets that try to style the page around a document, and that page.

`HOST` has elements before, after and around a document, with its types, classes and ids. `SELECTORS` are given a block
of declarations, as are `BROKEN_SELECTORS`, which may take what follows with them; `STYLESHEETS` contain `LEAK`,
declarations that would show; `POSITIONS` try to leave the flow of that page.
"""

from hypothesis import strategies as st

from mdpublish_core import convert

MARKDOWN = """\
# Inside

Text *with* [link](https://example.org/) and <font>raw</font>.

- a
- b

> [!NOTE]
> c

|d|e|
|-|-|
|f|g|
"""

LEAK = "outline-color: rgb(1, 2, 3) !important"

_AROUND = """\
<p class="a b note callout" id="x" title="&">out</p>
<ul class="dark"><li>out</li><li class="prose">out</li></ul>
<font class="&">out</font><content class="markdown-body">out</content>
<table><tr class="odd"><td>out</td></tr></table>
<a href="#y">out</a><mdpublish>out</mdpublish><input disabled value="&"><dialog open>out</dialog>
"""

HOST = f"""\
<!doctype html><html class="dark a" lang="en" data-theme="dark"><head><title>out</title></head>
<body class="a prose"><header class="a">{_AROUND}</header><div class="callout" id="y">{_AROUND}
<section class="a" style="position: relative">FRAGMENT{_AROUND}</section>{_AROUND}</div>
<footer><h1>out</h1>{_AROUND}</footer></body></html>
"""


def host_page(css: str) -> str:
    return HOST.replace("FRAGMENT", convert(MARKDOWN, css=css).html)


SELECTORS: tuple[str, ...] = (
    # Siblings of the document.
    "body ~ *", "body + *", "html ~ *", "html + *", ":root ~ *", ":root + p", ":host ~ p", ".markdown-body ~ *", ".prose + *",
    "& ~ *", "& + *", "body~*", "body/**/~/**/*", "html > body ~ *", "html body + ul", "body ~ * p", "body + p > *",
    "body:not(.zz) ~ *", "body[class] ~ *", "BODY ~ *", "HtMl ~ *", "b\\6f dy ~ *", "\\62 ody + *", ":ROOT ~ *", ":r\\6fot ~ *",
    ":is(body) ~ *", ":is(html, body) ~ *", ":where(body) + *", ":is(:where(html)) ~ *", "*:root ~ p", "div:root ~ p",
    "p, body ~ *, h1", "body ~ *:not(p)", "body ~ :has(*)", "body ~ ::before", "body::before ~ *", "&& ~ *", "&.zz ~ *, & ~ p",
    "body:first-child ~ *", "p ~ body", "p + body > *", "* ~ body", "* + body ~ *", "> body ~ *", "+ *", "~ *",
    # Negations.
    ":not(body)", ":not(html)", ":not(:root)", ":not(&)", ":not(.markdown-body)", ":not(body *)", ":not(body > p)",
    ":not(body, p)", ":not(html body)", "*:not(body)", "*:not(&):not(zz)", ":not(:not(body))", ":not(:not(*))", ":NOT(BODY)",
    ":n\\6ft(body)", ":not(:is(body))", ":not(:where(&))", ":not(body)::before", ":not(body) ~ *", ":not(body) :not(body)",
    ":not(.x\\&y)", ":not(#x\\&)", ":not(p\\&)", ":not(.\\26)", ":not([title='&'])", ":not([title=\\&])", ":not(:lang('&'))",
    ":not(zz body)", ":not(body ~ *)", ":not(:has(body))", ":not(section &)", ":not(* ~ body)",
    # Lists.
    ":is(html, p)", ":is(body, *)", ":is(&, *)", ":where(&, *)", ":where(body, p):not(mdpublish)", ":is(html *)",
    ":is(body ~ *)", ":is(body + *, p)", ":is(section p)", ":is(.callout > *)", ":is(.dark *)", ":is(* ~ *)", ":is(p + *)",
    ":where(section *, li)", ":is(:is(:is(html ~ p)))", ":is(:not(body) p)", ":is(:host, p)", ":is(*, :root *)",
    ":matches(body, p)", ":-webkit-any(html, p)", ":-moz-any(body, p)", ":-webkit-any(section p)", ":-moz-any(& ~ *)", ":any(p)",
    ":is(&:not(zz), p)", "p:is(& ~ *)", "p:is(body *)", ":is(.dark body) ~ p", ":is(body):is(html) ~ p", ":is()", ":is(,p)",
    # What an element has.
    ":has(*)", ":has(body)", ":has(&)", ":has(> &)", ":has(~ &)", "html:has(*)", "body:has(~ *)", "body:has(+ p)",
    ":root:has(+ *) ~ *", ":has(+ *)", ":has(~ p):not(body)", "*:has(:is(body))", "*:has(:is(section *))", ":not(:has(&))",
    "body:is(:has(~ *))", "section:has(p)", ":is(:has(&), p)", "body:has(p ~ *) ~ p", ":has(:not(&))", ":HAS(~ p)",
    ":has(> :is(& ~ *))", ":has(~ body ~ *)", "body:not(:has(~ p))",
    # Numbers.
    ":nth-child(n)", ":nth-child(n of body)", ":nth-child(n of &)", ":nth-child(n of body, *)", ":nth-child(1 of & ~ *)",
    "body:nth-child(n of .a) ~ *", ":nth-last-child(n of :not(&))", ":nth-child(n of section *)", ":nth-child(n of :is(&, p))",
    ":nth-child(even of .callout)", ":root:nth-child(2 of p)", ":nth-of-type(n of &)", ":nth-col(n)", ":nth-child(&)",
    ":NTH-CHILD(N OF BODY ~ *)",
    # Other trees, scopes and names.
    ":host", ":host(p)", ":host(*) ~ *", ":host-context(.dark) p", ":host-context(html)", "::slotted(*)", "p::slotted(p)",
    "::part(x)", ":scope", ":scope ~ *", ":scope > *", ":is(:scope)", ":not(:scope)", "*|*", "*|body", "|p", "svg|p",
    ":not(*|*)", "*|*:not(body)", "[*|title]", "p || td", "::backdrop", "dialog::backdrop", ":not(body)::backdrop",
    "::-webkit-backdrop", "html::view-transition", "::view-transition-group(*)", ":root::view-transition-old(root)",
    "::cue(*)", "::highlight(x)", "::unknown", "::unknown(*)", "::-webkit-unknown", ":unknown", ":unknown(body)", ":-moz-unknown",
    ":-moz-unknown(p)", ":not(:unknown)", ":is(:unknown, p)", ":current(p)", ":state(x)", ":contains('out')", ":target ~ *",
    ":lang(en)", ":lang('*-x')", ":LANG(e\\6e)", ":not(:lang(zz))", ":dir(ltr)", ":dir(:is(&))", ":lang(&)", ":empty", ":not(:empty)",
    "::before", "::after", "p:before", "::first-line", "::marker", "::selection", "::placeholder", "::first-letter",
    "::-webkit-scrollbar",
    # Ancestors of the document.
    ".dark body p", ".dark &", "section > body", "section &", "html.dark body p", "[data-theme] body", "section body > p",
    ".dark :root", "html body html body", "p body ~ *", "body section body ~ *", "div.callout &", "* > body *",
    # Attributes, classes and ids.
    "[title]", "[title='&']", '[title="&" i]', "[title='&'] ~ *", "[title=\\&]", "[class~='prose']", "[value='&']:not(body)",
    "[class='&']", "[title='] body ~ *']", '[title="&~*"]', "[title='\\26']", ".\\&", ".\\& ~ *", "#\\&", "\\&", "\\&~*", "font\\&",
    ".a\\,\\&\\~\\*", ".a\\ \\~\\ \\*", "[\\&]", "[title=a x]", "[title/**/='&']", "[title='&'/**/i]", ".\\5c\\&", "[title='\\5c&']",
    "[title='\\5c\\26']", ".\\\\\\& ~ *", "font", "content", "mdpublish", "*", "* *", "* > *", "* + *", "* ~ *", "p", "ul > li", "#x",
    "\\2a", ".callout", "section", "header p", "footer h1", "div", "body", "html", "head", "title", "input:disabled",
)  # fmt: skip

BROKEN_SELECTORS: tuple[str, ...] = (
    "p{}body~*", "p}*", "p\\}\\*", "p;*", "p/*", "p/*{}*/, :not(body)/**/", "p'", 'p"', "@x p", "p,", ",p", "p,,*", "<!-- *", "--> *",
    "p\\", "p\\\n*", "(*)", "[*]", "p:not(", "p:is(]", "p[x=", "p[x='", "p:not(')",
    ":lang(])", ":lang(en}", ":lang({})", ":dir(())", ":nth-child(])", ":nth-child(n of ])", ":has(])", ":lang('\n')", "[]]", "[x=]", "p >> *", "p /deep/ *", "p >>> *", "u+a", "@", "!",
    "\0", ".\0 ~ *", "&&", "& &", "&&&~*", "&*", "*&", "p&", "&p", "&body ~ *", "body& ~ *",
)  # fmt: skip

STYLESHEETS: tuple[str, ...] = (
    *(f"p {{ {nested} {{ LEAK }} }}" for nested in ("& ~ *", "body ~ &", ":not(&)", ":is(&, *)", "+ *", "~ body ~ *", "&:not(body)")),
    *(f"body {{ {nested} {{ LEAK }} }}" for nested in ("& ~ *", "+ *", "~ *", ":not(&)", "&:has(~ *) ~ *", "& + & ~ *", "&& ~ p",
                                                     ":is(& ~ *)", "p & ~ *", ".dark &", "&, * { & ~ * ")),
    *(f"html, p {{ {nested} {{ LEAK }} }}" for nested in ("& ~ *", "~ p", "@media all { & ~ * ", "&:not(&) ~ *")),
    *(f"@{rule} {{ body ~ * {{ LEAK }} :not(body) {{ LEAK }} }}" for rule in (
        "media all", "MEDIA ALL", "media not print", "supports (color: red)", "supports selector(*)", "layer", "layer x", "scope",
        "scope (html)", "scope (html) to (.zz)", "container (min-width: 1px)", "container x", "starting-style", "nest", "page",
        "document url()", "-moz-document url-prefix()", "unknown", "font-feature-values x", "position-try --x", "view-transition",
        'media (a/*"*/)', "media \\", "media 'x\n", "media (x:\\\n)", "media all) or (", "media &", "layer x; @scope (html)",
        "m\\65 dia all", "when media(all)", "else", "property --x", "keyframes x", "function --x()",
    )),
    "@namespace url(x); *|* { LEAK }", "@layer x; :not(body) { LEAK }", "@charset 'x'; :not(body) { LEAK }",
    "@custom-selector :--x body ~ *; :--x { LEAK }", "@media all { @scope (html) { * { LEAK } } }",
    # Declarations that end their rule.
    *(f"p {{ {declaration} }}" for declaration in (
        "--a\\}\\*\\{outline-color\\:rgb\\(1\\,2\\,3\\)\\!important\\;--b: 1", "-\\}\\*\\{outline-color\\:rgb\\(1\\,2\\,3\\)\\;x: 1",
        "--a\\:1\\}\\*\\{outline-color: rgb(1, 2, 3)", "-a-b\\}\\*\\{outline-color: rgb(1, 2, 3)", "--a: \\\n}* { LEAK",
        "--a: {} * { LEAK }", "--a: \\} * { LEAK }", "--a: '\n} * { LEAK }", "--a: ; } * { LEAK }", "--a: \\\n", "--a:\\",
        'font:is(&,*/*"*/){LEAK}f(/*"*/)', 'content:is(&,*/*"*/){LEAK}f(/*"*/)', '--a: f(/*"*/{}/*"*/)', "--a: f(/*'*/}/*'*/)",
        "color: red]} * { LEAK }", "color: red)} * { LEAK }", "--a: a\\ \n\\} * { LEAK }", "--a: '\\\n' } * { LEAK",
        "content: '}* {LEAK}'", 'content: "\\"}* {LEAK}"', "--a: #\\}\\*\\{LEAK\\}", "--a: 1\\}\\*\\{LEAK\\}", "--a: @\\}\\*",
        "--a: url(}*{LEAK})", "--a: u+0-7F", "--a: <!-- } * { LEAK } -->", "*outline-color: red} * { LEAK", "_x: 1} * { LEAK",
    )),
    f"{'p {' * 31} body ~ * {{ LEAK }}", "p { } } * { LEAK }", "} :not(body) { LEAK }", "p { color: red; /* } */ } :not(body) { LEAK }",
    "<!-- :not(body) { LEAK } -->", "p { color: red } ]:not(body) { LEAK }", "p { color: red; :not(body) { LEAK } }",
)  # fmt: skip
STYLESHEETS = tuple(each.replace("LEAK", LEAK) for each in STYLESHEETS)

POSITIONS: tuple[str, ...] = (
    *(f"* {{ position: {value}; --x: fixed; --y: var(--x); --p: var(--q, fixed); --inherit: inherit }}" for value in (
        "fixed", "FIXED", "fi\\78 ed", "\\66ixed", "fixed /**/", "/**/fixed", "fixed !important", "var(--x)", "VAR(--x)", "var(--y)",
        "var(--p)", "var(--none, fixed)", "var(--none, var(--x))", "var(--none,/**/var(--none, fixed))", "v\\61r(--x)", "env(x, fixed)",
        "attr(data-x type(*), fixed)", "attr(class, fixed)", "if(else: fixed)", "inherit(--x)", "first-valid(fixed)", "--f()",
        "toggle(fixed, static)", "inherit", "INHERIT", "var(--inherit)", "static fixed", "fixed static", "random-item(x, fixed)",
        "-webkit-fixed", "-moz-fixed", "var(--x) !important", "var(--X, fixed)", "var( --x )", "var(--x,)", "{fixed}", "'fixed'",
        "page", "\\\nfixed", "fixed\\9", "running(x)",
    )),
    *(f"* {{ {name}: {value}; --x: fixed }}" for name in ("POSITION", "p\\6fsition", "\\70osition", "-webkit-position", "position\\ ")
      for value in ("fixed", "var(--x)")),
    "body { position: inherit }", "html { all: inherit }", "body { ALL: INHERIT }", "* { all: var(--x); --x: inherit }",
    "* { all: fixed }", "body { --x: fixed } p { position: var(--x) }", "p { position: var(--x); --x: fixed }",
    "@media all { p { --x: fixed } } p { position: var(--x) }", "@keyframes x { from { --x: fixed } } p { animation: x 9s; position: var(--x) }",
    "@keyframes x { from, to { position: fixed } } * { animation: x 9s infinite }",
    "@property --x { syntax: '*'; inherits: false; initial-value: fixed } p { position: var(--x) }",
    "@function --f() { result: fixed } p { position: --f() }", "@supports (position: fixed) { p { position: fixed } }",
    "p { & { position: fixed } }", "p { @media all { position: fixed } }", "p::before { content: 'x'; position: fixed }",
    "p { --a\\;position\\:fixed\\;--b: 1 }", "p { -a\\;position\\:fixed\\;b: 1 }", "p { -webkit-a\\;position: fixed }",
    "p { --a: 1\\;position\\:fixed }", "p { --a: ;position: fixed }", "p { color: red\\;position\\:fixed }",
    "p { position-try: --x; position: var(--x, fixed) }", "@layer x { p { position: fixed } }", "* { display: x; position:fixed; }",
    "p { position: static; position: fixed; position: var(--x); --x: fixed }", "@position-try --x { position: fixed }",
)  # fmt: skip

SAFE_POSITIONS = (
    "static",
    "relative",
    "absolute",
    "sticky",
    "Sticky",
    "-webkit-sticky",
    "initial",
    "unset",
    "revert-layer",
)

_NAMES = ("*", "p", "li", "html", "body", "BODY", "b\\6f dy", "&", "", ".a", ".prose", ".markdown-body", "#x", ".\\&", "[title='&']",
          "[class]", ":root", ":host", ":first-child", ":empty", ":hover", ":lang(en)", ":scope", ":unknown", ":nth-child(odd)",
          "*|*", "section", "font")  # fmt: skip
_FUNCTIONS = (":is({})", ":where({})", ":not({})", ":NOT({})", ":has({})", ":has(~ {})", ":has(+ {})", ":has(> {})", ":-webkit-any({})",
              ":nth-child(n of {})", ":nth-last-child(2n+1 of {})", ":host({})", "::slotted({})", ":unknown({})", ":matches({})")  # fmt: skip
_COMBINATORS = st.sampled_from((" ", ">", "+", "~", " ~ ", "/**/~", " + ", "/**/", "|", "||", ","))


def _joined(part: st.SearchStrategy[str], marks: st.SearchStrategy[str], size: int) -> st.SearchStrategy[str]:
    pairs = st.lists(st.tuples(part, marks), min_size=1, max_size=size)
    return pairs.map(
        lambda each: "".join(f"{mark if number else ''}{selector}" for number, (selector, mark) in enumerate(each))
    )


def _longer(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    functional = st.builds(str.format, st.sampled_from(_FUNCTIONS), inner)
    compound = st.builds(str.__add__, st.sampled_from(_NAMES), functional)
    return _joined(st.one_of(compound, inner), _COMBINATORS, 3)


selectors: st.SearchStrategy[str] = st.recursive(
    _joined(st.sampled_from(_NAMES), _COMBINATORS, 3), _longer, max_leaves=6
)
