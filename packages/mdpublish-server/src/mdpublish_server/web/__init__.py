"""The website. The site's own pages carry no script.

routes      the route table
site        templates and security headers
public/     for everybody; published pages are untrusted
account/    for users, and sign-up
operator/   for operators
"""
