"""The site: published pages, forms and accounts' pages, and the pages that say what went wrong.

    routes      a path and its methods a line
    site        the look that our own pages share, and their headers
    public/     what everybody sees; published pages are somebody else's text, and share no rights with the site
    account/    what those see who have an account, or want one
    operator/   what those see who run the service

Our own pages carry no script.
"""
