"""Brands that phishing imitates, with their own domains.

Names are single lowercase words; domains are registrable domains.
"""

# Non-Latin names are intended.
# ruff: noqa: RUF001

BRANDS: dict[str, tuple[str, ...]] = {
    "paypal": ("paypal.com", "paypal.me", "paypalobjects.com"),
    "apple": ("apple.com", "icloud.com"),
    "icloud": ("icloud.com", "apple.com"),
    "microsoft": ("microsoft.com", "live.com", "office.com", "azure.com", "microsoftonline.com", "visualstudio.com"),
    "office365": ("office.com", "microsoft.com", "microsoftonline.com"),
    "outlook": ("outlook.com", "live.com", "microsoft.com", "office.com"),
    "onedrive": ("onedrive.com", "live.com", "microsoft.com"),
    "google": ("google.com", "goo.gl", "googleapis.com", "google.dev", "withgoogle.com", "blog.google", "youtube.com"),
    "gmail": ("gmail.com", "google.com"),
    "amazon": ("amazon.com", "amazon.de", "amazon.co.uk", "amazon.co.jp", "amazon.fr", "amazonaws.com", "amazon.dev"),
    "netflix": ("netflix.com",),
    "facebook": ("facebook.com", "fb.com", "meta.com"),
    "instagram": ("instagram.com", "facebook.com", "meta.com"),
    "whatsapp": ("whatsapp.com", "wa.me"),
    "telegram": ("telegram.org", "t.me"),
    "linkedin": ("linkedin.com",),
    "twitter": ("twitter.com", "x.com"),
    "dropbox": ("dropbox.com",),
    "docusign": ("docusign.com", "docusign.net"),
    "adobe": ("adobe.com",),
    "ebay": ("ebay.com", "ebay.de", "ebay.co.uk"),
    "coinbase": ("coinbase.com",),
    "binance": ("binance.com", "binance.org"),
    "kraken": ("kraken.com",),
    "metamask": ("metamask.io",),
    "trustwallet": ("trustwallet.com",),
    "trezor": ("trezor.io",),
    "ledger": ("ledger.com",),
    "phantom": ("phantom.app", "phantom.com"),
    "uniswap": ("uniswap.org",),
    "opensea": ("opensea.io",),
    "walletconnect": ("walletconnect.com", "walletconnect.org", "walletconnect.network", "reown.com"),
    "steam": ("steampowered.com", "steamcommunity.com"),
    "steamcommunity": ("steamcommunity.com",),
    "discord": ("discord.com", "discord.gg", "discordapp.com"),
    "roblox": ("roblox.com",),
    "spotify": ("spotify.com",),
    "wellsfargo": ("wellsfargo.com",),
    "bankofamerica": ("bankofamerica.com",),
    "chase": ("chase.com",),
    "citibank": ("citibank.com", "citi.com"),
    "hsbc": ("hsbc.com", "hsbc.co.uk"),
    "barclays": ("barclays.com", "barclays.co.uk"),
    "santander": ("santander.com", "santander.co.uk", "bancosantander.es"),
    "sparkasse": ("sparkasse.de",),
    "postbank": ("postbank.de",),
    "volksbank": ("volksbank.de", "vr.de"),
    "commerzbank": ("commerzbank.de", "commerzbank.com"),
    "bbva": ("bbva.com", "bbva.es"),
    "usps": ("usps.com",),
    "fedex": ("fedex.com",),
    "dhl": ("dhl.com", "dhl.de"),
    "royalmail": ("royalmail.com",),
    "venmo": ("venmo.com",),
    "zelle": ("zellepay.com",),
    "revolut": ("revolut.com",),
    "irs": ("irs.gov",),
    "hmrc": ("www.gov.uk", "gov.uk"),
    "norton": ("norton.com",),
    "mcafee": ("mcafee.com",),
    "geeksquad": ("geeksquad.com", "bestbuy.com"),
    "github": ("github.com", "github.io", "githubusercontent.com", "github.blog", "githubassets.com", "github.dev"),
}

