"""An S3 of the tests: moto's server, in a process of its own."""
