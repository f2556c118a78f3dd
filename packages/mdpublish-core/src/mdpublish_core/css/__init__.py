"""CSS, for templates, users' stylesheets and figures: how it is read, matched with elements, and resolved."""
