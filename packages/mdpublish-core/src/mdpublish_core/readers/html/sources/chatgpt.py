"""ChatGPT: code blocks with a header, chips of citations, and links that name it."""

from mdpublish_core.lazy_patterns import compile_lazily
from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import remove, tidy_response

_TRACKING = compile_lazily(r"[?&]utm_source=chatgpt\.com(?=$|#|&)")

# Private characters around citations, and what is left where they are gone.
_CITATIONS = compile_lazily(
    "\ue200(?:cite|filecite|navlist|i)(?:\ue202[^\ue200-\ue206<]*)*\ue201|[\ue203\ue204\ue206]"
    r"|(?:file)?cite(?:turn[0-9]+(?:search|news|image|file|view|forecast|finance|sports|product)[0-9]+)+"
    r"|\[oai_citation:[0-9]+‡[^\[\]<]*\]\([^()<]*\)|:contentReference\[oaicite:[0-9]+\]\{index=[0-9]+\}"
)


def prepare(html: str) -> str:
    return _CITATIONS.sub("", html)


def clean(root: Element) -> None:
    for element in list(root.iter()):
        if element.get("data-testid") == "webpage-citation-pill":
            remove(element)
    for link in root.iter("a"):
        target = link.get("href", "")
        if "utm_source" in target:
            link.set("href", _TRACKING.sub("", target))
    tidy_response(root)
