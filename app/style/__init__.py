"""The theme, and how numbers and texts are written."""
