"""Hostile and invalid values by kind. Only invalid ones must be rejected."""

MARK = "zq7mark"
"""Part of every hostile string: if it appears in a header, input leaked."""

CONTROLS = "".join(map(chr, [*range(1, 0x20), *range(0x7F, 0xA0)]))

STRINGS = {
    "NUL": f"{MARK}\0{MARK}",
    "NUL alone": "\0",
    "control characters": f"{MARK}{CONTROLS}",
    "right-to-left override": f"{MARK}\u202egpj.exe\u202c",
    "isolates": f"\u2066{MARK}\u2067x\u2068y\u2069",
    "line separators": f"{MARK}\u2028x\u2029y\x85z",
    "another header": f"{MARK}\r\nSet-Cookie: {MARK}=1\r\n\r\nbody",
    "another host": f"//{MARK}.example/",
    "another scheme": f"javascript:{MARK}",
    "backslashes": f"\\\\{MARK}\\..\\..",
    "parent folders": f"/../../{MARK}/../",
    "percent-encodings": f"%0d%0a{MARK}%00%2e%2e%2f%c0%af",
    "markup": f'"><img src=x onerror="{MARK}">',
    "template": f"{{{{ {MARK} }}}}{{% x %}}${{7*7}}%s%(x)s",
    "SQL": f"{MARK}'; DROP TABLE documents; --",
    "white space alone": " \t\n\u00a0\u3000",
    "byte-order mark": f"\ufeff{MARK}",
    "noncharacters": f"{MARK}\ufffe\uffff\U0010ffff",
    "other planes": f"{MARK}\U0001f600\U000e0041",
    "look-alikes": "ѕwiss-ｌｉｇｈｔ-ⅼink",
    "combining characters": f"{MARK}" + "e\u0301" * 60,
    "zero-width characters": f"{MARK}\u200b\u200d\u2060",
}
"""Valid JSON strings, neither empty nor long."""

RAW = {
    "lone high surrogate": rb"\ud800",
    "lone low surrogate": rb"\udc00",
    "surrogates in the wrong order": rb"\udc00\ud800",
    "surrogate in UTF-8": b"\xed\xa0\x80",
    "raw NUL": b"\x00",
    "raw line end": b"\n",
    "raw control character": b"\x1b",
    "invalid UTF-8": b"\xff",
    "overlong UTF-8": b"\xc0\xaf",
    "cut-off UTF-8": b"\xe2\x82",
    "UTF-8 past Unicode's end": b"\xf4\x90\x80\x80",
    "cut-off escape": rb"\u12",
    "unknown escape": rb"\x41",
}
"""Invalid in a JSON string."""

WRONG = {
    "string": '"text"',
    "null": "null",
    "integer": "7",
    "number": "1.5",
    "boolean": "true",
    "array": '["x"]',
    "object": '{"x": 1}',
}
"""A value of each JSON type."""

DEEP = "The body's JSON is nested too deeply"
NO_JSON = "The body is not valid JSON"
NO_UTF_8 = "The body must be UTF-8"
NO_OBJECT = "The body must be a JSON object"

BODIES = {
    "100,000 arrays": (b"[" * 100_000, DEEP),
    "100,000 closed arrays": (b"[" * 100_000 + b"]" * 100_000, DEEP),
    "100,000 objects": (b'{"a":' * 100_000, DEEP),
    "100,000 arrays in an unknown field": (b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}", DEEP),
    "invalid UTF-8": (b'{"a": "\xff"}', NO_UTF_8),
    "invalid UTF-8 in a key": (b'{"\xff": "x"}', NO_UTF_8),
    "UTF-16": ('{"a": "b"}'.encode("utf-16"), "The body "),
    "two byte-order marks": (b"\xef\xbb\xbf\xef\xbb\xbf{}", NO_JSON),
    "NUL": (b"\0", NO_JSON),
    "white space": (b" \n", NO_JSON),
    "Markdown": (b"# Hello", NO_JSON),
    "a form": (b"content=x", NO_JSON),
    "cut off": (b'{"content": "x"', NO_JSON),
    "two objects": (b"{}{}", NO_JSON),
    "array": (b"[]", NO_OBJECT),
    "array of objects": (b'[{"content": "x"}]', NO_OBJECT),
    "string": (b'"x"', NO_OBJECT),
    "number": (b"1", NO_OBJECT),
    "boolean": (b"true", NO_OBJECT),
    "null": (b"null", NO_OBJECT),
    "NaN": (b'{"content": NaN}', NO_JSON),
    "infinite number": (b'{"content": 1e999}', NO_JSON),
    "5,000 digits": (b'{"content": ' + b"9" * 5_000 + b"}", NO_JSON),
}
"""Bodies other than a JSON object, and how the message begins."""

