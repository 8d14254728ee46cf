"""What models are trained on: masked words, spans, replaced tokens, sets."""
