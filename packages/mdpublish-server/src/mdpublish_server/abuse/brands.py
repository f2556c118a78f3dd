"""Brands that phishing imitates, single words in lower case, with their own registrable domains."""

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
