"""Use cases and background tasks.

A request is authenticated by a lookup; its work and its usage count are one transaction. If the work fails, it is
rolled back and only the count is kept, or refunded if the service failed. Rendering comes first (`concurrency`): the
result is written only if the document's `revision` is unchanged. A page and its document change together. Failed
sign-ins are counted before the password is checked, and uncounted if it was right: else simultaneous guesses would all
pass.

Pages are stored rendered, with the renderer's version: one of another version is rendered again on its next view, so
fixes reach old pages. Pages that were viewed come from memory, before routing, until a counter in the database is
raised (`page_serving`). Lists are always current: feeds and the sitemap query the database each time, unless nothing
was written. A sitemap is built in a thread, with a pause after some milliseconds: a driver that fetches row by row
releases the GIL too briefly for the event loop.

Exports are written to an unnamed temporary file first: their length is then known, errors can still be reported, and
nothing remains when the client disconnects. A deleted account is hidden at once; the cleanup deletes its rows in parts.

documents  document_search  publishing  editing  workbench          documents
revisions  revision_history                                         former contents of documents
working_copies  rebasing  trash                                     changes that are not published; deletions to undo
demos  keeping  page_serving  feeds  reports                        and pages
images  image_removal  known_images                                 uploaded images, and what texts show of them
page_access  reading                                                who may see a page, and readers' sessions
accounts  registration  invitations  email_tokens  exports          accounts
apps  client_documents                                              apps that connect by OAuth, and who they say they are
cleanup  health                                                     background tasks, and checks for the operator
concurrency  pages  mailer  front_matter  slug_choice  idempotency  shared: retries, page options, mail queue, defaults
"""
