"""Images that were acknowledged survive SIGKILL of the service; what was not leaves neither file nor row.

Clients upload and delete images during a kill and restart. After the time that an unfinished upload is stored, and a
cleanup, the files of the store are those of the rows, and each acknowledged image is served.
"""

import asyncio
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx
import pytest
from PIL import Image
from sqlalchemy import update

from mdpublish_server.storage import open_database
from mdpublish_server.storage.accounts import MISCOUNTED
from mdpublish_server.storage.images import all_images
from mdpublish_server.storage.object_store import BucketStore, open_store
from mdpublish_server.storage.tables import IMAGES
from mdpublish_server.storage.transactions import Statement
from tests.image_files import saved
from tests.stress.processes import PATIENCE
from tests.stress.service import KillableService
from tests.stress.test_kills import KILLS

CLIENTS = 4
IMAGE = saved(Image.effect_noise((700, 400), 60), "PNG")

AN_HOUR_LATER = Statement(update(IMAGES).where(IMAGES.c.removable_at.is_not(None)).values(removable_at=0))


@dataclass(slots=True)
class Uploads:
    """URLs by id of images that must be there, and of those of which nobody can know."""

    stored: dict[str, str] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    acknowledged: int = 0

    async def work(self, client: httpx.AsyncClient, random: Random) -> None:
        """Upload and delete until the service is gone."""
        with suppress(httpx.TransportError):
            while True:
                if self.stored and random.random() < 0.3:
                    image_id = random.choice(list(self.stored))
                    url = self.stored.pop(image_id)
                    self.unknown.add(url)
                    (await client.delete(f"/v1/images/{image_id}")).raise_for_status()
                else:
                    image = (await client.post("/v1/images", content=IMAGE)).raise_for_status().json()
                    self.stored[image["id"]] = image["url"]
                self.acknowledged += 1


async def files_of(location: str) -> set[str]:
    if "://" not in location:
        return {path.name for path in Path(location).iterdir()}
    store = open_store(location)
    assert isinstance(store, BucketStore)
    return {each["path"].rpartition("/")[2] for batch in store._bucket().list() for each in batch}


@KILLS
@pytest.mark.parametrize("kind", ["folder", "bucket"])
def test_no_image_is_lost_and_no_file_is_left(
    tmp_path: Path, kills: int, kind: str, request: pytest.FixtureRequest
) -> None:
    location = str(tmp_path / "images") if kind == "folder" else request.getfixturevalue("bucket_url")
    database_url = f"sqlite:///{tmp_path}/test.db"
    service = KillableService(tmp_path, database_url, settings={"MDPUBLISH_IMAGE_STORE": location})
    headers = {"Authorization": f"Bearer {service.key_of('anna@example.org')}"}
    uploads, random = Uploads(), Random(kills)

    async def upload_until_killed() -> None:
        async with httpx.AsyncClient(base_url=service.url, headers=headers, timeout=PATIENCE) as client:
            tasks = [asyncio.create_task(uploads.work(client, random)) for _ in range(CLIENTS)]
            await asyncio.sleep(random.uniform(0.2, 1.5))
            service.kill()
            await asyncio.gather(*tasks)

    async def verify() -> None:
        async with httpx.AsyncClient(base_url=service.url, timeout=PATIENCE) as client:
            for url in uploads.stored.values():
                assert (await client.get(httpx.URL(url).raw_path.decode())).status_code == 200

    try:
        for _ in range(kills):
            service.start()
            asyncio.run(upload_until_killed())
    finally:
        service.stop()
    database = open_database(database_url)
    with database.write_transaction() as transaction:
        transaction.change(AN_HOUR_LATER)
    database.close()
    for unfinished in (tmp_path / "images").glob("*.unfinished"):
        os.utime(unfinished, (0, 0))
    service.run("cleanup")
    with service.running():
        asyncio.run(verify())
    database = open_database(database_url)
    with database.read_transaction() as transaction:
        assert transaction.rows(MISCOUNTED) == []
        images = all_images(transaction)
        assert all(image.removable_at is None for image in images)
    database.close()
    assert asyncio.run(files_of(location)) - {"doctor.txt"} == {name for image in images for name in image.names}
    assert uploads.stored.keys() <= {image.id for image in images}
    print(f"{kind}: {kills} kills, {uploads.acknowledged} acknowledged, {len(images)} images")  # noqa: T201  (a report)
