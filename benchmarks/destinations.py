"""Destinations: email against CSS inliners, matching, binding, and all eight."""

import logging
import re
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from statistics import median
from time import perf_counter

import comrak
import css_inline
from premailer import Premailer

from benchmarks.measuring import Converter, Sample, measure, readme_sample
from benchmarks.node import node_milliseconds
from mdpublish_core import convert, parse, render
from mdpublish_core.css.matcher import CompiledStylesheet
from mdpublish_core.css.rules import scoped_css
from mdpublish_core.nodes import Document
from mdpublish_core.templates import THEME_MODES, bind, get_template, list_templates
from mdpublish_core.templates.catalog import built_in_theme
from mdpublish_core.templates.loader import parse_theme
from mdpublish_core.templates.style import fragment_css, rules_for
from mdpublish_core.writers import RenderContext
from mdpublish_core.writers.email import EmailRenderer
from mdpublish_core.writers.email.styles import EmailStyle, compute_style
from mdpublish_core.writers.outputs import DESTINATIONS, get_output
from mdpublish_core.writers.styled.stylesheets import compile_stylesheet

TEMPLATE = get_template("swiss")
STYLE = bind(TEMPLATE, "light")

INLINED = scoped_css(rules_for(TEMPLATE, "light", "email"), STYLE.scope)
"""The rules used in email."""

# Premailer needs a second for 100 KB.
SLOW_ROUNDS = 3


def print_destinations(rounds: int) -> dict[str, float]:
    """Return the ratios of `targets`, for the longest document."""
    ratios = {}
    print(
        "\n| document, no highlighting | `email`, ms | stylesheet of the peers | mistletoe + premailer, ms | ratio ",
        end="",
    )
    print("| marked + juice, ms | ratio | comrak + css-inline, ms | ratio |\n|---|--:|---|--:|--:|--:|--:|--:|--:|")
    # Smoke tests skip the long document.
    sizes = (10, 100) if rounds > 1 else (10,)
    for kilobytes in sizes:
        sample = without_languages(readme_sample(kilobytes))
        ratios.update(print_mails(sample, "complete", STYLE.css, rounds))
        print_mails(sample, "without browser-only rules", INLINED, rounds)
    print()
    for kilobytes in sizes:
        print_matching(readme_sample(kilobytes), rounds)
    print_binding(rounds)
    for kilobytes in sizes:
        ratios["all eight destinations / (parse + `generic`)"] = print_all(readme_sample(kilobytes), rounds)
    return ratios


def without_languages(sample: Sample) -> Sample:
    """Remove languages from code fences to disable highlighting."""
    return Sample(sample.name, re.sub(r"^( *(?:`{3,}|~{3,}))[^`\n]*$", r"\1", sample.markdown, flags=re.MULTILINE))


def print_mails(sample: Sample, sheet_name: str, css: str, rounds: int) -> dict[str, float]:
    converters: dict[str, Converter] = {
        "ours": partial(convert, to="email"),
        "premailer": partial(inlined_by_premailer, css=css),
        "css-inline": partial(inlined_by_css_inline, css=css),
    }
    taken = measure(sample.markdown, converters, min(rounds, SLOW_ROUNDS))
    ours, premailer, css_inline = taken["ours"], taken["premailer"], taken["css-inline"]
    juice = node_milliseconds(sample.markdown, min(rounds, SLOW_ROUNDS), css)
    cells = [sample.name, f"{ours:.2f}", sheet_name, f"{premailer:.1f}", f"{ours / premailer:.2f}"]
    cells += [f"{juice:.1f}", f"{ours / juice:.2f}", f"{css_inline:.1f}", f"{ours / css_inline:.2f}"]
    print("|", " | ".join(cells), "|", flush=True)
    return {
        "`email` / (comrak + css-inline)": ours / css_inline,
        "`email` / (mistletoe + premailer)": ours / premailer,
    }


def inlined_by_premailer(markdown: str, css: str) -> str:
    mistletoe = import_module("mistletoe")
    page = page_with(css, mistletoe.markdown(markdown))
    return str(Premailer(page, allow_network=False, cssutils_logging_level=logging.CRITICAL).transform())


