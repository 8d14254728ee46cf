"""One file or folder a page; each asks `app.services.engine`, and draws what comes back."""
