from tests.conformance.shrinking import MAX_TRIALS, shrink


def test_shortest_document_still_has_the_required_property() -> None:
    source = "first line\nsecond <b> line\n\n- third *x* line\n" * 20

    assert shrink(source, lambda source: "<" in source and "*" in source.partition("<")[2]) == "<*"


def test_whole_text_stays_where_all_of_it_is_needed() -> None:
    assert shrink("a-a\n", lambda source: source == "a-a\n") == "a-a\n"


def test_letters_become_plain() -> None:
    assert shrink("[Zoë]\n", lambda source: len(source) == 6) == "[aaa]\n"


def test_question_is_put_a_bounded_number_of_times() -> None:
    trials = 0

    def shows(source: str) -> bool:
        nonlocal trials
        trials += 1
        return len(source) > 9_000

    shrink("ab\n" * 5_000, shows)

    assert trials <= MAX_TRIALS
