"""The sample that fills the workbench at first."""

from importlib.resources import files

SAMPLE = (files("mdpublish_server.web") / "static" / "sample.md").read_text("utf-8")
