"""Headers of emails, and connections to SMTP servers."""
