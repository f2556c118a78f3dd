"""Processes for jobs that may crash, confined, and what they load."""

from mdpublish_core.confinement import hide_memory
from mdpublish_core.confinement.protections import Protection
from mdpublish_core.figures.engines import find_engines
from mdpublish_core.plugins import load_plugin, normalize_package
from mdpublish_core.workers import ForkServer, JobFailed, JobStalled, JobTimedOut, JobTooLarge, Worker, WorkerFailure
from mdpublish_core.workers.limits import MEMORY_BYTES
from mdpublish_core.writers.pdf.printing import find_fonts