DISTINCT = frozenset(BRANDS) - {
    "irs",
    "apple",
    "chase",
    "ledger",
    "phantom",
    "steam",
    "outlook",
    "norton",
    "github",
    "kraken",
}
"""Brands that are not ordinary words, so that a similar host is an imitation."""

COMMON_HOSTS = frozenset(
    {
        "github.com", "gitlab.com", "bitbucket.org", "githubusercontent.com", "shields.io", "readthedocs.io",
        "wikipedia.org", "mozilla.org", "w3.org", "ietf.org", "rfc-editor.org", "archive.org", "stackoverflow.com",
        "npm.im", "nodejs.org", "python.org", "rust-lang.org", "crates.io", "docs.rs", "owasp.org", "nist.gov",
        "youtube.com", "twitter.com", "x.com", "opencollective.com", "codecov.io", "travis-ci.org", "travis-ci.com",
        "bitcoin.org", "ethereum.org",
    }
)  # fmt: skip
"""Registrable domains that ordinary texts link to and that host no sign-in pages of third parties."""

SHARED_SUFFIXES = frozenset(
    {
        "co.uk", "org.uk", "ac.uk", "gov.uk", "com.au", "net.au", "co.jp", "ne.jp", "or.jp", "com.br", "com.cn",
        "com.tr", "com.mx", "com.ar", "co.in", "co.kr", "co.nz", "co.za", "com.tw", "com.hk", "com.sg", "com.ng",
        "github.io", "gitlab.io", "readthedocs.io", "netlify.app", "vercel.app", "pages.dev", "workers.dev",
        "web.app", "firebaseapp.com", "herokuapp.com", "blogspot.com", "wordpress.com", "weebly.com", "wixsite.com",
        "azurewebsites.net", "cloudfront.net", "glitch.me", "repl.co", "surge.sh", "onrender.com", "duckdns.org",
        "ngrok.io", "r2.dev", "fly.dev", "000webhostapp.com",
    }
)  # fmt: skip
"""The public suffixes that abuse uses most, not all."""

NAMES = """
    wells_fargo bank_of_america citi capital_one pnc truist us_bank td_bank rbc scotiabank lloyds natwest nationwide
    monzo starling halifax deutsche_bank dkb n26 comdirect volksbanken postbank commerzbank hypovereinsbank
    caixabank la_caixa bankia sabadell bankinter credit_agricole bnp_paribas societe_generale la_banque_postale
    caisse_d_epargne boursorama nubank itau bradesco caixa banco_do_brasil banco_inter poste_italiane postepay
    bancoposta intesa_sanpaolo unicredit nexi pko_bp mbank pekao millennium ing_bank santander rabobank abn_amro
    garanti akbank ziraat isbank is_bankasi yapi_kredi sberbank сбербанк сбер втб тинькофф альфа_банк bca bri
    mandiri bni dana gopay ovo ups dpd gls evri correos la_poste chronopost colissimo mondial_relay correios poste
    inpost poczta_polska postnl ptt yurtici aras почта_россии сдэк озон ozon wildberries авито avito jne jnt
    tokopedia shopee lazada aliexpress allegro olx vinted mercado_livre mercadopago geek_squad norton mcafee avast
    best_buy costco walmart lidl aldi rewe ikea decathlon samsung hp epson canon xfinity comcast verizon at_t
    t_mobile vodafone telekom sfr movistar disney hulu youtube twitch epic_games fortnite minecraft playstation xbox
    nintendo valorant tesla elon_musk elon vitalik ripple cardano solana arbitrum jupiter pancakeswap aave lido
    exodus electrum trust_wallet rabby okx bybit kucoin crypto_com robinhood etoro metatrader quickbooks intuit
    turbotax adp workday sharepoint office_365 office365 microsoft_365 onedrive wetransfer godaddy namecheap cpanel
    zimbra roundcube tiktok snapchat irs hmrc ssa medicare dvla usps fedex dhl royal_mail e_zpass ezpass fastrak
    sunpass ryanair booking_com booking airbnb expedia tripadvisor
"""
"""More names, without domains; `_` separates words."""
