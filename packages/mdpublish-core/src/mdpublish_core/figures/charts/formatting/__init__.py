"""Numbers and dates as text: what JavaScript's Intl and date-fns make of them."""
