"""What the writers with inline styles share: email, Google Docs, Word, OneNote and .docx."""
