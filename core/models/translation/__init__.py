"""Encoder–decoder models: translation, beam search, the cache of a step."""
