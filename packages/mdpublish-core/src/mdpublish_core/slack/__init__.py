"""Messages in Slack: `post`, which raises the errors of `mdpublish_core.mail`.

webhooks and apps, to which messages go (`places`), and a text as messages, none of them twice (`posting`)
"""

from mdpublish_core import TYPE_CHECKING, lazy_names

__all__ = ["post"]

if TYPE_CHECKING:
    from mdpublish_core.slack.posting import post
else:
    __getattr__, __dir__ = lazy_names(globals(), {"slack.posting": "post"})
