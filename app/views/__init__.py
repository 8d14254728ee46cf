"""One file or folder a page; each asks `app.inference`, and draws what comes back."""
