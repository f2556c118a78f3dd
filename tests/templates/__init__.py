"""The templates as Chromium shows them: what is measured of each pair of template and theme mode, and what that must be."""
