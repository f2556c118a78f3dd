--
-- PostgreSQL database dump
--


-- Dumped from database version 18.4
-- Dumped by pg_dump version 18.4

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: mdpublish_raise(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.mdpublish_raise() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE counter text := TG_ARGV[0];
BEGIN
    IF TG_TABLE_NAME = 'addresses' AND TG_OP = 'INSERT' THEN
        IF NOT EXISTS (SELECT 1 FROM accounts JOIN former_usernames ON former_usernames.username = accounts.username WHERE accounts.id = NEW.space) THEN RETURN NULL; END IF;
    END IF;
    -- Once in a transaction: this setting ends with it.
    IF current_setting('mdpublish.raised_' || counter, true) IS DISTINCT FROM 'yes' THEN
        INSERT INTO page_changes (id, changes, additions)
        VALUES (pg_backend_pid() % 16, (counter = 'changes')::int, (counter = 'additions')::int)
        ON CONFLICT (id) DO UPDATE SET
            changes = page_changes.changes + excluded.changes, additions = page_changes.additions + excluded.additions;
        PERFORM set_config('mdpublish.raised_' || counter, 'yes', true);
    END IF;
    RETURN NULL;
END $$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: accounts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.accounts (
    id character varying(36) NOT NULL,
    email character varying(254) NOT NULL,
    password_hash character varying(200),
    username character varying(30),
    plan character varying(10) NOT NULL,
    plan_until bigint,
    is_suspended boolean NOT NULL,
    created_at bigint NOT NULL,
    documents integer NOT NULL,
    pages integer NOT NULL,
    active_keys integer NOT NULL,
    month character varying(7) NOT NULL,
    used integer NOT NULL,
    edited_at bigint NOT NULL,
    is_operator boolean DEFAULT false NOT NULL,
    renames integer DEFAULT 0 NOT NULL,
    deleted_at bigint,
    default_language character varying(100),
    other_months text,
    image_bytes bigint DEFAULT 0 NOT NULL
);


--
-- Name: addresses; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.addresses (
    space character varying(36) NOT NULL,
    slug character varying(60) NOT NULL,
    since integer NOT NULL,
    until integer,
    document_id character varying(36) NOT NULL,
    number integer NOT NULL
);


--
-- Name: alembic_version; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);


--
-- Name: app_clients; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.app_clients (
    id character varying(500) NOT NULL,
    name character varying(100) NOT NULL,
    redirect_uris text NOT NULL,
    secret_hash character varying(64),
    created_at bigint NOT NULL,
    expires_at bigint
);


--
-- Name: app_grants; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.app_grants (
    id character varying(36) NOT NULL,
    account_id character varying(36) NOT NULL,
    client_id character varying(500) NOT NULL,
    client_name character varying(100) NOT NULL,
    redirect_uri character varying(500) NOT NULL,
    scopes character varying(100) NOT NULL,
    resource character varying(300) NOT NULL,
    code_hash character varying(64) NOT NULL,
    code_challenge character varying(43) NOT NULL,
    code_used_at bigint,
    created_at bigint NOT NULL,
    used_at bigint,
    expires_at bigint NOT NULL
);


--
-- Name: app_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.app_tokens (
    token_hash character varying(64) NOT NULL,
    grant_id character varying(36) NOT NULL,
    scopes character varying(100) NOT NULL,
    expires_at bigint NOT NULL,
    replaced_at bigint
);


