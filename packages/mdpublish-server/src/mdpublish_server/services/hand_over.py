"""Documents that an account gives to another."""

from mdpublish_server.auth.plans import Plan
from mdpublish_server.errors import QuotaExceeded
from mdpublish_server.services.documents import document_limit
from mdpublish_server.services.images import require_image_bytes
from mdpublish_server.services.page_access import image_ids
from mdpublish_server.services.publishing import page_limit
from mdpublish_server.storage import Account, Transaction, accounts
from mdpublish_server.storage.audit import record
from mdpublish_server.storage.documents import find_account_document, give_document, give_words, set_slug
from mdpublish_server.storage.images import give_image
from mdpublish_server.storage.paths import path_of
from mdpublish_server.storage.slug_claims import claim_permalink, end_claims
from mdpublish_server.validation.slugs import random_suffix, with_suffix


def hand_over(transaction: Transaction, document_id: str, giver: Account, taker: Account, plan: Plan) -> bool:
    """Give a document with its page, revisions and images; return False if it is the giver's no longer.

    Its address is below the taker's name, and the former one redirects. Raises `QuotaExceeded` for the taker's plan.
    """
    for account_id in sorted((giver.id, taker.id)):
        accounts.lock_account(transaction, account_id)
    if (document := find_account_document(transaction, giver.id, document_id)) is None:
        return False
    for counter, message in (("documents", document_limit), ("pages", page_limit)):
        if counter == "documents" or document.published_at is not None:
            if not accounts.increment_counter(transaction, taker.id, counter, limit=getattr(plan, counter)):
                raise QuotaExceeded(message(plan))
            accounts.decrement_counter(transaction, giver.id, counter)
    for image_id in image_ids(document.content):
        if (image := give_image(transaction, giver.id, image_id, taker=taker.id)) is not None:
            accounts.give_image_bytes(transaction, giver.id, image.bytes)
            require_image_bytes(transaction, image, plan)
    give_document(transaction, document_id, taker=taker.id)
    give_words(transaction, document_id, taker=taker.id)
    end_claims(transaction, document_id, in_space=giver.id, renames=giver.renames)
    slug = document.slug
    while slug and not claim_permalink(transaction, path_of(taker.username, slug), document_id):
        slug = with_suffix(slug, random_suffix())
    set_slug(transaction, document_id, slug)
    before, after = {"account": giver.id, "slug": document.slug}, {"account": taker.id, "slug": slug}
    for account_id in (giver.id, taker.id):
        record(transaction, "document.handed_over", account_id, document_id, before=before, after=after)
    return True