CONTENT_TYPES = (
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "application/json5",
    "applicationjson",
    "*/*",
    "",
    f"{MARK}/{'x' * 5_000}",
)
"""Content types other than JSON."""

NUMBERS = (
    *(" ", "abc", "1.5", "1e3", "0x10", "1_000", "1,000", "NaN", "Infinity", "null", "true", "--1", "+-1", "-"),
    *(
        "%D9%A3",
        "%C2%B2",
        "5%20",
        "%205",
        "+5",
        "5%0A",
        "%00",
        "5%00",
        "%FF",
        "[]",
        "%0D%0ASet-Cookie:x",
        MARK,
        "9" * 5_000,
    ),
)
"""Invalid integers in a query."""

CURSORS = (
    *("x", "0", "-1", "A" * 31, "A" * 33, "A" * 32 + "%0A", "A" * 31 + "%00", "A" * 31 + "=", "A" * 31 + "%2B"),
    *("A" * 31 + "/", "A" * 31 + "%C3%A9", "%00" * 32, "%FF" * 32, "2026-03-01T12:00:00Z", "'%20OR%201=1--", "../" * 8),
    *(f"{MARK}{'x' * 10_000}", "A" * 10_000, "null", "%0D%0ASet-Cookie:x"),
)
"""Invalid cursors in a query."""

NAMES = (
    *(
        "",
        "x",
        "FREE",
        "free%20",
        "%00",
        "free%00",
        "%FF",
        "%0D%0ASet-Cookie:x",
        "free,business",
        "../free",
        "%E2%80%AE",
    ),
    *(MARK, f"{MARK}{'x' * 10_000}", "null", "[]"),
)
"""Invalid enum values in a query."""

SLUGS = (
    *(
        "",
        "a",
        "ab",
        "-abc",
        "abc-",
        "a--b",
        "Abc",
        "abc def",
        "abc_def",
        "abc.def",
        "abc/def",
        "/abc",
        "abc/",
        "..",
        "../x",
    ),
    *(
        "äbc",
        "abc\n",
        "\nabc",
        "a\0bc",
        "abc\u200b",
        "ａｂｃ",
        "²²²",
        "٣٣٣",
        "abc?x",
        "abc#x",
        "abc%2fdef",
        "//abc.example",
    ),
    *("a" * 61, "a" * 10_000, "-" * 60, "abc\r\nSet-Cookie: x=y"),
)
"""Invalid slugs."""

IDS = (
    *(
        "x",
        "0",
        "-1",
        "null",
        "undefined",
        "publish%00",
        "%00",
        "%FF",
        "%20",
        "%2E%2E",
        "%2e",
        "*",
        "%25",
        "%3F",
        "'%20OR%201=1",
    ),
    *("0" * 36, "0" * 32, "-" * 36, "{id}%00", "{id}%0A", "%20{id}", "{id}%20", "{id}x", "%7B{id}%7D", "urn:uuid:{id}"),
    *("{bare}", "%E2%80%AE{id}", "{id},{id}", "{short}", "{arabic}", "x" * 5_000, f"{MARK}%0D%0ASet-Cookie:x"),
    *(
        "00000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-ffffffffffff0000000g-0000-4000-8000-000000000000",
    ),
)
"""Unknown ids in a path. `{id}` is the user's own document, `{bare}` without hyphens."""
