"""Number symbols, patterns and compact notation of locales, from Unicode CLDR 48.

Each locale is a line of the table at the end. Long compact notation is in English only.
"""
# ruff: noqa: RUF001  (signs that look like letters are what languages write)

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

_CACHE_SIZE = 128  # locales

MAX_LOCALE_LENGTH = 40  # characters


class CompactStep(NamedTuple):
    """Numbers from a magnitude on are divided by a power of ten and get an affix."""

    magnitude: int
    power: int
    before: str
    after: str


THOUSANDS = "333"  # digits per group


class LocaleData(NamedTuple):
    """Number formatting of a locale.

    In patterns, `0` is the number, `¤` the currency, `-` the sign; a second pattern after `;` is for signed
    numbers.
    """

    name: str
    group: str
    decimal: str
    percent: str
    currency: str
    steps: tuple[CompactStep, ...]
    symbols: Mapping[str, str]  # override `currencies.SYMBOLS`
    narrow_symbols: Mapping[str, str]
    minus: str = "-"
    plus: str = "+"
    exponent: str = "E"
    nan: str = "NaN"
    secondary: str = THOUSANDS  # digits per group after the first: numbers, money, percentages
    minimum_grouping: str = "1"  # digits before the first group
    money: str = ""  # group separator of money
    cents: str = ""  # decimal separator of money
    short_percent: str = ""  # pattern of compact percentages
    large_currency: str = ""  # pattern of compact money
    digits: str = ""  # Unicode numbering system

    @property
    def is_english(self) -> bool:
        return self.name.startswith("en")


@lru_cache(maxsize=_CACHE_SIZE)
def load_locale(locale: str) -> LocaleData:
    """Load a region, else its language, else en-US."""
    rows = _rows()
    parts = locale.replace("_", "-").lower().split("-")
    name = {"no": "nb", "nn": "nb", "iw": "he", "in": "id", "tl": "fil"}.get(parts[0], parts[0])
    if name == "zh" and "hant" in parts:
        name = "zh-tw" if "hk" not in parts and "mo" not in parts else "zh-hk"
    # The region has two letters or three digits, the script four letters.
    region = next((part for part in parts[1:] if len(part) == 2 or (len(part) == 3 and part.isdigit())), "")
    return _parse_row(rows.get(f"{name}-{region}") or rows.get(name) or rows["en"])


def _parse_row(row: str) -> LocaleData:
    names, signs, percent, currency, steps, others, symbols, narrow_symbols = (
        [entry.translate(_PLACEHOLDERS) for entry in column.split()] for column in row.split("|")
    )
    return LocaleData(
        name=names[0],
        group=signs[0],
        decimal=signs[1],
        percent=percent[0],
        currency=currency[0],
        steps=tuple(_parse_step(step) for step in steps),
        symbols=_symbols(symbols),
        narrow_symbols=_symbols(narrow_symbols),
        **{name.replace("-", "_"): sign for name, _, sign in (other.partition("=") for other in others)},
    )


def _symbols(entries: list[str]) -> Mapping[str, str]:
    return {code: symbol or code for code, _, symbol in (entry.partition("=") for entry in entries)}


def _parse_step(entry: str) -> CompactStep:
    """Parse a magnitude, `/` and another power if different, and the affixes, with `#` for the number after `!`."""
    match = re.match(r"([0-9]+)(?:/([0-9]+))?(!?)(.*)", entry)
    assert match, f"invalid compact notation: {entry}"
    before, _, after = match[4].partition("#") if match[3] else ("", "", match[4])
    return CompactStep(int(match[1]), int(match[2] or match[1]), before, after)


@lru_cache(maxsize=1)
def _rows() -> dict[str, str]:
    rows: dict[str, str] = {}
    for row in _ROWS.strip().splitlines():
        first, *regions = row.partition("|")[0].lower().split()
        rows |= dict.fromkeys((first, *(f"{first.partition('-')[0]}-{region}" for region in regions)), row)
    return rows


_PLACEHOLDERS = str.maketrans({"·": " ", "_": "\u00a0", "~": "\u202f", "<": "\u200e", ">": "\u200f", "@": "\u061c"})
"""Placeholders for spaces and direction marks in the table."""

LONG_COMPACT_STEPS = tuple(
    CompactStep(power, power, "", f" {name}")
    for power, name in ((3, "thousand"), (6, "million"), (9, "billion"), (12, "trillion"))
)

