"""The mdpublish service: converts Markdown over HTTP and publishes it as web pages."""

__version__ = "0.1.0"
