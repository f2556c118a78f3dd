"""A state machine of documents, demos, pages and images: visitors see what the security model's table says."""

from datetime import timedelta
from functools import partial
from random import Random
from typing import Any
from uuid import UUID

from hypothesis import HealthCheck, Phase, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tests.image_files import saved
from tests.server.access_model import APPS, DEMO_TIME, MINUTE, WIDENING, Document, Model, may
from tests.server.access_visitors import Observation, Service, Visitors, observations
from tests.server.private_pages import PASSWORD, READER, path_of

COMPARED = 10
"""Observations after each step, of some hundreds, of which `compare_all` leaves none out."""

NUMBERS = st.integers(0, 1)
SHOWN = st.sampled_from([(), (0,), (1,), (0, 1)])
"""The numbers of the images that a text shows."""
BY = st.one_of(st.just("key"), st.sampled_from(sorted(APPS)))
OPTIONS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "visibility": st.sampled_from(["link", "public", "specific"]),
        "readers": st.sampled_from([[], [READER], ["@example.com"], [READER, "@example.com"], ["other@example.net"]]),
        "password": st.sampled_from([PASSWORD, None]),
        "expires_at": st.booleans(),
        "slug": st.just("new"),
        "show_source": st.booleans(),
        "offer_pdf": st.booleans(),
        "page_width": st.sampled_from(["wide", "full"]),
    },
)
"""Of a page, with a boolean for an end in a minute."""


def closed_to_others(values: dict[str, Any]) -> dict[str, Any]:
    """Return what a tool makes of its arguments: readers alone may read, if nothing else is said."""
    return {"visibility": "specific", **values} if values.get("readers") else values


