"""Pages for everybody. Published pages are untrusted; `pages` has their Content-Security-Policy."""
