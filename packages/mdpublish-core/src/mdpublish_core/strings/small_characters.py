"""Superscripts and subscripts that are characters of their own, for formulas and prose."""

from mdpublish_core.data_files import read_table


def _twins(kind: str) -> dict[str, str]:
    rows = read_table(__file__, "small_characters.tsv")
    return {
        plain: small for each, ones, others in rows if each == kind for plain, small in zip(ones, others, strict=True)
    }


SUPERSCRIPTS, SUBSCRIPTS = map(_twins, ("super", "sub"))
