"""Concepts of promises, threats and pressure."""

# Non-Latin words are intended.
# ruff: noqa: RUF001

THREATS: dict[str, str] = {
    "halted": """
        suspended suspend suspension locked locks restricted restriction restrictions deactivated deactivation blocked
            frozen compromised flagged terminated termination closure deleted deletion hold on_hold paused hacked
            breached expired expires expire expiring discontinued cancelled canceled cancellation interrupted
            disconnected disconnection revoked erased forfeited lose_access loss_of shut_down stopped held detained
            withheld undelivered undeliverable returned_to deactivate shut_off cut_off banned ban out_of_sync
            out_of_date outdated will_be_lost permanently quarantined blacklisted impounded
        gesperrt* sperrung* sperr* eingeschrankt* einschrankung* deaktiviert* blockiert* geschlossen eingefroren
            ausgesetzt abgelaufen ablauf* ablauft lauft_..._ab angehalten zuruckgehalten gekundigt geloscht loschung
            unterbrochen abgeschaltet zuruckgesendet zuruckgeschickt
        suspendid* suspender suspendera bloquead* bloqueo bloqueada restringid* desactivad* cancelad* retenid* caduc*
            vencid* vence expira* eliminad* congelad* cerrad* dado_de_baja devuelt* detenid* inhabilitad*
        suspendu* bloqu* restrein* desactiv* expire* expir* ferme* gele* annule* retenu* attente supprim* interrompu*
            resilie* retourne* cloture*
        suspens* bloqueio restrit* desativad* retid* encerrad* excluid* devolvid* negativad* inativad*
        sospes* sospens* bloccat* blocco limitat* disattivat* scadut* scade* scadenza chius* congelat* annullat*
            trattenut* giacenza restituit* cancellat* bloccare interrott* disabilitat*
        zawieszon* zablokowan* blokad* ograniczon* wstrzyman* wygas* zamkniet* usunie* nieaktywn* zwrocon* dezaktywow*
            odciet* wylaczon* odlaczon*
        geblokkeerd* blokker* opgeschort* beperkt* geschorst* verlopen verloopt vervalt gesloten verwijderd*
            uitgeschakeld* afgesloten teruggestuurd vastgehouden stopgezet gedeactiveerd* opgeheven
        askiya durdurul* kilitlen* engellen* kisitlan* dondurul* kapatil* kapanac* iptal* silin* sona_er* suresi_dol*
            bloke* bekletil* iade_edil* devre_disi
        заблокир* блокиров* приостанов* огранич* удален* удалят истек* закрыт* заморож* аннулир* отключ* задержан*
            задержив* просроч* возвращен* взлом*
        diblokir ditangguhkan dibekukan dibatasi dinonaktifkan dihapus ditutup kedaluwarsa berakhir ditahan
            dikembalikan hangus terblokir pemblokiran diputus kadaluarsa
        冻_结 锁_定 停_用 停止 制限
        limited_access|due|until|because account_..._limited|disabled|closed|removed limite_a limitado_su
            will_be_closed|removed|disabled|limited been_limited|disabled|closed|removed|restricted lauft_ab gesperrt
        terminated_in going_to_be is_closed will_expire can_t_be_recovered cannot_be_recovered verfallt""",
    "account": """
        account accounts mailbox inbox wallet wallets card profile subscription membership parcel shipment sim licence
            device benefits payment_method funds assets insurance electricity e_mail apple_id voicemail
        konto kontos girokonto nutzerkonto benutzerkonto postfach* karte zugang* abo abonnement paket sendung
            paeckchen packchen bankkonto kundenkonto mitgliedschaft banking onlinebanking kreditkarte profil phototan
            e_mail_konto lieferung
        cuenta cuentas tarjeta acceso suscripcion paquete envio buzon perfil servicio linea correo pedido entrega
        compte comptes carte acces colis boite messagerie ligne livraison espace_client
        conta contas cartao acesso assinatura encomenda pacote caixa_de_entrada linha cadastro cnh
        conto conti carta accesso abbonamento pacco spedizione casella profilo utenza consegna
        konta kontem koncie karta kartę dostep* subskrypcj* paczk* przesylk* skrzynk* uslug* przesylka
        rekening pas bankpas betaalpas toegang pakket zending postvak profiel bezorging digid
        hesab* hesap kart* erisim* abonelig* kargo* gonderi* posta_kutu* profil* paket*
        аккаунт* счет счета счету карта карту карты карте доступ* подписк* посылк* учетн* запис* профил* ящик*
            кошелек* кошельк* сим отправлени* госуслуг*
        akun kartu akses langganan kiriman kotak_masuk layanan m_banking
        账_户 账_号 アカウント 荷物
        online_access email_account|address number_is|will|has access_to_your|the service_is|will|has|are
            internet_service
            your_package|number|line|page|domain|service|services|messages|access|license|channel|storage|email|mail|app
            phone_number email_is|has
        your_channel your_mailbox incoming_messages|mails|emails deine_bank""",
    "incident": """
        unusual suspicious unauthorized unauthorised unrecognized unrecognised unknown_device|login|location|ip|sign
            abnormal irregular fraudulent_activity|transaction new_device|login|sign
            security_alert|notice|warning|breach|incident|reason|reasons|update
            we_detected|noticed|found|were|have|could|tried declined unable_to failed_to could_not couldn_t
            problem_with issue_with trouble_with sign_in_attempt login_attempt|attempts attempted_to|delivery
            missed_delivery delivery_attempt incomplete_address|address incorrect_address address_is|was
            tried_to_deliver almost_full is_full quota storage_limit|full exceeded mandatory action_required pending
            undelivered awaiting quarantined wrong_address incomplete mismatch discrepancy kyc outdated deactivate
        ungewohnlich* verdachtig* auffallig* unbefugt* unberechtigt* fehlgeschlagen* sicherheits* konnte*_..._nicht
            nicht_zugestellt|zustellen|moglich zustell* unvollstandig* erforderlich* verpflichtend psd2 datenabgleich
            letzte* neue_richtlinie|sicherheits* unbekannt* fehlerhaft* aktualisierung* ausstehend*
        sospechos* inusual* no_autorizad* no_reconocid* fallid* rechazad* pendiente* incomplet* problema* obligatori*
            incorrect* no_se_ha|pudo detectado detectamos irregular* seguridad
        inhabituel* suspect* non_autorise* echoue* refuse* en_attente probleme* n_a_pas|avons|avez|pu impossible
            obligatoire detecte* securite
        suspeit* incomum nao_autorizad* nao_reconhecid* falh* recusad* pendente* nao_foi|conseguimos obrigatori*
            pendencia* seguranca
        sospett* insolit* non_autorizzat* fallit* rifiutat* in_sospeso problema non_e|siamo|abbiamo|riusciti anomal*
            obbligatori* rilevat* sicurezza
        podejrzan* nietypow* nieautoryzowan* nieudan* odrzucon* nie_udalo|mozemy|mogl* niekompletn* niedostarcz*
            wymagan* bezpieczenstw* wykry* nieprawidlow* bledny
        verdacht* ongebruikelijk* ongeautoriseerd* mislukt* geweigerd* onvolledig* probleem
            niet_bezorgd|konden|kunnen|gelukt verplicht* veiligheid* vereist* onbekend*
        supheli olagandisi sira_disi yetkisiz basarisiz reddedil* eksik* sorun teslim_edile* guvenlik* zorunlu*
            tespit* gerekli* gerekmektedir bilinmeyen
        подозрительн* необычн* несанкционирован* неизвестн* неудачн* отклонен* проблем* не_удалось|смогли|доставлен*
            неполн* безопасност* обнаруж* зафиксирован* требуется необходимо неверн* вход_в
        mencurigakan tidak_biasa|wajar|dikenal|sah gagal ditolak masalah alamat_tidak|salah keamanan terdeteksi
            mendeteksi wajib tidak_lengkap tertunda tidak_dapat
        异_常 不_正
        verification|update|action|confirmation|payment_required|needed is_required|mandatory
            need_to_verify|confirm|update|validate payment_failed|problem problems_with hat_..._problem
            un_probleme|problema we_have_noticed|detected|found
        was_missing fehlt missing missed was_held being_held copyright_strike|strikes|infringement|claim
            violates|violated|violation damaged exploited draining vulnerable at_risk outdated_version
        no_pudimos no_hemos no_se_pudo""",
    "urgency": """
        within_the|next|12|24|48|72|twelve|one|two|three|30|15|10|5|24h|48h|72h|an|a|hours|seven|7|3|2 urgent urgently
            immediate immediately asap hurry right_away right_now act_now|fast|quickly|today|immediately today tonight
            last_chance|notice|warning|reminder|call|day final_notice|warning|reminder|chance|call|day
            expires_in|today|soon|tonight|at|tomorrow|on ends_today|tonight|soon|in|tomorrow|at deadline
            limited_time|spots|places|slots|offer|seats without_delay do_not_delay don_t_wait|delay|miss|hesitate
            24_hours|hrs|h 48_hours|hrs|h 72_hours|hrs|h 12_hours 2_hours 30_minutes 15_minutes 10_minutes 5_minutes
            24h 48h 72h failure_to or_else only_today first_come time_sensitive
            by_the_end|tomorrow|today|midnight|tonight no_later_than|later
            few_hours|minutes|left|spots|places|remaining as_soon_as promptly at_once consequences only_a_few
            minutes_left spots_left while_stocks|supplies hours_left three_days two_days
        sofort* umgehend* dringend* unverzuglich* innerhalb binnen eil* heute nur_noch
            letzte_mahnung|warnung|chance|frist frist* schnell* spatestens ansonsten andernfalls 24_stunden 48_stunden
            72_stunden bis_heute|morgen|zum um_..._vermeiden stunden
        inmediat* urgent* de_inmediato cuanto_antes hoy antes_de|del ultima_oportunidad|aviso ultimo_aviso 24_horas
            48_horas 72_horas plazo lo_antes ahora_mismo de_lo_contrario evitar horas rapido ya_mismo hoy_mismo
            ultimas_horas
        immediat* urgence au_plus sans_delai|attendre des_maintenant sous_24|48|72|24h|48h|72h 24_heures 48_heures
            dernier_avis|rappel|delai|avertissement|jour|chance delai* avant_le|minuit|ce aujourd_hui eviter defaut
            rapidement heures
        imediat* urgencia hoje agora_mesmo ultima_chance|hora ultimo_aviso|dia 24_horas|h prazo* antes_que|de
            o_quanto_antes caso_contrario ate_hoje|amanha|as
        subito urgenza entro oggi ultim*_avviso|possibilita|ore|giorni|sollecito al_piu_presto 24_ore 48_ore 72_ore
            evitare altrimenti scadenza ore presto
        natychmiast* piln* niezwloczn* w_ciagu dzis dzisiaj ostatni* 24_godzin* 48_godzin* godzin* jak_najszybciej
            szybko unikna* przeciwnym do_konca teraz
        onmiddellijk* spoed* vandaag laatste_kans|waarschuwing|herinnering|aanmaning zo_snel snel 24_uur 48_uur uur
            voorkom* anders uiterlijk nu
        acil* hemen derhal bugun son_sans|uyari|gun|ihtar icinde 24_saat 48_saat saat* en_kisa aksi_takdirde
            aksi_halde simdi ivedi* vakit
        срочно немедленно сегодня в_течение последн* 24_час* 48_час* как_можно иначе сейчас успей* до_конца
            незамедлительно быстро час* осталось только_сегодня
        segera hari_ini dalam_waktu|24|1x24 secepatnya 24_jam 1x24 48_jam terakhir sebelum cepat jika_tidak
            sekarang_juga sekarang jam buruan terbatas mendesak
        立即 马_上 至急
        otherwise_you|your|we
            to_avoid_any|suspension|further|losing|additional|legal|penalties|deletion|closure|interruption|a|being|the
            vite_avant faites_vite in_the_next_12|24|48|hours|hour|day|days|minutes|few direct_actie
        until_tomorrow bis_morgen by_tomorrow sonst verfallt midnight at_midnight hurry_up only_serious in_..._minutes
            in_..._hours in_..._days seconds_left each_block_counts before_you_lose
        before_it|too|midnight|tonight|monday|tuesday|wednesday|thursday|friday|tomorrow|noon|they|we
            by_midnight|noon|monday|thursday|friday
        or_your|you|we_will|account|access|lose or_it_will
        direct_betalen|actie|verlengen|bevestigen verleng_direct betaal_direct""",
    "legal": """
        arrest warrant lawsuit legal_action|proceedings court police prosecution prosecuted jail prison magistrate
            criminal charged_with money_laundering bailiff* debt_collector* enforcement seizure seize deport* subpoena
            summons indictment federal tax_evasion fbi interpol collections collection_agency
            credit_score|rating|record legal_department|case drug_trafficking illegal
        haftbefehl* anwalt* gericht* polizei* anzeige strafanzeige pfandung* inkasso* schufa* vollstreck*
            staatsanwalt* strafverfahren rechtliche_schritte strafrecht* europol
        arresto detencion demanda tribunal juzgado policia embarg* orden_de judicial* acciones_legales delito carcel
            abogado
        arrestation poursuit* poursuites gendarmerie huissier* saisie mandat judiciair* plainte infraction* penal*
        prisao processo justica penhora mandado intimacao serasa protesto spc crime
        tribunale polizia pignorament* denuncia azioni_legali procura querela carabinieri legali giudiziari*
        aresztow* sad sadu policj* komornik* postepowani* wezwani* egzekucj* prokurat* sadow*
        arrestatie rechtbank politie deurwaarder* beslag* gerechtelijk* dagvaarding* justitie vervolging
        tutukla* mahkeme* polis* icra* yasal_islem|takip haciz* savci* dava* hukuki* gozalti*
        арест* суд суда полици* уголовн* пристав* следовател* прокурат* мвд фсб росфинмониторинг* взыскани*
        polisi pengadilan hukum penjara tersangka penangkapan sita pidana surat_perintah kejaksaan
        brigade mandat_d_arret officer warrant_was pedoporn* kinderporn*""",
    "infected": """
        infected virus viruses malware trojan spyware ransomware hacked hackers keylogger threats threat compromised
            zeus corrupted adware rootkit pegasus
        infiziert* viren schadsoftware gehackt* trojaner hacker befallen*
        infectad* troyano* hackead* amenazas malicioso
        infecte* pirate* piratage malveillant* cheval_de_troie menaces
        invadid* ameacas cavalo_de_troia
        infett* infezione hackerat* minacce compromess*
        zainfekowan* wirus* zaatakowan* zhakowan* zlosliw* zagrozen*
        geinfecteerd* besmet* virus* virussen bedreigingen
        bulas* zararli* truva ele_gecir* tehdit*
        вирус* заражен* троян* вредоносн* взломан* угроз*
        terinfeksi diretas peretas ancaman
        病_毒 感_染 ウイルス""",
    "computer": """
        computer pc windows device laptop mac iphone ipad phone macbook android firewall microsoft_defender
            windows_defender machine ip_address hard_drive
        rechner gerat* handy smartphone betriebssystem
        equipo ordenador computador* dispositivo telefono celular
        ordinateur appareil telephone systeme
        computador aparelho telefone
        komputer* urzadzen* telefon* system*
        apparaat telefoon
        bilgisayar* cihaz* sistem*
        компьютер* устройств* телефон* систем* ноутбук*
        komputer perangkat ponsel hp
        电_脑 コン_ピュータ""",
    "charged": """
        charged debited deducted billed auto_renew* renewed renewal auto_debit invoice order_confirmation
            subscription_of purchase_of thank_you_for_your_purchase|order|payment transaction_of payment_of amount_of
            order_number|id your_order has_been_processed|placed|renewed|charged will_be_charged|debited|renewed
            did_not_authorize|authorise|make|place|order didn_t_authorize|make|place|order not_you
            cancel_this|the|your refund_department billing_department to_cancel dispute if_you_did_not|didn_t|didnt
            if_this_wasn_t|was_not
        abgebucht* abbuchung* belastet* verlanger* bestellung* rechnung* nicht_von_ihnen stornier*
        cobrad* cargo_de|por|a renovacion compra_de|por factura cancelar_el|la no_reconoce si_no
        preleve* debite* facture* commande renouvel* annuler si_vous_n
        debitad* compra_de|no|aprovada fatura renovacao cancelar nao_reconhece se_nao
        addebitat* addebito fattura acquisto rinnovo annullare se_non
        obciazon* pobran* faktur* zamowieni* odnowien* anulowac jesli_nie
        afgeschreven incasso factuur bestelling verlengd* annuleren als_u_dit_niet|niet
        cekil* tahsil* fatura* siparis* yenilen* iptal_etmek eger_siz|bu
        списан* списани* заказ* счет_на счет продлен* отменить
        ditagih didebet tagihan pesanan transaksi_sebesar batalkan jika_bukan
        если_это_не если_вы_не""",
    "won": """
        winner winners winning prize prizes congratulations congrats lucky lottery sweepstakes jackpot raffle draw
            lotto reward rewards award awarded voucher giveaway giveaways mystery_box loyalty survey
            claim_your|it|the|now|free gift bonus cash_prize unclaimed compensation gifts nitro robux v_bucks vbucks
            entitled eligible
        gewonnen gewinn* gewinner* gluckwunsch* ausgewahlt* ausgelost* verlosung* lotterie* preis pramie* geschenk*
            gutschein* gratis kostenlos* umfrage
        ganado ganaste ganador* premio premios felicidades enhorabuena felicitaciones sorteo seleccionad* afortunad*
            loteria regalo regalos bono encuesta
        gagne gagnant* felicitations tirage selectionne* loterie cadeau cadeaux gratuit* prime bravo chanceu* enquete
        ganhou ganhador* parabens sorteio sortead* selecionad* contemplad* brinde* presente pesquisa resgat*
        vinto vincitore vincitric* premi complimenti congratulazioni estrazione selezionat* lotteria omaggio buono
            sondaggio fortunat*
        wygral* wygran* zwyciezc* nagrod* gratulacj* gratulujem* losowani* wylosowan* loteri* prezent* darmow* bon
            ankiet* szczesliw*
        winnaar* prijs gefeliciteerd* geselecteerd* loterij* trekking uitgekozen cadeau* verloting kans_op
        kazandin* kazandiniz kazanan* odul* tebrikler cekilis* secil* hediye* piyango* ucretsiz ikramiye* talihli*
            anket*
        выиграл* победител* приз* поздравля* розыгрыш* лотере* выбран* подар* бесплатн* бонус* вознагражден* счастлив*
            опрос*
        menang pemenang hadiah selamat undian terpilih beruntung memenangkan doorprize survei
        中_奖 获_奖 当_選
        you_won|win won_a|an|the|our have_won selected_to|as|for|by|winner been_selected|chosen
            randomly_selected|chosen chosen_to|as|for|by|winner win_a|an
            free_iphone|gift|gifts|ps5|samsung|nitro|robux|vbucks|v|skins|skin|laptop|phone|ticket|tickets|data|tesla|macbook|spins|airtime|gems|diamonds|coins|followers
        you_have|ve_been_selected|chosen|picked|awarded|approved""",
    "refund": """
        refund refunds rebate reimbursement compensation payout stimulus overpaid overpayment tax_return subsidy
            benefit_payment owed owe_you tax_credit unclaimed_funds unclaimed_money cost_of_living relief_payment
            allowance
        erstattung* ruckerstattung* ruckzahlung* steuererstattung gutschrift* entschadigung* kindergeld bonuszahlung
            einmalzahlung zuschuss energiegeld
        reembolso* devolucion* indemnizacion bono subsidio ayuda_de|economica
        rembours* indemnis* trop_percu prime aide cheque_energie
        restitu* devolucao auxilio abono saque fgts indenizacao valores_a_receber
        rimbors* indennizz* risarcimento bonus contributo
        zwrot* nadplat* odszkodowan* dofinansowan* swiadczen*
        teruggav* terugbetaling* vergoeding* toeslag* compensatie tegemoetkoming
        iade* tazminat* destek_odeme* yardim
        возврат* компенсаци* возмещени* выплат* субсиди* пособи*
        pengembalian kompensasi bantuan bansos subsidi
        grant_of|money|funds government_grant""",
    "profit": """
        profit profits roi doubled doubling triple multiply passive_income financial_freedom earn earning earnings
            income risk_free no_risk per_day|week|hour|month investment invest investors trading forex trader
            trade_signals trading_bot crypto_bot high_yield make_money get_rich insider presale pre_sale
            minimum_deposit per_cent_daily percent_daily back_twice twice_the|as|back mining_pool|contract|plan
            cloud_mining compounding fixed_return fund_manager signals account_manager copy_trading payouts withdraw
            withdrawal
        gewinn* rendite* garantiert* verdoppel* passives_einkommen verdien* risikofrei* ohne_risiko taglich* anlag*
            trading* investition* nebenverdienst
        ganancia* rentabilidad garantizad* ingresos sin_riesgo diari* gana gane ganar multiplic* rendimiento* invertir
        gain* rendement* garanti* revenu* sans_risque par_jour quotidien* placement* gagnez gagner investissement*
            benefices
        lucro* rentabilidade garantid* dobr* renda sem_risco por_dia investiment* ganhe ganhar ganhos multipliq*
            rendimento* retorno
        guadagn* rendiment* garantit* raddoppi* reddito senza_rischi* al_giorno giornalier* profitt* moltiplic*
        zysk* gwarantowan* podwo* dochod* bez_ryzyka dziennie zarabia* zarobi* zarob* inwesty* pomnaz*
        winst* gegarandeerd* verdubbel* inkomen zonder_risico per_dag|week dagelijks* belegging*
        kazanc* kazan* katla* gelir* risksiz gunluk* yatirim* getiri* kar
        прибыл* доход* гарантирован* удво* заработ* без_риска в_день ежедневн* инвестиц* пассивн* зарабатыва* вложени*
        keuntungan dijamin gandakan penghasilan tanpa_risiko per_hari harian investasi cuan untung
        收_益 投_资
        doubled_your|in double_your|their|his|the|it|money|coins returns_of|per|guaranteed|daily ×2 back_double|twice
            comes_back twice_as|the dobramos
        expert_trader a_week_with makes_..._a_week into_..._account success_rate free_account open_a_free
            online_investing
        duplica duplicar duplicamos duplicaremos duplicaras doblar doblamos doble_de el_doble recibe_el_doble a_day
            2x|10x|5x|100x_your|the|back|return|returns|profit|gains
            guaranteed_profit|profits|returns|income|win|winnings|approval|daily|weekly|100
            daily|weekly_profit|profits|return|returns|roi|payout|income|earnings|interest|withdrawal|payouts per_day
            per_week
        giving_away""",
    "back": """
        back twice doubled receive_double returned_to return_of sent_back zuruck verdoppelt vuelta de_vuelta devuelt*
            le_double en_retour indietro podwojn* dubbel terug iki_kati geri обратно вдвое двойн* kembali ganda dobro
        raddoppi* duplic* dobl* verdoppel* doppio doble podwo* verdubbel* katla* удво* gandakan""",
    "fortune": """
        million millions billion estate next_of_kin beneficiary deceased
            late_husband|client|father|mr|dr|wife|president|mother|uncle|minister dormant
            unclaimed_fund*|money|sum|estate|account consignment barrister trunk_box*|boxes gold_bars|dust widow
            terminal_illness|cancer dying foreign_partner business_proposal|proposition|opportunity
            charity_work|project bequeath* fund_transfer diplomat diplomatic will_and_testament unclaimed_inheritance
            large_sum huge_sum sum_of modalities orphanage contract_fund* atm_card compensation_fund reliable_partner
            trusted_partner|person foreign_account lawyer solicitor attorney
        millionen erb* erbschaft* verstorben* nachlass* begunstigt* witwe* krebs* spende* anwalt notar* vermogen*
            goldbarren
        millones herencia heredero* heredar fallecid* beneficiari* viuda* cancer donacion* donar notario abogado
            difunto
        heritage heriti* defunt* decede* beneficiaire* veuve* don donation* notaire* avocat legs leguer succession
        milhoes heranca herdeir* falecid* viuva* doacao doar advogad* testamento
        milioni eredita ered* decedut* vedova* cancro tumore donazione donare notaio avvocat* lascito
        milion* spad* dziedzicz* zmarl* beneficjent* wdow* rak raka nowotw* darowizn* adwokat* notariusz* prawnik*
        miljoen* erfenis* nalatenschap* overleden begunstigde* weduwe* kanker donatie* schenk* notaris* advocaat*
            erfgenaam*
        milyon* miras* merhum* vefat* varis* dul kanser* bagis* avukat* noter*
        миллион* наследств* наследник* умерш* покойн* скончал* вдов* онколог* рак пожертвован* адвокат* нотариус*
            юрист*
        juta miliar warisan ahli_waris almarhum* meninggal janda sumbangan donasi pengacara notaris
        百_万 遗_产
        euros_sans|dans meme_nom sans_heritier same_surname|name fonds_seront millions_de millions_d
        donate_my|to_you|the_sum|part donation_of|to_you i_inherited inherit_the|his donate_..._million
        an|the|your|my|of|this|unclaimed|large_inheritance inheritance_of|fund|funds|money""",
    "exposure": """
        webcam masturbat* pleasur* your_contacts all_your_contacts adult_site|sites|website|websites porn* intimate
            embarrass* compromising hacked_your access_to_your_device|devices|camera|computer|phone|webcam nude nudes
            footage recorded split_screen your_camera sexual dirty_secret leak publish_the publish_your|everything|all
            release_the_video|footage ruin_your reputation dark_web infected_your
            your_wife|husband|boss|family|colleagues|friends|relatives data_will_be|leaked your_secret|secrets
            files_are_encrypted
        webcam* kamera aufgenommen aufnahme* kontakte* pornoseite* intim* masturb* peinlich* gehackt* veroffentlich*
            bloss* verschlussel*
        grabad* grabe camara contactos porno* hacke* publicare difund* verguenza familiares
        enregistr* intime* pirate divulgu* diffus* honte proches
        gravei gravad* camera contatos divulg* espalh* vergonha
        hackerat* pubblic* diffond* vergogna
        nagral* kamer* kontakt* intymn* film wideo zhakowal* opublikuj* udostepni* wstyd
        opgenomen contacten intiem* verspreid* openbaar* schaamte
        kaydett* kamera* kisiler* mahrem* video* hackle* yayinla* rezil
        записал* камер* контакт* порно* интимн* мастурб* видео взломал* опублик* разошл* друзьям компромат
        merekam kontak meretas sebarkan aib
        contacts_will|in explicit_video|content contatos_da contatti_della video_of|to|will|with|von|de|di
            files_..._encrypted
        recorded_you|a
        send_this|the_video|footage|recording
        video_of|to_you|your|all
        your_browsing|family_and
        stole|copied|downloaded_your|all
        i_know_your|what|who|where
        will_be_attacked|published|leaked|exposed unless_you_pay|send hurt_you|your kill_you watching_you|your ddos
            paid_to access_to_your_devices|device devices_for_months recorded_you_through nagranie hackeado
            через_вашу|камеру
        alle_kontakte wszystkich_kontaktow""",
    "job": """
        remote_job|position|work|role work_from_home part_time vacancy hiring recruit* employment no_experience hourly
            salary per_hour|day|week wage data_entry payment_agent mystery_shopper hr_manager home_based
            online_job|task|tasks|work reshipping process_payments liking_videos|posts like_videos simple_tasks
            payroll onboarding package_handler personal_assistant interview employer flexible_hours optimization_tasks
            earn_from_home money_transfer_agent financial_agent visa_sponsorship training_fee work_permit
        heimarbeit homeoffice nebenjob stelle jobangebot minijob stundenlohn gehalt* bewerb* arbeit* finanzagent*
            paketagent* mitarbeiter*
        trabajo empleo teletrabajo vacante* sueldo salario desde_casa medio_tiempo sin_experiencia contrat* reclut*
            tareas
        emploi travail teletravail poste salaire a_domicile recrut* mi_temps sans_experience complement taches
        emprego trabalho vaga vagas home_office meio_periodo sem_experiencia tarefas renda_extra
        lavoro impiego da_casa stipendio offerta_di selezion* senza_esperienza compiti
        praca prace pracy etat wynagrodzeni* z_domu zdaln* bez_doswiadczenia rekrut* zatrudni* zadania zadan
        baan vacature* thuiswerk* bijbaan* salaris* uurloon werk sollicit* zonder_ervaring
        is_ilan* ek_is evden maas* eleman* basvuru* deneyim* is_firsat* gorev* personel
        работа работу вакансия вакансии подработк* удаленк* зарплат* на_дому без_опыта сотрудник* трудоустр* задани*
        lowongan kerja pekerjaan gaji paruh_waktu dari_rumah freelance tugas tanpa_pengalaman
        job_offer|opening|opportunity|vacancy|from|is remote_jobs online_jobs task_platform|group|manager
            complete_tasks shipping_agent agent_needed our_agent""",
    "game": """
        skin skins inventory trade_offer|link|bot|url nitro robux vbucks v_bucks pavos gems diamonds tournament cs2
            csgo faceit steam_guard|account epic_account in_game free_coins|gems|diamonds|skins cheat cheats aimbot
            wallhack undetected mod_menu generator hack_tool duping moonton free_fire pubg mlbb mobile_legends brawl
            clash_of|royale genshin primogems fifa_coins minecraft fortnite roblox valorant knife account_boost
        скин* инвентар* турнир* голд робукс* алмаз* кристалл*
        diamond gratis_diamond turnamen topup top_up_diamond
        turnier turnuva elmas turniej diamenty torneo gemas tournoi gemmes diamants torneio diamantes toernooi""",
    "new-number": """
        new_number number_changed changed_number|my_number my_new_phone|number temporary_number|phone
            phone_broke|broken|fell|died|is_broken dropped_my_phone using_a_friend
        neue_nummer neues_handy handy_ist|kaputt nummer_gewechselt
        numero_nuevo nuevo_numero movil_roto|se
        nouveau_numero telephone_est|casse
        novo_numero numero_novo celular_quebrou
        nuovo_numero telefono_rotto|si
        nowy_numer zepsul_mi|sie
        nieuw*_nummer telefoon_is|kapot
        yeni_numara* telefonum_bozuldu
        новый_номер телефон_сломался
        nomor_baru hp_rusak""",
    "loan": """
        loan loans lender credit_repair personal_loan bad_credit no_credit_check low_interest interest_rate
            guaranteed_approval collateral pre_approved debt_relief loan_offer financing 2%_interest funding
        kredit* darlehen* schufa ohne_bonitat sofortkredit zinssatz
        prestamo* credito* interes sin_buro financiamiento
        pret prets credit taux_d_interet taux financement
        emprestimo* credito juros consignado
        prestit* finanziament* tasso interessi
        pozyczk* kredyt* oprocentowan* bez_bik chwilowk*
        lening* krediet* rente zonder_bkr
        kredi* faiz* borc_ver*
        кредит* заем* займ* ссуд* процент* ставк*
        pinjaman pinjol kredit bunga dana_cepat""",
    "sale": """
        counterfeit replica replicas fake_id|passport|documents|notes|money|bills|diploma|ids clone_card* cloned_card*
            fullz cvv_shop dumps high_quality_counterfeit undetectable no_prescription without_prescription steroids
            oxycodone xanax fentanyl viagra cialis bank_logs carding hacking_service* hire_a_hacker spouse_phone
            recover_your_lost|stolen 80%_off 90%_off 70%_off liquidation clearance_sale everything_must_go rental
            apartment landlord deposit_to viewing puppies puppy ticket tickets resale followers funds_recovery
            recovery_expert|agent|service|specialist|team lost_crypto|funds|bitcoin scammed
        falschgeld fuhrerschein ohne_rezept wohnung* vermieter* schlussel* besichtigung welpe* ausverkauf rabatt
        billetes_falsos sin_receta piso apartamento alquiler llaves visita liquidacion descuento cachorro*
        faux_billets|papiers|permis sans_ordonnance appartement cles visite destockage remise chiot*
        notas_falsas sem_receita aluguel chaves liquidacao desconto filhote*
        banconote_false senza_ricetta appartamento affitto chiavi liquidazione sconto cuccioli
        falszyw*_banknoty bez_recepty mieszkani* wynajem kluczy klucze wyprzedaz szczeni*
        vals_geld zonder_recept huur* sleutel* bezichtiging uitverkoop puppy*
        sahte_para|kimlik|belge recetesiz kiralik daire* anahtar* indirim yavru*
        фальшив* без_рецепта квартир* аренд* ключ* скидк* распродаж* щен* пробить
        uang_palsu tanpa_resep kontrakan sewa kunci diskon cuci_gudang
        flat apartment_is|in|for viewing_is|not|by kaution miete treuhand* escrow le_chiavi mieszkan* woning kamer
        buy_real|fake|passports buy_a_passport
        recover_stolen|lost|your_funds|money|crypto|bitcoin|assets
        keys_by_courier|mail|post|dhl|fedex the_keys_by|after|will|to_the""",
    "abroad": """
        abroad overseas out_of_the_country|state work_in|as_ireland|germany|england|london missionary can_t_come|show
            working_in_another im_ausland derzeit_in en_el_extranjero trabajando_en no_puedo_ensenarlo|mostrar
            a_l_etranger all_estero non_posso_mostrare no_exterior fora_do_pais za_granica nie_moge_pokazac
            in_het_buitenland niet_laten_zien yurt_disinda almanya_da gosteremiyorum за_границей показать_не_могу
            di_luar_negeri without_viewing no_viewing sin_visita sans_visite
        moved_to_alaska|germany|england|ireland|spain|canada|the work_abroad|overseas""",
    "secrecy": """
        confidential confidentially discreet discreetly discretion keep_this|it|between between_us|you
            don_t_tell|call|mention private_matter strictly in_a_meeting can_t_talk|call can_not_talk|call
            cannot_talk|call can_t_take strict_confidence quiet surprise not_a_word
        vertraulich* diskret* geheim* unter_uns niemandem nicht_anrufen besprechung uberraschung
        confidencial* discrecion secreto reunion sorpresa discret*
        confidentiel* ne_dites ne_parlez
        sigilo segredo nao_conte|ligue|posso reuniao surpresa
        riservat* confidenzial* segreto non_dire|chiamare|posso riunione discrezione
        poufn* dyskret* tajemnic* nie_mow|dzwon|moge spotkani* niespodziank*
        vertrouwelijk* niet_bellen vergadering verrassing
        gizli* sir kimseye toplanti* surpriz arama
        конфиденциальн* тайн* никому секрет* совещани* сюрприз не_звони*
        rahasia jangan_beritahu|telepon|bilang rapat kejutan
        do|don_not|t_tell|discuss|mention|inform
        tell_nobody tell_no_one
        no_le_digas no_se_lo no_me_llames
        en_reunion|reunion moving_offices only_by_mail|email uniquement_par niemandem_etwas n_en_parlez nobody_knows
            tell_anyone|anybody""",
    "romance": """
        my_love my_dear darling sweetheart honey soulmate lonely love_you fell_in_love oil_rig peacekeeping
            military_doctor widower god_fearing marry relationship fiance* my_heart beloved babe dating profile_and
            online_dating feelings missing_you miss_you soldier army navy surgeon orphan engineer_on met_on|online
        mein_schatz liebling liebe* einsam* verliebt* soldat* bohrinsel witwer heirat*
        mi_amor carino querid* soldado enamorad* viudo amor casar*
        mon_amour cheri* mon_coeur seul* soldat amoureu* veuf amour
        meu_amor sozinh* apaixonad* viuvo
        amore_mio tesoro soldato innamorat* vedovo
        kochan* skarbie samotn* zolnierz* zakochan* wdowiec
        mijn_lief* schat schatje lief eenzaam soldaat verliefd weduwnaar
        askim canim sevgilim yalniz asker asik
        любим* дорог* милый милая одинок* солдат* военн* влюб* вдовец
        sayang cintaku kekasih kesepian tentara duda
        cara_mia caro_mio am_deployed deployed_in|to on_deployment""",
    "trouble": """
        stranded emergency hospital accident surgery broke broken lost_my|phone dropped_my stolen robbed_at|of
            desperately bail medical_bill* customs_officer* need_your_help please_help new_number|phone number_changed
            changed_my_number this_is_my_new temporary_number mum mom dad grandma grandpa daughter son grandson
        unfall* krankenhaus* kaputt notfall* festgehalten neue_nummer neues_handy gestohlen handy_ist mama papa oma
            opa
        accidente emergencia roto robaron atrapad* numero_nuevo nuevo_numero hijo hija ayuda
        hopital urgence casse vole bloque nouveau_numero maman fils fille
        acidente quebrou roubaram novo_numero numero_novo mae pai filho filha
        incidente ospedale emergenza rotto rubato bloccat* nuovo_numero mamma figlio figlia
        wypadek* szpital* zepsul* ukradli* nowy_numer mamo tato corka syn babci*
        ongeluk ziekenhuis kapot gestolen nieuw_nummer mam pap
        kaza* hastane* bozul* calindi* yeni_numara* anne baba
        авари* больниц* сломал* украли* новый_номер мам мама пап папа бабушк* дтп
        kecelakaan rumah_sakit rusak dicuri nomor_baru ma nak
        estoy_preso stuck_in|at|here help_me_with visa_fee
        lost_my_phone
        pay_you_back pay_it|you_back_tomorrow ti_restituisco te_lo_devuelvo je_te_rembourse oddam nanti_aku_ganti
            терну""",
    "coin": """
        btc bitcoin bitcoins eth ethereum usdt usdc solana cryptocurrency airdrop nft nfts bnb coins coin doge
            dogecoin wallet wallets metamask ledger trezor phantom trust_wallet coinbase binance uniswap opensea defi
            dapp staking blockchain smart_contract xrp litecoin tether kraken exodus electrum walletconnect monero
        krypto* kryptowahrung* brieftasche
        cripto* billetera* monedero*
        crypto* portefeuille*
        carteira*
        portafoglio*
        portfel*
        cryptomunt*
        kripto* cuzdan*
        крипт* кошел* биткоин* биткойн* эфир
        dompet
        钱_包 比_特_币 ウォレット
        token_sale|presale|airdrop|s your_tokens|crypto|token crypto_wallet|currency|exchange|investment|trading
            free_tokens|crypto
        approvals permit2 setapprovalforall router swapped gas trx ton trc20 $arb""",
    "connect": """
        connect_your|wallet approve sign_the|a|this_transaction|message link_your_wallet|wallet claiming mint minting
            airdrop* eligible eligibility allocation whitelist snapshot rectify dapp_browser wallet_connect
            walletconnect unstake bridge swap
        verbinde* verbinden beanspruch* sichern
        reclam* vincul*
        reliez
        resgat* reivindi*
        colleg* richied* connett*
        polacz* podlacz* odbierz*
        koppel* verbind* claim*
        bagla* talep*
        подключ* получи* клейм* дроп
        hubungkan klaim sambungkan
        connect_wallet|your|to|it|phantom|metamask conecta conecte conectar connectez connecter validate_your_wallet
            claim claim_your sync_your migrate_your_tokens|wallet|assets connect_manually
        revoke approvals sign_the|a|this redeem""",
}
