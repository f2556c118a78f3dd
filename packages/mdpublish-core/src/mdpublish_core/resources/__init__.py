"""What a document refers to: URLs, and which may be written (`urls`); images it carries or a conversion made (`media`)."""
