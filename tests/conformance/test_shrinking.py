from tests.conformance.shrinking import MOST_TRIALS, shrunk


def test_shortest_text_keeps_what_was_asked_for() -> None:
    text = "first line\nsecond <b> line\n\n- third *x* line\n" * 20

    assert shrunk(text, lambda text: "<" in text and "*" in text.partition("<")[2]) == "<*"


def test_whole_text_stays_where_all_of_it_is_needed() -> None:
    assert shrunk("a-a\n", lambda text: text == "a-a\n") == "a-a\n"


def test_letters_become_plain() -> None:
    assert shrunk("[Zoë]\n", lambda text: len(text) == 6) == "[aaa]\n"


def test_question_is_put_a_bounded_number_of_times() -> None:
    asked = 0

    def shows(text: str) -> bool:
        nonlocal asked
        asked += 1
        return len(text) > 9_000

    shrunk("ab\n" * 5_000, shows)

    assert asked <= MOST_TRIALS
