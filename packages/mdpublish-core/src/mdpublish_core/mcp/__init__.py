"""Tools that assistants call, on this computer and on the service: their arguments, results and bounds."""
