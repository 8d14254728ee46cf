"""The parts of the minilm-clm recipe; `core/training/minilm_clm.py` puts them together."""
