"""Rows of tables with a sum, which templates for bills set apart."""

from mdpublish_core import nodes

# In the languages of `words/`, as bills have them in their last rows.
_WORDS = (
    "total, grand total, sum, due, amount due, total due, balance due, gesamt, gesamtbetrag, gesamtsumme, summe, endbetrag, zu zahlen, "
    "total à payer, total ttc, montant dû, net à payer, total general, total a pagar, importe total, totale, totale da pagare, "
    "totaal, te betalen, totaalbedrag, razem, suma, do zapłaty, summa, totalt, att betala, i alt, at betale, å betale, yhteensä, "
    "maksettava, celkem, k úhradě, итого, всего, к оплате, разом, усього, до сплати, toplam, genel toplam, ödenecek tutar, "
    "المجموع, الإجمالي, المبلغ المستحق, סה״כ, לתשלום, कुल, कुल योग, 合計, 总计, 合计, 總計, 合計金額, 합계, 총계"
)

_TERMS = frozenset(map(str.strip, _WORDS.split(",")))

_MAX_CHARACTERS = 40


def has_total(row: nodes.TableRow) -> bool:
    """Return whether the first words of a row name a sum."""
    for cell in row.children:
        words = " ".join(nodes.text_content(cell).split())
        if words:
            return len(words) <= _MAX_CHARACTERS and words.rstrip(":\uff1a").strip().casefold() in _TERMS
    return False
