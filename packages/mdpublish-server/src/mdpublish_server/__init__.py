"""mdpublish-server: the mdpublish service, which converts Markdown over HTTP and publishes it to web pages.

It is run by its command, `mdpublish-server`; `app.create_app` makes the ASGI application for a server of your own. The
converting is done by the package mdpublish-core. docs/reference/http-api.md describes what the service answers.
"""

__version__ = "0.1.0"
