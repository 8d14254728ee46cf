"""Examples, corpora and lectures."""
