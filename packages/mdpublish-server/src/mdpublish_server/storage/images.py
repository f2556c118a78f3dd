"""Queries of uploaded images."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import BindParameter, bindparam, delete, exists, or_, select, union_all, update

from mdpublish_server.storage.accounts import give_image_bytes
from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import ImageRecord
from mdpublish_server.storage.tables import ACCOUNTS, DOCUMENTS, IMAGES, TRASH, WORKING_COPIES
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import Statement, Transaction, among, numbered

IMAGE = RecordColumns(ImageRecord, IMAGES)

SHOWN = 200
"""Images that one statement looks for."""

_this = IMAGES.c.id == bindparam("image_id")
_of_account = IMAGES.c.account_id == bindparam("account")
_is_stored = IMAGES.c.removable_at.is_(None)
_created = IMAGES.c.created_at
_now: BindParameter[int] = bindparam("now")
_images = select(*IMAGE.columns)

_KEEP = Statement(update(IMAGES).where(_this, IMAGES.c.removable_at > bindparam("until")).values(removable_at=None))
_live = _images.join(ACCOUNTS, ACCOUNTS.c.id == IMAGES.c.account_id).where(
    _is_stored, ACCOUNTS.c.is_suspended.is_(False)
)
_RESTRICT = Statement(
    update(IMAGES)
    .where(_of_account, among(IMAGES.c.id, SHOWN), IMAGES.c.is_restricted.is_(False))
    .values(is_restricted=True)
)
_FREE = Statement(
    update(IMAGES).where(_this, _of_account, _is_stored).values(is_restricted=False).returning(*IMAGE.columns)
)
_FIND_LIVE = Statement(_live.where(_this))
_LIVE_AMONG = Statement(_live.where(among(IMAGES.c.id, SHOWN)))
_LIST = Statement(
    _images.where(
        _of_account,
        _is_stored,
        or_(_created < bindparam("before"), (_created == bindparam("before")) & (IMAGES.c.id < bindparam("before_id"))),
    )
    .order_by(_created.desc(), IMAGES.c.id.desc())
    .limit(bindparam("limit"))
)
_RELEASE = Statement(
    update(IMAGES).where(_this, _of_account, _is_stored).values(removable_at=_now).returning(*IMAGE.columns)
)
_some = select(IMAGES.c.id).where(_of_account, _is_stored).limit(bindparam("limit"))
_RELEASE_SOME = Statement(update(IMAGES).where(IMAGES.c.id.in_(_some)).values(removable_at=0))
_RELEASE_LOST = Statement(
    update(IMAGES)
    .where(_is_stored, IMAGES.c.used_at <= bindparam("until"), ~exists().where(ACCOUNTS.c.id == IMAGES.c.account_id))
    .values(removable_at=0)
)
_REMOVABLE = Statement(
    _images.where(IMAGES.c.removable_at <= _now).order_by(IMAGES.c.removable_at).limit(bindparam("limit"))
)
_POSTPONE = Statement(update(IMAGES).where(_this, ~_is_stored).values(removable_at=bindparam("until")))
_REMOVE = Statement(
    delete(IMAGES).where(_this, IMAGES.c.removable_at <= _now).returning(IMAGES.c.account_id, IMAGES.c.bytes)
)
_IDLE = Statement(_images.where(_of_account, _is_stored, IMAGES.c.used_at <= bindparam("until")))
_IDLE_ACCOUNTS = Statement(
    select(IMAGES.c.account_id).where(_is_stored, IMAGES.c.used_at <= bindparam("until")).distinct()
)
_ALL = Statement(_images)
_OF_ACCOUNT = Statement(_images.where(_of_account, _is_stored).order_by(_created, IMAGES.c.id))
_USED = Statement(update(IMAGES).where(_this).values(used_at=_now))
_drafts = WORKING_COPIES.join(DOCUMENTS, DOCUMENTS.c.id == WORKING_COPIES.c.document_id)
_trashed = TRASH.join(DOCUMENTS, DOCUMENTS.c.id == TRASH.c.document_id)
_of_trash = TRASH.c.account_id == bindparam("account")
_of_owner = DOCUMENTS.c.account_id == bindparam("account")
_CONTENTS = Statement(
    union_all(
        select(DOCUMENTS.c.content).where(_of_owner, DOCUMENTS.c.content.like("%/i/%")),
        select(DOCUMENTS.c.content).select_from(_trashed).where(_of_trash, DOCUMENTS.c.content.like("%/i/%")),
        select(WORKING_COPIES.c.content).select_from(_drafts).where(_of_owner, WORKING_COPIES.c.content.like("%/i/%")),
    )
)
_IS_USED = Statement(
    union_all(
        select(DOCUMENTS.c.id).where(_of_owner, DOCUMENTS.c.content.like(bindparam("pattern"))),
        select(DOCUMENTS.c.id).select_from(_trashed).where(_of_trash, DOCUMENTS.c.content.like(bindparam("pattern"))),
        select(DOCUMENTS.c.id)
        .select_from(_drafts)
        .where(_of_owner, WORKING_COPIES.c.content.like(bindparam("pattern"))),
    ).limit(1)
)


def keep_image(transaction: Transaction, image_id: str, *, until: datetime) -> bool:
    """Keep an image whose file is there; return False if it is to be removed by `until`, or is removed already."""
    return transaction.change(_KEEP, image_id=image_id, until=to_microseconds(until)) == 1


def find_live_image(transaction: Transaction, image_id: str) -> ImageRecord | None:
    """Return an image, unless its account is suspended or deleted."""
    return IMAGE.first(transaction, _FIND_LIVE, image_id=image_id)


def find_live_images(transaction: Transaction, image_ids: Sequence[str]) -> Sequence[ImageRecord]:
    """Return those of at most `SHOWN` images that `find_live_image` returns, in their order."""
    images = {image.id: image for image in IMAGE.all(transaction, _LIVE_AMONG, **numbered(image_ids, SHOWN))}
    return [images[each] for each in image_ids if each in images]


def restrict_images(transaction: Transaction, account_id: str, image_ids: Sequence[str]) -> None:
    """Note that images of an account stood in a page that is not for everybody."""
    for start in range(0, len(image_ids), SHOWN):
        transaction.change(_RESTRICT, account=account_id, **numbered(image_ids[start : start + SHOWN], SHOWN))


def free_image(transaction: Transaction, account_id: str, image_id: str) -> ImageRecord | None:
    """Let everybody see an image again; return None if the account has no such image."""
    return IMAGE.first(transaction, _FREE, account=account_id, image_id=image_id)


def list_images(
    transaction: Transaction, account_id: str, *, before: datetime, before_id: str, limit: int
) -> Sequence[ImageRecord]:
    """Return an account's images, newest first."""
    return IMAGE.all(
        transaction, _LIST, account=account_id, before=to_microseconds(before), before_id=before_id, limit=limit
    )