def inlined_by_css_inline(markdown: str, css: str) -> str:
    extensions = comrak.ExtensionOptions()
    extensions.table = extensions.strikethrough = extensions.tasklist = extensions.footnotes = True
    return css_inline.inline(
        page_with(css, comrak.render_markdown(markdown, extensions)), load_remote_stylesheets=False
    )


def page_with(css: str, content: str) -> str:
    body = f'<div class="{STYLE.scope}">{content}</div>'
    return f"<html><head><style>{css}</style></head><body>{body}</body></html>"


class Constant:
    """Cursor that matches nothing and returns one style."""

    def __init__(self, style: EmailStyle) -> None:
        self.current = style

    def enter(self, element: str, *, last: bool = False, attributes: Mapping[str, str] | None = None) -> EmailStyle:
        del element, last, attributes
        return self.current

    def leave(self) -> None:
        pass

    def visit(self, element: str, *, last: bool = False) -> EmailStyle:
        return self.enter(element, last=last)


def print_matching(sample: Sample, rounds: int) -> None:
    """Compare rendering with and without CSS matching."""
    document = parse(sample.markdown)
    compiled = compile_stylesheet(STYLE, "email", compute_style)
    cursor = compiled.cursor()
    cursor.enter("&")
    constant = Constant(cursor.enter("p")._replace(attributes=(("class", "p"),), text_style="", box_style=""))
    converters: dict[str, Converter] = {
        "matched": lambda _: EmailRenderer.write_mail(document, "ltr", RenderContext(STYLE, "cid:"), compiled.cursor()),
        "classes": lambda _: EmailRenderer.write_mail(document, "ltr", RenderContext(STYLE, "cid:"), constant),  # type: ignore[arg-type]
    }
    taken = measure(sample.markdown, converters, rounds)
    ratio = taken["matched"] / taken["classes"]
    print(
        f"- {sample.name}: rendering an email {taken['matched']:.2f} ms, with classes only {taken['classes']:.2f} ms: {ratio:.2f}"
    )


def print_binding(rounds: int) -> None:
    """Measure the preparation of templates."""

    def bind_repeatedly(_: str) -> None:
        bind.cache_clear()
        rules_for.cache_clear()
        bind(TEMPLATE, "light")
        CompiledStylesheet(rules_for(TEMPLATE, "light", "email"), compute_style)

    def load_repeatedly(_: str) -> None:
        for template in list_templates():
            parse_theme(sources[template.id], template.id)

    sources = {template.id: built_in_theme(template.id) for template in list_templates()}
    taken = measure("", {"bind": bind_repeatedly, "load": load_repeatedly}, rounds)
    bound = []
    bind.cache_clear()
    fragment_css.cache_clear()
    for template in list_templates():
        for theme_mode in THEME_MODES:
            began = perf_counter()
            _ = bind(template, theme_mode).css
            bound.append((perf_counter() - began) * 1000)
    print(
        f"- resolving a template for email: {taken['bind']:.2f} ms; any of {len(bound)} pairs for a fragment, first time: "
        f"median {median(bound):.2f} ms, maximum {max(bound):.2f}; loading all {len(sources)}: {taken['load']:.0f} ms"
    )


def print_all(sample: Sample, rounds: int) -> float:
    document = parse(sample.markdown)

    def render_all(_: str) -> None:
        # Do not reuse cached results.
        fresh = Document(
            document.children,
            footnote_definitions=document.footnote_definitions,
            origin=document.origin,
        )
        for name in DESTINATIONS:
            render(fresh, to=name)

    def parse_and_generic(markdown: str) -> None:
        get_output("generic").render(parse(markdown), RenderContext(STYLE))

    taken = measure(sample.markdown, {"all": render_all, "one": parse_and_generic}, rounds)
    ratio = taken["all"] / taken["one"]
    print(
        f"- {sample.name}: all eight {taken['all']:.2f} ms, parse + `generic` {taken['one']:.2f} ms: {ratio:.2f}",
        flush=True,
    )
    return ratio
