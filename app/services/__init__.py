"""The only doors to the core, one client a family of models."""
