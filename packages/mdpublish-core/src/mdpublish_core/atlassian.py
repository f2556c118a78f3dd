"""Jira and Confluence: the options of the output `adf`, a document for their APIs."""

from mdpublish_core.writers.options.adf import AdfOptions

__all__ = ["AdfOptions"]
