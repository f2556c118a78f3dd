"""Syntaxes of other programs and of optional extensions: where they stand, who reads them, and what to write instead.

Sources: Material for MkDocs, "Reference"; Obsidian's help, "Obsidian Flavored Markdown"; Hugo, "Shortcodes"; Pandoc's
manual, "Pandoc's Markdown"; Docusaurus, "Markdown Features"; Quarto, "Markdown Basics"; kramdown, "Syntax".
"""

import re
from collections.abc import Callable, Mapping
from string import ascii_uppercase
from typing import NamedTuple

from mdpublish_core.readers.markdown.attributes import ATTRIBUTES
from mdpublish_core.readers.markdown.callouts import NAMES
from mdpublish_core.readers.markdown.slips import DISPLAY_MATH, SLACK_LINK, is_display_math, is_slack_link
from mdpublish_core.strings.lazy_patterns import compile_lazily


class Syntax(NamedTuple):
    """A syntax: what messages call it, whose it is, and its remedy, which is an extension of its name if empty.

    A document that has none of `marks` anywhere and none of `heads` at the beginning of a line has none of it.
    `beside_table` is whether its paragraph is next to a table, if that matters.
    """

    name: str
    dialect: str
    remedy: str
    pattern: str = ""
    marks: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    beside_table: bool | None = None
    shown_as: str = "text"
    is_meant: Callable[[re.Match[str]], bool] | None = None


_NAMES = f"(?i:{'|'.join(sorted(NAMES))})"
HEADING_ID = compile_lazily(r"(?<=\s)\{:? ?#([A-Za-z][\w.:-]*+)[^{}\n]*\}\Z")
"""An id behind a heading's text, as Pandoc and Python-Markdown write it."""


