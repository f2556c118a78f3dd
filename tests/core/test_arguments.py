"""Wrong types raise our errors, in one line, from every public function."""

import inspect
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import mdpublish_core
from mdpublish_core import (
    Converter,
    Limits,
    MdpublishError,
    Notice,
    Output,
    PageOptions,
    convert,
    nodes,
    parse,
    render,
    to_json,
)
from mdpublish_core.batch import Job, convert_many
from mdpublish_core.errors import InvalidArgument

WRONG: tuple[Any, ...] = (
    None,
    True,
    5,
    -1.5,
    b"x",
    "x",
    "",
    [],
    [1],
    ["x"],
    {},
    {"x": 1},
    {1: "x"},
    {"x"},
    {1},
    object(),
    int,
)

DOCUMENT = parse("# x\n\n[a](b) *c*")

# What each function needs; the others have defaults.
REQUIRED: dict[str, dict[str, object]] = {
    "convert": {"markdown": "x"},
    "convert_many": {"jobs": [Job("x")]},
    "from_json": {"content": to_json(DOCUMENT)},
    "email_message": {
        "conversion": convert("x", to="email"),
        "subject": "x",
        "sender": "a@b.cd",
        "to": "a@b.cd",
    },
    "get_output": {"to": "html"},
    "get_template": {"template_id": "swiss"},
    "load_template": {"path": "missing.toml"},
    "parse": {"markdown": "x"},
    "read_file": {"content": b"a", "suffix": ".csv"},
    "read_html": {"html": "x"},
    "render": {"document": DOCUMENT},
    "select_extensions": {"names": ["math"]},
    "social_image": {"title": "x"},
    "to_json": {"document": DOCUMENT},
    "to_markdown": {"document": DOCUMENT},
    "to_mistletoe": {"document": DOCUMENT},
}

# Switches may be anything, as in Python.
UNCHECKED = {("to_mistletoe", "blank_lines")}


def functions() -> dict[str, Callable[..., Any]]:
    public = {name: getattr(mdpublish_core, name) for name in mdpublish_core.__all__}
    return {name: each for name, each in public.items() if inspect.isfunction(each)}


def wrong_arguments() -> Iterator[tuple[str, str, object]]:
    for name, function in functions().items():
        for argument in inspect.signature(function).parameters:
            if (name, argument) not in UNCHECKED:
                yield from ((name, argument, value) for value in WRONG)


def test_every_wrong_argument_is_our_error_in_one_line() -> None:
    offenders = []
    for name, argument, value in wrong_arguments():
        try:
            result = functions()[name](**{**REQUIRED.get(name, {}), argument: value})
            if inspect.isgenerator(result):
                list(result)
        except MdpublishError as error:
            if "\n" in str(error):
                offenders.append(f"{name}({argument}={value!r}): {error}")
        except OSError:
            assert name == "load_template"
        except Exception as error:  # noqa: BLE001  (what this test looks for)
            offenders.append(f"{name}({argument}={value!r}): {type(error).__name__}: {error}")

    assert offenders == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"markdown": b"x"}, "markdown must be a str (got bytes); decode it: markdown.decode()"),
        ({"template": 5}, "template must be the id of a template, a Template or None (got int)"),
        ({"to": None}, "to must be a name or an Output (got None)"),
        ({"options": 5}, "options must be None for generic (got int)"),
        ({"to": "page", "options": 5}, "options must be PageOptions or None for page (got int)"),
        ({"repair": 1}, "repair must be a bool (got int)"),
        ({"plain_text": 0}, "plain_text must be a bool (got int)"),
        ({"theme_mode": ["dark"]}, "theme_mode must be a str or None (got list)"),
        ({"css": b"x"}, "css must be a str or None (got bytes); decode it: css.decode()"),
        ({"extensions": "math"}, "extensions must be a list of str (got str)"),
        ({"rewrite_url": "x"}, "rewrite_url must be a function or None (got str)"),
        ({"fences": [len]}, "fences must be a mapping of names to functions, or None (got list)"),
        ({"fences": {"x": 1}}, "fences['x'] must be a function (got int)"),
        ({"transform": 1}, "transform must be a function, the name of a transform, or a list of these (got int)"),
        ({"media_url": "http:"}, "media_url must be 'cid:', 'data:', a function or None (got str)"),
        ({"limits": 5}, "limits must be a Limits (got int)"),
        ({"limits": Limits(max_depth="x")}, "max_depth of Limits must be an int (got str)"),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_message_says_what_the_argument_must_be(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        convert(**{"markdown": "x", **arguments})

    assert str(caught.value) == message
    assert isinstance(caught.value, TypeError)


def test_wrong_page_option_is_named() -> None:
    with pytest.raises(InvalidArgument, match=r"^title of PageOptions must be a str or None \(got int\)$"):
        render(DOCUMENT, to="page", options=PageOptions(title=5))  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match=r"^links of PageOptions must be a list of PageLink \(got list\)$"):
        render(DOCUMENT, to="page", options=PageOptions(links=["x"]))  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("children", "problem"),
    [
        ([nodes.RawText("x")], "children must be blocks, such as nodes.Paragraph (got nodes.RawText)"),
        (None, "children must be a list or tuple of blocks, such as nodes.Paragraph (got None)"),
    ],
)
def test_document_built_by_hand_is_checked(children: Any, problem: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        nodes.Document(children)

    assert str(caught.value) == problem


@pytest.mark.parametrize(
    "arguments",
    [{"name": 5}, {"summary": None}, {"figure_form": "gif"}, {"math_form": None}, {"renderer": int}, {"renderer": "x"}],
)
def test_destination_is_checked_when_it_is_made(arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument):
        Output(**{"name": "x", "summary": "x", **arguments})


def test_wrong_job_fails_alone() -> None:
    short = Converter(limits=Limits(max_input_bytes=10))
    jobs = [Job("a"), Job(b"b"), Job("c" * 100, short), Job("d")]  # type: ignore[arg-type]

    for executor in (None, ThreadPoolExecutor(1)):
        kinds = [type(each).__name__ for each in convert_many(jobs, executor=executor)]

        assert kinds == ["Conversion", "InvalidArgument", "LimitExceeded", "Conversion"]


def test_public_types_name_nothing_of_mistletoe() -> None:
    naming = [
        name
        for name, function in functions().items()
        if name != "to_mistletoe" and "mistletoe" in str(inspect.signature(function)).replace("mdpublish_core", "")
    ]

    assert naming == []
    assert Notice.__module__ == "mdpublish_core.notices"
