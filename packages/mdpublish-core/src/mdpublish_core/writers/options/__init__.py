"""Options of outputs, apart from what writes them: the command's options are made of these."""
