"""Law: where raw HTML is sanitized, all destinations show each visible character of a tag with an unknown name."""

import re
from functools import partial

from hypothesis import example, given
from hypothesis import strategies as st

from mdpublish_core import convert
from mdpublish_core.resources.known_elements import KNOWN_TAGS
from mdpublish_core.testing import VOCABULARIES, check_vocabulary
from mdpublish_core.testing.laws import visible_text
from mdpublish_core.writers.outputs import DESTINATIONS

NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9-]{0,8}", fullmatch=True).filter(lambda name: name.lower() not in KNOWN_TAGS)

ATTRIBUTES = st.lists(
    st.sampled_from(
        [" a", " b=c", ' d="*e* f"', " g='`h`'", ' i="[j](k)"', " onclick=l(m)", ' n="&lt;o&gt;"', " p='www.q.r'"]
    ),
    max_size=3,
).map("".join)

UNKNOWN_TAGS = st.one_of(
    st.builds("<{}{}>".format, NAMES, ATTRIBUTES),
    st.builds("<{}{}/>".format, NAMES, ATTRIBUTES),
    st.builds("</{}>".format, NAMES),
    st.builds("Vec<{}>".format, NAMES),
    st.builds("<!{}>".format, NAMES.filter(lambda name: not name.lower().startswith("doctype"))),
    st.builds("<?{} ?>".format, NAMES),
    st.sampled_from(["Vec<Title>", "Map<Link>", "Promise<object>", "Box<A>"]),
)

AROUND = st.sampled_from(
    [
        "{}",
        "a {} b",
        "{}\nnext",
        "*{}*",
        "- {}\n- c",
        "> {}",
        "# {}",
        "[{}](d)",
        "<div>\n{}\n</div>",
        "<b>{}</b>",
        "|{}|\n|-|",
    ]
)

SPLITS = re.compile(r"[\s*_~`\u200b]+")
"""White space, and the marks that Slack's text has instead of elements."""


def shown_characters(output: str) -> str:
    return SPLITS.sub("", output)


@given(st.lists(st.tuples(AROUND, UNKNOWN_TAGS), min_size=1, max_size=4))
@example([("<b>{}</b>", "Box<A>"), ("{}", "<a-b d='&lt;'>")])
def test_each_visible_character_of_an_unknown_tag_is_shown(parts: list[tuple[str, str]]) -> None:
    markdown = "\n\n".join(form.format(tag) for form, tag in parts)

    for conversion in (convert(markdown, to=destination) for destination in DESTINATIONS):
        for output in (visible_text(conversion), conversion.plain_text):
            remaining = shown_characters(output)
            for _, tag in parts:
                _, shown, remaining = remaining.partition(shown_characters(tag))
                assert shown, (conversion.output, tag, output)


@given(
    st.lists(
        st.one_of(UNKNOWN_TAGS, st.sampled_from(["<script>", "<!--", "<svg>", "<title>", "'", '"', ">"])), max_size=6
    )
)
def test_unknown_tag_never_becomes_an_element(parts: list[str]) -> None:
    for destination, vocabulary in VOCABULARIES.items():
        check_vocabulary("".join(parts), partial(convert, to=destination), vocabulary)
