"""Texts that mean to run something in whoever reads them, and what is needed to see that none does.

`tables` hold the parts, `composing` puts them together, `published` brings lists that others keep; `lookout` watches a page in
Chromium, `stage` runs the service that shows the texts, and `answers` opens what it answers.
"""
