"""Options of a document for Atlassian's APIs."""

from dataclasses import dataclass

from mdpublish_core.writers.options.declared import OutputOptions, option


@dataclass(frozen=True, slots=True, kw_only=True)
class AdfOptions(OutputOptions):
    """Options of a document for the APIs of Jira and Confluence."""

    in_parts: bool = option("Divide ADF for fields of Jira: a document of 32,767 characters a line.", value=False)
    """Whether a text that is too long for a field of Jira is in numbered parts, a document a line. A page of Confluence
    has no such limit."""
