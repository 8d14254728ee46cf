"""Encoders and decoders of text, on transformers."""
