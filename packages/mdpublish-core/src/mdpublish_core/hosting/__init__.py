"""What a program needs that hosts mdpublish for others, as mdpublish-server does; docs/reference/hosting.md describes it.

documents   Markdown and its front matter, read without rendering; versions compared and merged
files       files and images that people bring
inspection  what a check of strangers' texts reads: HTML by its tags, and IP addresses
mail        headers of emails, and SMTP servers
outputs     what can be made of a text, and what is copied
pages       published pages: their policies' hashes, reading time, social image and missing glyphs, and a cache
templates   the gallery of templates, their fonts, and the site's colors
workers     processes for jobs that may crash, confined, and what they load
"""
