"""Destination `slack`: a message in mrkdwn; also HTML for its composer, and messages of Block Kit."""

from mdpublish_core.writers.slack.message import SlackRenderer

render = SlackRenderer.render
