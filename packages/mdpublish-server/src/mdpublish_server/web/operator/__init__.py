"""What those see who run the service: accounts that are marked as operators'."""
