"""Authentication by key and by session, HTTPS, and whose documents an account sees."""

import io
import re
import zipfile
from hashlib import sha256
from http.cookies import SimpleCookie

import httpx

from mdpublish_server.services.accounts import delete_account
from mdpublish_server.storage.tables import KEYS, METADATA
from mdpublish_server.storage.transactions import Statement
from tests.contract.claims import claim
from tests.contract.service import ELSEWHERE, Service
from tests.server.api_requests import MISSING, SITE, create, get, publish_demo, publish_new, refusal, used

KEY = re.compile("svc_[0-9a-f]{64}")
KEYS_PAGE = "/account/keys"
UNAUTHORIZED = (401, "unauthorized")
SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}
PERSON = {"email": "anna@example.org", "password": "correct horse"}


async def with_header(service: Service, authorization: str) -> httpx.Response:
    return await service.anyone.get("/v1/documents", headers={"Authorization": authorization})


def key_of(client: httpx.AsyncClient) -> str:
    return client.headers["Authorization"].removeprefix("Bearer ")


async def new_key(browser: httpx.AsyncClient) -> str:
    """Create a key in the account's settings and return it, as the page shows it."""
    page = await browser.post(KEYS_PAGE, data={"name": "k"}, headers=SAME_ORIGIN, follow_redirects=True)
    (key,) = set(KEY.findall(page.text))
    return str(key)


def browser_of(service: Service) -> httpx.AsyncClient:
    _ = service.free
    return service.browser("free")


@claim("auth.bearer")
async def key_is_a_bearer_token(service: Service) -> None:
    key = key_of(service.free)
    for authorization in (key, f"Basic {key}", f"Token {key}"):
        assert refusal(await with_header(service, authorization)) == UNAUTHORIZED
    assert refusal(await service.anyone.get("/v1/documents", params={"key": key})) == UNAUTHORIZED
    with_cookie = service.client()
    with_cookie.cookies.set("session", key)
    assert refusal(await with_cookie.get("/v1/usage")) == UNAUTHORIZED
    for scheme in ("Bearer", "bearer", "BEARER", "Bearer "):
        assert (await with_header(service, f"{scheme} {key}")).status_code == 200


@claim("auth.key.format")
async def key_has_a_format(service: Service) -> None:
    key = await new_key(browser_of(service))
    assert KEY.fullmatch(key)
    for wrong in (key[:-1], f"{key}0", key.upper(), key.removeprefix("svc_")):
        assert refusal(await with_header(service, f"Bearer {wrong}")) == UNAUTHORIZED
    assert (await with_header(service, f"Bearer {key}")).status_code == 200


@claim("auth.key.two")
async def account_has_two_keys(service: Service) -> None:
    browser = browser_of(service)
    second = await new_key(browser)
    for key in (key_of(service.free), second):
        assert (await with_header(service, f"Bearer {key}")).status_code == 200
    response = await browser.post(KEYS_PAGE, data={"name": "third"}, headers=SAME_ORIGIN)
    assert response.status_code == 403
    assert "at most 2 active keys" in response.text


@claim("auth.key.once")
async def key_is_shown_once(service: Service) -> None:
    browser = browser_of(service)
    await new_key(browser)
    await browser.get("/account")
    assert not KEY.search((await browser.get(KEYS_PAGE)).text)


@claim("auth.key.hash")
async def hash_of_key_is_stored(service: Service) -> None:
    key = await new_key(browser_of(service))
    assert (await with_header(service, f"Bearer {key}")).status_code == 200
    with service.database.read_transaction() as transaction:
        rows = [row for table in METADATA.sorted_tables for row in transaction.rows(Statement(table.select()))]
    assert sha256(key.encode()).hexdigest() in repr(rows)
    assert key[4:-4] not in repr(rows)


