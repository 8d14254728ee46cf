"""Pictures and scenes that come with the project, and what was measured on them."""
