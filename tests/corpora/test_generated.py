from tests.corpora.generated import block_documents, inline_documents


def test_seed_gives_the_same_documents_always() -> None:
    assert block_documents(3, "1")[:2] == block_documents(2, "1")
    assert inline_documents(50, "1") == inline_documents(50, "1")


def test_another_seed_gives_others() -> None:
    assert block_documents(50, "1") != block_documents(50, "2")


def test_documents_are_of_many_kinds() -> None:
    blocks = "".join(block_documents(500, "1"))
    inlines = "".join(inline_documents(500, "1"))

    assert all(mark in blocks for mark in ("```", "> - ", "\t", "[a]: /u", "|---|", "<!--", "    "))
    assert all(sign in inlines for sign in ("***", "](/u)", "<a>", "&amp;", "~~", "www.", "\u00a0"))
