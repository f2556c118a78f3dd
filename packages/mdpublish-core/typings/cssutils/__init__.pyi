# What templates/lint.py uses of cssutils 2, which has no types of its own.

from collections.abc import Callable, Iterator

class MediaList:
    mediaText: str

class Property:
    name: str
    value: str
    priority: str

class CSSStyleDeclaration:
    def getProperties(self, *, all: bool = False) -> list[Property]: ...

class Selector:
    selectorText: str

class CSSRule:
    # Any rule; which of the attributes it has depends on its type.

    type: int
    cssText: str
    selectorList: list[Selector]
    style: CSSStyleDeclaration
    media: MediaList
    COMMENT: int
    MEDIA_RULE: int
    STYLE_RULE: int

    def __iter__(self) -> Iterator[CSSRule]: ...

class CSSStyleSheet:
    def __iter__(self) -> Iterator[CSSRule]: ...

class CSSParser:
    def __init__(
        self,
        *,
        loglevel: int | None = None,
        fetcher: Callable[[str], tuple[str | None, bytes]] | None = None,
        validate: bool | None = None,
    ) -> None: ...
    def parseString(self, cssText: str) -> CSSStyleSheet: ...