SYNTAXES: Mapping[str, Syntax] = {
    "wikilinks": Syntax("a link or image in double brackets", "Obsidian", ""),
    "inline-notes": Syntax("an inline note", "Pandoc", ""),
    "toc": Syntax("a mark for a table of contents", "Python-Markdown", "--toc adds one to pages and Word files"),
    "citations": Syntax("a citation", "Pandoc", "write it as a footnote or a link"),
    "callout-kinds": Syntax(
        "a callout", "Obsidian", "the dialect obsidian reads it where it begins a quote, as in > [!recipe] Title"
    ),
    "task-states": Syntax("a state of a task", "Obsidian", "write [ ] or [x]"),
    "admonitions": Syntax(
        "an admonition",
        "Docusaurus or Pandoc",
        "",
        rf"^:{{3,}}[ \t]*(?:\{{|{_NAMES}\b(?![-.])).*",
        heads=("::",),
    ),
    "indented-admonitions": Syntax(
        "an admonition or a tab",
        "MkDocs",
        "the dialect mkdocs reads it",
        (
            r"^(?:(?:!!!|\?\?\?\+?) *[A-Za-z][\w-]*+[a-z ]*+(?:(?<= )\"[^\n]*\")?[ \t]*$"
            r"|===[!+]{0,2} +\"[^\"\n]+\"[ \t]*$)"
        ),
        heads=("!!", "??", "=="),
    ),
    "directives": Syntax(
        "a directive",
        "mkdocstrings or Docusaurus",
        "write what it stands for",
        rf"^:{{3,}}[ \t]*(?!{_NAMES}\b(?![-.]))[A-Za-z].*",
        heads=("::",),
    ),
    "highlight": Syntax("a highlight", "Obsidian", "", r"(?<![\w=)\]}])==(?![\s=])[^=\n]+(?<!\s)==(?![\w=>])", ("==",)),
    "sub-superscript": Syntax(
        "a superscript", "Pandoc", "", r"(?<=[\w)])\^(?=[^\W_]|[-+(*])[^\s^\[\]]{1,30}\^(?![\w^])", ("^",)
    ),
    "insertions": Syntax("an insertion", "MkDocs", "", r"(?<![\w^])\^\^(?![\s^])[^\^\n]+\^\^", ("^^",)),
    "keys": Syntax(
        "a key between ++",
        "MkDocs",
        "",
        r"(?<![\w+{])\+\+[a-z\"](?:[^+\n]*[^\s+])?(?:\+[\w\"](?:[^+\n]*[^\s+])?)*\+\+(?![\w+])",
        ("++",),
    ),
    "critic": Syntax(
        "a change in braces",
        "CriticMarkup",
        "write the HTML element ins, ~~…~~ or <!-- … -->",
        r"\{(?:\+\+[^{}\n]+\+\+|--[^{}\n]+--|~~[^{}~\n]+~>[^{}~\n]*~~|>>[^{}\n]+<<|==[^{}\n]+==)\}",
        ("{",),
    ),
    "attributes": Syntax(
        "an attribute list",
        "MkDocs, Pandoc or kramdown",
        "",
        (
            r"\{(?:(?<=[\])`*_]\{)|(?<=^\{)|(?<=[ \t]\{)(?=[^{}\n]*\}\Z))"
            rf":?(?!index=|[^{{}}\n]*\b(?:width|height)=){ATTRIBUTES}|^\{{:toc[^{{}}\n]*\}}"
        ),
        ("{",),
    ),
    "image-sizes": Syntax(
        "an image's size",
        "Obsidian, Pandoc or MkDocs",
        "",
        (
            r"!\[[^\[\]|\n]*\|\d{1,4}(?:x\d{1,4})?\]\(|!\[[^\[\]\n]*\]\([^()\s]+[ \t]+=\d*%?(?:x\d*%?)?\)"
            r"|\{(?<=[)\]]\{)[^{}\n]*\b(?:width|height)=[^{}\n]*\}"
        ),
        ("|", " =", "width=", "height="),
    ),
    "icons": Syntax(
        "an icon",
        "Material for MkDocs",
        "write an emoji or its name",
        r"(?<![\w:]):(?:material|fontawesome|octicons|simple)-[a-z0-9-]+:",
        (":material-", ":fontawesome-", ":octicons-", ":simple-"),
    ),
    "snippets": Syntax(
        "an included file",
        "MkDocs, mdBook or VitePress",
        "put its content here",
        (
            r"^(?:;*-+8<-+(?:[ \t]+(?:\"[^\"\n]+\"|'[^'\n]+'))?[ \t]*$|<<<[ \t]*[@./][^\n]+$)"
            r"|\{\{#(?:include|rustdoc_include|playground)[ \t][^{}\n]+\}\}"
        ),
        ("8<", "{{#"),
        ("<<",),
    ),
    "comments": Syntax(
        "a comment between %%",
        "Obsidian",
        "",
        r"(?<!\S)%%(?=[^%]*[^\W\d])[^%]+%%(?!\w)|^%%[ \t]*$",
        ("%%",),
    ),
    "block-ids": Syntax(
        "a block's id",
        "Obsidian",
        "",
        r"(?<![=+*/^-] )(?<![^ \n])\^(?=[0-9-]*[A-Za-z])[A-Za-z0-9][A-Za-z0-9-]+\Z",
        ("^",),
    ),
    "shortcodes": Syntax(
        "a shortcode", "Hugo", "write what it shows", r"\{\{[<%][ \t]*+/?[ \t]*+[A-Za-z][^{}]*(?:\}\})?", ("{{<", "{{%")
    ),
    "templates": Syntax(
        "a tag of a template",
        "Jekyll, GitBook or Jinja",
        "write what it makes",
        r"(?<!\{)\{%-?[ \t]*[a-z]\w*(?:[ \t][^{}%]*)?-?%\}|\{\{-?[ \t]*(?:site|page|layout|include)\.\w[^{}]*\}\}",
        ("{%", "{{"),
    ),
    "definition-lists": Syntax(
        "a definition list",
        "MkDocs, Hugo or Pandoc",
        "",
        r"^:[ \t]+\S.*",
        heads=(": ", ":\t"),
        beside_table=False,
    ),
    "table-captions": Syntax(
        "a caption of a table",
        "Pandoc",
        "",
        r"\A(?:Table)?:[ \t]+\S[^\n]*",
        heads=(": ", ":\t", "Table:"),
        beside_table=True,
    ),
    "abbreviations": Syntax("an abbreviation", "MkDocs", "", r"^\*\[[^\[\]\n]+\]:[ \t]*\S.*", heads=("*[",)),
    "cells": Syntax(
        "a cell, directive or raw block", "Quarto, MyST or Pandoc", "put what it makes here", shown_as="code"
    ),
    "example-lists": Syntax(
        "an example list", "Pandoc", "write 1. or 1)", r"\A\(@[\w-]*\)[ \t]+\S[^\n]*", heads=("(@",)
    ),
    "fancy-lists": Syntax(
        "a list with letters, Roman numerals or (1)",
        "Pandoc",
        "",
        (
            r"\A(?:\(?(?:[a-z]|[ivxl]{2,5})\)|[A-Z]\)|a\.|#\.|\(\d{1,3}\))[ \t]+\S[^\n]*"
            r"|^(\(?)a([.)])[ \t]+\S[^\n]*(?=\n(?:[^\n]+\n){0,5}?\1b\2[ \t]+\S)"
        ),
        heads=("a)", "a.", "(a", "(i", "(v", "(x", "(1", "i)", "A)", "#."),
    ),
    "grid-tables": Syntax(
        "a grid table",
        "Pandoc",
        "write a table with bars and a row of dashes",
        r"\A\+(?:[-=:]{2,}\+)+[ \t]*\n\|",
        heads=("+-", "+=", "+:"),
    ),
    "modules": Syntax(
        "an import or export",
        "MDX",
        "leave it out",
        (
            r"\A(?:import[ \t]+(?:[\w*{][^\n]*?[ \t}]from[ \t]*)?[\"'][^\"'\n]+[\"'];?[ \t]*$"
            r"|export[ \t]+(?:default|const|function|let|class)[ \t][^\n]*)"
        ),
        heads=("import ", "export "),
    ),
    "components": Syntax(
        "a component",
        "MDX",
        "write what it shows",
        r"^</?[A-Z][A-Za-z0-9.]*[a-z0-9](?:[ \t\n][^<>]*)?/?>(?=[ \t]*$)|<[A-Z][A-Za-z0-9.]*[ \t\n][^<>]*=\{[^<>]*>",
        ("={",),
        heads=("</", *(f"<{character}" for character in ascii_uppercase)),
    ),
    "mdx-comments": Syntax("a comment in braces", "MDX", "write it as <!-- … -->", r"\{/\*[^{}]*\*/\}", ("{/*",)),
    "display-math": Syntax(
        "a formula", "chats", "write $$…$$", DISPLAY_MATH.pattern, ("\\[",), is_meant=is_display_math
    ),
    "slack-link": Syntax(
        "a link",
        "Slack",
        "write [text](URL)",
        SLACK_LINK.pattern,
        ("<http", "<mailto:", "<tel:"),
        is_meant=is_slack_link,
    ),
}
"""Those that an extension reads have its name. Those without a pattern are found while scanning."""

PATTERNS = {name: compile_lazily(syntax.pattern, re.MULTILINE) for name, syntax in SYNTAXES.items() if syntax.pattern}
