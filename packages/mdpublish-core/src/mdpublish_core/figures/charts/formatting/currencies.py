"""Currency symbols, English names and decimals, from Unicode CLDR 48. Locale-specific symbols are in `locales`."""


def decimals_of(currency: str) -> int:
    return 0 if currency in _WITHOUT_DECIMALS else 3 if currency in _WITH_THREE_DECIMALS else 2


def _pairs(table: str) -> dict[str, str]:
    return {
        code: name.replace("_", " ").replace("~", "\u202f")
        for code, _, name in (each.partition("=") for each in table.split())
    }


SYMBOLS = _pairs("""
AUD=A$ BRL=R$ CAD=CA$ CNY=CN¥ EUR=€ GBP=£ HKD=HK$ ILS=₪ INR=₹ JPY=JP¥ KRW=₩ MXN=MX$ NZD=NZ$ TWD=NT$ USD=US$
VND=₫ XAF=FCFA XCD=EC$ XCG=Cg. XOF=F~CFA XPF=CFPF
""")
NARROW_SYMBOLS = _pairs("""
AFN=؋ AMD=֏ AOA=Kz ARS=$ AUD=$ AZN=₼ BAM=KM BBD=$ BDT=৳ BMD=$ BND=$ BOB=Bs BRL=R$ BSD=$ BWP=P BZD=$ CAD=$ CLP=$
CNY=¥ COP=$ CRC=₡ CUC=$ CUP=$ CZK=Kč DKK=kr DOP=$ EGP=E£ EUR=€ FJD=$ FKP=£ GBP=£ GEL=₾ GHS=GH₵ GIP=£ GNF=FG
GTQ=Q GYD=$ HKD=$ HNL=L HRK=kn HUF=Ft IDR=Rp ILS=₪ INR=₹ ISK=kr JMD=$ JPY=¥ KGS=⃀ KHR=៛ KMF=CF KPW=₩ KRW=₩ KYD=$
KZT=₸ LAK=₭ LBP=L£ LKR=Rs LRD=$ MGA=Ar MMK=K MNT=₮ MUR=Rs MXN=$ MYR=RM NAD=$ NGN=₦ NIO=C$ NOK=kr NPR=Rs NZD=$
PHP=₱ PKR=Rs PLN=zł PYG=₲ RON=lei RUB=₽ RWF=RF SBD=$ SEK=kr SGD=$ SHP=£ SRD=$ SSP=£ STN=Db SYP=£ THB=฿ TOP=T$
TRY=₺ TTD=$ TWD=NT$ UAH=₴ USD=$ UYU=$ VND=₫ XAF=FCFA XCD=$ XCG=Cg. XOF=F~CFA XPF=CFPF ZAR=R ZMW=ZK
""")
# Singular and plural; the default plural adds an s.
CURRENCY_NAMES = _pairs("""
USD=US_dollar EUR=euro GBP=British_pound JPY=Japanese_yen/Japanese_yen CNY=Chinese_yuan/Chinese_yuan
INR=Indian_rupee KRW=South_Korean_won/South_Korean_won BRL=Brazilian_real CAD=Canadian_dollar
AUD=Australian_dollar NZD=New_Zealand_dollar MXN=Mexican_peso CHF=Swiss_franc SEK=Swedish_krona/Swedish_kronor
NOK=Norwegian_krone/Norwegian_kroner DKK=Danish_krone/Danish_kroner PLN=Polish_zloty CZK=Czech_koruna
HUF=Hungarian_forint RON=Romanian_leu/Romanian_lei RUB=Russian_ruble UAH=Ukrainian_hryvnia
TRY=Turkish_lira/Turkish_Lira ILS=Israeli_new_shekel AED=UAE_dirham SAR=Saudi_riyal EGP=Egyptian_pound
ZAR=South_African_rand/South_African_rand NGN=Nigerian_naira SGD=Singapore_dollar HKD=Hong_Kong_dollar
TWD=New_Taiwan_dollar THB=Thai_baht/Thai_baht VND=Vietnamese_dong/Vietnamese_dong IDR=Indonesian_rupiah
MYR=Malaysian_ringgit PHP=Philippine_peso ARS=Argentine_peso CLP=Chilean_peso COP=Colombian_peso
PEN=Peruvian_sol/Peruvian_soles KES=Kenyan_shilling KZT=Kazakhstani_tenge ISK=Icelandic_króna/Icelandic_krónur
PKR=Pakistani_rupee BDT=Bangladeshi_taka
""")
_WITHOUT_DECIMALS = frozenset(
    """
    AFN ALL BIF CLP COP DJF GNF HUF IDR IQD IRR ISK JPY KMF KPW KRW LAK LBP MGA MMK PKR PYG RWF SLL SOS SYP UGX VND VUV
    XAF XOF XPF YER
    """.split()  # noqa: SIM905  (a list would have a line for each)
)
_WITH_THREE_DECIMALS = frozenset(("BHD", "JOD", "KWD", "LYD", "OMR", "TND"))
