from collections.abc import Sequence

from mistletoe import token

class SpanToken(token.Token): ...

class RawText(SpanToken):
    content: str
    def __init__(self, content: str) -> None: ...

class Strong(SpanToken):
    children: Sequence[token.Token]

class Emphasis(SpanToken):
    children: Sequence[token.Token]

class Strikethrough(SpanToken):
    children: Sequence[token.Token]

class InlineCode(SpanToken):
    children: tuple[RawText]

class Image(SpanToken):
    src: str
    title: str
    children: Sequence[token.Token]

class Link(SpanToken):
    target: str
    title: str
    children: Sequence[token.Token]

class AutoLink(SpanToken):
    target: str
    mailto: bool
    children: tuple[RawText]

class EscapeSequence(SpanToken):
    children: tuple[RawText]

class LineBreak(SpanToken):
    content: str
    soft: bool

class HtmlSpan(SpanToken):
    content: str

def reset_tokens() -> None: ...
def add_token(token_cls: type[token.Token], position: int = ...) -> None: ...
