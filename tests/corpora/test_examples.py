from tests.corpora.examples import Example, examples_of

FENCE = "`" * 32
SPECIFICATION = f"""\
# Title

## Tabs

{FENCE} example
→a
.
<p>a</p>
{FENCE}

## Tables (extension)

{FENCE} example table footnotes
# no heading
.
{FENCE}
"""


def test_examples_carry_section_number_and_words() -> None:
    assert examples_of(SPECIFICATION) == (
        Example(1, "Tabs", "\ta\n", "<p>a</p>\n"),
        Example(2, "Tables (extension)", "# no heading\n", "", ("table", "footnotes")),
    )