@claim("auth.key.revoked")
async def revoked_key_is_replaced(service: Service) -> None:
    browser, lost = browser_of(service), key_of(service.free)
    await new_key(browser)
    with service.database.read_transaction() as transaction:
        keys = transaction.rows(Statement(KEYS.select().where(KEYS.c.key_hash == sha256(lost.encode()).hexdigest())))
    await browser.post(f"{KEYS_PAGE}/{keys[0][0]}/revoke", headers=SAME_ORIGIN)
    await browser.get("/account")
    replacement = await new_key(browser)
    assert (await with_header(service, f"Bearer {replacement}")).status_code == 200
    assert refusal(await with_header(service, f"Bearer {lost}")) == UNAUTHORIZED


@claim("auth.anonymous")
async def only_demos_need_no_key(service: Service) -> None:
    await publish_demo(service.anyone)
    for method, path in (("POST", "/v1/convert"), ("GET", "/v1/templates"), ("POST", "/v1/demo/claim")):
        assert refusal(await service.anyone.request(method, path)) == UNAUTHORIZED


@claim("auth.session")
async def session_is_accepted_for_claim_and_usage(service: Service) -> None:
    browser = browser_of(service)
    for method, path in (
        ("POST", "/v1/convert"),
        ("POST", "/v1/import"),
        ("POST", "/v1/documents"),
        ("GET", "/v1/documents"),
        ("POST", "/v1/documents/publish"),
        ("GET", f"/v1/documents/{MISSING}"),
        ("PATCH", f"/v1/documents/{MISSING}"),
        ("DELETE", f"/v1/documents/{MISSING}"),
        ("POST", f"/v1/documents/{MISSING}/publish"),
        ("DELETE", f"/v1/documents/{MISSING}/publish"),
        ("GET", "/v1/templates"),
    ):
        assert refusal(await browser.request(method, path)) == UNAUTHORIZED
    response = await browser.post("/v1/demo/claim", json={"claim_token": MISSING}, headers=SAME_ORIGIN)
    assert refusal(response) == (404, "not_found")
    assert (await browser.get("/v1/usage")).status_code == 200


@claim("auth.session.header")
async def header_precedes_the_session(service: Service) -> None:
    browser = browser_of(service)
    assert (await browser.get("/v1/usage")).json()["tier"] == "free"
    key = {"Authorization": service.pro.headers["Authorization"]}
    assert (await browser.get("/v1/usage", headers=key)).json()["tier"] == "pro"
    for wrong in ("Bearer svc_wrong", "Basic eDp5", "Bearer", "Bearer ", "", "x"):
        for method, path in (("POST", "/v1/demo/claim"), ("GET", "/v1/usage")):
            response = await browser.request(method, path, json={}, headers={**SAME_ORIGIN, "Authorization": wrong})
            assert refusal(response) == UNAUTHORIZED


@claim("auth.session.cookie")
async def session_is_a_cookie(service: Service) -> None:
    service.configure({"MDPUBLISH_PUBLIC_URL": "https://pages.example", "MDPUBLISH_TRUSTED_PROXIES": "127.0.0.1"})
    browser = service.client(url="https://pages.example")
    browser.headers.update({"X-Forwarded-Proto": "https", "X-Forwarded-For": ELSEWHERE})
    await browser.post("/signup", data=PERSON)
    tokens = set()
    for _ in range(2):
        response = await browser.post("/signin", data=PERSON)
        assert response.status_code == 303
        cookies = [SimpleCookie(header) for header in response.headers.get_list("set-cookie")]
        (cookie,) = (each["__Host-session"] for each in cookies if "__Host-session" in each)
        assert (cookie["secure"], cookie["httponly"], cookie["samesite"].lower()) == (True, True, "lax")
        tokens.add(cookie.value)
    assert len(tokens) == 2
    assert (await browser.get("/v1/usage")).status_code == 200