# Language or region and others that share the line | group and decimal separators | percentages | money | compact
# steps | other fields | currency symbols | narrow symbols.
_ROWS = """
en | , . | 0% | ¤0 | 3K 6M 9B 12T | | JPY=¥ PHP=₱ USD=$ | TWD=$
en-AU | , . | 0% | ¤0 | 3K 6M 9B 12T | exponent=e | AUD=$ BRL CAD CNY EUR GBP HKD ILS INR JPY KRW MXN NZD TWD USD VND | BDT=Tk EGP=£ ISK=Kr SEK=Kr TWD=$
en-CA | , . | 0% | ¤0 | 3K 6M 9B 12T | | CAD=$ PHP=₱ | TWD=$
en-GB | , . | 0% | ¤0 | 3k 6m 9bn 12tn | | PHP=₱ | TWD=$
en-IE 001 AG AI BB BM BS BW BZ CC CM CX CY DG DM ER FJ FK FM GD GG GH GI GM GS GY HK IL IM IO JE JM KE KI KN KY LC LR LS MG MO MS MT MU MW MY NA NF NG NR PG PK PW RW SB SC SD SG SH SL SS SX SZ TC TO TT TV TZ UG VC VG VU WS ZM ZW | , . | 0% | ¤0 | 3K 6M 9B 12T | | PHP=₱ | TWD=$
en-IN | , . | 0% | ¤0 | 3K 5L 7Cr 10KCr 12LCr | secondary=222 | PHP=₱ USD=$ | TWD=$
en-NZ CK NU PN TK | , . | 0% | ¤0 | 3K 6M 9B 12T | | NZD=$ PHP=₱ | TWD=$
en-ZA | _ , | 0% | ¤0 | 3K 6M 9B 12T | | PHP=₱ ZAR=R | TWD=$
ar | , . | 0<%< | >0_¤;>-0_¤ | 3_ألف 6_مليون 9_مليار 12_ترليون | minus=<- plus=<+ nan=ليس_رقمًا short-percent=0٪ large-currency=>0_¤ | AED=د.إ.> AUD=AU$ EGP=ج.م.> GBP=UK£ SAR=ر.س.> THB=฿ | AED=د.إ.> ARS=AR$ AUD=AU$ CAD=CA$ CLP=CL$ CNY=CN¥ COP=CO$ GBP=UK£ HKD=HK$ JPY=JP¥ MXN=MX$ NZD=NZ$ SAR=ر.س.> USD=US$
ar-EG BH DJ ER IL IQ JO KM KW LB MR OM PS QA SA SD SO SS SY TD YE | ٬ ٫ | 0٪@ | >0_¤ | 3_ألف 6_مليون 9_مليار 12_ترليون | minus=@- plus=@+ exponent=أس nan=ليس_رقمًا digits=arab short-percent=0٪ | AED=د.إ.> AUD=AU$ EGP=ج.م.> GBP=UK£ SAR=ر.س.> THB=฿ | AED=د.إ.> ARS=AR$ AUD=AU$ CAD=CA$ CLP=CL$ CNY=CN¥ COP=CO$ GBP=UK£ HKD=HK$ JPY=JP¥ MXN=MX$ NZD=NZ$ SAR=ر.س.> USD=US$
ar-MA DZ LY TN | . , | 0<%< | >0_¤;>-0_¤ | 3_ألف 6_مليون 9_مليار 12_ترليون | minus=<- plus=<+ nan=ليس_رقمًا short-percent=0٪ large-currency=>0_¤ | AED=د.إ.> AUD=AU$ EGP=ج.م.> GBP=UK£ SAR=ر.س.> THB=฿ | AED=د.إ.> ARS=AR$ AUD=AU$ CAD=CA$ CLP=CL$ CNY=CN¥ COP=CO$ GBP=UK£ HKD=HK$ JPY=JP¥ MXN=MX$ NZD=NZ$ SAR=ر.س.> USD=US$
bg | _ , | 0% | 0_¤ | 3_хил. 6_млн. 9_млрд. 12_трлн. | minimum-grouping=2 | AUD BGN=лв. BRL CAD CNY GBP HKD ILS INR JPY KRW MXN NZD TWD USD=щ.д. VND | ARS AUD BDT BGN=лв. BRL CAD CLP CNY COP HKD ILS INR KRW KZT MXN NGN NZD PHP RON SGD TRY TWD UAH VND
bn | , . | 0% | 0¤ | 3_হা 5_লা 7_কো 10_শত_কো 11কো 12_লা.কো. | secondary=223 digits=beng | BDT=৳ THB=฿ |
ca | . , | 0_% | 0_¤ | 3_k 6_M 10/9_kM 12_B | | AUD=AU$ BRL CAD CNY JPY=¥ MXN THB=฿ USD | TWD=$
cs | _ , | 0_% | 0_¤ | 3_tis. 6_mil. 9_mld. 12_bil. | | AUD=AU$ CZK=Kč ILS INR VND | RON=L
da | . , | 0_% | 0_¤ | 3_t 6_mio. 9_mia. 12_bio. | short-percent=0·pct. | AUD=AU$ DKK=kr. THB=฿ | DKK=kr. ISK=kr. NOK=kr. RON=L SEK=kr.
de | . , | 0_% | 0_¤ | 6_Mio. 9_Mrd. 12_Bio. | | AUD=AU$ JPY=¥ THB=฿ USD=$ | RON=L
de-AT | _ , | 0_% | ¤_0 | 6_Mio. 9_Mrd. 12_Bio. | money=. large-currency=0_¤ | AUD=AU$ JPY=¥ THB=฿ USD=$ | RON=L
de-CH | ' . | 0% | ¤_0;¤-0 | 6_Mio. 9_Mrd. 12_Bio. | short-percent=0·% large-currency=¤_0 | AUD=AU$ EUR JPY=¥ THB=฿ USD=$ | EUR RON=L
de-LI | ' . | 0% | ¤_0 | 6_Mio. 9_Mrd. 12_Bio. | short-percent=0·% large-currency=0_¤ | AUD=AU$ EUR JPY=¥ THB=฿ USD=$ | RON=L
el | . , | 0% | 0_¤ | 3_χιλ. 6_εκ. 9_δισ. 12_τρισ. | exponent=e | THB=฿ USD=$ | TWD=$
es | . , | 0_% | 0_¤ | 3_mil 6_M 10/9_mil_M 12_B | minimum-grouping=2 short-percent=0_% | AUD BRL CAD CNY GBP HKD ILS INR JPY KRW MXN NZD THB=฿ TWD | EGP RON=L
es-419 BR BZ CU DO GT HN NI PA PE PR SV | , . | 0% | ¤0 | 3_K 4/3_k 6_M 10/9_mil_M 12_B | short-percent=0_% | AUD BRL CAD CNY EUR GBP HKD ILS INR JPY KRW MXN NZD TWD USD VND | RON=L
es-AR BO PY UY | . , | 0% | ¤_0 | 3_K 4/3_k 6_M 10/9_mil_M 12_B | short-percent=0_% large-currency=¤0 | ARS=$ AUD BRL CAD CNY EUR GBP HKD ILS INR JPY KRW MXN NZD TWD VND | RON=L
es-CL EC VE | . , | 0% | ¤0;¤-0 | 3_K 4/3_k 6_M 10/9_mil_M 12_B | short-percent=0_% large-currency=¤0 | AUD BRL CAD CLP=$ CNY EUR GBP HKD ILS INR JPY KRW MXN NZD TWD VND | RON=L
es-CO | . , | 0% | ¤_0 | 3_K 4/3_k 6_M 10/9_mil_M 12_B | short-percent=0_% large-currency=¤0 | AUD BRL CAD CNY COP=$ EUR GBP HKD ILS INR JPY KRW MXN NZD TWD VND | RON=L
es-MX | , . | 0% | ¤0 | 3_k 6_M 10/9_mil_M 12_B | short-percent=0_% | AUD BRL CAD CNY EUR GBP HKD ILS INR JPY KRW MXN=$ NZD TWD USD VND |
es-US | , . | 0% | ¤0 | 3_K 6_M 10/9_mil_M 12_B | short-percent=0_% | AUD BRL CAD CNY EUR GBP HKD ILS INR JPY=¥ KRW MXN NZD TWD USD=$ VND |
et | _ , | 0% | 0_¤ | 3_tuh 6_mln 9_mld 12_trln | minus=− exponent=×10^ minimum-grouping=2 | AUD=AU$ JPY=¥ THB=฿ USD=$ |
fa | ٬ ٫ | 0٪ | <¤0 | 3_هزار 6_میلیون 9_میلیارد 12_تریلیون | minus=<− plus=<+ exponent=×۱۰^ nan=ناعدد digits=arabext large-currency=<¤_0 | CAD=$CA CNY=¥CN HKD=$HK JPY=¥ MXN=$MX NZD=$NZ THB=฿ USD=$ | TWD=$
fi | _ , | 0_% | 0_¤ | 3_t. 6_milj. 9_mrd. 12_bilj. | minus=− nan=epäluku | AUD BRL CAD CNY HKD ILS INR JPY=¥ KRW MXN NZD TWD USD=$ VND | ARS AUD BDT BRL CAD CLP CNY COP CZK DKK EGP HKD HUF IDR ILS INR ISK KRW KZT MXN MYR NGN NOK NZD PHP PKR PLN RON SEK SGD THB TRY TWD UAH VND ZAR
fil | , . | 0% | ¤0 | 3K 6M 9B 12T | | JPY=¥ PHP=₱ THB=฿ USD=$ |
fr | ~ , | 0_% | 0_¤ | 3_k 6_M 9_Md 12_Bn | | ARS=$AR AUD=$AU CAD=$CA CLP=$CL CNY COP=$CO GBP=£GB HKD JPY MXN=$MX NZD=$NZ SGD=$SG TWD USD=$US | EGP=£E RON=L
fr-CA | _ , | 0_% | 0_¤ | 3_k 6_M 9_G 12_T | short-percent=0_% | AUD=$_AU CAD=$ HKD=$_HK ILS INR JPY=¥ KRW MXN NZD=$_NZ SGD=$_SG TWD USD=$_US VND | EGP=£E RON=L
fr-CH | ' , | 0% | 0_¤ | 3_k 6_M 9_Md 12_Bn | cents=. short-percent=0·% | ARS=$AR AUD=$AU CAD=$CA CLP=$CL CNY COP=$CO GBP=£GB HKD JPY MXN=$MX NZD=$NZ SGD=$SG TWD USD=$US | EGP=£E RON=L
he | , . | 0% | >0_>¤;>-0_>¤ | 3K> 6M> 9B> 12T> | minus=<- plus=<+ large-currency=>0_>¤ | JPY=¥ THB=฿ USD=$ |
hi | , . | 0% | ¤0 | 3_हज़ार 5_लाख 7_क॰ 9_अ॰ 11_ख॰ 13_नील | secondary=222 | THB=฿ USD=$ | RON=लेई
hr | . , | 0_% | 0_¤ | 3_tis. 6_mil. 9_mlr. 12_bil. | minus=− | AUD BRL CAD CNY GBP HKD ILS INR JPY KRW MXN NZD TWD USD VND |
hu | _ , | 0% | 0_¤ | 3_E 6_M 9_Mrd 12_B | minimum-grouping=2 | AUD BRL CAD CNY EUR GBP HKD HUF=Ft ILS INR JPY=¥ KRW MXN NZD TWD USD VND |
id | . , | 0% | ¤0 | 3_rb 6_jt 9_M 12_T | | AUD=AU$ IDR=Rp INR=Rs THB=฿ |
is | . , | 0% | 0_¤ | 3_þ. 6_m. 9_ma. 12_bn | short-percent=0·% | AUD BRL CAD EUR GBP INR ISK=kr. KRW MXN NZD TWD USD VND | DKK=kr. ISK=kr. NOK=kr. SEK=kr.
it | . , | 0% | 0_¤ | 3K 6_Mln 9_Mld 12_Bln | minimum-grouping=2 | BRL HKD INR JPY KRW MXN PHP=₱ THB=฿ TWD USD VND | EGP=£E NOK=NKr
it-CH | ' . | 0% | ¤_0;¤-0 | 3K 6_Mln 9_Mld 12_Bln | minimum-grouping=2 large-currency=0_¤ | BRL HKD INR JPY KRW MXN PHP=₱ THB=฿ TWD USD VND | EGP=£E NOK=NKr
ja | , . | 0% | ¤0 | 4万 8億 12兆 16京 | | CNY=元 JPY=￥ USD=$ | CNY=￥ JPY=￥ RON=レイ TWD=$
ko | , . | 0% | ¤0 | 3천 4만 8억 12조 | | AUD=AU$ | RON=L
lt | _ , | 0_% | 0_¤ | 3_tūkst. 6_mln. 9_mlrd. 12_trln. | minus=− exponent=×10^ | AUD BRL CAD CNY GBP HKD ILS INR JPY KRW MXN NZD TWD USD VND | BDT ILS INR PLN=zl RUB=rb TWD=$ VND
lv | _ , | 0% | 0_¤ | 3_tūkst. 6_milj. 9_mljrd. 12_trilj. | nan=NS minimum-grouping=2 | AUD=AU$ JPY=¥ THB=฿ USD=$ |
mr | , . | 0% | ¤0 | 3_ह 5_लाख 7_कोटी 9_अब्ज 11_खर्व 13_पद्म | secondary=233 digits=deva | THB=฿ USD=$ |
ms | , . | 0% | ¤0 | 3K 6J 9B 12T | | CAD MXN MYR=RM USD |
nb | _ , | 0_% | 0_¤ | 3k 6_mill. 9_mrd. 12_bill. | minus=− | AUD BRL CAD CNY HKD ILS INR JPY KRW MXN NOK=kr NZD TWD USD VND | RON=L
nl | . , | 0% | ¤_0;¤_-0 | 3K 6_mln. 9_mld. 12_bln. | large-currency=¤_0 | AUD=AU$ CAD=C$ THB=฿ |
pl | _ , | 0% | 0_¤ | 3_tys. 6_mln 9_mld 12_bln | minimum-grouping=2 | AUD CAD CNY GBP HKD ILS INR JPY KRW MXN NZD PLN=zł TWD USD VND | RON=lej
pt | . , | 0% | ¤_0 | 3_mil 6_mi 9_bi 12_tri | | AUD=AU$ THB=฿ | RON=L
pt-PT AO CH CV GQ GW LU MO MZ ST TL | _ , | 0% | 0_¤ | 3_mil 6_M 9_mM 12_Bi | minimum-grouping=2 | AUD=AU$ THB=฿ | RON=L
ro | . , | 0_% | 0_¤ | 3_K 6_mil. 9_mld. 12_tril. | short-percent=0% | AUD BRL CAD CNY EUR GBP HKD ILS INR JPY KRW MXN NZD TWD USD VND |
ru | _ , | 0_% | 0_¤ | 3_тыс. 6_млн 9_млрд 12_трлн | nan=не_число | JPY=¥ RUB=₽ THB=฿ UAH=₴ USD=$ | RON=L
sk | _ , | 0_% | 0_¤ | 3_tis. 6_mil. 9_mld. 12_bil. | exponent=e | AUD BRL CAD CNY GBP HKD ILS=NIS INR JPY KRW NZD TWD USD VND |
sl | . , | 0_% | 0_¤ | 3_tis. 6_mio. 9_mrd. 12_bil. | minus=− exponent=e minimum-grouping=2 | AUD BRL CAD GBP JPY=¥ MXN NZD TWD USD=$ |
sr | . , | 0% | 0_¤ | 3_хиљ. 6_мил. 9_млрд. 12_бил. | | AUD JPY=¥ KRW NZD VND |
sv | _ , | 0_% | 0_¤ | 3_tn 6_mn 9_md 12_bn | minus=− exponent=×10^ | AUD BRL=BR$ CNY DKK=Dkr EGP=EG£ GBP HKD INR ISK=Ikr JPY KRW NOK=Nkr NZD SEK=kr TWD VND | RON=L
sw | , . | 0% | ¤_0 | 3!elfu_# 6M 9B 12T | short-percent=asilimia·0;asilimia·-0 | KES=Ksh THB=฿ | KES=Ksh
ta | , . | 0% | ¤0 | 3ஆ 6மி 9பி 12டி | secondary=222 | JPY=¥ THB=฿ USD=$ |
te | , . | 0% | ¤0 | 3వే 6మి 9బి 12ట్రి | secondary=223 | THB=฿ USD=$ |
th | , . | 0% | ¤0 | 3K 6M 9B 12T | | AUD=AU$ JPY=¥ THB=฿ |
tr | . , | %0 | ¤0 | 3_B 6_Mn 9_Mr 12_Tn | short-percent=%0;%-0 | AUD=AU$ JPY=¥ THB=฿ TRY=₺ USD=$ | RON=L
uk | _ , | 0% | 0_¤ | 3_тис. 6_млн 9_млрд 12_трлн | exponent=Е short-percent=0·% | AUD BRL CAD CNY EUR GBP HKD ILS INR JPY=¥ KRW MXN NZD TWD UAH=₴ USD VND | TWD=$
ur | , . | 0% | ¤0 | 3_ہزار 5_لاکھ 7_کروڑ 9_ارب 11_کھرب 13/12_ٹریلین | minus=<- plus=<+ | PKR=Rs THB=฿ USD=$ |
vi | . , | 0% | 0_¤ | 3_N 6_Tr 9_T 12_NT | | AUD=AU$ JPY=¥ THB=฿ |
zh | , . | 0% | ¤0 | 4万 8亿 12万亿 | | AUD=AU$ CNY=¥ |
zh-HK MO | , . | 0% | ¤0 | 3K 6M 9B 12T | nan=非數值 | AUD=AU$ JPY=¥ | RON=L TWD=$
zh-TW | , . | 0% | ¤0 | 4萬 8億 12兆 | nan=非數值 | AUD=AU$ JPY=¥ KRW=￦ TWD=$ | RON=L TWD=$
"""

NUMERALS = {
    system: {ord("0") + digit: chr(zero + digit) for digit in range(10)}
    for system, zero in (("arab", 0x660), ("arabext", 0x6F0), ("beng", 0x9E6), ("deva", 0x966))
}
