"""Concepts of sender and recipient."""

# Non-Latin words are intended.

ACTORS: dict[str, str] = {
    # Companies are in `brands`.
    "authority": """
        bank banking security_team|department|center|centre|service|division
            support_team|center|centre|department|desk customer_service|care|support help_desk helpdesk
            it_department|support|desk|service|helpdesk|team system_administrator|admin mail_admin* webmail
            administrator fraud_department|prevention|team|desk revenue customs_and|service|office|duty
            tax_office|authority|return|department social_security_administration|number|office irs hmrc government
            federal ministry police interpol europol fbi court embassy immigration medicare post_office postmaster
            courier carrier delivery_company|service human_resources payroll ceo director your_boss cfo principal
            pastor insurance utility_company electricity_company power_company technician technicians engineer
            certified account_team|department|protection|services billing_department|team|desk
            verification_team|department trust_and_safety moderator moderators admin_team meta_team dmv dvla council
            county student_loan treasury central_bank united_nations imf world_bank unicef red_cross
        sparkasse volksbank finanzamt bundes* polizei zoll kundenservice kundendienst sicherheitsabteilung
            it_abteilung steuer* elster deutsche_post behorde* rundfunk* krankenkasse
        banco policia hacienda agencia_tributaria seguridad_social correos atencion_al_cliente soporte departamento
            dgt ministerio gobierno imss sat
        banque impots gendarmerie assurance_maladie ameli la_poste administration ministere caf antai gouv* urssaf
            conseiller
        receita_federal correios atendimento suporte detran inss governo bacen central anatel serasa
        banca agenzia_delle_entrate polizia poste inps servizio_clienti assistenza assistenza_clienti ministero comune
            dogane
        banku policj* urzad* krajowa_administracja poczta inpost zus kas dzial obsluga_klienta ministerstw* ksef gov
        belastingdienst politie post_nl postnl klantenservice digid cjib overheid gemeente svb afdeling
        banka* polis ptt gib vergi* e_devlet edevlet sgk musteri_hizmetleri emniyet bakanlig* savcilik devlet destek*
        банк* полици* налогов* госуслуг* почт* служб* мвд фнс гибдд пенсионн* министерств* поддержк*
        polisi pajak djp pos bpjs pemerintah layanan_pelanggan customer_service kementerian bea_cukai kominfo
        support_agent|team|center|desk|ticket|specialist|line copyright_infringement|violation|team|center|department
            our_support hr_department|team|manager from_hr service_client mail_support
        support_will|has|is|team|number|hotline|here tech|technical_support microsoft|apple|windows|wallet_support""",
    # Impersonal salutations.
    "greeting": """
        hello_customer|user|dear|friend|winner|beloved attention_beneficiary|winner|customer|user|all|dear|domain
            hi_mum|mom|dad greetings good_day_dear|sir|friend|to valued_customer respected_sir my_dear|dearest dearest
        sehr_geehrte*_kunde|kundin|damen|nutzer|kunden|kundinnen|r lieber_kunde|nutzer|freund
            liebe_kundin|kunden|kunde|nutzer guten_tag hallo_mama|papa
        estimado* querido_cliente|amigo|usuario apreciado*
        cher_client|utilisateur|ami|abonne|contribuable chere_cliente|cliente madame_monsieur
        prezado* caro_cliente|contribuinte|usuario ola_mae|pai
        gentile_cliente|utente|signore|contribuente egregio caro_amico|cliente|utente
        szanowny* szanowna* drogi_kliencie|przyjacielu|uzytkowniku szanowni
        geachte_heer|klant|mevrouw|relatie|gebruiker beste_klant|gebruiker|relatie|vriend|medewerker|collega
        sayin_musteri*|kullanici|hesap|vatandas|yetkili|abone* degerli_musteri*|kullanici* sayin
        уважаем* дорогой_друг|клиент
        yth pelanggan_yth nasabah_yth yang_terhormat selamat_anda
            dear_customer|customers|user|users|client|friend|beneficiary|winner|sir|madam|member|valued|account|employee|beloved|email|mailbox|owner|student|subscriber|colleague|taxpayer|parent|partner|winners|player|holder|creator|seller|candidate|applicant|driver|resident|citizen|cardholder|shopper|guest|staff|investor
            dear_..._customer|holder|user|client|member""",
    "yours": """
        your you ur u yours our_customers
        ihr ihre ihren ihrem ihrer ihres sie dein deine deinen deinem deiner du dich dir euer eure
        su sus usted tu tus te le
        votre vos vous ton tes ta
        seu sua seus suas voce vc
        tuo tua tuoi tue suo suoi vostro ti la_sua le_vi
        twoj* panstw* pana pani pan_pani ci twoje
        uw jouw je jullie
        hesabiniz* kartiniz* sizin size kargonuz* cihaziniz* siz sifreniz* hesabinizdaki paketiniz* gonderiniz*
            hattiniz* bilgisayariniz* adiniz* aboneliginiz*
        ваш* вам вы вас твой твоя тебе вами
        anda kamu kalian bapak ibu nasabah pelanggan
        您 你 お客 あなた""",
}