@claim("auth.owner")
async def documents_of_others_are_hidden(service: Service) -> None:
    theirs = (await publish_new(service.pro, "secret"))["id"]
    assert (await service.free.get("/v1/documents")).json()["data"] == []
    counted = 0
    for method, path in (("GET", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/publish"), ("DELETE", "/publish")):
        contents = set()
        for each in (MISSING, theirs, "x", theirs[:-1]):
            response = await service.free.request(method, f"/v1/documents/{each}{path}", json={})
            assert refusal(response) == (404, "not_found")
            contents.add(response.content)
            counted += method != "GET"
            assert await used(service.free) == counted
        assert len(contents) == 1
    assert (await get(service.pro, theirs))["content"] == "secret"
    assert refusal(await service.free.get(f"/v1/documents/{theirs}")) == (404, "not_found")


@claim("auth.deleted")
async def deleted_account_is_gone(service: Service) -> None:
    url = (await publish_new(service.pro))["published_url"]
    browser = service.browser("pro")
    with service.database.write_transaction() as transaction:
        delete_account(transaction, service.accounts["pro"], now=service.clock.now)
    assert (await service.anyone.get(url)).status_code == 404
    assert refusal(await browser.get("/v1/usage")) == UNAUTHORIZED
    form = {"email": "other@example.org", "password": "correct horse", "username": "pro-user"}
    response = await service.anyone.post("/signup", data=form, headers=SAME_ORIGIN)
    assert response.status_code >= 400
    assert refusal(await service.pro.get("/v1/usage")) == UNAUTHORIZED


@claim("auth.export")
async def account_is_exported(service: Service) -> None:
    await create(service.free, title="Garden day", content="# Hello")
    response = await service.browser("free").post("/account/export", headers=SAME_ORIGIN)
    assert response.status_code == 200
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        (name,) = [each for each in archive.namelist() if each.endswith(".md")]
        content = archive.read(name).decode()
    assert re.match("---\n(?:.*\n)*title: .*Garden day", content)
    assert content.endswith("# Hello") or "\n# Hello" in content


# HTTPS


@claim("https.api")
async def api_needs_https(service: Service) -> None:
    elsewhere = service.client(key_of(service.free), from_ip=ELSEWHERE)
    for path in ("/v1/usage", "/openapi.json"):
        response = await elsewhere.get(path)
        assert refusal(response) == (403, "forbidden")
        assert "HTTPS is required" in response.json()["error"]["message"]
    encrypted = service.client(key_of(service.free), from_ip=ELSEWHERE, url=SITE.replace("http:", "https:"))
    assert (await encrypted.get("/v1/usage")).status_code == 200


@claim("https.loopback")
async def loopback_needs_no_https(service: Service) -> None:
    for ip in ("127.0.0.1", "::1"):
        assert refusal(await service.client(from_ip=ip).get("/v1/usage")) == UNAUTHORIZED
        assert (await service.client(key_of(service.free), from_ip=ip).get("/v1/usage")).status_code == 200


@claim("https.proxy")
async def scheme_of_a_proxy_is_believed(service: Service) -> None:
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "198.51.100.7"}
    through = service.client(key_of(service.free), from_ip=ELSEWHERE)
    assert refusal(await through.get("/v1/usage", headers=headers)) == (403, "forbidden")
    service.configure({"MDPUBLISH_TRUSTED_PROXIES": ELSEWHERE})
    assert (await through.get("/v1/usage", headers=headers)).status_code == 200


@claim("https.pages")
async def pages_redirect_to_https(service: Service) -> None:
    url = (await publish_demo(service.anyone))["url"]
    response = await service.client(from_ip=ELSEWHERE).get(url)
    assert response.status_code == 308
    assert response.headers["location"].startswith("https://")


@claim("https.hsts")
async def https_is_strict(service: Service) -> None:
    encrypted = service.client(key_of(service.free), from_ip=ELSEWHERE, url=SITE.replace("http:", "https:"))
    for path in ("/v1/usage", "/"):
        assert (await encrypted.get(path)).headers["strict-transport-security"].startswith("max-age=")
    assert "strict-transport-security" not in (await service.anyone.get("/")).headers


# Usernames


@claim("username.format")
async def username_has_a_format(service: Service) -> None:
    browser = browser_of(service)

    async def set_to(username: str) -> int:
        form = {"username": username}
        return (await browser.post("/account/settings/username", data=form, headers=SAME_ORIGIN)).status_code

    for wrong in ("ab", "a" * 31, "a_b", "a b", "admin"):
        assert await set_to(wrong) == 400
    assert await set_to("Anna-B") == 303
    assert (await publish_new(service.free, title="Garden"))["published_url"] == f"{SITE}/u/anna-b/garden"
