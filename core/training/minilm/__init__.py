"""The parts of the minilm-mlm recipe; `core/training/minilm_mlm.py` puts them together."""
