"""The website: published pages, forms, account pages and error pages. The site's own pages carry no script.

routes      the route table
site        templates and security headers of our own pages
public/     for everybody; published pages are untrusted
account/    for users, and sign-up
operator/   for operators
"""
