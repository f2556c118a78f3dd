"""The revisions; a file's number is its place in the order. A released one is never changed."""
