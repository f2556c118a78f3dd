"""What those see who have an account, or want one: forms and pages, all of which work without any script."""
