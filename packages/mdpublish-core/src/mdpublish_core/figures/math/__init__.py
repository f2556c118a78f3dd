"""Math: TeX becomes MathML, and that a picture, text, or a formula of Word."""
