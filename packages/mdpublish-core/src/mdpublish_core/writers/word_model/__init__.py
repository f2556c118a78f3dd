"""What Word's HTML and `.docx` share: styles in Word's terms, footnotes' numbers, names, and the sizes of tables and images."""
