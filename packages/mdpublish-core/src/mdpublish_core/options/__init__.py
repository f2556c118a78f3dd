"""Options of a conversion: CommonMark extensions and limits."""
