"""Number and date formatting, compatible with JavaScript's Intl and date-fns."""