def all_images(transaction: Transaction) -> Sequence[ImageRecord]:
    """Return all images, also those that are to be removed."""
    return IMAGE.all(transaction, _ALL)


def account_images(transaction: Transaction, account_id: str) -> Sequence[ImageRecord]:
    """Return all images of an account, oldest first."""
    return IMAGE.all(transaction, _OF_ACCOUNT, account=account_id)


def release_image(transaction: Transaction, account_id: str, image_id: str, *, now: datetime) -> ImageRecord | None:
    """Make an image nonexistent to everybody, and return it; its file and row are to be removed."""
    return IMAGE.first(transaction, _RELEASE, account=account_id, image_id=image_id, now=to_microseconds(now))


def release_images(transaction: Transaction, account_id: str, *, limit: int) -> int:
    """Release images of an account; return how many there were, at most `limit`."""
    return transaction.change(_RELEASE_SOME, account=account_id, limit=limit)


def release_images_of_nobody(transaction: Transaction, *, until: datetime) -> None:
    """Release images that were kept while their account was deleted."""
    transaction.change(_RELEASE_LOST, until=to_microseconds(until))


def removable_images(transaction: Transaction, *, now: datetime, limit: int) -> Sequence[ImageRecord]:
    return IMAGE.all(transaction, _REMOVABLE, now=to_microseconds(now), limit=limit)


def postpone_removal(transaction: Transaction, image_id: str, *, until: datetime) -> None:
    transaction.change(_POSTPONE, image_id=image_id, until=to_microseconds(until))


def remove_image(transaction: Transaction, image_id: str, *, now: datetime) -> None:
    """Delete the row of an image whose file is gone, and give its bytes back."""
    row = transaction.row(_REMOVE, image_id=image_id, now=to_microseconds(now))
    if row is not None:
        give_image_bytes(transaction, row[0], row[1])


def accounts_with_idle_images(transaction: Transaction, *, until: datetime) -> Sequence[str]:
    """Return the accounts of images that were not seen to be used after `until`."""
    return [row[0] for row in transaction.rows(_IDLE_ACCOUNTS, until=to_microseconds(until))]


def idle_images(transaction: Transaction, account_id: str, *, until: datetime) -> Sequence[ImageRecord]:
    return IMAGE.all(transaction, _IDLE, account=account_id, until=to_microseconds(until))


def contents_with_images(transaction: Transaction, account_id: str) -> Sequence[str]:
    """Return the texts of an account that may show images of the store."""
    return [row[0] for row in transaction.rows(_CONTENTS, account=account_id)]


def is_image_used(transaction: Transaction, image: ImageRecord) -> bool:
    pattern = f"%{image.stem}%"
    return transaction.row(_IS_USED, account=image.account_id, pattern=pattern) is not None


def mark_images_used(transaction: Transaction, images: Collection[ImageRecord], *, now: datetime) -> None:
    for image in images:
        transaction.change(_USED, image_id=image.id, now=to_microseconds(now))
