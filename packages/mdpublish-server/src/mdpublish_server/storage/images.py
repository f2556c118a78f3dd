"""Queries of uploaded images."""

from collections.abc import Collection, Sequence
from datetime import datetime

from mdpublish_server.storage.accounts import give_image_bytes
from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import ImageRecord
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import IMAGES
from mdpublish_server.storage.transactions import Transaction, numbered, placeholders, query

IMAGE = RecordColumns(ImageRecord, IMAGES)

SHOWN = 200
"""Images that one statement looks for."""

_SQL = read_statements(__name__, image=IMAGE.sql, shown=placeholders(SHOWN))

keep_image = query(Transaction.changes_one, _SQL["keep"], "image_id")
find_live_image = query(IMAGE.first, _SQL["find_live"], "image_id")
free_image = query(IMAGE.first, _SQL["free"], "account", "image_id")
give_image = query(IMAGE.first, _SQL["give"], "account", "image_id")
list_images = query(IMAGE.all, _SQL["list"], "account")
all_images = query(IMAGE.all, _SQL["all"])
account_images = query(IMAGE.all, _SQL["of_account"], "account")
release_image = query(IMAGE.first, _SQL["release"], "account", "image_id")
release_images = query(Transaction.change, _SQL["release_some"], "account")
release_images_of_nobody = query(Transaction.change, _SQL["release_lost"])
removable_images = query(IMAGE.all, _SQL["removable"])
postpone_removal = query(Transaction.change, _SQL["postpone"], "image_id")
accounts_with_idle_images = query(Transaction.column, _SQL["idle_accounts"])
idle_images = query(IMAGE.all, _SQL["idle"], "account")
contents_with_images = query(Transaction.column, _SQL["contents"], "account")


def find_live_images(transaction: Transaction, image_ids: Sequence[str]) -> Sequence[ImageRecord]:
    """Return those of at most `SHOWN` images that `find_live_image` returns, in their order."""
    images = {image.id: image for image in IMAGE.all(transaction, _SQL["live_among"], **numbered(image_ids, SHOWN))}
    return [images[each] for each in image_ids if each in images]


def restrict_images(transaction: Transaction, account_id: str, image_ids: Sequence[str]) -> None:
    """Note that images of an account stood in a page that is not for everybody."""
    for start in range(0, len(image_ids), SHOWN):
        transaction.change(_SQL["restrict"], account=account_id, **numbered(image_ids[start : start + SHOWN], SHOWN))


def remove_image(transaction: Transaction, image_id: str, *, now: datetime) -> None:
    """Delete the row of an image whose file is gone, and give its bytes back."""
    row = transaction.row(_SQL["remove"], image_id=image_id, now=now)
    if row is not None:
        give_image_bytes(transaction, row[0], row[1])


def is_image_used(transaction: Transaction, image: ImageRecord) -> bool:
    pattern = f"%{image.stem}%"
    return transaction.row(_SQL["is_used"], account=image.account_id, pattern=pattern) is not None


def mark_images_used(transaction: Transaction, images: Collection[ImageRecord], *, now: datetime) -> None:
    for image in images:
        transaction.change(_SQL["used"], image_id=image.id, now=now)
