"""Queries of uploaded images."""

from collections.abc import Collection, Sequence
from datetime import datetime

from mdpublish_server.storage.accounts import give_image_bytes
from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import ImageRecord
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import IMAGES
from mdpublish_server.storage.transactions import Transaction, numbered, placeholders

IMAGE = RecordColumns(ImageRecord, IMAGES)

SHOWN = 200
"""Images that one statement looks for."""

_SQL = read_statements(__name__, image=IMAGE.sql, shown=placeholders(SHOWN))


def keep_image(transaction: Transaction, image_id: str, *, until: datetime) -> bool:
    """Keep an image whose file is there; return False if it is to be removed by `until`, or is removed already."""
    return transaction.change(_SQL["keep"], image_id=image_id, until=until) == 1


def find_live_image(transaction: Transaction, image_id: str) -> ImageRecord | None:
    """Return an image, unless its account is suspended or deleted."""
    return IMAGE.first(transaction, _SQL["find_live"], image_id=image_id)


def find_live_images(transaction: Transaction, image_ids: Sequence[str]) -> Sequence[ImageRecord]:
    """Return those of at most `SHOWN` images that `find_live_image` returns, in their order."""
    images = {image.id: image for image in IMAGE.all(transaction, _SQL["live_among"], **numbered(image_ids, SHOWN))}
    return [images[each] for each in image_ids if each in images]


def restrict_images(transaction: Transaction, account_id: str, image_ids: Sequence[str]) -> None:
    """Note that images of an account stood in a page that is not for everybody."""
    for start in range(0, len(image_ids), SHOWN):
        transaction.change(_SQL["restrict"], account=account_id, **numbered(image_ids[start : start + SHOWN], SHOWN))


def free_image(transaction: Transaction, account_id: str, image_id: str) -> ImageRecord | None:
    """Let everybody see an image again; return None if the account has no such image."""
    return IMAGE.first(transaction, _SQL["free"], account=account_id, image_id=image_id)


def list_images(
    transaction: Transaction, account_id: str, *, before: datetime, before_id: str, limit: int
) -> Sequence[ImageRecord]:
    """Return an account's images, newest first."""
    return IMAGE.all(transaction, _SQL["list"], account=account_id, before=before, before_id=before_id, limit=limit)


def all_images(transaction: Transaction) -> Sequence[ImageRecord]:
    """Return all images, also those that are to be removed."""
    return IMAGE.all(transaction, _SQL["all"])


def account_images(transaction: Transaction, account_id: str) -> Sequence[ImageRecord]:
    """Return all images of an account, oldest first."""
    return IMAGE.all(transaction, _SQL["of_account"], account=account_id)


def release_image(transaction: Transaction, account_id: str, image_id: str, *, now: datetime) -> ImageRecord | None:
    """Make an image nonexistent to everybody, and return it; its file and row are to be removed."""
    return IMAGE.first(transaction, _SQL["release"], account=account_id, image_id=image_id, now=now)


def release_images(transaction: Transaction, account_id: str, *, limit: int) -> int:
    """Release images of an account; return how many there were, at most `limit`."""
    return transaction.change(_SQL["release_some"], account=account_id, limit=limit)


def release_images_of_nobody(transaction: Transaction, *, until: datetime) -> None:
    """Release images that were kept while their account was deleted."""
    transaction.change(_SQL["release_lost"], until=until)


def removable_images(transaction: Transaction, *, now: datetime, limit: int) -> Sequence[ImageRecord]:
    return IMAGE.all(transaction, _SQL["removable"], now=now, limit=limit)


def postpone_removal(transaction: Transaction, image_id: str, *, until: datetime) -> None:
    transaction.change(_SQL["postpone"], image_id=image_id, until=until)


def remove_image(transaction: Transaction, image_id: str, *, now: datetime) -> None:
    """Delete the row of an image whose file is gone, and give its bytes back."""
    row = transaction.row(_SQL["remove"], image_id=image_id, now=now)
    if row is not None:
        give_image_bytes(transaction, row[0], row[1])


def accounts_with_idle_images(transaction: Transaction, *, until: datetime) -> Sequence[str]:
    """Return the accounts of images that were not seen to be used after `until`."""
    return [row[0] for row in transaction.rows(_SQL["idle_accounts"], until=until)]


def idle_images(transaction: Transaction, account_id: str, *, until: datetime) -> Sequence[ImageRecord]:
    return IMAGE.all(transaction, _SQL["idle"], account=account_id, until=until)


def contents_with_images(transaction: Transaction, account_id: str) -> Sequence[str]:
    """Return the texts of an account that may show images of the store."""
    return [row[0] for row in transaction.rows(_SQL["contents"], account=account_id)]


def is_image_used(transaction: Transaction, image: ImageRecord) -> bool:
    pattern = f"%{image.stem}%"
    return transaction.row(_SQL["is_used"], account=image.account_id, pattern=pattern) is not None


def mark_images_used(transaction: Transaction, images: Collection[ImageRecord], *, now: datetime) -> None:
    for image in images:
        transaction.change(_SQL["used"], image_id=image.id, now=now)
