"""Formulas: one per symbol, function, macro and environment of KaTeX, and our own by field."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.visual import katex

_OURS = Path(__file__).with_name("formulas.txt")


@dataclass(frozen=True, slots=True)
class Sample:
    collection: str
    tex: str
    display: bool = True


# Functions with arguments other than letters, and switches with something to act on.
_WRITTEN = {
    "\\$": "\\text{a $x$ b}",
    "$": "\\text{a $x$ b}",
    "\\(": "\\text{a \\(x\\) b}",
    "\\)": "\\text{a \\(x+1\\) b}",
    "\\\\": "a \\\\ b",
    "\\above": "{a \\above{2pt} b}",
    "\\begin": "\\begin{matrix}a\\end{matrix}",
    "\\end": "\\begin{matrix}b\\end{matrix}",
    "\\begingroup": "\\begingroup a \\endgroup b",
    "\\endgroup": "\\begingroup \\bf a \\endgroup b",
    "\\char": "\\char65 \\char\"42 \\char'103",
    "\\color": "{\\color{red} a+b} c",
    "\\textcolor": "\\textcolor{#00f}{a+b}",
    "\\colorbox": "\\colorbox{aqua}{$x$ is}",
    "\\fcolorbox": "\\fcolorbox{red}{#ff0}{a}",
    "\\def": "\\def\\foo#1{#1^2} \\foo{x}",
    "\\edef": "\\edef\\foo{y} \\foo",
    "\\gdef": "\\gdef\\foo#1,#2.{#2#1} \\foo a,b.",
    "\\xdef": "\\xdef\\foo{y} \\foo",
    "\\let": "\\let\\foo=\\alpha \\foo",
    "\\futurelet": "\\futurelet\\foo\\relax x \\foo",
    "\\global": "\\global\\def\\foo{z} \\foo",
    "\\long": "\\long\\def\\foo{z} \\foo",
    "\\genfrac": "\\genfrac(]{2pt}{0}{a}{b}",
    "\\hbox": "\\hbox{a b}",
    "\\href": "\\href{https://example.org/?a=1\\&b=2}{x^2}",
    "\\url": "\\url{https://example.org/}",
    "\\htmlClass": "\\htmlClass{foo}{x}",
    "\\htmlData": "\\htmlData{foo=a, bar=b}{x}",
    "\\htmlId": "\\htmlId{foo}{x}",
    "\\htmlStyle": "\\htmlStyle{color: red}{x}",
    "\\includegraphics": "\\includegraphics[height=0.8em, alt=a plot]{https://example.org/plot.png}",
    "\\left": "\\left(\\frac12\\right]",
    "\\middle": "\\left(a\\middle|\\frac12\\right)",
    "\\right": "\\left\\{x\\right.",
    "\\mathchoice": "\\mathchoice{a}{b}{c}{d}\\frac{\\mathchoice{a}{b}{c}{d}}2",
    "\\raisebox": "a\\raisebox{0.25em}{b}",
    "\\rule": "\\rule[0.1em]{1em}{2pt}x",
    "\\smash": "\\smash[b]{y}\\smash{x}",
    "\\verb": "\\verb|\\a^b| x",
    "\\brace": "{n \\brace k}",
    "\\brack": "{n \\brack k}",
    "\\choose": "{n \\choose k}",
    "\\over": "{a+1 \\over b}",
    "\\atop": "{a \\atop b}",
    "\\limits": "\\sum\\limits_i x",
    "\\nolimits": "\\sum\\nolimits_i x",
    "\\sqrt": "\\sqrt{x}\\sqrt[3]{x+1}",
    # Macros
    "\\newcommand": "\\newcommand{\\foo}[2]{#1+#2} \\foo{a}{b}",
    "\\renewcommand": "\\renewcommand\\alpha{\\beta} \\alpha",
    "\\providecommand": "\\providecommand\\foo[1]{#1!} \\foo a",
    "\\expandafter": "\\def\\a{b}\\expandafter\\frac\\a c",
    "\\noexpand": "\\noexpand x",
    "\\TextOrMath": "\\TextOrMath{a}{b}\\text{\\TextOrMath{a}{b}}",
    "\\bgroup": "\\bgroup a\\egroup",
    "\\egroup": "\\bgroup a+b\\egroup",
    "\\Braket": "\\Braket{\\phi|\\frac12|\\psi}",
    "\\Set": "\\Set{x|x<\\frac12}",
    "\\set": "\\set{x|x<5}",
    "\\textcircled": "\\textcircled{a}",
    "\\tmspace": "x",
    "\\tag": "x+y \\tag{1.2}",
    "\\hspace": "a\\hspace{1em}b\\hspace*{2em}c",
    "\\message": "\\message{hello} x",
    "\\show": "x",
    "\\errmessage": "x",
    "\\newline": "a \\newline b",
    "\\Bra": "\\Bra{\\frac12}",
    "\\operatornamewithlimits": "\\operatornamewithlimits{ab}_c",
    "\\pod": "a\\pod{b}",
    "\\pmod": "a\\equiv b\\pmod{n}",
    "\\mod": "a\\mod{n}",
    "\\bmod": "a\\bmod b",
    "\\hphantom": "a\\hphantom{bc}d",
    "\\char`": "x",
    "\\dotsc": "a,\\dotsc,b",
    "\\dots": "a,\\dots,b+\\dots+c",
}
_LENGTHS = {f"\\{name}" for name in ("kern", "mkern", "hskip", "mskip")}
_SWITCHED = re.compile(r"\\(?:rm|sf|tt|bf|it|cal|\w+style|tiny|sixptsize|\w*size|small|[lL]arge|LARGE|[hH]uge)")
_DELIMITED = re.compile(r"\\(?:[bB]igg?)[lrm]?")
_MORE = ("\\limits", "\\nolimits", "\\hphantom", "\\sixptsize", "\\tiny", "\\large", "\\Huge", "\\rm", "\\bf", "\\tt")

_ENVIRONMENTS = {
    "array": "\\begin{array}{l|c:r}a&b&c\\\\\\hline 1&2&3\\\\\\hdashline x&y&z\\end{array}",
    "darray": "\\begin{darray}{rl}a&b\\\\\\frac12&2\\end{darray}",
    "subarray": "\\sum_{\\begin{subarray}{l}i\\in A\\\\j\\end{subarray}}x",
    "CD": "\\begin{CD}A @>a>b> B @= C\\\\@VcVdV @AAfA @|\\\\D @<<< E @. F\\end{CD}",
    "equation": "\\begin{equation}a=b\\end{equation}",
    "equation*": "\\begin{equation*}a=b\\end{equation*}",
    "alignat": "\\begin{alignat}{2}a&=b&\\quad c&=d\\\\e&=f&g&=h\\end{alignat}",
    "alignat*": "\\begin{alignat*}{2}a&=b&\\quad c&=d\\\\e&=f&g&=h\\end{alignat*}",
    "alignedat": "\\begin{alignedat}{2}a&=b&\\quad c&=d\\\\e&=f&g&=h\\end{alignedat}",
    "gather": "\\begin{gather}a=b\\\\c=d\\end{gather}",
    "gather*": "\\begin{gather*}a=b\\\\c=d\\end{gather*}",
    "gathered": "\\begin{gathered}a=b\\\\c=d\\end{gathered}",
}


def samples() -> list[Sample]:
    return list(dict.fromkeys((*_symbols(), *_functions(), *_macros(), *_environments(), *ours())))


def _symbols() -> Iterator[Sample]:
    for mode, name in katex.symbols():
        tex = {"\\\\": "\\backslash"}.get(name, name)
        if mode == "text":
            yield Sample("symbols", f"\\text{{a{tex}{{}}}}")
        else:
            yield Sample("symbols", f"x{tex} y" if tex not in {"^", "_"} else "x^y")


def _functions() -> Iterator[Sample]:
    for name, count in katex.functions():
        yield Sample("functions", _command_sample(name, count))
    for name in _MORE:
        yield Sample("functions", _command_sample(name, 1))


def _macros() -> Iterator[Sample]:
    for name, count in katex.macros():
        yield Sample("macros", _command_sample(name, count))


def _command_sample(name: str, count: int) -> str:
    if name in _WRITTEN:
        return _WRITTEN[name]
    if name in _LENGTHS:
        return f"a{name}{'18mu' if 'm' in name else '1em'} b"
    if _SWITCHED.fullmatch(name):
        return f"{{{name} ab}}c"
    if _DELIMITED.fullmatch(name):
        return f"{name}( x {name}\\}}"
    words = "{some words}" if name.startswith("\\text") or name in {"\\emph", "\\mbox", "\\fbox"} else ""
    if not name[-1].isalpha() or name in {"\\u", "\\c", "\\r", "\\H", "\\v"}:
        return f"\\text{{{name}{'{a}' * count}}}" if count else f"a{name}b"
    arguments = words or "".join(f"{{{'xyzuvw'[number]}}}" for number in range(count))
    return f"a{name}{arguments}" + ("" if arguments else " b")


def _environments() -> Iterator[Sample]:
    for name in katex.environments():
        yield Sample("environments", _ENVIRONMENTS.get(name) or f"\\begin{{{name}}}a&b\\\\c&d\\end{{{name}}}")
        if name.endswith("matrix*"):
            yield Sample("environments", f"\\begin{{{name}}}[r]a&b\\\\c&d\\end{{{name}}}")


def ours() -> Iterator[Sample]:
    """Yield one per line below a field's name; inline ones are between dollar signs."""
    field = ""
    for line in _OURS.read_text("utf-8").splitlines():
        if line.startswith("%% "):
            field = line.removeprefix("%% ")
        elif line.startswith("$"):
            yield Sample(field, line[1:-1], display=False)
        elif line:
            yield Sample(field, line)