class Access(RuleBasedStateMachine):
    """Visits a service, which earlier examples may have used."""

    def __init__(self, service: Service) -> None:
        super().__init__()
        self.service = service
        self.visitors = Visitors(self.service)
        self.model = Model(self.service.times[-1], self.visitors.username)
        self.images: list[str] = []
        self.names = 0
        self.renames = 0
        self.long_waits = 0

    @initialize(seed=st.integers(0, 2**32), options=st.tuples(OPTIONS, OPTIONS), images=SHOWN)
    def begin(self, seed: int, options: tuple[dict[str, Any], ...], images: tuple[int, ...]) -> None:
        self.random = Random(seed)
        for color in ("red", "blue"):
            image, program = saved(_image(color), "PNG"), self.visitors.programs["key"]
            headers = {"host": "127.0.0.1:8000", **program.headers}
            response = self.service.runner.run(program.send("POST", "/v1/images", image, headers))
            self.images.append(str(response.json()["url"]))
        for number in (0, 1):
            self.create(number, images, "key", is_published=True, options=options[number])

    # What the owner does, and apps

    @rule(number=NUMBERS, images=SHOWN, by=BY, is_published=st.booleans(), options=OPTIONS)
    def write(self, number: int, images: tuple[int, ...], by: str, is_published: bool, options: dict[str, Any]) -> None:
        """Replace the text of a document; where none is, create one, published or not."""
        document = self.documents[number]
        if not document.id:
            self.create(number, images, by, is_published=is_published, options=options)
            return
        content = {"content": self.content(document.marker, images)}
        response = self.visitors.request_api(by, "PATCH", f"/v1/documents/{document.id}", content)
        if self.is_done(document, response.status, by, "documents.write"):
            document.images = images
            self.model.note_page(document)

    @rule(number=NUMBERS, options=OPTIONS, by=BY, is_tool=st.integers(0, 7))
    def publish(self, number: int, options: dict[str, Any], by: str, is_tool: int) -> None:
        document = self.existing(number)
        values = self.values(options, without_null=True)
        needed = ["publish", *(["documents.read"] if self.model.widens(document, values, publishes=True) else [])]
        if not is_tool:
            needed += ["documents.read"] * bool(set(WIDENING) & set(values))
            is_success, said = self.visitors.use_tool(by, "publish_document", document_id=document.id, **values)
            values = closed_to_others(values)
            status, url = (200 if is_success else 0), None
            if is_success:
                url = self.visitors.request_api("key", "POST", f"/v1/documents/{document.id}/publish", {}).json()[
                    "published_url"
                ]
            else:
                assert document.marker not in said
        else:
            response = self.visitors.request_api(by, "POST", f"/v1/documents/{document.id}/publish", values)
            status, url = response.status, response.json().get("published_url")
        if document.is_owned and may(by, *needed) and self.has_ended_still(document, values):
            assert status in {400, 0}
        elif self.is_done(document, status, by, *needed):
            self.model.apply(document, values)
            self.model.publish(document, path_of(str(url)))

    @rule(number=NUMBERS, options=OPTIONS, by=BY, is_tool=st.integers(0, 7))
    def change(self, number: int, options: dict[str, Any], by: str, is_tool: int) -> None:
        document = self.existing(number)
        values = self.values(options, without_null=not is_tool)
        widens = self.model.widens(document, values, publishes=False)
        needed = ["documents.write", *(["publish", "documents.read"] if widens else [])]
        if not is_tool:
            # A tool's call is refused before anybody compares.
            needed += ["publish", "documents.read"] * bool(set(WIDENING) & set(values))
            is_success, said = self.visitors.use_tool(by, "update_document", document_id=document.id, **values)
            values = closed_to_others(values)
            status = 200 if is_success else 0
            assert is_success or document.marker not in said
        else:
            status = self.visitors.request_api(by, "PATCH", f"/v1/documents/{document.id}", values).status
        if self.is_done(document, status, by, *needed):
            self.model.apply(document, values)

    @rule(number=NUMBERS, by=BY)
    def unpublish(self, number: int, by: str) -> None:
        document = self.existing(number)
        response = self.visitors.request_api(by, "DELETE", f"/v1/documents/{document.id}/publish")
        if self.is_done(document, response.status, by, "publish"):
            self.model.end_page(document)

    @rule(number=NUMBERS, by=BY)
    def delete(self, number: int, by: str) -> None:
        document = self.existing(number)
        response = self.visitors.request_api(by, "DELETE", f"/v1/documents/{document.id}")
        if self.is_done(document, response.status, by, "documents.write"):
            self.forget(number)

    @rule(image=NUMBERS, by=BY)
    def free(self, image: int, by: str) -> None:
        """Let everybody see an image that stood in a private page, or in one that ended."""
        image_id = str(UUID(path_of(self.images[image]).removeprefix("/i/").partition(".")[0]))
        status = self.visitors.request_api(by, "PATCH", f"/v1/images/{image_id}", {"restricted": False}).status
        assert status == (200 if may(by, "documents.read", "publish") else 403)
        if status == 200:
            self.model.restricted.discard(image)

    @rule(number=NUMBERS, erases=st.booleans())
    def use_trash(self, number: int, erases: bool) -> None:
        """Delete a document on the site, then restore or erase it."""
        document = self.existing(number)
        if document.claim_token:
            return
        action = "delete" if not document.is_trashed else "erase" if erases else "restore"
        self.post(f"/documents/{document.id}/{action}", {})
        if action == "erase":
            self.forget(number)
        elif action == "delete":
            document.is_trashed, document.was_published = True, document.is_published
            self.model.end_page(document)
        else:
            document.is_trashed = False
            if document.was_published and not self.model.has_ended(document):
                self.model.publish(document, document.path)

    @rule(number=NUMBERS, reader=st.sampled_from([READER, "@example.com", None]))
    def unshare(self, number: int, reader: str | None) -> None:
        """Take a reader, a domain, or all readers from a list."""
        document = self.existing(number)
        if document.is_owned:
            self.post(f"/documents/{document.id}/access/revoke", {"reader": reader} if reader else {})
            left = [each for each in document.readers if reader not in {None, each}]
            self.model.set_readers(document, left)
            if reader == READER:
                # Even if the domain is listed: the owner revoked the sessions that there are.
                self.model.is_reader = False

    @rule()
    def rename(self) -> None:
        if self.renames < 5:
            self.renames += 1
            username = f"{self.visitors.username}-{self.renames}"
            self.post("/account/settings/username", {"username": username})
            self.model.rename(username)

    @rule()
    def wait(self) -> None:
        self.pass_time(2 * MINUTE)

    @rule()
    def wait_for_days(self) -> None:
        """Wait until demos end, not until a session does."""
        if self.long_waits < 3:
            self.long_waits += 1
            self.pass_time(DEMO_TIME)

    # What others do

    @rule(number=NUMBERS, images=SHOWN)
    def publish_demo(self, number: int, images: tuple[int, ...]) -> None:
        """Publish a demo where no other is; the owner deletes what is there."""
        document = self.existing(number)
        if document.claim_token:
            return
        if not document.is_trashed:
            self.delete(number, "key")
        else:
            self.use_trash(number, erases=True)
        document = Document(self.new_name(), images=images, expires_at=self.model.now + DEMO_TIME)
        body = {"content": self.content(document.marker, images), "title": document.marker}
        stranger = self.visitors.browsers["stranger"]
        demo = self.visitors.run(stranger, "POST", "/v1/demo/publish", body=body).json()
        document.id, document.claim_token = demo["id"], demo["claim_token"]
        self.model.publish(document, path_of(demo["url"]))
        self.documents[number] = document

    @rule(number=NUMBERS, by=BY)
    def claim(self, number: int, by: str) -> None:
        document = self.existing(number)
        if document.claim_token:
            response = self.visitors.request_api(by, "POST", "/v1/demo/claim", {"claim_token": document.claim_token})
            if not may(by, "documents.write"):
                assert response.status == 403, response
            elif self.model.has_ended(document):
                assert response.status == 410, response
                self.documents[number] = Document()
            else:
                assert response.status == 200, response
                document.claim_token, document.expires_at = "", None
                self.model.publish(document, path_of(response.json()["published_url"]))

    @rule(number=NUMBERS, visitor=st.sampled_from(["friend", "reader"]))
    def prove(self, number: int, visitor: str) -> None:
        """Type the password of a page, which somebody has told."""
        document = self.existing(number)
        form = {"page": document.path or "/d/none", "password": PASSWORD}
        response = self.visitors.run(self.visitors.browsers[visitor], "POST", "/read", form=form)
        if self.model.is_live(document) and document.password:
            assert response.status == 303, response
            self.model.proofs[visitor, document.id] = document.password

    @rule()
    def begin_to_read(self) -> None:
        if not self.model.is_reader:
            self.visitors.begin_to_read()
            self.model.is_reader = True

    @rule()
    def compare_all(self) -> None:
        self.compare(list(observations(self.model, self.visitors, self.images)))

    # What was done

    def create(
        self, number: int, images: tuple[int, ...], by: str, *, is_published: bool, options: dict[str, Any]
    ) -> None:
        values = self.values(options, without_null=True) if is_published else {}
        document = Document(self.new_name(), images=images)
        body = {"content": self.content(document.marker, images), "title": document.marker, **values}
        response = self.visitors.request_api(by, "POST", f"/v1/documents{'/publish' * is_published}", body)
        if not may(by, "documents.write", *["publish"] * is_published):
            assert response.status == 403, response
            return
        assert response.status == 201, response
        document.id = response.json()["id"]
        self.documents[number] = document
        self.model.apply(document, values)
        if is_published:
            self.model.publish(document, path_of(response.json()["published_url"]))

    def existing(self, number: int) -> Document:
        """Return a document, which is created if none is there."""
        if not self.documents[number].id:
            self.create(number, (0, 1), "key", is_published=True, options={})
        return self.documents[number]

    @property
    def documents(self) -> list[Document]:
        return self.model.documents

    def new_name(self, word: str = "Hefeteig") -> str:
        self.names += 1
        return f"{word}{self.names}"

    def content(self, marker: str, images: tuple[int, ...]) -> str:
        return f"# {marker}\n\nbacken {marker} " + " ".join(f"![a]({self.images[each]})" for each in images)

    def values(self, options: dict[str, Any], *, without_null: bool) -> dict[str, Any]:
        """Return what is sent for options. In a POST, null is as if left out."""
        values = dict(options)
        if "expires_at" in values:
            values["expires_at"] = self.model.now + MINUTE if values["expires_at"] else None
        if "slug" in values:
            values["slug"] = self.new_name("torte")
        return {name: value for name, value in values.items() if value is not None or not without_null}

    def has_ended_still(self, document: Document, values: dict[str, Any]) -> bool:
        return self.model.has_ended(document) and "expires_at" not in values

    def is_done(self, document: Document, status: int, by: str, *needed: str) -> bool:
        """Return whether somebody who may has changed a document; else nothing was."""
        if not may(by, *needed):
            # Who lacks a scope only for these fields learns whether there is such a document.
            assert status in {0, 403, *(() if document.is_owned else (404,))}, status
            return False
        assert status in {0, 404} if not document.is_owned else status == 200, (status, document)
        return document.is_owned

    def post(self, path: str, form: dict[str, str]) -> None:
        response = self.visitors.run(self.visitors.browsers["owner"], "POST", path, form=form)
        assert response.status == 303, response

    def forget(self, number: int) -> None:
        document = self.documents[number]
        self.model.end_page(document)
        if document.path:
            self.model.deleted.append(document)
        self.documents[number] = Document()

    def pass_time(self, span: timedelta) -> None:
        self.model.now += span
        self.service.times.append(self.model.now)

    # What must be true after every step

    @invariant()
    def visitors_see_what_is_for_them(self) -> None:
        if self.images:
            every = list(observations(self.model, self.visitors, self.images))
            self.compare(self.random.sample(every, min(COMPARED, len(every))))

    def compare(self, chosen: list[Observation]) -> None:
        async def observe() -> None:
            for browser, path, is_right, headers in chosen:
                response = await browser.request("GET", path, headers=headers)
                assert is_right(response), (self.visitors.name_of(browser), path, response.status, self.model)

        self.service.runner.run(observe())


def run(service: Service, *, examples: int, steps: int, seed: int | None = None) -> None:
    """Try random sequences of steps, those of a seed or of Hypothesis's profile."""
    chosen = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        # A failing sequence is short enough to read.
        phases=(Phase.explicit, Phase.reuse, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    machine: Any = partial(Access, service)
    if seed is not None:
        machine, chosen = seeded(seed)(machine), settings(chosen, derandomize=False, database=None)
    run_state_machine_as_test(machine, settings=chosen)


def _image(color: str) -> Any:
    from PIL import Image

    return Image.new("RGB", (4, 4), color)
