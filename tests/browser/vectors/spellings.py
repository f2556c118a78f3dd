"""Equivalent spellings of markup and URLs that have bypassed filters."""

import re
from collections.abc import Callable

Spelling = Callable[[str], str]

_TAG = re.compile(r"<(/?)([A-Za-z][\w:-]*)([^<>]*)>")
_VALUE = re.compile(r'="([^"]*)"')
_HANDLER = re.compile(r"\bon[a-z]+=")


def _names(change: Callable[[str], str]) -> Spelling:
    return lambda html: _TAG.sub(lambda tag: f"<{tag[1]}{change(tag[2])}{tag[3]}>", html)


def _values(change: Callable[[str], str]) -> Spelling:
    """Change attribute values, or without any the whole string."""
    return lambda html: (
        _VALUE.sub(lambda value: f'="{change(value[1])}"', html) if _VALUE.search(html) else change(html)
    )


def _spaces(instead: str) -> Spelling:
    return lambda html: _TAG.sub(lambda tag: f"<{tag[1]}{tag[2]}{tag[3].replace(' ', instead)}>", html)


def _each(form: str) -> Callable[[str], str]:
    return lambda markup: "".join(form.format(ord(character)) for character in markup)


def _alternating(markup: str) -> str:
    return "".join(character.upper() if at % 2 else character.lower() for at, character in enumerate(markup))


def _utf7(html: str) -> str:
    return html.replace("<", "+ADw-").replace(">", "+AD4-").replace('"', "+ACI-")


OF_MARKUP: tuple[Spelling, ...] = (
    lambda html: html,
    lambda html: html.replace('"', "'"),
    lambda html: _VALUE.sub(lambda value: f"={value[1]}" if value[1] and " " not in value[1] else value[0], html),
    lambda html: html.replace('"', "`"),
    _names(str.upper),
    _names(_alternating),
    lambda html: _HANDLER.sub(lambda name: _alternating(name[0]), html),
    _spaces("/"),
    _spaces("\t"),
    _spaces("\n"),
    _spaces("\f"),
    _spaces(" \x00 "),
    _spaces("/x='>'"),
    _names(lambda name: f"{name[0]}\x00{name[1:]}"),
    _names(lambda name: f"{name}\x0b"),
    _names(lambda name: f"{name}\u00a0"),
    _names(lambda name: f"{name}/x"),
    _names(lambda name: f"svg:{name}"),
    _names(lambda name: f"{name[0]}<{name}>{name[1:]}"),
    lambda html: html.replace("=", " = ").replace('= "', '=\n"'),
    lambda html: html.replace(">", ""),
    lambda html: html.replace(">", "\n>"),
    lambda html: html.replace("<", "<<"),
    lambda html: html.replace("<", "< "),
    lambda html: html.replace("</", "<\\/"),
    lambda html: html.replace("<", "\\<"),
    lambda html: html.replace("<", "&lt;").replace(">", "&gt;"),
    lambda html: html.replace("<", "&#60").replace(">", "&#x000003e"),
    lambda html: html.replace("<", "&amp;lt;").replace(">", "&amp;gt;"),
    lambda html: html.replace("<", "\\u003c").replace(">", "\\x3e"),
    lambda html: html.replace("<", "%3C").replace(">", "%3E"),
    lambda html: html.replace("<", "\uff1c").replace(">", "\uff1e"),
    lambda html: html.replace("<", "\u00c0\u00bc").replace(">", "\u00c0\u00be"),
    lambda html: html.replace("<", "\u2039").replace(">", "\u203a"),
    _utf7,
    _values(_each("&#{};")),
    _values(_each("&#x{:x};")),
    _values(_each("&#{:07d}")),
    _values(_each("&amp;#{};")),
    _values(_each("%{:02x}")),
    _values(lambda value: value.replace("(", "&lpar;").replace(":", "&colon;").replace(")", "&rpar;")),
    _values(lambda value: value.replace(":", "\t:").replace("script", "scr\nipt")),
    _values(lambda value: f" \x01{value}"),
    _values(lambda value: f"{value}\x00"),
    lambda html: f"<![CDATA[{html}]]>",
    lambda html: f"<!-- -->{html}<!-- ",
    lambda html: f"<p title='>{html}",
    lambda html: f'<p x="`">{html}',
    lambda html: "\n".join(re.split(r"(?<= )", html)),
    lambda html: f"<div>{html}</div>",
    lambda html: f"<b>{html}</i>",
    lambda html: f"</p>{html}</p>",
)
"""For markup `<tag name="value">`. The first changes nothing."""


OF_URLS: tuple[Spelling, ...] = (
    lambda url: url,
    str.upper,
    _alternating,
    lambda url: url.replace("script:", "script&colon;"),
    lambda url: url.replace("script:", "script&#58;"),
    lambda url: url.replace("script:", "script&#x0003A"),
    lambda url: url.replace("script:", "script\\:"),
    lambda url: url.replace("script:", "script%3A"),
    lambda url: url.replace("script:", "script\uff1a"),
    lambda url: f"&#{ord(url[0])};{url[1:]}",
    lambda url: f"&#x{ord(url[0]):X};{url[1:]}",
    lambda url: f"&#{ord(url[0]):07d};{url[1:]}",
    lambda url: f"{url[:4]}&Tab;{url[4:]}",
    lambda url: f"{url[:4]}&NewLine;{url[4:]}",
    lambda url: f"{url[:4]}\t{url[4:]}",
    lambda url: f"{url[:4]}&#10;{url[4:]}",
    lambda url: f"{url[:4]}&#0;{url[4:]}",
    lambda url: f"{url[:4]}\x00{url[4:]}",
    lambda url: f"{url[:4]}\u200b{url[4:]}",
    lambda url: f"{url[:4]}&shy;{url[4:]}",
    lambda url: f"&#1;&#31;{url}",
    lambda url: f"\u2003{url}",
    lambda url: f"&nbsp;{url}",
    lambda url: f"%20{url}",
    lambda url: f"%6A{url[1:]}",
    lambda url: f"//{url}",
    lambda url: f"https:{url}",
    lambda url: f"./{url}",
    lambda url: f"#{url}",
    lambda url: "".join(f"&#{ord(character)};" for character in url),
    lambda url: "".join(f"&#x{ord(character):06x};" for character in url),
    lambda url: url.replace("(", "\\(").replace(")", "\\)"),
    lambda url: url.replace("(", "&#40;").replace(")", "&#41;").replace("<", "&lt;").replace("'", "&apos;"),
    lambda url: f'{url}" onclick="{url.partition(":")[2]}',
)
"""For URLs. The first changes nothing."""
