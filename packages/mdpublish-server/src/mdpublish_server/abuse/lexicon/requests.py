"""Concepts of what is requested: secrets, money, a device, a click."""

# Non-Latin words are intended.
# ruff: noqa: RUF001

REQUESTS: dict[str, str] = {
    # Handing over a secret. Negated requests ("never share …") do not count.
    "give": """
        enter entering type submit submitting provide providing supply reveal disclose share insert paste send sending
            reply fill read_out tell_us tell_me give text_us text_me upload hand_over
        gib geben eingeben eingabe gebt schicken schicke schick senden sende sendet ubermitteln mitteilen nennen
            hinterlegen ausfullen eintragen tragen tippen hochladen hinterlege abgeben angeben
        introduzca introduce introduzcan introducir ingrese ingresa ingresar ingresando indique envie enviar envia
            envianos enviame escriba facilite proporcione comparta rellene teclee mandame manda mande
        saisir saisissez entrez entrer indiquez fournissez fournir envoyez envoyer envoie transmettez renseignez
            communiquez remplissez donnez
        digite insira introduza informe informar preencha forneca digitar
        inserisci inserire inserite inserisca fornisci fornire invia inviaci invii inviare inviate digita compila
            compilare compili comunichi mandami
        podaj podaj* podac wpisz wpisac wprowadz* przeslij wyslij wyslac uzupelnij przekaz
        voer vul invul* vullen stuur sturen geef invoeren opgeven verstrek* deel typ
        gir girin giriniz girerek gonder gonderin gonderiniz yazin yaziniz paylasin doldurun doldurunuz iletin
            tuslayin
        введите ввести введи укажите отправьте отправь пришлите пришли сообщите скиньте скинь заполните вставьте
            продиктуйте впишите напишите
        masukkan kirim kirimkan isi isikan berikan sebutkan ketik lengkapi serahkan
        输入 填写 提交 入力
        import_your complete_the|this|your|our completez forward_it|the|us|me forward_..._code
        weiterleiten weiterleit* leite_mir nennen_sie|mir nenne forward_it|the|that|me|us|this reenvia* renvoie*
            inoltra* doorsturen ilet перешли* teruskan dictame dimmi powiedz zeg_mij
        import_their|his
        prosze_o poprosze_o bitte_um podanie mandarmi mandeme kindly_send|give|provide hand_him|her""",
    "password": """
        password passwords passcode passwd pass_word login_details log_in_details sign_in_details logins credential
            credentials user_id login_id username user_name webmail_password
        passwort* kennwort* zugangsdaten anmeldedaten login_daten benutzername*
        contrasena* clave claves credenciales
        mot_de_passe mots_de_passe identifiants identifiant
        senha senhas
        credenziali
        haslo hasla haslem danymi_logowania dane_logowania
        wachtwoord* inloggegevens
        sifre* parola*
        парол* логин*
        kata_sandi sandi katasandi
        密_码 パスワード""",
    "card-secret": """
        cvv cvv2 cvc cvc2 pin pincode pin_code pins card_number card_details card_information card_info expiry_date
            expiration_date card_no security_code debit_card credit_card bank_details banking_details account_number
            routing_number sort_code card_data online_banking bank_login 16_digits 16_digit
        kartennummer* prufnummer* prufziffer* kreditkart* bankdaten kontodaten iban bankverbindung kartendaten
            girokarte
        numero_de|da|di|della|do_tarjeta|cartao|carta|cartela numero_de_su|tu|sua|la_tarjeta|carta
        tarjeta_de_credito|debito datos_bancarios|de datos_de_su_tarjeta datos_de_tarjeta
        carte_bancaire|bleue|bancaires numero_de_carte coordonnees_bancaires code_secret cryptogramme
            numero_de_votre_carte carte_vitale code_confidentiel
        dados_bancarios|do|da dados_do_cartao cartao_de_credito|debito agencia_e_conta
        dati_bancari dati_della_carta|tua carta_di_credito|debito codice_di_sicurezza
        numer_karty dane_karty|karty danych_karty kod_pin kodem_pin karty_platniczej dane_bankowe numer_rachunku
            kodu_cvv
        kaartnummer pincode* bankgegevens betaalpas bankpas kaartgegevens rekeningnummer
        kart_bilgi* kart_numara* kredi_kart* banka_bilgi* kart_sifre* hesap_numara*
        номер_карты карты_номер данные_карты реквизит* cvv_код пин_код пинкод срок_действия данные_банковской
        nomor_kartu kartu_kredit|debit|atm nomor_rekening data_kartu pin_atm
        银_行_卡 暗証
        kreditkartennummer online_banking_zugang rib""",
    "code-secret": """
        otp 2fa_code one_time_code|passcode|password verification_code|codes security_code|codes sms_code
            six_digit|digits 6_digit|digits authentication_code login_code confirmation_code code_we|that|you
            code_sent backup_codes auth_code code_from_your|the
        tan pushtan mtan smstan bestatigungscode* sicherheitscode* freigabecode*
        codigo_de_verificacion|seguridad|seguranca|confirmacion|verificacao|confirmacao|acesso codigo_sms|recibido|que
        code_de_verification|confirmation|securite|validation code_recu_par code_sms
        codice_di_verifica|conferma|sicurezza codice_ricevuto codice_otp|sms|che|ricevuto
        kod_sms|blik|z|weryfikacyjny|autoryzacyjny|potwierdzajacy blik kodu_sms|blik kody_sms
        verificatiecode* bevestigingscode* tan_code* beveiligingscode*
        dogrulama_kod* sms_kod* onay_kod* tek_kullanimlik
        код_из|подтверждения|смс|sms код_который коды_из смс_код* кода_из
        kode_otp|verifikasi|sms|yang kode_keamanan
        验_证_码 認証_コード
        stelligen_code digit_code|codes code_per_sms six_digits cijferige_code haneli_kod* cyfrowy_kod chiffres kode_6
            codigo_de_6|seis
        number_on_the|your_screen approve_the|next|a|it_push|prompt|request|notification|sign authenticator_code
            next_push duo_push""",
    "identity-secret": """
        social_security_number|no|card ssn national_insurance date_of_birth mother_s_maiden mothers_maiden maiden_name
            driver_s_license|licence drivers_license|licence driving_licence|license passport_copy|number|photo|scan
            copy_of_your|passport|id photo_of_your|both|id photo_id id_card scan_of_your selfie_with|holding
            holding_your passport_and id_document proof_of_identity home_address full_name personal_details
            personal_information personal_info your_details your_information your_address bvn nin front_and_back
        ausweis* personalausweis* reisepass* geburtsdatum steuer_id sozialversicherungsnummer
            personliche_daten|angaben selfie_mit ausweiskopie personendaten
        dni pasaporte documento_de_identidad fecha_de_nacimiento datos_personales cedula copia_de_su|tu foto_de_su|tu
            selfie_con seguro_social
        piece_d_identite carte_d_identite|vitale date_de_naissance numero_de_securite passeport copie_de_votre
            donnees_personnelles informations_personnelles vos_coordonnees vos_informations selfie_avec
        cpf rg data_de_nascimento dados_pessoais identidade copia_do|da|de foto_do|da selfie_com
        codice_fiscale documento_d_identita documento_di_identita carta_d_identita data_di_nascita dati_personali
            i_tuoi_dati
        pesel dowod* dane_osobowe data_urodzenia skan_dowodu
        bsn geboortedatum paspoort* identiteitsbewijs legitimatiebewijs persoonlijke_gegevens kopie_van
        tc_kimlik kimlik* dogum_tarih* kisisel_bilgi* pasaport*
        паспорт* дату_рождения дата_рождения снилс персональные_данные личные_данные фото_паспорта ваши_данные инн
        ktp nik tanggal_lahir data_pribadi data_diri foto_ktp swafoto nama_ibu
        身_份_证
        photo_of_id|passport passport_copy passport|id_copy
        name_address name_age your_name_and|age imie_nazwisko nombre_y_apellidos nom_et_prenom nome_completo
            naam_adres ad_soyad фио nama_lengkap""",
    "seed": """
        seed_phrase* seedphrase* seed_words recovery_phrase* recovery_words secret_phrase* secret_words backup_phrase*
            secret_recovery wallet_phrase|key wallet_backup_words 12|24|twelve|18|twentyfour_word|words|secret
            12|24|twelve|18_or_12|24|twenty|twelve twenty_four_words recovery_seed wallet_seed
            12|24|twelve_word_phrase|seed backup_words
        wiederherstellungs* seed_phrase 12|24|zwolf_worter* sicherungsphrase geheime_phrase sicherungsworter
        palabras_de_recuperacion 12|24|doce_palabras|palavras palavras_de_recuperacao palavras_secretas
        12|24|douze_mots mots_de_recuperation
        frase_di_recupero|segreta|seed|mnemonica 12|24|dodici_parole parole_di_recupero
        fraza_odzyskiwania|seed fraze_odzyskiwania|seed frazy_odzyskiwania|seed 12|24|dwanascie_slow slow_odzyskiwania
            frazy_seed
        herstelzin* herstelwoorden 12|24|twaalf_woorden seedzin
        kurtarma_ifade*|kelime*|cumle*|ifadenizi|kelimelerinizi 12|24_kelime* gizli_kelime*|ifade* tohum_kelime*
        сид_фраз* сидфраз* seed_фраз* секретн*_фраз* мнемоническ* 12|24_слов|слова фраз*_восстановления
        frasa_pemulihan|rahasia|benih|sandi|kunci frase_pemulihan|seed|benih 12|24_kata
        助_记_词
        frase_semilla|secreta|semente|recuperacion frase|palabras|palavras_de_recuperacion|recuperacao
            frase_de_seguridad
        phrase_secrete|mnemonique|seed phrase_de_recuperation|recuperacion""",
    "wallet-key": """
        private_key* privatekey* keystore_json|file privaten_schlussel private_schlussel clave_privada|privadas
            chave_privada cle_privee cles_privees chiave_privata klucz_prywatny prive_sleutel privesleutel
            ozel_anahtar* приватн*_ключ* kunci_pribadi|privat mnemonic* 私_钥 passphrase""",
    # Actions on a page.
    "verify": """
        verify verifying verified verification validate validating revalidate confirm confirming confirmed
            authenticate reauthenticate re_verify re_validate reconfirm reactivate reactivation unlock unlocking
            restore restoring recover recovering reclaim regain update updating renew renewing rectify synchronize
            re_activate
        bestatig* bestaetig* verifizier* aktualisier* entsperr* freischalt* reaktivier* wiederherstell* uberpruf*
            ueberpruef* legitimier* abgleich* erneuer* verlanger* freigeben authentifizier*
        confirm* actualic* desbloque* reactiv* restable* recuper* renov*
        verifier verifiez confirmez confirmer validez valider actualis* debloqu* reactivez regularis* renouvel*
            restaur* mettre_a_jour
        verifique atualiz* desbloqueie regulariz* recadastr* reative
        verifica verificare conferma confermare confermi convalid* aggiorn* sblocc* riattiv* ripristin* rinnov*
        potwierdz* zweryfik* weryfik* zaktualiz* aktualiz* odblok* przywroc* odnow*
        bevestig* verifie* controleer* deblokk* heractiv* bijwerk* bijwerken verleng* vernieuw* activeer*
        dogrula* onayla* guncelle* yenile* aktiflestir* aktive
        подтверд* провер* обнов* восстанов* разблок* верифи* активир* продл*
        verifikasi* konfirmasi* perbarui pulihkan aktifkan validasi buka_blokir memverifikasi mengonfirmasi
            memperbarui
        验_证 确_认 確認 認証
        upgrade_your|now review_your|the|this|and secure_your valide validare validar actualiza actualizar actualice
            verifica* verificar verifizieren validate_your re_sync sync_your resolve_the|this|your|it migrate_your
            resolve_..._issue""",
    "press": """
        click clicking tap tapping press follow_this|the|our|below visit open_the|this|attached button log_in sign_in
            login signin logging_in signing_in go_to head_to scan_the|this proceed follow_link
            using_the|this_link|form|button|portal complete_the|this|our fill_in|out fill_the|this|our
            via_the|our|this link_below|here below_link use_the|this_link|button|form|portal apply_here|now|today
            register_here|now sign_up join_here|now|us|our start_here|now connect_your|wallet claim_here|now|your
            book_here|now order_here|now|today buy_here|now pay_here|now access_the|it|here|your
            view_it|the|document|here secure_portal|form|page|link copy_and_paste
        klick* anklick* melde|melden_sie|dich hier_anmelden|klicken|einloggen|bestatigen einloggen offnen_sie
            folgen_sie jetzt* herunterladen schaltflache ausfullen installieren installiere
        haga|haz|pulse|pulsa|presione|hacer_clic|click|aqui|en clic acceda acceder entra entre siga enlace
            inicie_sesion descargue descarga accede visite visita registrate registrese pincha pinche boton
        cliquez cliquer cliquant clique lien rendez_vous connectez connecter connectant telecharg* suivez bouton
            accedez inscri*
        acesse acessar acessando baixe entre_em cadastre toque botao faca_login
        clicca clicchi cliccare cliccando accedi accedere scarica scaricare pulsante registrati vai_al|su|sul
        kliknij klikn* klikaj* zaloguj* pobierz pobrac wejdz zarejestruj* przejdz
        klik* inloggen ga_naar open_de|het meld_je|u knop
        tikla* baglanti* giris_yap* indir* ziyaret butona kaydol* basvur* linke
        нажм* кликн* перейд* перейти войдите войти ссылк* скача* установи* пройдите пройти авторизу* зарегистрир*
            кнопк* по_ссылке откройте
        klik tautan masuk_ke|melalui unduh kunjungi daftar buka tekan
        点_击 登_录 クリック ログイン
        this|the|following|secure|below|secured_link links_below link_to|is|ist|below|unten|expires click_here
            install_the|this|our|it download_the|this|our|now|here
        choose_your|the|how open_it|an|a|the view_it|the select_your|the choose_..._provider remove_virus|now|the
            release_my|your
        anfordern fordern* beantragen solicite solicita demandez richieda richiedi wnioskuj aanvragen talep_edin
            запросите ajukan redeem take_part participate
        vote_for votar voter vota stem_op голосуй voting
        keep_my|the|same|your_password|access|using|current log_on appeal_here|now|this|the|form
            submit_an|the|your_appeal accept_the|your|this|it""",
    "pay": """
        pay paying payment settle remit wire transfer transferring deposit depositing invest investing top_up topup
            prepay wire_transfer bank_transfer lend donate donating send_money|btc|eth|bitcoin|usdt|crypto
            send_..._btc|eth|usdt|bitcoin|usdc|sol|xrp|money|doge
        zahl* bezahl* uberweis* einzahl* begleich* beglichen spende spenden investier* entricht*
        pague pagar paga pago pagos abone abonar abono transfier* transferir transferencia deposit* invierte invertir
            invierta ingreso envia_dinero
        regl* virement vire versez verser versement depos* invest* acquitt*
        pagamento transfer* pix invista investir quitar faca_um
        pagare paghi bonifico effettua_il|un saldare
        zaplac* oplac* oplat* przelej przelew* przelac wplac* wplat* uregul* doplat* doplac* zainwest* inwest*
        betaal* betal* overmaak* overmaken maak_over voldoe* stort* inleg
        ode* odeme* havale eft yatir* gonder*
        оплат* заплат* перевед* перевест* перевод* внес* пополн* вклад* инвест* депозит* задонать* скинь* скиньте
        bayar* setor* investasi* membayar kirim_uang pembayaran lunasi
        支_付 转_账
        pays paid paye payer payez paiement payee payment_of versare versi versate send_us|me|at|1|0|your|exactly|from
        sending_us|me|money|btc|eth|crypto|coins|usdt send_us|me|1|0|exactly|from|back|coins
            send_..._euros|dollars|euro|pounds|usd|eur send_..._address|wallet
        pagas pagues pagan betaalst""",
    "buy": """
        buy buying purchase pick_up grab_some|a order_some get_some|me|a|the|five|ten|10|5 kauf* besorg* compra*
            compre compres achet* acquist* compri kup kupic kupisz koop kopen satin_al* купи* приобрет* beli belikan""",
    "fee": """
        fee fees charges customs toll tolls surcharge fines penalty duty duties clearance unpaid outstanding overdue
            arrears debt balance_due amount_due past_due handling_cost processing_cost shipping_cost small_amount
            refundable deposit_of security_deposit upfront advance_payment activation_fee gas_fee holding_deposit
        gebuhr* kosten* zoll* versandkosten bearbeitungs* maut* bussgeld* mahn* inkasso* forderung* kaution*
            anzahlung* ruckstand ausstehend* vorauszahlung nachzahlung rechnungsbetrag portokosten
        tasas tarifa gastos arancel* aduan* multa multas deuda* recargo honorarios coste comision importe_pendiente
            fianza senal anticipo
        frais taxe taxes douan* amende* dette* impaye* peage* acompte penalite* contravention* majoration
        taxa taxas tributo* alfandega* divida* debito_pendente encargos aduaneir* caucao pendencia adiantamento
        spese tassa tasse multe dogan* dazio debito* commissione cauzione caparra acconto pedaggio sanzione arretrat*
        oplata oplate oplaty cla clo mandat grzywn* zaleglos* naleznosc* kaucj* zadatek zaliczk* doplata doplate
            prowizj* zadluzeni* niedoplat*
        kosten boete* achterstand* invoerrechten douane* aanbetaling* borg* toeslag* openstaand* vordering* incasso*
            schuld leges bijbetaling
        ucret* gumruk* ceza* borc* kapora depozito masraf* harc* aidat
        комисси* пошлин* штраф* сбор взнос* задолженност* налог* предоплат* задаток залог доплат* госпошлин* страховк*
        biaya bea denda tagihan tunggakan pajak administrasi uang_muka jaminan ongkir ongkos
        手_续_费 手_数_料
        fine_of charge_of a_fine fine_is|will|now tasa_de tasa_pendiente unpaid_fine|ticket small_charge caution_de
            la_caution""",
    "gift-card": """
        gift_card* giftcard* gift_voucher* itunes_card* steam_card* google_play_card*|code*|gift* apple_card*
            amazon_card*|voucher*|gift* razer_gold vanilla_card* prepaid_card* paysafe* neosurf voucher_code*
            steam_gift* apple_gift* e_gift* itunes_gift* target_card* ebay_card* walmart_card* flexepin transcash
            pcs_coupon* gift_code*
        guthabenkart* geschenkkart* gutscheinkart* gutscheincode* guthabencode* google_play_guthaben prepaidkart*
            steam_guthaben wertkart*
        tarjeta|tarjetas_de_regalo|regalo|prepago|itunes|steam|google|amazon|apple
        recharge|recharges_pcs|transcash|neosurf
        carta|carte|buono|buoni_regalo|prepagata|prepagate|itunes|steam|google|amazon|apple
        karta|karty|kart|karte_podarunkow*|upominkow*|prezentow*|steam|google|apple|itunes|paysafecard
            karty_przedplacon*
        cadeaukaart* cadeaubon* bol_com_bon tegoedkaart*
        hediye_kart* hediye_cek* steam_kart* google_play_kart*
        подарочн*_карт* подарочн*_сертификат* карт*_steam|itunes|google|apple карты_оплаты
        kartu_hadiah|itunes|steam|google voucher_google|steam|itunes|game kode_voucher voucher_belanja
        礼_品_卡 ギフト_カード
            carte|cartes|coupon|coupons_cadeau|cadeaux|itunes|neosurf|pcs|transcash|prepayee|prepayees|steam|google|amazon|apple
            carte|cartes|coupon|coupons_de_recharge
        cartao|cartoes|vale|vales_presente|presentes|itunes|google|steam|gift cartao|cartoes_de_presente""",
    "cash-way": """
        western_union moneygram money_gram ria_money cash_app cashapp zelle venmo paysafe* transcash pcs_coupon*
            neosurf blik bizum pix tikkie paypal_friends friends_and_family courier_for|picks|comes|to|will a_courier
            bote boten mensajero messajero coursier corriere kurier koerier kurye курьер kurir""",
    "qr": """
        qr_code qrcode qr scan_the|this|with scannen* escanee escanea scannez escaneie scansiona zeskanuj scan_de
            karekod* отсканируйте pindai""",
    "card-code": """
        scratch codes_on|from|to|and|via code_on|from|and picture_of_the|each photo_of_the|each|both
            send|text|email|read|give|tell_..._codes|pins|numbers send|text|email_..._code back_of_each card_codes
            the_codes_to|by|back
        rubbel* freirubbel* codes_per|an|als|auf|fotograf* foto*_..._codes|code|ruckseite|karten die_codes den_code
            code_auf
        rasp* rasque los_codigos os_codigos foto_..._codigos|codigo|reverso|verso envia*_..._codigos|codigo
        gratt* les_codes photo*_..._codes|code|dos|verso|recu
        i_codici foto_..._codici|codice|retro
        zdrap* kody zdjecie_..._kodow|kody|kodu kodami zdjecia
        kras* foto*_..._codes|achterkant|code
        kazi* kodlar* kodun* fotograf*
        сотр* коды код_с фото_..._код|коды|кодов|карт
        gosok kode_nya foto_kode kodenya foto_..._kode
        pictures|photos|photo|picture|images|pics_..._code|codes|back|card|cards|receipt|receipts""",
    "remote-tool": """
        teamviewer anydesk any_desk team_viewer ultraviewer supremo logmein screenconnect ammyy rustdesk quicksupport
            quick_support gotoassist remote_access|session|desktop|control|assistance|support connectwise splashtop
            airdroid hoptodesk remote_tool|app
        fernwartung* fernzugriff*
        acceso_remoto acesso_remoto control_remoto controle_remoto asistencia_remota
        acces_a_distance prise_en_main assistance_a_distance
        accesso_remoto controllo_remoto assistenza_remota
        zdaln* pulpit_zdalny
        hulp_op_afstand op_afstand overnemen
        uzaktan
        удаленн*
        jarak_jauh akses_jarak""",
    "call": """
        call call_us|now|our|the|toll|immediately|this|microsoft|apple calling dial ring
            contact_us|our|support|microsoft|apple|the|a|toll hotline helpline toll_free toll support_line helpdesk_at
            call_..._number call_support|center|centre speak_to|with support_number contact_number
        anrufen ruf* rufnummer telefon* kontaktier* kundendienst wenden_sie
        llame llamar llama llamenos llamada comuniquese telefono numero_gratuito contacte contacta comunicate
        appel* composez numero_gratuit telephon* joindre contactez contacter
        ligue ligar liga telefone entre_em_contato contate central_de telefonar chame
        chiama* chiami contatt* numero_verde
        zadzwon* dzwon* infolini* skontaktuj* kontakt
        bel bellen belt telefoon* neem_contact helpdesk
        ara arayin arayiniz aramaniz numara* musteri_hizmet*
        позвон* звон* телефон* обратит* свяжит*
        hubungi telepon telpon panggil call_center nomor
        电_话 拨_打 電_話
        appelez_le""",
    "message": """
        whatsapp telegram wechat signal_me|app viber line_app kik messenger snapchat dm me_on|at dm_us direct_message
            text_me|us message_me|us|him|her write_to|me email_me|us|him|her|back mail_me|us
            reply_to|with|back|by|urgently|immediately|yes|now
            contact_me|him|her|mr|mrs|dr|my|the|barrister|us|our|via|on|agent|him get_back_to reach_out reach_me|us
            respond_to|with|urgently|by hangouts inbox_me|us add_me|us reach_him|her|me wa_me t_me send_me|us
            chat_with private_email|mail|message drop_me|us skype google_chat discord_dm
        schreib* antwort* kontaktier* melde* nachricht mailen mail_an e_mail_an
        escrib* mensaje correo_a
        ecri* repond* message_a joignez
        escrev* mensagem chama_no|na|me fale_com|comigo
        scriv* rispond* contatt* messaggio
        napisz* odpisz* skontaktuj* odpowiedz* pisz wiadomosc
        schrijf* antwoord* mail_naar|ons|mij neem_contact bericht app_me appen
        yazin yaz yazabilir* cevap* mesaj* iletisim* ulasin
        напиш* пиш* ответь* свяж* сообщени* в_личку в_лс личн*_сообщени* телеграм* ватсап* вотсап*
        hubungi balas chat kirim_pesan wa japri tulis
        联_系 微_信 連_絡
        join_our|the_telegram|whatsapp|vip|signal
        contact_him|her|me|us|agent|our|the|mr|mrs|by|via responda respondame contacteme contactez contate contatti
            contattami kontaktieren kontaktiere respondez scrivi chatta on_telegram|whatsapp|messenger|signal
        reply_only|to|with|by repondez_moi responde_por seulement_par rispondi_a|via odpowiedz""",
    "spread": """
        forward_this|it_to|message share_this|it_with|or|and|post send_this_to|message tag_..._friends comparte_con
            reenvia_este partagez_ce|avec compartilhe_com encaminhe condividi_con udostepnij deel_dit paylas
            перешли_это отправь_друзьям sebarkan bagikan_ke teilt_diesen|das""",
    "paste-run": """
        paste_..._terminal|powershell|cmd|console|prompt|run|box|address windows_r win_r press_windows|win|ctrl|cmd
            run_dialog|command|box|this|the|as|file|it|installer open_powershell|terminal|console|run|cmd
            paste_it|this|the|and|into powershell_..._enter|run|paste disable_your|the|antivirus|windows|defender|any
            turn_off_your|the|antivirus|windows|defender|any enable_macros|content|editing|the
            enable_..._macros|content|editing developer_tools|console browser_console
        antivirus_deaktivieren|ausschalten virenschutz_..._aus|deaktivieren makros_aktivieren inhalte_aktivieren
            eingabeaufforderung ausfuhren strg_v
        desactiv*_..._antivirus|defender habilit*_..._macros|contenido|edicion|conteudo ejecut* pegue pega
        activ*_..._macros|contenu collez coller
        disattiv*_..._antivirus|defender abilit*_..._macro|contenuto incolla esegui eseguire
        wylacz*_..._antywirus* wklej* uruchom* wlacz_makra|zawartosc
        schakel_..._uit plak* uitvoeren macro_s_inschakelen voer_..._uit
        antivirus*_..._kapat* yapistir* calistir* makrolar*
        отключ*_..._антивирус* вставь* запуст* включ*_макросы|содержимое
        matikan_..._antivirus tempel* jalankan aktifkan_makro|konten
        execute_the|this|it terminal_..._paste f12_console
        allow_notifications allow_the_notification
        deactivate|disable|pause_your|the|any_antivirus|defender|protection antivirus_..._off|complains|warns|aus
        command_prompt
        enable_editing|content""",
    "run-keys": """
        windows_key win_r windows_r windows_..._r ctrl_v ctrl_c command_v cmd_v strg_v command_space run_dialog
            run_box terminal_app verification_window win_x windows_taste tecla_windows touche_windows tasto_windows
            klawisz_windows windows_toets windows_tus* клавиш* tombol_windows
        open_terminal|powershell|cmd open_the_terminal paste_this|the_command press_enter_and paste_it_there""",
    "robot": """
        robot captcha recaptcha human verify_you_are menschen roboter humano humain umano czlowiek* mens insan
            человек* робот* manusia""",
    "file-run": """
        exe apk msi scr bat jar dmg rar zip installer keygen crack cracked activator hta vbs cheat hack hacks
            executable ps1 iex invoke_webrequest mshta certutil bitsadmin rundll32 attachment html_attachment
        anhang angehangt* programm
        archivo_adjunto adjunto
        piece_jointe fichier
        anexo arquivo
        allegato
        zalacznik* plik*
        bijlage bestand
        ekli ektek* dosya*
        вложен* файл* архив* программ*
        lampiran berkas
        setup_exe attached_file|document|invoice file_attached download_..._file""",
}
