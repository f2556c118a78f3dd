"""What a conversion is asked for: the extensions of Markdown (`extensions`) and its bounds (`limits`)."""
