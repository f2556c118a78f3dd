"""CSS, for templates, users' stylesheets and figures: how it is read, matched with elements, and resolved.

rules         style rules as text: reads, scopes and writes them
selectors     what selectors ask of elements; reads the plain ones of templates and figures
matcher       compiled rules, and the cursor that matches them
cascade       resolves matching declarations
colors/       contrast, mixing in OKLCH, color blindness; parsing: colors as CSS writes them, and their names
lengths       units and sizes that are the same everywhere
user_css      a user's stylesheet and what of it is left out; user_css_reading reads it with tokens (tinycss2)
user_selectors  Selectors Level 4, of selector_names; media_queries: Media Queries Level 4
normalize     rewrites declarations into forms that all destinations support; user_style resolves variables and colors
inlining      applies a user's stylesheet to elements, with the matcher
"""
