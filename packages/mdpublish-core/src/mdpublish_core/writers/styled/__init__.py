"""What the writers with inline styles share: email, Google Docs, Word, OneNote and .docx.

walk               order of blocks, tight and loose, captions, boxes, HTML's elements
inlines            links, abbreviations, quotations, readings, formulas
lists              lists of Markdown, of HTML and of footnotes as one
stylesheets        the cursor over a template's rules, and dark themes on white pages
code_lines         highlighted code in lines that keep their spaces; image_sizes: within a column, in proportion
"""
