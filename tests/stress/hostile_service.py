"""`python -m tests.stress.hostile_service`: the service with one worker for demos, and jobs that never end."""

import os

import uvicorn

from mdpublish_server.app import create_app
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.middleware.protocol import BoundedHttpProtocol
from mdpublish_server.settings import read_settings
from mdpublish_server.storage import migrate


def main() -> None:
    settings = read_settings(os.environ)
    migrate(settings.database_url)
    converter = Converter(workers=1, demo_workers=1, jobs_module="tests.server.conversion_jobs")
    app = create_app(settings, converter=converter)
    uvicorn.run(app, port=settings.port, http=BoundedHttpProtocol, log_level="error", proxy_headers=False)


if __name__ == "__main__":
    main()
