"""The website. The site's own pages have no inline script or style.

routes        the route table
site          templates and security headers
page_context  what all pages share
public/       for everybody; published pages are untrusted
account/      for users, and sign-up
operator/     for operators

Forms run the API's code, under the same limits, but do not count against the monthly quota, which is meant for
programs: a user can always unpublish. `/docs` is rendered from the OpenAPI description. What the landing page shows as
copied is converted, not drawn: a picture would stay as it is when a destination changes.
"""
