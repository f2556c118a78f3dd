"""Hostile titles, names and file names for every test of what carries one: email, HTTP, feeds, archives, Word."""

ENCODED_WORDS = (
    "=?utf-8?q?Report=0D=0ABcc:_evil@evil.test?=",
    "=?utf-8?q?Report=0D=0A=0D=0A<h1>evil</h1>?=",
    "=?utf-8?b?UmVwb3J0DQpCY2M6IGV2aWxAZXZpbC50ZXN0?=",
    "=?iso-8859-1?q?a=0ABcc:_evil@evil.test?= =?utf-8?q?b?=",
    "=?utf-8*en?q?a=0D=0AX-Evil:_1?= after",
    "before=?utf-8?q?a=0D?=after",
    "=?utf-8?q?=ff=fe?= =?none?b?!?=",
    "=?utf-8?q?a",
    "a ?= b =? c",
)
"""What decodes to line ends, and what only looks so."""

TITLES = (
    *ENCODED_WORDS,
    "",
    "Garden day",
    "Grüße, Küsse",
    "報告",
    "utf-8''a%0D%0ABcc:%20evil",
    "%0d%0aSet-Cookie: a=b",
    "\\r\\nBcc: evil@evil.test",
    "Bcc: evil@evil.test",
    'a"; filename="b.exe',
    'quote " backslash \\ both \\" end\\',
    "'single'; filename*=utf-8''b.exe",
    "a, b; c: d (e) [f] <g@h.example>",
    "<evil@evil.test>, other@evil.test",
    "../../etc/passwd",
    "..\\..\\windows\\system32",
    "con",
    "C:\\nul.md",
    "<script>alert(1)</script>",
    "]]><!-- &lt; &#0; -->",
    "--===============1234==--",
    "two  spaces   three",
    " around ",
    "\u00a0no break\u00a0",
    "\u202egpj.exe\u202c \u2066a\u2069 \u200f\u200e",
    "\ufeffmark\u200bzero",
    "noncharacters \ufffe\uffff\U0010ffff",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea e\u0301\u0323",
    "a" * 2_000,
    "ü" * 500,
    "報" * 300,
    "words of ASCII " * 40 + "end",
    # Where encoded words end.
    *("a" * length + "\U0001f600\U0001f600" for length in range(34, 56)),
    *("ü" * length + "報\U0001f600" for length in range(6, 22)),
)
"""Without control characters: each arrives as it is."""

LONE_SURROGATES = ("a\ud800b", "\udfff", "=?utf-8?q?\udc0d=0D=0A?=")
"""Cannot be encoded: each arrives as U+FFFD."""

CONTROLLED = (
    "a\r\nBcc: evil@evil.test",
    "a\nBcc: evil@evil.test",
    "a\rBcc: evil@evil.test",
    "a\r\n\r\n<h1>evil</h1>",
    "a\n Bcc: evil@evil.test",
    "a\0b",
    "a\tb",
    "a\x0bb\x0cc",
    "a\x1b[31mb\x07",
    "a\x1cb\x1db\x1e",
    "a\x7fb\x9bc",
    "a\x85Bcc: evil@evil.test",
    "a\u2028Bcc: evil@evil.test\u2029",
)
"""With control characters, which no header may have."""
