"""Concepts of ordinary texts (teaching, warnings, documentation), and negations."""

# Non-Latin words are intended.

CONTEXT: dict[str, str] = {
    # Texts about abuse, not to its victims.
    "about-abuse": """
        phishing phish phished phisher phishers smishing vishing scam scams
            scammer|scammers_who|will|may|often|use|try|send|ask|pretend|are|want spoofing spoofed fraudsters
            awareness sextortion red_flag|flags how_to_spot|recognize|recognise|detect social_engineering attackers
            the_attacker honeypot spam_filter spam_trap* fake_emails|mails|messages|sites|pages|texts
            such_texts|mails|messages|emails|calls report_it it_isn_t_me|us it_is_not_us con_man
            fraudulent_emails|mails|sites|messages
        betrug* betruger* phishing* verbraucherzentrale
        estafa* estafador* fraude_por|del|de suplant*
        hameconnage arnaque* escroc*
        golpe golpes golpista* fraude_do|da
        truffa truffe truffator* raggir*
        oszust* oszuk* wyludz*
        oplicht* fraudeur* nepmail* phishingmail*
        dolandirici* oltalama
        мошенн* фишинг* обман*
        penipu penipuan modus waspada*
        钓_鱼 诈_骗 フィッシング 詐欺""",
    "assurance": """
        never_ask|asks|phone|call|email|mail|text|send|request|requests|contact|contacts
            don|doesn_t_ask|collect|take|call|text nobody_will|in|from no_employee|one_will
        fragen|fragt|bitten|bittet_nie|niemals|sie_nie werden|wird_sie|euch|dich_nie|niemals nie_nach|um
            niemals_nach|um
        nunca_pide|piden|pedimos|pedira|pediremos|solicita|solicitamos|le|te no_envia|pide|solicita
        ne_demande*_jamais jamais_demand* ne_vous_demand* ne_te_demand*
        nunca_pede|pedimos|solicita|pedira|vai|ira
        non_chied*|richied*_mai mai_chied*|richied*
        nigdy_nie_prosi*|pyta*|wysyla*
        vragen|vraagt|bellen_nooit|u_nooit nooit_om|naar|vragen
        asla_istemez|sormaz|talep
        никогда_не_спрашива*|запрашива*|просим|просит|звон*
        tidak_pernah_meminta|menghubungi|menelepon
        never_need|needs|want|store nobody_needs we_don_t_need
        will|would|does_never|not_ask|call|phone|contact|request|text|need do_not|never_ask""",
    "never": """
        never no_one nobody
        niemals keinesfalls niemand
        nunca jamas
        jamais
        mai
        nigdy
        nooit
        asla
        никогда никому нельзя
        jangan
        不_要 切_勿""",
    "not": """
        don_t do_not dont cannot can_t won_t will_not doesn_t does_not must_not should_not shouldn_t no_need without
        nicht keine
        no
        ne pas
        nao
        non
        nie
        niet
        tidak""",
    "if": """
        if unless when failure wenn falls si se jesli jezeli als indien eger если jika bila apabila in_case""",
    "never-after": """
        niemals keinesfalls nooit nie_weiter|mit|an|auf nicht_weiter|an|mit|auf никому""",
    "filler": """
        ever to you your ask asks asked asking for the or and with anyone any please share give enter send a an us
            them in will would be on by text mail phone email under circumstances click need have sie ihre ihren ihr
            euch nach bitte le la su sus tu tus te pida pedira pediremos pedimos solicite comparta vous votre demand*
            demandera demanderons vi ti chieder* chiediamo of pedir* pede seu sua um je uw vragen vraag* om geef
            prosimy prosi poprosi o podan* pana вас ваш просит просим запрашива* pernah meminta minta anda kami""",
    "docs": """
        api sdk npm yarn pnpm pip function functions library libraries framework method methods endpoint endpoints
            parameter parameters params json config configuration repository repo pull_request readme changelog
            javascript typescript python node component components middleware callback async module modules plugin
            plugins cli package_json webpack react vue angular django laravel github gitlab docker kubernetes
            localhost testnet mainnet_and sandbox schema oauth oauth2 jwt csrf bip39 bip32 bip44 slip39 rfc hash
            hashes hashed implementation implements interface string boolean array default returns_a|the|an|true
            developer developers backend frontend unit_test tests server_side client_side open_source mit_license
            license contributors webauthn totp solidity webhook webhooks
        webshop merchant merchants checkout integration integrate integrates client_library
            payment_methods|gateway|api|link|links supported_methods browser_support compiler
        библиотек* функци* bibliothek bibliotheque biblioteca bibliotheek kutuphane* pustaka 库 ライブラリ
        dapp_s keystore hd_wallet""",
    "lesson": """
        example examples tutorial lesson exercise chapter guide homework documentation docs faq glossary compute
            probability explains learn how_it_works overview release_notes added deprecated post_mortem
            incident_report timeline tuesday saturday sunday volunteers jury ceremony association beispiel lektion
            ejemplo exemple esempio przyklad voorbeeld ornek пример contoh library_card section recipe notes_for
            appendix course
        manual handbook settings_for user_guide hinweis leitfaden guia guida poradnik handleiding kilavuz руководств*
            panduan
        discussion hint question_for bewerten teacher class_5b students schoolchildren
        settings usage""",
    "official-way": """
        from_your_bookmarks type_the_address official_app hang_up call_your_bank number_on_your|the_card|back
            report_to_the_police report_it_to in_cash_at at_the_desk our_office|shop|counter working_days
            free_of_charge rufen_sie_ihre_bank llame_a_su_banco appelez_votre_banque zadzwon_do_banku bel_uw_bank
            позвоните_в_банк
        kept|stored_on_the|your_device leave_the|your_device""",
}
