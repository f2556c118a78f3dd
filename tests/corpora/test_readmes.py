from tests.corpora.readmes import LIST, READMES, label, listed, written


def test_list_is_written_as_it_is_read() -> None:
    assert written(listed()) == LIST.read_text("utf-8")


def test_readmes_are_named_once() -> None:
    files = [*READMES, *listed()]

    assert len(files) == len({label(file) for file in files}) == len({file.sha256 for file in files}) == 193
