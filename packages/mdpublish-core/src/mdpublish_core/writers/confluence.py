"""Destination `confluence`: HTML for the editor of Confluence Cloud; `adf` is the same text for its API."""

from mdpublish_core.writers.places.atlassian import AtlassianRenderer

render = AtlassianRenderer.render
