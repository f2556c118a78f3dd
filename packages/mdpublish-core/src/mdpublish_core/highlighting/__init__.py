"""Syntax highlighting: code in, spans of code by role out (`highlighter`), by lexers that are known to be safe (`lexers`)."""