--
-- Name: copy_pages; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.copy_pages (
    token_hash character varying(64) NOT NULL,
    account_id character varying(36) NOT NULL,
    content text NOT NULL,
    destination character varying(20) NOT NULL,
    template_id character varying(40) NOT NULL,
    theme_mode character varying(10) NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: demo_pages; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.demo_pages (
    identifier character varying(20) NOT NULL,
    document_id character varying(36) NOT NULL,
    claim_token_hash character varying(64) NOT NULL,
    expires_at bigint NOT NULL,
    claimed_at bigint,
    bytes bigint DEFAULT '0'::bigint NOT NULL
);


--
-- Name: demo_usage; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.demo_usage (
    id integer NOT NULL,
    bytes bigint NOT NULL
);


--
-- Name: document_revisions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.document_revisions (
    document_id character varying(36) NOT NULL,
    number integer NOT NULL,
    title character varying(200) NOT NULL,
    word_count integer NOT NULL,
    saved_at bigint NOT NULL,
    replaced_at bigint NOT NULL,
    is_before_restore boolean NOT NULL,
    bytes integer NOT NULL,
    content bytea NOT NULL
);


--
-- Name: document_words; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.document_words (
    number bigint NOT NULL,
    document_id character varying(36) NOT NULL,
    account_id character varying(36) NOT NULL,
    size integer NOT NULL,
    title text NOT NULL,
    words text NOT NULL
)
WITH (toast_tuple_target='256');


--
-- Name: document_words_number_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.document_words_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: document_words_number_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.document_words_number_seq OWNED BY public.document_words.number;


--
-- Name: documents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.documents (
    id character varying(36) NOT NULL,
    account_id character varying(36),
    title character varying(200) NOT NULL,
    template_id character varying(60) NOT NULL,
    theme_mode character varying(10) NOT NULL,
    description character varying(500),
    page_width character varying(10),
    visibility character varying(10),
    hides_badge boolean NOT NULL,
    slug character varying(60),
    published_at bigint,
    is_taken_down boolean NOT NULL,
    expires_at bigint,
    word_count integer NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    revision integer NOT NULL,
    content text NOT NULL,
    is_autosaved boolean DEFAULT false NOT NULL,
    shows_source boolean DEFAULT false NOT NULL,
    readers text DEFAULT ''::text NOT NULL,
    password_hash character varying(200),
    offers_pdf boolean DEFAULT false NOT NULL,
    folder character varying(60),
    folder_key character varying(180) DEFAULT ''::character varying NOT NULL,
    title_key character varying(200) DEFAULT ''::character varying NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: former_usernames; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.former_usernames (
    account_id character varying(36) NOT NULL,
    number integer NOT NULL,
    username character varying(30) NOT NULL,
    left_at bigint NOT NULL
);


--
-- Name: images; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.images (
    id character varying(36) NOT NULL,
    account_id character varying(36) NOT NULL,
    suffix character varying(4) NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    bytes bigint NOT NULL,
    created_at bigint NOT NULL,
    used_at bigint NOT NULL,
    removable_at bigint,
    variants character varying(40) DEFAULT ''::character varying NOT NULL,
    is_restricted boolean DEFAULT false NOT NULL
);


--
-- Name: invitations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.invitations (
    token_hash character varying(64) NOT NULL,
    note character varying(100) NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.keys (
    id character varying(36) NOT NULL,
    account_id character varying(36) NOT NULL,
    name character varying(100) NOT NULL,
    key_hash character varying(64) NOT NULL,
    last_four character varying(4) NOT NULL,
    created_at bigint NOT NULL,
    used_at bigint,
    revoked_at bigint
);


--
-- Name: letters; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.letters (
    token_hash character varying(64) NOT NULL,
    purpose character varying(10) NOT NULL,
    email character varying(254) NOT NULL,
    account_id character varying(36),
    password_hash character varying(200),
    username character varying(30),
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: page_changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.page_changes (
    id integer NOT NULL,
    changes bigint NOT NULL,
    additions bigint NOT NULL
);


--
-- Name: pages; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pages (
    document_id character varying(36) NOT NULL,
    etag character varying(64) NOT NULL,
    style_hash character varying(64) NOT NULL,
    render_version integer NOT NULL,
    revision integer NOT NULL,
    has_badge boolean NOT NULL,
    body bytea NOT NULL,
    path character varying(200),
    default_language character varying(100)
);


--
-- Name: private_images; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.private_images (
    document_id character varying(36) NOT NULL,
    image_id character varying(36) NOT NULL
);


--
-- Name: reader_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reader_links (
    token_hash character varying(64) NOT NULL,
    document_id character varying(36) NOT NULL,
    email character varying(254) NOT NULL,
    browser_hash character varying(64),
    code_hash character varying(64),
    tries integer DEFAULT 0 NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: reader_sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reader_sessions (
    id character varying(36) NOT NULL,
    token_hash character varying(64) NOT NULL,
    account_id character varying(36) NOT NULL,
    email character varying(254),
    proof character varying(64),
    expires_at bigint NOT NULL
);


--
-- Name: reader_views; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reader_views (
    document_id character varying(36) NOT NULL,
    email character varying(254) NOT NULL,
    seen_at bigint NOT NULL
);


--
-- Name: replays; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.replays (
    id character varying(64) NOT NULL,
    body_hash character varying(64) NOT NULL,
    started_at bigint NOT NULL,
    response bytea
);


--
-- Name: reports; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reports (
    id character varying(36) NOT NULL,
    document_id character varying(36) NOT NULL,
    path character varying(200) NOT NULL,
    title character varying(200) NOT NULL,
    reason character varying(20) NOT NULL,
    details character varying(2000) NOT NULL,
    email character varying(254),
    reported_at bigint NOT NULL,
    closed_at bigint,
    outcome character varying(20)
);


--
-- Name: server_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.server_keys (
    id integer NOT NULL,
    key bytea NOT NULL
);


--
-- Name: sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sessions (
    token_hash character varying(64) NOT NULL,
    account_id character varying(36) NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    browser character varying(40) DEFAULT ''::character varying NOT NULL,
    network character varying(50) DEFAULT ''::character varying NOT NULL,
    used_at bigint
);


--
-- Name: sitemap_parts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sitemap_parts (
    number integer NOT NULL,
    account_id character varying(36) NOT NULL,
    published_at bigint NOT NULL,
    document_id character varying(36) NOT NULL
);


--
-- Name: trash; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.trash (
    document_id character varying(36) NOT NULL,
    account_id character varying(36) NOT NULL,
    deleted_at bigint NOT NULL,
    was_published boolean NOT NULL
);


--
-- Name: usernames; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.usernames (
    username character varying(30) NOT NULL,
    account_id character varying(36)
);


--
-- Name: working_copies; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.working_copies (
    document_id character varying(36) NOT NULL,
    number integer NOT NULL,
    title character varying(200) NOT NULL,
    template_id character varying(60) NOT NULL,
    theme_mode character varying(10) NOT NULL,
    description character varying(500),
    page_width character varying(10),
    word_count integer NOT NULL,
    saved_at bigint NOT NULL,
    is_autosaved boolean NOT NULL,
    is_conflicting boolean NOT NULL,
    discarded_at bigint,
    content text NOT NULL
);


--
-- Name: document_words number; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.document_words ALTER COLUMN number SET DEFAULT nextval('public.document_words_number_seq'::regclass);


--
-- Data for Name: accounts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.accounts VALUES ('53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'anna@example.org', '$argon2id$v=19$m=19456,t=2,p=1$2YDZTHo3TVnCqnhElfdWKA$I67PvTI8MwOu2GZwbJrxp2IQTzKsipbuGu5H/j3T0NU', 'anna-b', 'pro', 1896048000000000, false, 1771588811381342, 6, 3, 1, '2026-02', 11, 1771588845780772, false, 0, NULL, NULL, NULL, 0);
INSERT INTO public.accounts VALUES ('c6b856c5-a7cf-400d-9aef-33a94bf5c6e8', 'ben@example.org', '$argon2id$v=19$m=19456,t=2,p=1$LHcpINxymp25Ev6GLbjoLg$BENdvjNUFftuNIb8y5/nUWSIYafnUueWNXSo5EReJvc', NULL, 'free', NULL, false, 1771588802011630, 1, 1, 1, '2026-02', 1, 1771588848527274, false, 0, NULL, NULL, NULL, 0);
INSERT INTO public.accounts VALUES ('83275065-a2e5-4fcd-b3dc-66b308908ac6', 'carla@example.org', '$argon2id$v=19$m=19456,t=2,p=1$feinQXJrS36QETRPu5TGQA$z6EiV4Po9Nf/2lWQahj4rUE3QciITWkx8CtmPC5Vzgc', 'carla', 'free', NULL, true, 1771588802847943, 1, 1, 1, '2026-02', 1, 1771588849643683, false, 0, NULL, NULL, NULL, 0);


--
-- Data for Name: addresses; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.addresses VALUES ('p', '98w418iaco46x30hsxq1', 0, 0, '1f24cc24-26c0-49f3-852e-8e272c20e824', 1);
INSERT INTO public.addresses VALUES ('53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'code-v6wkzw', -1, -1, '366a4576-b1d3-4e38-a66c-985323fb8e1c', 1);
INSERT INTO public.addresses VALUES ('53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'first-slug', -1, -1, '366a4576-b1d3-4e38-a66c-985323fb8e1c', 2);
INSERT INTO public.addresses VALUES ('53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'garden-day-re43wt', -1, -1, 'ac6e0096-eb18-42fa-933a-3f9bd337aa62', 1);
INSERT INTO public.addresses VALUES ('53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'second-slug', -1, -1, '366a4576-b1d3-4e38-a66c-985323fb8e1c', 3);
INSERT INTO public.addresses VALUES ('53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'taken-down-nw3n5z', -1, -1, '7ddc1b50-97cd-4542-8639-a3ec3a55406d', 1);
INSERT INTO public.addresses VALUES ('53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'unpublished-74hz5s', -1, -1, '28c3e44b-754b-4578-aa26-0a371e692f09', 1);
INSERT INTO public.addresses VALUES ('53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'untitled-yyc4cw', -1, -1, '1f24cc24-26c0-49f3-852e-8e272c20e824', 2);
INSERT INTO public.addresses VALUES ('53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'garden-day-re43wt', 0, NULL, 'ac6e0096-eb18-42fa-933a-3f9bd337aa62', 2);
INSERT INTO public.addresses VALUES ('53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'second-slug', 0, NULL, '366a4576-b1d3-4e38-a66c-985323fb8e1c', 4);
INSERT INTO public.addresses VALUES ('53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'taken-down-nw3n5z', 0, NULL, '7ddc1b50-97cd-4542-8639-a3ec3a55406d', 2);
INSERT INTO public.addresses VALUES ('53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'unpublished-74hz5s', 0, NULL, '28c3e44b-754b-4578-aa26-0a371e692f09', 2);
INSERT INTO public.addresses VALUES ('53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'untitled-yyc4cw', 0, NULL, '1f24cc24-26c0-49f3-852e-8e272c20e824', 3);
INSERT INTO public.addresses VALUES ('83275065-a2e5-4fcd-b3dc-66b308908ac6', 'carla-s-xyrbgz', 0, NULL, '13198dfb-c677-45a1-8f57-9c27d9e72be6', 1);
INSERT INTO public.addresses VALUES ('d', 'ben-s-8a51kh', 0, NULL, '946b3353-b11b-4a12-ba36-48e5d2431ec6', 1);
INSERT INTO public.addresses VALUES ('c6b856c5-a7cf-400d-9aef-33a94bf5c6e8', 'ben-s-8a51kh', 0, NULL, '946b3353-b11b-4a12-ba36-48e5d2431ec6', 1);
INSERT INTO public.addresses VALUES ('p', '60gcsdk04440y4x5pr2z', 0, NULL, '66b88ab3-12ee-4e80-8d4e-e085e27923f3', 1);
INSERT INTO public.addresses VALUES ('p', 'duqyzq644uab36joelkn', 0, NULL, '7feece24-4e09-49c8-9458-de69076858f1', 1);
INSERT INTO public.addresses VALUES ('p', 'j3l08qwru9xrc7t6dzqm', 0, NULL, 'cac7119d-8ab4-4a02-a435-f7dded895aed', 1);


--
-- Data for Name: alembic_version; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alembic_version VALUES ('0026');


--
-- Data for Name: app_clients; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: app_grants; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: app_tokens; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: copy_pages; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: demo_pages; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.demo_pages VALUES ('98w418iaco46x30hsxq1', '1f24cc24-26c0-49f3-852e-8e272c20e824', '14da4b19cc5c064a5be96ad1d6e66b98136864ad82af4c897c989474c9b84b6f', 1771848045274420, 1771588845780772, 0);
INSERT INTO public.demo_pages VALUES ('i1yfqs29khian8ekorln', 'ea8a5523-623e-4963-bc09-019ca078d4c5', 'c16938ad74902cb0688a3a1478794f3e448eeccfbc3e0172ba26f3ab0c99ad3f', 1771848008283387, NULL, 0);
INSERT INTO public.demo_pages VALUES ('60gcsdk04440y4x5pr2z', '66b88ab3-12ee-4e80-8d4e-e085e27923f3', 'c143f01222b0d2a642c34b2938bb9a034a3793ae271a864861bc7eb48ed01406', 1772301609853584, NULL, 20);
INSERT INTO public.demo_pages VALUES ('duqyzq644uab36joelkn', '7feece24-4e09-49c8-9458-de69076858f1', '36d946af4777cdacecb4a1d3be8f086bcd342a4c0bf35721be7a08b06ece3308', 1772539207384657, NULL, 21);
INSERT INTO public.demo_pages VALUES ('j3l08qwru9xrc7t6dzqm', 'cac7119d-8ab4-4a02-a435-f7dded895aed', '93f7b744d40d3f0e0701f5ea414520766e6525bf3fc81d93df01150713363cca', 1772539207444448, NULL, 30);


--
-- Data for Name: demo_usage; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.demo_usage VALUES (1, 71);


--
-- Data for Name: document_revisions; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: document_words; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.document_words VALUES (1, '1359b9c6-d69a-4837-b1ac-9aaf49424372', '53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 15, 'draft', 'never published');
INSERT INTO public.document_words VALUES (2, 'ac6e0096-eb18-42fa-933a-3f9bd337aa62', '53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 55, 'garden day', 'garden day we meet on saturday 10 o clock spade x seeds');
INSERT INTO public.document_words VALUES (3, '366a4576-b1d3-4e38-a66c-985323fb8e1c', '53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 48, 'code', 'code python print from the first version a b 1 2');
INSERT INTO public.document_words VALUES (4, '28c3e44b-754b-4578-aa26-0a371e692f09', '53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 1, 'unpublished', 'x');
INSERT INTO public.document_words VALUES (5, '7ddc1b50-97cd-4542-8639-a3ec3a55406d', '53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 1, 'taken down', 'x');
INSERT INTO public.document_words VALUES (6, '1f24cc24-26c0-49f3-852e-8e272c20e824', '53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 15, 'untitled', 'claimed by anna');
INSERT INTO public.document_words VALUES (7, '946b3353-b11b-4a12-ba36-48e5d2431ec6', 'c6b856c5-a7cf-400d-9aef-33a94bf5c6e8', 64, 'ben s', 'script no heading but aou 漢字 字 alert 1 quotes too note a callout');
INSERT INTO public.document_words VALUES (8, '13198dfb-c677-45a1-8f57-9c27d9e72be6', '83275065-a2e5-4fcd-b3dc-66b308908ac6', 1, 'carla s', 'x');


--
-- Data for Name: documents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.documents VALUES ('1359b9c6-d69a-4837-b1ac-9aaf49424372', '53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'Draft', 'swiss', 'light', NULL, NULL, NULL, false, NULL, NULL, false, NULL, 2, 1771588840582597, 1771588840582597, 2, 'never *published*', false, false, '', NULL, false, NULL, '', 'draft');
INSERT INTO public.documents VALUES ('ac6e0096-eb18-42fa-933a-3f9bd337aa62', '53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'Garden day', 'paper', 'light', NULL, 'standard', 'link', false, 'garden-day-re43wt', 1771588840726325, false, NULL, 10, 1771588840726325, 1771588840726325, 2, '# Garden day

We meet on **Saturday**, 10 o''clock.

- spade
- [x] seeds
', false, false, '', NULL, false, NULL, '', 'garden day');
INSERT INTO public.documents VALUES ('366a4576-b1d3-4e38-a66c-985323fb8e1c', '53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'Code', 'dracula', 'dark', 'What runs', 'wide', 'public', true, 'second-slug', 1771588840761031, false, NULL, 9, 1771588840761031, 1771588840761031, 4, '# Code

```python
print("from the first version")
```

| a | b |
|---|---|
| 1 | 2 |
', false, false, '', NULL, false, NULL, '', 'code');
INSERT INTO public.documents VALUES ('28c3e44b-754b-4578-aa26-0a371e692f09', '53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'Unpublished', 'swiss', 'light', NULL, 'standard', 'link', false, 'unpublished-74hz5s', NULL, false, NULL, 1, 1771588841272646, 1771588841272646, 3, 'x', false, false, '', NULL, false, NULL, '', 'unpublished');
INSERT INTO public.documents VALUES ('7ddc1b50-97cd-4542-8639-a3ec3a55406d', '53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'Taken down', 'swiss', 'light', NULL, 'standard', 'link', false, 'taken-down-nw3n5z', NULL, true, NULL, 1, 1771588841362141, 1771588841362141, 3, 'x', false, false, '', NULL, false, NULL, '', 'taken down');
INSERT INTO public.documents VALUES ('1f24cc24-26c0-49f3-852e-8e272c20e824', '53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'Untitled', 'swiss', 'light', NULL, 'standard', 'link', false, 'untitled-yyc4cw', 1771588845274420, false, NULL, 3, 1771588845274420, 1771588845780772, 3, '# Claimed

by *Anna*', false, false, '', NULL, false, NULL, '', 'untitled');
INSERT INTO public.documents VALUES ('946b3353-b11b-4a12-ba36-48e5d2431ec6', 'c6b856c5-a7cf-400d-9aef-33a94bf5c6e8', 'Ben''s', 'mono', 'light', NULL, 'standard', 'link', false, 'ben-s-8a51kh', 1771588848527274, false, NULL, 11, 1771588848527274, 1771588848527274, 1, 'No heading, but äöü, 漢字, `<script>alert(1)</script>` & "quotes" ''too''.

> [!NOTE]
> A callout.
', false, false, '', NULL, false, NULL, '', 'ben''s');
INSERT INTO public.documents VALUES ('13198dfb-c677-45a1-8f57-9c27d9e72be6', '83275065-a2e5-4fcd-b3dc-66b308908ac6', 'Carla''s', 'swiss', 'light', NULL, 'standard', 'link', false, 'carla-s-xyrbgz', 1771588849643683, false, NULL, 1, 1771588849643683, 1771588849643683, 1, 'x', false, false, '', NULL, false, NULL, '', 'carla''s');
INSERT INTO public.documents VALUES ('66b88ab3-12ee-4e80-8d4e-e085e27923f3', NULL, 'Untitled', 'swiss', 'light', NULL, NULL, NULL, false, NULL, 1772042409853584, false, 1772301609853584, 3, 1772042409853584, 1772042409853584, 1, '# Expired, not swept', false, false, '', NULL, false, NULL, '', 'untitled');
INSERT INTO public.documents VALUES ('7feece24-4e09-49c8-9458-de69076858f1', NULL, 'Demo', 'swiss', 'light', NULL, NULL, NULL, false, NULL, 1772280007384657, false, 1772539207384657, 4, 1772280007384657, 1772280007384657, 1, '# Demo

which is live', false, false, '', NULL, false, NULL, '', 'demo');
INSERT INTO public.documents VALUES ('cac7119d-8ab4-4a02-a435-f7dded895aed', NULL, 'Demo', 'swiss', 'light', NULL, NULL, NULL, false, NULL, 1772280007444448, false, 1772539207444448, 4, 1772280007444448, 1772280007444448, 1, '# Demo

which is claimed-later', false, false, '', NULL, false, NULL, '', 'demo');


--
-- Data for Name: former_usernames; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.former_usernames VALUES ('53e6edf2-91d4-4da9-b5a0-d113e0e451b3', -1, 'anna', 0);


--
-- Data for Name: images; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: invitations; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.keys VALUES ('5693c43e-342e-4e3d-b5ef-6364d18f22de', '53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'laptop', 'b02ede6a17671f8b13ac266a59da3bb09e076c22c49341a9d4f84280b6e1dbe2', '9868', 1771588802136696, 1772280009208576, NULL);
INSERT INTO public.keys VALUES ('6c37e35c-2f3a-4e26-9f2e-2663ab36d77a', '53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 'revoked', 'bad85ce073dec31a7e8568a072eb0f96e0dc8ad2ef4fc785b9c603a66a45f99d', 'ac3f', 1771588802513502, NULL, 1771588802563341);
INSERT INTO public.keys VALUES ('299d72d4-cc2c-4c32-955c-b840b373daa9', 'c6b856c5-a7cf-400d-9aef-33a94bf5c6e8', 'phone', 'ad20a37def762b6a8da4c416cb936505bf84b79065b7c12c1d6a82086bf586d5', 'c57c', 1771588802462405, 1771588848527274, NULL);
INSERT INTO public.keys VALUES ('506708bb-c4f4-4714-a12a-a5180d25d681', '83275065-a2e5-4fcd-b3dc-66b308908ac6', 'suspended', '9dd7c3573e4c907885ee2095012d509d82e33699d5182c9cfa411f6376fe8ca0', '0bbd', 1771588802270611, 1771588849643683, NULL);


--
-- Data for Name: letters; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: page_changes; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: pages; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.pages VALUES ('946b3353-b11b-4a12-ba36-48e5d2431ec6', 'c314b84ba13d6b8f70d29dc95881aff3', 'sha256-aGJq3wS/UTfIhAm1QTZCZelIu6e9ci+EisICmvH229c=', 3, 1, true, '\x1f8b0800000000000203d51b4d93e338f53ebfc2648b991e3a4ee27492eeb6d3a985014e2c6c01176a98836c2bb136b66564b93f48cdefe04e71e5ca696ff35be077f024cb8e9d44b23d4b31d0a9ea24d67b4f4f4f7adfcafa473fffcdbbdfffe1db5f58114fe2cdabb578b36294ee1e46381d89071885f096608eac20422cc7fc6154f0ad7d37b2a6d5408a12fc307a24f829a38c8fac80a61ca700f844421e3d84f89104d8965fc61649092728b6f300c5f8c1392313d09832188d70821ba462b28bf81930a33ee579032ca5240df173091893746f311c035194d294c08c232b6278fb308a38cfdce9d499df4e66f072dcbbd96c360da73e4eeddcbe434b671f954438e131defc0ca76ff2f5b4fcf26a9df317789f246156f831c9233ba129b5258f071f05fb1da3451ada722dee575b1f5ec853df1c5fbcbc2db06c6f5142e217b72092409ea1008f7ff7cb6f04b1dfe25d1123361ebd4320aa90204b3c1e8dbfc1694cc7ef689ad318e5e3d1af888f19e284a60aa0a6544e91933f63d75965cfe5d7272c987417b39907e2c176547e7726cb8faf2eaec78a9cb16660ae1bb8d10d2c74034bddc0eaf065c4a6e4742be48439c770246190a43bf75470f3a59720b623297c5ee1c49a59b3c902277a711e1afb8293136acefc48ed46515b1aa8cd8dd4e6e7ac9988ddb48969e1163de1963de1ea4d5ec93faf1f9673ad3f81f36bfd21bcb9d69fc3c5b5fe282eaf81d1529e36a7993b9bdc9bb873b784e5dc0e2212875a36fb00ddf4015af4015af6015a35815aebd5ad159de828c7cfdc0e71404b0573c11462260ea68e40ce194d771a86fcc38942eaa8e0444381689e078463cdd0239890cb23e13655a75af8009770149340c75288630d99fc702a25a9b93c02cfb18b74f4487a8ed72dddc26fe8e16c720b26c07bc48c0b876803fbbbd405183d7ad6033dc34c4b204171dc2271b7d22b0e1cb8fd051f1a06f0ba6ffb501d898086ba7dddfbba739fa324d30c717ef8ef7a6bbd74c4d22e48078bbfc0f32983b3603360a0c8dd1bf0f9190a43e9b4268eb0ffc2a5e8488368ba28bb4ef66cc14a486855a6da34e56c59ceb934af6792201e9d4fcd194a41320ce2ba234d1d9d42a767345626cc05e76739c2fd55d4ec186f8593bc35f007e8f04829bbcd5f32ec82ea1138d17a8c4b48317d0229a1388b9011518fcb6882521d6e4cea55423c22a4ae87dc644d89cc26065d0460ad6061ac21dbce59271ce5fbb3a54154ae355be1f9ce6941795f1f1186678bb71c9308fc9806fb3f1594e326e25cae57879331fcbf99059cc58775e8da6b511aebd354d4f6649d6a2b884e029a2480db8e018d187bfcf20476e7d0cb1b480c883080910a6189c4cb889016094874c00c9082e61c1d97d103655ba481d8b20128426b0680230eebf60b8e07ac1c620c70ee78887421ccc10d0cf30e8225f0e301da54822b3f0333c428cbb15b7df09a71c5fde2ec842fb464a3539b51c6ad6540235cc36990e353cea99ecdf0d0810f31b49e9949002a807541270fd578738ef2898124131ff414e57093a07ca0a3b725bb820dd8b6127e93b5718cf927a004286b6ac4593e08b1e39d9ec004841dd382f7e7b2c2d84c6469e7f005ca0b2de918e2b3c996529e8223b219de5a68dc0525ecf459b26072b8356a5e699bc8fa1a219f7f0faf9567de9b6a3daa7851075b9d197388392271dedbe9e74502a02f7d3d3fa4fd7016f53581a3a3d7c394a6cb30ae4e93beba606061d1838545070b8b4e16962616963d585876b0b0ec6461656261d5838555070babeb1343a00edf6d9f306fd3a346525b8dc1a592e63c6028fa4ed309cac31e40611f20912034a0aa5595ce4fbfb089e814083d97f9fb0513712c3c6b4389deaadf08ca95a592a99cca4294b55211769b953a22b5e4247da6e8375b691b3b1dd33139be9799878183497a9cb16985cdf118f8b16c38124944e74644af83519f104b45683d1831408574f58311855c2a7fdd2b461532198650cb63189a92c530242587414822aa3a39caa62496475ab37141fccacd1f8fea429671ee4cf4b59523ed0a26ac38ae5669e769a7458443c70ec69d60c3eb1d0047ac5adbec8486be88745eec2179a007bf84111016c4ba18eb402127d8c6f4c97e6228737d86d1de16a96c2d6d475a150fcca5bf27dc96ab15d1958dc2ef8a1c329ad9ecc7dec5a7fae23af076fd933eee69f31986ff4bb707a52c4a69a218a501d677294e82619b4724d8a738cf45ad12d4a7946b5d4fb7e9769b6361e81d836e2137129b6a24eecc0df86555a55404924698116eacfe5647c3a7cfcdf9e459728318027c4f3f64e8118cf5e5ff664aadef02f93ed33727ac10ce110ef5bab4b95c211c8d0c75847cbf2169a68d344b88ac19a495f00794651831715a64465497b727cb8e0237eca550cf7699ab92cce47e79b457229b736451d4b21d5903f7329a132915866310cf233ead10d8b24cefc99b128a9c71f5965c8d1b4438d8e34bd57b15031d8b277d9ce51961d7f5f196b23a18510252054d455c312d565dfa8bf2cd53573360238f7212c2a862a8455330c807da05c79eb4529eac2cc2cc89cb28471c5f2d9621debdad05345f988bb0b5b57d76c1c9520fb28672d716a7b51e0395f17fb8c9740809c341d9f2e3cc2b522248d93e09894b44f98063bd96bc07e48711e3f1e883b6e1d10dd380d0774e9a40343eb49a26c7b49ea93a9ba989d2a45417e02b42ea5b4567d58f8c36a2690185bdab5b2dc96eba4dcb25f84b86a63606ca06589559e8a88e9e9c5c736d545aa347c40804ac765a24e04202178644a54a7ccfb5ede464071c3e2bdd95a105f5bf83c3696f09683f9045243520bf97881f0e4ab14d9c56d59aa0603918a18c1253eca66a41ef6986d30f9b0af7242231ddb241ee9606456e3f929ce82b05a0ddbde01403bd60cb0d6c831e20f5134ed09d9f26399e1aa9620d00309f0c3742f9156c56caa3f2a05d2ddebedd5425f56a2be1d395d8cef1cd0c2795bd14c3ca1af7cbe28b5c04e3388603612c1c1e13e461a6479758d73e57b98b669e7d96c73ba5520d6e0c5f8ede477f9ccf9c1b0bfecfe6a3ff8f1b719a8e5e7579cc64983f6bf69ed59cc8a93655e9eb0d9cfd900220ae0f7f8bd5766fbe567213ffa6ae7fcb5fcd4db6c2404557488bc743c385ceaaa6b1a4d951526df5662ad1192b683119ffd0967fff1b06b7c34b79e786b27de8dbc58ff90fa9e3cd4f2b1f3d9cadae9dfe79e955ab85d275f7a79d8e74b7d8e5b51e1d92b9e3242f6e8dbb7a75e3ce6e52af9b4d19ebd896fe7bdebc2330eed37fefd9426add56e87d0770a807b22dade31122c5ccca7a49f4d0bc49efca47756e5acbf2461809ab2c3a597383c5d888c800b3a3628b604f6c82778c3a16863d49d163fb9ccf4d570049da9ea8e724a57c86742fd52c2255950b9a9dcc74d2bebceb9adbcace56e91d0de6d709162de3abe31cd642046807cd0e3627379af3d34be51f5fd593650c22edc32b9f862f5dbf5770bfdaca3fafae9b36883a59f735bcea908424cf62f4620c1ac5268f8ddb78949289ce970ec6ca1a2eda02c72e7aa4241c5e4ae88c0db8ee5e08e4609f17311cadb3b83b58ae81a4390971e7220e4f11e15816e9b10bdf65f175f8a2b9b695a94bed454ef299ab3dd6b40e521fca5258553dc7cf288094e8e37a5afeaee7d57aaa7ef724b4c60a6294e70fa34b94c54fa4c44186b76cf36b6aa9f4696cf905b73efdedd33f3e7d3fb6fef5fd5ffff9f7bf8cadb570e09bd731f7f280918cbfde710fc598f12be7ad783a3d3e5e4f25acf51a259967bd1667c39307242f3f5b6f38a56f26eb69063387e4b1e25189c1123b3bb2188db1f849147c160c5640b2cf340276392e09649b9f5a0a53919c024df1a6d6562ae40600d7c8f403aad1e6db524438b49e088fac5a66eb29da08d2eba9a205c48570a5ace56fcffe0d95c2cc548c360000', NULL, NULL);


--
-- Data for Name: private_images; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: reader_links; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: reader_sessions; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: reader_views; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: replays; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: reports; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: server_keys; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sessions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sessions VALUES ('14a1150018228fdfa06f734739abc139bc6f41b94c2b05e9b5f56a8a9fab459f', '53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 1771588811381342, 1774180811381342, '', '', NULL);
INSERT INTO public.sessions VALUES ('9798c614c4ace6aac55eca1af44b15ac88d042d1071d55f50060abb8ad4b68ef', '53e6edf2-91d4-4da9-b5a0-d113e0e451b3', 1772280009037648, 1774872009037648, '', '', NULL);


--
-- Data for Name: sitemap_parts; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: trash; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: usernames; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.usernames VALUES ('carla', '83275065-a2e5-4fcd-b3dc-66b308908ac6');
INSERT INTO public.usernames VALUES ('dora', NULL);
INSERT INTO public.usernames VALUES ('anna-b', '53e6edf2-91d4-4da9-b5a0-d113e0e451b3');


--
-- Data for Name: working_copies; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Name: document_words_number_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.document_words_number_seq', 8, true);


--
-- Name: alembic_version alembic_version_pkc; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);


--
-- Name: accounts pk_accounts; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT pk_accounts PRIMARY KEY (id);


--
-- Name: addresses pk_addresses; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.addresses
    ADD CONSTRAINT pk_addresses PRIMARY KEY (space, slug, since);


--
-- Name: app_clients pk_app_clients; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_clients
    ADD CONSTRAINT pk_app_clients PRIMARY KEY (id);


--
-- Name: app_grants pk_app_grants; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_grants
    ADD CONSTRAINT pk_app_grants PRIMARY KEY (id);


--
-- Name: app_tokens pk_app_tokens; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_tokens
    ADD CONSTRAINT pk_app_tokens PRIMARY KEY (token_hash);


--
-- Name: copy_pages pk_copy_pages; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.copy_pages
    ADD CONSTRAINT pk_copy_pages PRIMARY KEY (token_hash);


--
-- Name: demo_pages pk_demo_pages; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.demo_pages
    ADD CONSTRAINT pk_demo_pages PRIMARY KEY (identifier);


--
-- Name: demo_usage pk_demo_usage; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.demo_usage
    ADD CONSTRAINT pk_demo_usage PRIMARY KEY (id);


--
-- Name: document_revisions pk_document_revisions; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.document_revisions
    ADD CONSTRAINT pk_document_revisions PRIMARY KEY (document_id, number);


--
-- Name: document_words pk_document_words; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.document_words
    ADD CONSTRAINT pk_document_words PRIMARY KEY (number);


--
-- Name: documents pk_documents; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.documents
    ADD CONSTRAINT pk_documents PRIMARY KEY (id);


--
-- Name: former_usernames pk_former_usernames; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.former_usernames
    ADD CONSTRAINT pk_former_usernames PRIMARY KEY (account_id, number);


--
-- Name: images pk_images; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.images
    ADD CONSTRAINT pk_images PRIMARY KEY (id);


--
-- Name: invitations pk_invitations; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT pk_invitations PRIMARY KEY (token_hash);


--
-- Name: keys pk_keys; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.keys
    ADD CONSTRAINT pk_keys PRIMARY KEY (id);


--
-- Name: letters pk_letters; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.letters
    ADD CONSTRAINT pk_letters PRIMARY KEY (token_hash);


--
-- Name: page_changes pk_page_changes; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.page_changes
    ADD CONSTRAINT pk_page_changes PRIMARY KEY (id);


--
-- Name: pages pk_pages; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pages
    ADD CONSTRAINT pk_pages PRIMARY KEY (document_id);


--
-- Name: private_images pk_private_images; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.private_images
    ADD CONSTRAINT pk_private_images PRIMARY KEY (document_id, image_id);


--
-- Name: reader_links pk_reader_links; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reader_links
    ADD CONSTRAINT pk_reader_links PRIMARY KEY (token_hash);


--
-- Name: reader_sessions pk_reader_sessions; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reader_sessions
    ADD CONSTRAINT pk_reader_sessions PRIMARY KEY (id);


--
-- Name: reader_views pk_reader_views; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reader_views
    ADD CONSTRAINT pk_reader_views PRIMARY KEY (document_id, email);


--
-- Name: replays pk_replays; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.replays
    ADD CONSTRAINT pk_replays PRIMARY KEY (id);


--
-- Name: reports pk_reports; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reports
    ADD CONSTRAINT pk_reports PRIMARY KEY (id);


--
-- Name: server_keys pk_server_keys; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.server_keys
    ADD CONSTRAINT pk_server_keys PRIMARY KEY (id);


--
-- Name: sessions pk_sessions; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT pk_sessions PRIMARY KEY (token_hash);


--
-- Name: sitemap_parts pk_sitemap_parts; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_parts
    ADD CONSTRAINT pk_sitemap_parts PRIMARY KEY (number);


--
-- Name: trash pk_trash; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.trash
    ADD CONSTRAINT pk_trash PRIMARY KEY (document_id);


--
-- Name: usernames pk_usernames; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.usernames
    ADD CONSTRAINT pk_usernames PRIMARY KEY (username);


--
-- Name: working_copies pk_working_copies; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.working_copies
    ADD CONSTRAINT pk_working_copies PRIMARY KEY (document_id);


--
-- Name: accounts uq_accounts_email; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT uq_accounts_email UNIQUE (email);


--
-- Name: app_grants uq_app_grants_code_hash; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_grants
    ADD CONSTRAINT uq_app_grants_code_hash UNIQUE (code_hash);


--
-- Name: demo_pages uq_demo_pages_claim_token_hash; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.demo_pages
    ADD CONSTRAINT uq_demo_pages_claim_token_hash UNIQUE (claim_token_hash);


--
-- Name: document_words uq_document_words_document_id; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.document_words
    ADD CONSTRAINT uq_document_words_document_id UNIQUE (document_id);


--
-- Name: keys uq_keys_key_hash; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.keys
    ADD CONSTRAINT uq_keys_key_hash UNIQUE (key_hash);


--
-- Name: ix_accounts_deleted_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_accounts_deleted_at ON public.accounts USING btree (deleted_at);


--
-- Name: ix_accounts_plan_until; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_accounts_plan_until ON public.accounts USING btree (plan_until) WHERE (plan_until IS NOT NULL);


--
-- Name: ix_addresses_document_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_addresses_document_id ON public.addresses USING btree (document_id);


--
-- Name: ix_app_clients_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_app_clients_expires_at ON public.app_clients USING btree (expires_at);


--
-- Name: ix_app_grants_account_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_app_grants_account_id ON public.app_grants USING btree (account_id);


--
-- Name: ix_app_grants_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_app_grants_expires_at ON public.app_grants USING btree (expires_at);


--
-- Name: ix_app_tokens_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_app_tokens_expires_at ON public.app_tokens USING btree (expires_at);


--
-- Name: ix_app_tokens_grant_id_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_app_tokens_grant_id_expires_at ON public.app_tokens USING btree (grant_id, expires_at);


--
-- Name: ix_copy_pages_account_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_copy_pages_account_id ON public.copy_pages USING btree (account_id);


--
-- Name: ix_copy_pages_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_copy_pages_expires_at ON public.copy_pages USING btree (expires_at);


--
-- Name: ix_demo_pages_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_demo_pages_expires_at ON public.demo_pages USING btree (expires_at);


--
-- Name: ix_demo_pages_held; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_demo_pages_held ON public.demo_pages USING btree (expires_at) WHERE (bytes > 0);


--
-- Name: ix_document_words_account_id_number; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_document_words_account_id_number ON public.document_words USING btree (account_id, number);


--
-- Name: ix_document_words_vector; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_document_words_vector ON public.document_words USING gin (array_to_tsvector(string_to_array(ltrim((replace((' '::text || title), ' '::text, ((' '::text || substr((account_id)::text, 1, 6)) || 't'::text)) || replace((' '::text || words), ' '::text, ((' '::text || substr((account_id)::text, 1, 6)) || 'w'::text)))), ' '::text))) WITH (gin_pending_list_limit='512');


--
-- Name: ix_documents_account_id_created_at_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_documents_account_id_created_at_id ON public.documents USING btree (account_id, created_at, id);


--
-- Name: ix_documents_account_id_folder_key_updated_at_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_documents_account_id_folder_key_updated_at_id ON public.documents USING btree (account_id, folder_key, updated_at, id);


--
-- Name: ix_documents_account_id_title_key_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_documents_account_id_title_key_id ON public.documents USING btree (account_id, title_key, id);


--
-- Name: ix_documents_account_id_updated_at_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_documents_account_id_updated_at_id ON public.documents USING btree (account_id, updated_at, id);


--
-- Name: ix_documents_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_documents_expires_at ON public.documents USING btree (expires_at);


--
-- Name: ix_documents_public; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_documents_public ON public.documents USING btree (account_id, published_at, id) WHERE (((visibility)::text = 'public'::text) AND (published_at IS NOT NULL));


--
-- Name: ix_former_usernames_username_left_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_former_usernames_username_left_at ON public.former_usernames USING btree (username, left_at);


--
-- Name: ix_images_account_id_created_at_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_images_account_id_created_at_id ON public.images USING btree (account_id, created_at, id);


--
-- Name: ix_images_removable_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_images_removable_at ON public.images USING btree (removable_at) WHERE (removable_at IS NOT NULL);


--
-- Name: ix_images_used_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_images_used_at ON public.images USING btree (used_at);


--
-- Name: ix_invitations_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_invitations_expires_at ON public.invitations USING btree (expires_at);


--
-- Name: ix_keys_account_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_keys_account_id ON public.keys USING btree (account_id);


--
-- Name: ix_letters_account_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_letters_account_id ON public.letters USING btree (account_id);


--
-- Name: ix_letters_email; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_letters_email ON public.letters USING btree (email);


--
-- Name: ix_letters_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_letters_expires_at ON public.letters USING btree (expires_at);


--
-- Name: ix_private_images_image_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_private_images_image_id ON public.private_images USING btree (image_id);


--
-- Name: ix_reader_links_browser_hash; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_reader_links_browser_hash ON public.reader_links USING btree (browser_hash);


--
-- Name: ix_reader_links_document_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_reader_links_document_id ON public.reader_links USING btree (document_id);


--
-- Name: ix_reader_links_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_reader_links_expires_at ON public.reader_links USING btree (expires_at);


--
-- Name: ix_reader_sessions_account_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_reader_sessions_account_id ON public.reader_sessions USING btree (account_id);


--
-- Name: ix_reader_sessions_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_reader_sessions_expires_at ON public.reader_sessions USING btree (expires_at);


--
-- Name: ix_reader_sessions_token_hash; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_reader_sessions_token_hash ON public.reader_sessions USING btree (token_hash);


--
-- Name: ix_replays_started_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_replays_started_at ON public.replays USING btree (started_at);


--
-- Name: ix_reports_closed_at_reported_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_reports_closed_at_reported_at ON public.reports USING btree (closed_at, reported_at);


--
-- Name: ix_reports_document_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_reports_document_id ON public.reports USING btree (document_id);


--
-- Name: ix_sessions_account_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_sessions_account_id ON public.sessions USING btree (account_id);


--
-- Name: ix_sessions_expires_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_sessions_expires_at ON public.sessions USING btree (expires_at);


--
-- Name: ix_trash_account_id_deleted_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_trash_account_id_deleted_at ON public.trash USING btree (account_id, deleted_at);


--
-- Name: ix_trash_deleted_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_trash_deleted_at ON public.trash USING btree (deleted_at);


--
-- Name: ix_usernames_account_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_usernames_account_id ON public.usernames USING btree (account_id);


--
-- Name: ix_working_copies_discarded_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ix_working_copies_discarded_at ON public.working_copies USING btree (discarded_at);


--
-- Name: accounts page_accounts_updated; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER page_accounts_updated AFTER UPDATE OF username, plan, plan_until, is_suspended, renames, default_language ON public.accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.pages > 0) OR (old.is_suspended <> new.is_suspended))) EXECUTE FUNCTION public.mdpublish_raise('changes');


--
-- Name: addresses page_addresses_added; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER page_addresses_added AFTER INSERT ON public.addresses DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.mdpublish_raise('changes');


--
-- Name: addresses page_addresses_deleted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER page_addresses_deleted AFTER DELETE ON public.addresses DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.mdpublish_raise('changes');


--
-- Name: addresses page_addresses_updated; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER page_addresses_updated AFTER UPDATE ON public.addresses DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.document_id)::text <> (new.document_id)::text) OR (COALESCE(old.until, '-1'::integer) <> COALESCE(new.until, '-1'::integer)))) EXECUTE FUNCTION public.mdpublish_raise('changes');


--
-- Name: documents page_documents_added; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER page_documents_added AFTER INSERT ON public.documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.published_at IS NOT NULL)) EXECUTE FUNCTION public.mdpublish_raise('additions');


--
-- Name: documents page_documents_deleted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER page_documents_deleted AFTER DELETE ON public.documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.published_at IS NOT NULL)) EXECUTE FUNCTION public.mdpublish_raise('changes');


--
-- Name: documents page_documents_published; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER page_documents_published AFTER UPDATE OF published_at ON public.documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.published_at IS NULL) AND (new.published_at IS NOT NULL))) EXECUTE FUNCTION public.mdpublish_raise('additions');


--
-- Name: documents page_documents_updated; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER page_documents_updated AFTER UPDATE OF account_id, title, template_id, theme_mode, description, page_width, visibility, hides_badge, slug, published_at, is_taken_down, expires_at, updated_at, revision, content, shows_source ON public.documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.published_at IS NOT NULL)) EXECUTE FUNCTION public.mdpublish_raise('changes');


--
-- Name: former_usernames page_former_usernames_deleted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER page_former_usernames_deleted AFTER DELETE ON public.former_usernames DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.mdpublish_raise('changes');


--
-- Name: sitemap_parts page_parts_added; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER page_parts_added AFTER INSERT ON public.sitemap_parts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (true) EXECUTE FUNCTION public.mdpublish_raise('additions');


--
-- Name: addresses fk_addresses_document_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.addresses
    ADD CONSTRAINT fk_addresses_document_id FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;


--
-- Name: app_grants fk_app_grants_account_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_grants
    ADD CONSTRAINT fk_app_grants_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;


--
-- Name: app_tokens fk_app_tokens_grant_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.app_tokens
    ADD CONSTRAINT fk_app_tokens_grant_id FOREIGN KEY (grant_id) REFERENCES public.app_grants(id) ON DELETE CASCADE;


--
-- Name: copy_pages fk_copy_pages_account_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.copy_pages
    ADD CONSTRAINT fk_copy_pages_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;


--
-- Name: document_revisions fk_document_revisions_document_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.document_revisions
    ADD CONSTRAINT fk_document_revisions_document_id FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;


--
-- Name: document_words fk_document_words_document_id_documents; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.document_words
    ADD CONSTRAINT fk_document_words_document_id_documents FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;


--
-- Name: documents fk_documents_account_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.documents
    ADD CONSTRAINT fk_documents_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;


--
-- Name: former_usernames fk_former_usernames_account_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.former_usernames
    ADD CONSTRAINT fk_former_usernames_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;


--
-- Name: keys fk_keys_account_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.keys
    ADD CONSTRAINT fk_keys_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;


--
-- Name: letters fk_letters_account_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.letters
    ADD CONSTRAINT fk_letters_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;


--
-- Name: pages fk_pages_document_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pages
    ADD CONSTRAINT fk_pages_document_id FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;


--
-- Name: private_images fk_private_images_document_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.private_images
    ADD CONSTRAINT fk_private_images_document_id FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;


--
-- Name: reader_links fk_reader_links_document_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reader_links
    ADD CONSTRAINT fk_reader_links_document_id FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;


--
-- Name: reader_sessions fk_reader_sessions_account_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reader_sessions
    ADD CONSTRAINT fk_reader_sessions_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;


--
-- Name: reader_views fk_reader_views_document_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reader_views
    ADD CONSTRAINT fk_reader_views_document_id FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;


--
-- Name: sessions fk_sessions_account_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT fk_sessions_account_id FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;


--
-- Name: trash fk_trash_document_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.trash
    ADD CONSTRAINT fk_trash_document_id FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;


--
-- Name: working_copies fk_working_copies_document_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.working_copies
    ADD CONSTRAINT fk_working_copies_document_id FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--


