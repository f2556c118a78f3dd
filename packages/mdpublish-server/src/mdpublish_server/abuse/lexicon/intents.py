"""Intents: signals made of concepts near one another.

`a b` needs both within `PROXIMITY_WORDS` words, in any order; `a|b` is either.
"""

PROXIMITY_WORDS = 12
"""About a sentence."""

INTENTS: dict[str, tuple[str, ...]] = {
    "threat": ("account halted", "account incident", "password|code-secret halted"),
    "own-threat": ("account halted yours", "account incident yours", "password halted yours"),
    "ask-secret": (
        "give|verify|press password",
        "give|verify|pay card-secret",
        "give|verify code-secret",
        "give|verify identity-secret",
        "remote-tool give|press",
    ),
    "ask-card": ("give|verify card-secret", "give|verify code-secret"),
    "ask-id": ("give|verify identity-secret",),
    "ask-words": ("give|verify|connect|press|pay seed",),
    "ask-key": ("give|verify wallet-key coin",),
    "ask-press": ("press verify|account|refund|pay|won|halted|password|connect",),
    "ask-fee": ("pay fee", "fee press|give"),
    "ask-cards": ("gift-card give|card-code|buy|fee|secrecy",),
    "pay-cards": ("gift-card pay",),
    "ask-transfer": ("pay coin|profit|account|fortune", "pay yours", "give coin"),
    "ask-install": ("file-run press", "paste-run press", "paste-run file-run", "paste-run give"),
    "click-fix": ("run-keys robot", "run-keys verify", "run-keys paste-run", "run-keys file-run", "paste-run robot"),
    "ask-call": ("call authority|brand|urgency|charged|infected", "call yours"),
    "sick-computer": ("infected computer", "computer halted", "infected yours", "exposure infected"),
    "you-won": ("won yours", "won connect|urgency|brand", "won press"),
    "money-waits": ("refund yours", "refund authority|brand", "refund press|give"),
    "sure-profit": ("profit pay|urgency|coin|message", "profit job"),
    "absent-owner": ("abroad sale", "abroad fee|pay sale"),
    "home-fee": ("sale fee|pay",),
    "wallet-lure": ("connect coin",),
    "doubling": ("pay coin back", "press coin back", "pay coin profit", "give coin back", "pay|give profit back"),
    "easy-job": ("job profit", "job message", "job give|pay|account"),
    "loan-fee": ("loan fee", "loan pay|give|message"),
    "video-threat": ("exposure pay", "exposure urgency", "exposure yours"),
    "charge-call": ("charged call",),
    "game-lure": ("game press|give|password|verify|won|file-run", "game account"),
    "legal-fee": ("legal pay|fee|call", "legal halted|account"),
    "secret-pay": ("secrecy pay|gift-card|card-code|fee",),
    "letter-fortune": ("fortune message|give|secrecy|pay|account|yours", "fortune fee"),
    "number-pay": ("new-number pay|message",),
    "family-trouble": ("trouble pay|fee|gift-card", "trouble message"),
}
